"""The filters by which the answers of a coding list were drawn

Revision ID: 0106
Revises: 0105
"""

import sqlalchemy as sa
from alembic import op

revision = "0106"
down_revision = "0105"


def upgrade() -> None:
    with op.batch_alter_table("coding_list") as table:
        table.add_column(sa.Column("filters", sa.JSON(), nullable=False, server_default="{}"))
    with op.batch_alter_table("coding_list") as table:
        table.alter_column("filters", server_default=None)
