"""Counterparts that people say nodes of an answer have in the truth

Revision ID: 0027
Revises: 0026
"""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "verdict_counterpart",
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("truth_node", sa.Text(), nullable=False),
        sa.Column("answer_node", sa.Text(), nullable=False),
        sa.Column("set_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("answer", "by", "truth_node", "answer_node", name=op.f("pk_verdict_counterpart")),
    )


def downgrade() -> None:
    op.drop_table("verdict_counterpart")
