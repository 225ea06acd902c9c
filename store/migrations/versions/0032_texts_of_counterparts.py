"""Names of counterparts as texts, also in studies that a version of 26 November made

Revision ID: 0032
Revises: 0031
"""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None

NAMES = ("answer", "truth_node", "answer_node")


def upgrade() -> None:
    """Another type is no change that SQLite makes in place, so the table is made again, and only where it differs."""
    bind = op.get_bind()
    types = {each["name"]: each["type"] for each in sa.inspect(bind).get_columns("verdict_counterpart")}
    if all(isinstance(types[name], sa.Text) for name in NAMES):
        return
    rows = [dict(each) for each in bind.execute(sa.text("SELECT * FROM verdict_counterpart")).mappings()]
    op.drop_table("verdict_counterpart")
    op.create_table(
        "verdict_counterpart",
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("truth_node", sa.Text(), nullable=False),
        sa.Column("answer_node", sa.Text(), nullable=False),
        sa.Column("set_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("answer", "by", "truth_node", "answer_node", name=op.f("pk_verdict_counterpart")),
    )
    kept = 'INSERT INTO verdict_counterpart (answer, "by", truth_node, answer_node, set_at) '
    if rows:
        bind.execute(sa.text(f"{kept} VALUES (:answer, :by, :truth_node, :answer_node, :set_at)"), rows)


def downgrade() -> None:
    pass  # both definitions hold the same rows
