"""What was decided on figures that were found on pages

Revision ID: 0021
Revises: 0020
"""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "region_decision",
        sa.Column("file_sha256", sa.String(), nullable=False),
        sa.Column("part", sa.String(), nullable=False),
        sa.Column("page", sa.Integer(), nullable=False),
        sa.Column("x0", sa.Float(), nullable=False),
        sa.Column("y0", sa.Float(), nullable=False),
        sa.Column("x1", sa.Float(), nullable=False),
        sa.Column("y1", sa.Float(), nullable=False),
        sa.Column("decision", sa.String(), nullable=False),
        sa.Column("figure_id", sa.String(), nullable=True),
        sa.Column("decided_by", sa.String(), nullable=False),
        sa.Column("decided_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.CheckConstraint("decision IN ('waiting', 'located', 'left out')", name=op.f("ck_region_decision_decision")),
        sa.ForeignKeyConstraint(["figure_id"], ["figure.id"], name=op.f("fk_region_decision_figure_id_figure")),
        sa.ForeignKeyConstraint(["file_sha256"], ["file.sha256"], name=op.f("fk_region_decision_file_sha256_file")),
        sa.PrimaryKeyConstraint("file_sha256", "part", name=op.f("pk_region_decision")),
    )


def downgrade() -> None:
    """The version before knows located figures only, and these stay; what was left out is found again."""
    op.drop_table("region_decision")
