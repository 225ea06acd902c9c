"""Marks, effort and milestones

Revision ID: 0003
Revises: 0002
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

MARK_KINDS = "kind IN ('swept', 'not a variable', 'distinct', 'same', 'as printed', 'proposal')"


def upgrade() -> None:
    op.add_column("assignment", sa.Column("proposals", sa.Text(), nullable=False, server_default=""))
    op.create_table(
        "mark",
        sa.Column("graph_id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("value", sa.JSON(), nullable=False),
        sa.Column("set_by", sa.String(), nullable=False),
        sa.Column("set_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(MARK_KINDS, name=op.f("ck_mark_kind")),
        sa.ForeignKeyConstraint(["graph_id"], ["graph.id"], name=op.f("fk_mark_graph_id_graph")),
        sa.PrimaryKeyConstraint("graph_id", "kind", "key", name=op.f("pk_mark")),
    )
    op.create_table(
        "effort",
        sa.Column("assignment_id", sa.String(), nullable=False),
        sa.Column("day", sa.String(), nullable=False),
        sa.Column("active_s", sa.Float(), nullable=False),
        sa.Column("last_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("beats", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["assignment_id"], ["assignment.id"], name=op.f("fk_effort_assignment_id_assignment")),
        sa.PrimaryKeyConstraint("assignment_id", "day", name=op.f("pk_effort")),
    )
    op.create_table(
        "milestone",
        sa.Column("person_id", sa.String(), nullable=False),
        sa.Column("what", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("set_by", sa.String(), nullable=False),
        sa.Column("set_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.CheckConstraint("what IN ('training', 'guidelines')", name=op.f("ck_milestone_what")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_milestone_person_id_person")),
        sa.PrimaryKeyConstraint("person_id", "what", "number", name=op.f("pk_milestone")),
    )


def downgrade() -> None:
    op.drop_table("milestone")
    op.drop_table("effort")
    op.drop_table("mark")
    op.drop_column("assignment", "proposals")
