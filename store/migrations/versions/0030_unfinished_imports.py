"""Marks of imports whose rows are being written and belong to nothing that is shown yet

Revision ID: 0030
Revises: 0029
"""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "unfinished_import",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("parent_id", sa.String(), nullable=False),
        sa.CheckConstraint("kind IN ('samples', 'triplets')", name=op.f("ck_unfinished_import_kind")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_unfinished_import")),
    )


def downgrade() -> None:
    op.drop_table("unfinished_import")
