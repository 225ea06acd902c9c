"""People's decisions on codes that models propose, and the share of a list that is coded without

Revision ID: 0107
Revises: 0106
"""

import sqlalchemy as sa
from alembic import op

revision = "0107"
down_revision = "0106"


def upgrade() -> None:
    with op.batch_alter_table("coding_list") as table:
        table.add_column(sa.Column("share_without", sa.Float(), nullable=True))
    op.create_table(
        "code_decision",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("item_id", sa.String(), nullable=False),
        sa.Column("proposed_by", sa.String(), nullable=False),
        sa.Column("coder", sa.String(), nullable=False),
        sa.Column("code", sa.String(), nullable=False),
        sa.Column("is_accepted", sa.Boolean(), nullable=False),
        sa.Column("decided_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["item_id"], ["run_item.id"], name="fk_code_decision_item_id_run_item"),
        sa.ForeignKeyConstraint(["proposed_by"], ["run_item.id"], name="fk_code_decision_proposed_by_run_item"),
        sa.PrimaryKeyConstraint("id", name="pk_code_decision"),
        sa.UniqueConstraint("proposed_by", "coder", "code", name="uq_code_decision_proposed_by_coder_code"),
    )
