"""Samples of figures by their figure

Revision ID: 0022
Revises: 0021
"""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None

OF_FIGURE = sa.text("subject_kind = 'figure'")


def upgrade() -> None:
    """Every look at a figure asks what models read in it; only such samples are in the index."""
    op.create_index(
        op.f("ix_run_sample_subject_id"),
        "run_sample",
        ["subject_id"],
        sqlite_where=OF_FIGURE,
        postgresql_where=OF_FIGURE,
    )


def downgrade() -> None:
    op.drop_index(op.f("ix_run_sample_subject_id"), table_name="run_sample")
