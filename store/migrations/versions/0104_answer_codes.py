"""Codes of answers, and lists of answers that people code blind

Revision ID: 0104
Revises: 0103
"""

import sqlalchemy as sa
from alembic import op

revision = "0104"
down_revision = "0103"


def upgrade() -> None:
    op.create_table(
        "answer_codes",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("item_id", sa.String(), nullable=False),
        sa.Column("coder", sa.String(), nullable=False),
        sa.Column("is_ruling", sa.Boolean(), nullable=False),
        sa.Column("codebook", sa.Integer(), nullable=False),
        sa.Column("codes", sa.JSON(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("coded_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["item_id"], ["run_item.id"], name="fk_answer_codes_item_id_run_item"),
        sa.PrimaryKeyConstraint("id", name="pk_answer_codes"),
        sa.UniqueConstraint("item_id", "coder", name="uq_answer_codes_item_id_coder"),
    )
    op.create_table(
        "coding_list",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("items", sa.JSON(), nullable=False),
        sa.Column("codebook", sa.Integer(), nullable=False),
        sa.Column("people", sa.Integer(), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("created_by", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("withdrawn_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name="fk_coding_list_run_id_run"),
        sa.PrimaryKeyConstraint("id", name="pk_coding_list"),
    )
    op.create_index("ix_coding_list_run_id", "coding_list", ["run_id"])
