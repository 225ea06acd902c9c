"""Keys of nodes' names, by which graphs with equal names are found, and an index of looks at others' work

Revision ID: 0007
Revises: 0006
"""

import sqlalchemy as sa
from alembic import op

from core.graphs.names import name_key

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

AT_ONCE = 1_000


def upgrade() -> None:
    op.add_column("node", sa.Column("name_key", sa.BigInteger(), nullable=False, server_default="0"))
    _fill()
    op.create_index("ix_node_name_key", "node", ["name_key", "graph_id"], unique=False)
    looks = sa.text("act LIKE '%.look'")
    op.create_index("ix_event_look", "event", ["subject_id", "act"], sqlite_where=looks, postgresql_where=looks)


def _fill() -> None:
    """Give the nodes that are there their keys: each different name once, then all rows in one statement."""
    bind = op.get_bind()
    keys = sa.Table("_key_of_name", sa.MetaData(), sa.Column("name", sa.Text()), sa.Column("name_key", sa.BigInteger()))
    bind.execute(sa.text("CREATE TEMPORARY TABLE _key_of_name (name TEXT PRIMARY KEY, name_key BIGINT NOT NULL)"))
    names = [row[0] for row in bind.execute(sa.text("SELECT DISTINCT name FROM node"))]
    for start in range(0, len(names), AT_ONCE):
        some = names[start : start + AT_ONCE]
        bind.execute(sa.insert(keys), [{"name": name, "name_key": name_key(name)} for name in some])
    if names:
        query = "UPDATE node SET name_key = (SELECT k.name_key FROM _key_of_name AS k WHERE k.name = node.name)"
        bind.execute(sa.text(query))
    bind.execute(sa.text("DROP TABLE _key_of_name"))


def downgrade() -> None:
    op.drop_index("ix_event_look", table_name="event")
    op.drop_index("ix_node_name_key", table_name="node")
    op.drop_column("node", "name_key")
