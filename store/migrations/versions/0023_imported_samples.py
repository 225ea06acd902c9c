"""Imported samples: tables of texts with their graphs

Revision ID: 0023
Revises: 0022
"""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "sample_table",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("licence", sa.Text(), nullable=False),
        sa.Column("file", sa.Text(), nullable=False),
        sa.Column("row_count", sa.Integer(), nullable=False),
        sa.Column("columns", sa.JSON(), nullable=False),
        sa.Column("about", sa.JSON(), nullable=False),
        sa.Column("created_by", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("archived_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.CheckConstraint("kind IN ('default')", name=op.f("ck_sample_table_kind")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sample_table")),
    )
    op.create_table(
        "sample_row",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("table_id", sa.String(), nullable=False),
        sa.Column("external_id", sa.Text(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("text_hash", sa.String(), nullable=True),
        sa.Column("characters", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["sample_table.id"], name=op.f("fk_sample_row_table_id_sample_table")),
        sa.ForeignKeyConstraint(["text_hash"], ["run_text.hash"], name=op.f("fk_sample_row_text_hash_run_text")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sample_row")),
        sa.UniqueConstraint("table_id", "external_id", name=op.f("uq_sample_row_table_id_external_id")),
    )
    op.create_index(op.f("ix_sample_row_table_id_place"), "sample_row", ["table_id", "place"], unique=True)


def downgrade() -> None:
    op.drop_index(op.f("ix_sample_row_table_id_place"), table_name="sample_row")
    op.drop_table("sample_row")
    op.drop_table("sample_table")
