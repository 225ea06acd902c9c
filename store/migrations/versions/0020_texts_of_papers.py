"""Texts of papers: their stages, the changes of each, and how explicit each node is in them

Revision ID: 0020
Revises: 0019
"""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

STAGES = "stage IN ('raw', 'markdown', 'normalised')"
STATES = "state IN ('draft', 'refused', 'ready', 'unfinished')"


def upgrade() -> None:
    op.create_table(
        "paper_text",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("figure_id", sa.String(), nullable=False),
        sa.Column("stage", sa.String(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("based_on", sa.String(), nullable=True),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("before_sha256", sa.String(), nullable=False),
        sa.Column("producer", sa.String(), nullable=False),
        sa.Column("file_sha256", sa.String(), nullable=False),
        sa.Column("unseen", sa.Integer(), nullable=False),
        sa.Column("truth_sha256", sa.String(), nullable=True),
        sa.Column("truth", sa.JSON(), nullable=False),
        sa.Column("guards", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("created_by", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.CheckConstraint(STAGES, name=op.f("ck_paper_text_stage")),
        sa.CheckConstraint(STATES, name=op.f("ck_paper_text_state")),
        sa.ForeignKeyConstraint(["figure_id"], ["figure.id"], name=op.f("fk_paper_text_figure_id_figure")),
        sa.ForeignKeyConstraint(["based_on"], ["paper_text.id"], name=op.f("fk_paper_text_based_on_paper_text")),
        sa.ForeignKeyConstraint(["file_sha256"], ["file.sha256"], name=op.f("fk_paper_text_file_sha256_file")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_paper_text")),
    )
    for name in ("figure_id", "sha256", "before_sha256"):
        op.create_index(op.f(f"ix_paper_text_{name}"), "paper_text", [name])
    op.create_table(
        "paper_text_change",
        sa.Column("text_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.Column("was", sa.Text(), nullable=False),
        sa.Column("replacement", sa.Text(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("page", sa.Integer(), nullable=True),
        sa.Column("flagged", sa.JSON(), nullable=False),
        sa.Column("is_rejected", sa.Boolean(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("ruled_by", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["text_id"], ["paper_text.id"], name=op.f("fk_paper_text_change_text_id_paper_text")),
        sa.PrimaryKeyConstraint("text_id", "number", name=op.f("pk_paper_text_change")),
    )
    op.create_table(
        "node_level",
        sa.Column("text_sha256", sa.String(), nullable=False),
        sa.Column("figure_id", sa.String(), nullable=False),
        sa.Column("rater", sa.String(), nullable=False),
        sa.Column("node", sa.Text(), nullable=False),
        sa.Column("level", sa.Integer(), nullable=False),
        sa.Column("set_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("level IN (1, 2, 3)", name=op.f("ck_node_level_level")),
        sa.ForeignKeyConstraint(["figure_id"], ["figure.id"], name=op.f("fk_node_level_figure_id_figure")),
        sa.PrimaryKeyConstraint("text_sha256", "figure_id", "rater", "node", name=op.f("pk_node_level")),
    )


def downgrade() -> None:
    """The version before knows no texts; what the history says of them stays."""
    op.drop_table("node_level")
    op.drop_table("paper_text_change")
    for name in ("before_sha256", "sha256", "figure_id"):
        op.drop_index(op.f(f"ix_paper_text_{name}"), "paper_text")
    op.drop_table("paper_text")
