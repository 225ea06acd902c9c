"""Items of a run by how they ended, in an index that holds what lists count

Revision ID: 0028
Revises: 0027
"""

from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None

WAS = "ix_run_item_run_id_status"
NOW = "ix_run_item_run_id_status_is_right_predicted"


def upgrade() -> None:
    op.create_index(op.f(NOW), "run_item", ["run_id", "status", "is_right", "predicted"], unique=False)
    op.drop_index(op.f(WAS), table_name="run_item")


def downgrade() -> None:
    op.create_index(op.f(WAS), "run_item", ["run_id", "status"], unique=False)
    op.drop_index(op.f(NOW), table_name="run_item")
