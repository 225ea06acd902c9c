"""The wording under which people labelled verdicts: in the earlier one, BROADER and NARROWER of recall were reversed

Revision ID: 0029
Revises: 0028
"""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Labels that are there were given under the first wording; every later one says its own."""
    op.add_column("person_label", sa.Column("wording", sa.Integer(), nullable=False, server_default="1"))


def downgrade() -> None:
    op.drop_column("person_label", "wording")
