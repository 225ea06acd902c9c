"""Samples that people flagged as bad

Revision ID: 0103
Revises: 0102
"""

import sqlalchemy as sa
from alembic import op

revision = "0103"
down_revision = "0102"


def upgrade() -> None:
    op.create_table(
        "sample_flag",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("sample_hash", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("subject_kind", sa.String(), nullable=True),
        sa.Column("subject_id", sa.String(), nullable=True),
        sa.Column("reasons", sa.JSON(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("flagged_by", sa.String(), nullable=False),
        sa.Column("flagged_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_sample_flag"),
        sa.UniqueConstraint("sample_hash", "key", name="uq_sample_flag_sample_hash_key"),
    )
