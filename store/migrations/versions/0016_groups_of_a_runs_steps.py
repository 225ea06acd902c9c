"""Runs of several steps: the groups that each step takes together, and the values that steps give each other

Revision ID: 0016
Revises: 0015
"""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

STATES = "state IN ('waiting', 'open', 'done', 'blocked', 'deciding')"
IN_STEPS = sa.text("group_id IS NOT NULL")


def upgrade() -> None:
    """The runs that there are have one step, and no groups."""
    op.create_table(
        "run_group",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("step", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("inputs_hash", sa.String(), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.CheckConstraint(STATES, name=op.f("ck_run_group_state")),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_run_group_run_id_run")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run_group")),
        sa.UniqueConstraint("run_id", "step", "key", name=op.f("uq_run_group_run_id_step_key")),
    )
    op.create_index("ix_run_group_run_id_state", "run_group", ["run_id", "state"], unique=False)
    op.create_table(
        "run_made",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("group_id", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("value", sa.JSON(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("flags", sa.JSON(), nullable=False),
        sa.Column("rests_on", sa.JSON(), nullable=False),
        sa.Column("ruling", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["group_id"], ["run_group.id"], name=op.f("fk_run_made_group_id_run_group")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run_made")),
        sa.UniqueConstraint("group_id", "place", name=op.f("uq_run_made_group_id_place")),
    )
    _add_reference("run_sample", "group_id", "run_group")
    op.create_index(
        "ix_run_sample_group_id", "run_sample", ["group_id"], sqlite_where=IN_STEPS, postgresql_where=IN_STEPS
    )
    _add_reference("run", "based_on", "run")
    op.add_column("run", sa.Column("next_place", sa.Integer(), nullable=True))


def _add_reference(table: str, column: str, to: str) -> None:
    """SQLite adds a column with its reference in one statement, and Alembic does not write it."""
    name = f"fk_{table}_{column}_{to}"
    op.execute(f"ALTER TABLE {table} ADD COLUMN {column} VARCHAR CONSTRAINT {name} REFERENCES {to} (id)")


def downgrade() -> None:
    op.drop_column("run", "next_place")
    op.drop_column("run", "based_on")
    op.drop_index("ix_run_sample_group_id", "run_sample")
    op.drop_column("run_sample", "group_id")
    op.drop_table("run_made")
    op.drop_index("ix_run_group_run_id_state", "run_group")
    op.drop_table("run_group")
