"""Transcriptions as they were first submitted, and when their annotators looked at the figure's reading afterwards

Revision ID: 0018
Revises: 0017
"""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

KINDS_BEFORE = (
    "kind IN ('swept', 'not a variable', 'distinct', 'same', 'as printed', 'proposal', 'on print', 'not an edge')"
)
KINDS = f"{KINDS_BEFORE[:-1]}, 'late voice')"
COLUMNS = "graph_id, kind, key, value, set_by, set_at"
MOMENTS = ("late_opened_at", "late_closed_at")
FIRST = sa.text("is_first")


def upgrade() -> None:
    op.add_column("graph", sa.Column("is_first", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_index("ix_graph_first", "graph", ["based_on"], unique=True, sqlite_where=FIRST, postgresql_where=FIRST)
    for name in MOMENTS:
        op.add_column("assignment", sa.Column(name, sa.DateTime(timezone=True), nullable=True))
    _change(KINDS)


def downgrade() -> None:
    """The version before knows one state of a transcription, the last one. The first ones are archived: their events
    stay, and would lead nowhere."""
    op.execute("UPDATE graph SET archived_at = created_at WHERE is_first")
    op.drop_index("ix_graph_first", "graph")
    op.drop_column("graph", "is_first")
    for name in MOMENTS:
        op.drop_column("assignment", name)
    op.execute("DELETE FROM mark WHERE kind = 'late voice'")
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
