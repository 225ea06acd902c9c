"""How many edits of a graph can be undone and redone, so that no screen walks its history to know

Revision ID: 0011
Revises: 0010
"""

from itertools import groupby

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

EDITED, UNDONE, REDONE = (
    ("graph.edit", "adjudication.rule"),
    ("graph.undo", "adjudication.undo"),
    ("graph.redo", "adjudication.redo"),
)


def upgrade() -> None:
    op.add_column("graph", sa.Column("undo_depth", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("graph", sa.Column("redo_depth", sa.Integer(), nullable=False, server_default="0"))
    _fill()


def _fill() -> None:
    """From the history: an edit clears what could be redone; what had nothing to undo or redo counted for nothing."""
    bind = op.get_bind()
    event = sa.table("event", sa.column("seq"), sa.column("graph_id"), sa.column("act"))
    acts = sa.select(event.c.graph_id, event.c.act).where(
        event.c.graph_id.is_not(None), event.c.act.in_((*EDITED, *UNDONE, *REDONE))
    )
    found = bind.execute(acts.order_by(event.c.graph_id, event.c.seq)).all()
    graph = sa.table("graph", sa.column("id"), sa.column("undo_depth"), sa.column("redo_depth"))
    for graph_id, rows in groupby(found, key=lambda row: row.graph_id):
        undo = redo = 0
        for row in rows:
            if row.act in EDITED:
                undo, redo = undo + 1, 0
            elif row.act in UNDONE and undo:
                undo, redo = undo - 1, redo + 1
            elif row.act in REDONE and redo:
                undo, redo = undo + 1, redo - 1
        bind.execute(sa.update(graph).where(graph.c.id == graph_id).values(undo_depth=undo, redo_depth=redo))


def downgrade() -> None:
    op.drop_column("graph", "redo_depth")
    op.drop_column("graph", "undo_depth")
