"""Triplets that a run made, and the items that scored them

Revision ID: 0024
Revises: 0023
"""

from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None

COLUMNS = (
    ("triplet", "run_id", "run"),
    ("triplet", "made_id", "run_made"),
    ("critic_score", "item_id", "run_item"),
)


def upgrade() -> None:
    """A column that refers to another table is added in words: SQLite takes it, and nothing is made again."""
    for table, column, to in COLUMNS:
        name = op.f(f"fk_{table}_{column}_{to}")
        op.execute(f"ALTER TABLE {table} ADD COLUMN {column} VARCHAR CONSTRAINT {name} REFERENCES {to} (id)")
    op.create_index(op.f("ix_triplet_run_id"), "triplet", ["run_id"], unique=False)


def downgrade() -> None:
    op.drop_index(op.f("ix_triplet_run_id"), table_name="triplet")
    for table, column, _ in COLUMNS:
        op.drop_column(table, column)
