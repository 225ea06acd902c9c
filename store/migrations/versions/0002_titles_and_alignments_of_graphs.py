"""Titles and alignments of graphs

Revision ID: 0002
Revises: 0001
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("graph", sa.Column("title", sa.Text(), nullable=False, server_default=""))
    op.add_column("graph", sa.Column("archived_at", sa.DateTime(timezone=True), nullable=True))
    op.create_index(op.f("ix_graph_kind"), "graph", ["kind"], unique=False)
    op.create_table(
        "alignment",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("reference_id", sa.String(), nullable=False),
        sa.Column("candidate_id", sa.String(), nullable=False),
        sa.Column("pairs", sa.JSON(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["reference_id"], ["graph.id"], name=op.f("fk_alignment_reference_id_graph")),
        sa.ForeignKeyConstraint(["candidate_id"], ["graph.id"], name=op.f("fk_alignment_candidate_id_graph")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_alignment")),
        sa.UniqueConstraint("reference_id", "candidate_id", name=op.f("uq_alignment_reference_id_candidate_id")),
    )


def downgrade() -> None:
    op.drop_table("alignment")
    op.drop_index(op.f("ix_graph_kind"), table_name="graph")
    op.drop_column("graph", "archived_at")
    op.drop_column("graph", "title")
