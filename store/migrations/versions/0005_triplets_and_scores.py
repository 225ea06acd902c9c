"""Triplets, their papers, and what critics and experts scored

Revision ID: 0005
Revises: 0004
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "triplet_paper",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("collection", sa.String(), nullable=False),
        sa.Column("external_id", sa.String(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("year", sa.Integer(), nullable=True),
        sa.Column("venue", sa.Text(), nullable=False),
        sa.Column("domain", sa.Text(), nullable=False),
        sa.Column("jel_codes", sa.Text(), nullable=True),
        sa.Column("jel_letters", sa.JSON(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("paper_id", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(["paper_id"], ["paper.id"], name=op.f("fk_triplet_paper_paper_id_paper")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_triplet_paper")),
        sa.UniqueConstraint("collection", "external_id", name=op.f("uq_triplet_paper_collection_external_id")),
    )
    op.create_index(op.f("ix_triplet_paper_year"), "triplet_paper", ["year"])
    op.create_index(op.f("ix_triplet_paper_paper_id"), "triplet_paper", ["paper_id"])
    op.create_table(
        "triplet",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("collection", sa.String(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("triplet_paper_id", sa.String(), nullable=False),
        sa.Column("treatment", sa.Text(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("sign", sa.String(), nullable=False),
        sa.Column("context", sa.Text(), nullable=False),
        sa.Column("methods", sa.JSON(), nullable=True),
        sa.Column("evidence", sa.JSON(), nullable=False),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.Column("created_by", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("archived_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.CheckConstraint("sign IN ('+', '-', 'None', 'mixed')", name=op.f("ck_triplet_sign")),
        sa.ForeignKeyConstraint(
            ["triplet_paper_id"], ["triplet_paper.id"], name=op.f("fk_triplet_triplet_paper_id_triplet_paper")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_triplet")),
    )
    op.create_index(op.f("ix_triplet_triplet_paper_id"), "triplet", ["triplet_paper_id"])
    op.create_index(op.f("ix_triplet_collection_place"), "triplet", ["collection", "place"])
    op.create_table(
        "critic_score",
        sa.Column("triplet_id", sa.String(), nullable=False),
        sa.Column("critic", sa.String(), nullable=False),
        sa.Column("criterion", sa.String(), nullable=False),
        sa.Column("score", sa.Integer(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("is_synthetic", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["triplet_id"], ["triplet.id"], name=op.f("fk_critic_score_triplet_id_triplet")),
        sa.PrimaryKeyConstraint("triplet_id", "critic", "criterion", name=op.f("pk_critic_score")),
    )
    op.create_table(
        "expert_score",
        sa.Column("assignment_id", sa.String(), nullable=False),
        sa.Column("criterion", sa.String(), nullable=False),
        sa.Column("score", sa.Integer(), nullable=False),
        sa.Column("set_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["assignment_id"], ["assignment.id"], name=op.f("fk_expert_score_assignment_id_assignment")
        ),
        sa.PrimaryKeyConstraint("assignment_id", "criterion", name=op.f("pk_expert_score")),
    )
    op.create_table(
        "expertise",
        sa.Column("person_id", sa.String(), nullable=False),
        sa.Column("letters", sa.JSON(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_expertise_person_id_person")),
        sa.PrimaryKeyConstraint("person_id", name=op.f("pk_expertise")),
    )


def downgrade() -> None:
    for table in ("expertise", "expert_score", "critic_score", "triplet", "triplet_paper"):
        op.drop_table(table)
