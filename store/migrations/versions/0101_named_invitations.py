"""Invitations: for whom they are, a note, and when one was revoked

Revision ID: 0101
Revises: 0100
"""

import sqlalchemy as sa
from alembic import op

revision = "0101"
down_revision = "0100"


def upgrade() -> None:
    with op.batch_alter_table("invitation") as table:
        for name in ("name", "note"):
            table.add_column(sa.Column(name, sa.Text(), nullable=False, server_default=""))
        table.add_column(sa.Column("revoked_at", sa.DateTime(timezone=True)))
    with op.batch_alter_table("invitation") as table:
        for name in ("name", "note"):
            table.alter_column(name, server_default=None)
