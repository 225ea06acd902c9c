"""Comments between an annotator and reviewers

Revision ID: 0102
Revises: 0101
"""

import sqlalchemy as sa
from alembic import op

revision = "0102"
down_revision = "0101"


def upgrade() -> None:
    op.create_table(
        "work_comment",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("assignment_id", sa.String(), nullable=False),
        sa.Column("edge_id", sa.String(), nullable=True),
        sa.Column("edge", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("written_by", sa.String(), nullable=False),
        sa.Column("written_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["assignment_id"], ["assignment.id"], name="fk_work_comment_assignment_id_assignment"),
        sa.PrimaryKeyConstraint("id", name="pk_work_comment"),
    )
    op.create_index("ix_work_comment_assignment_id", "work_comment", ["assignment_id"])
