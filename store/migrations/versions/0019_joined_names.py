"""Marks about printed texts that are one name

Revision ID: 0019
Revises: 0018
"""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

KINDS_BEFORE = (
    "kind IN ('swept', 'not a variable', 'distinct', 'same', 'as printed', 'proposal', 'on print', 'not an edge', "
    "'late voice')"
)
KINDS = f"{KINDS_BEFORE[:-1]}, 'joined')"
COLUMNS = "graph_id, kind, key, value, set_by, set_at"


def upgrade() -> None:
    _change(KINDS)


def downgrade() -> None:
    """The version before knows no joined texts: they are printed texts again, and their node keeps its name and box."""
    op.execute("DELETE FROM mark WHERE kind = 'joined'")
    _change(KINDS_BEFORE)


def _change(kinds: str) -> None:
    """As in 0017: SQLite changes no CHECK, so the table, at which nothing points, is made anew under its own name."""
    if op.get_bind().dialect.name != "sqlite":
        op.drop_constraint(op.f("ck_mark_kind"), "mark", type_="check")
        op.create_check_constraint(op.f("ck_mark_kind"), "mark", kinds)
        return
    op.execute(f"CREATE TEMPORARY TABLE mark_before AS SELECT {COLUMNS} FROM mark")  # noqa: S608 - constants
    op.drop_table("mark")
    op.create_table(
        "mark",
        sa.Column("graph_id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("value", sa.JSON(), nullable=False),
        sa.Column("set_by", sa.String(), nullable=False),
        sa.Column("set_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(kinds, name=op.f("ck_mark_kind")),
        sa.ForeignKeyConstraint(["graph_id"], ["graph.id"], name=op.f("fk_mark_graph_id_graph")),
        sa.PrimaryKeyConstraint("graph_id", "kind", "key", name=op.f("pk_mark")),
    )
    op.execute(f"INSERT INTO mark ({COLUMNS}) SELECT {COLUMNS} FROM mark_before")  # noqa: S608 - constants
    op.execute("DROP TABLE mark_before")
