"""Runs that wait for a server, attempts that never left, and the most that an attempt may cost

Revision ID: 0008
Revises: 0007
"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

RUN_STATES = "state IN ('queued', 'running', 'waiting', 'paused', 'stopped', 'done', 'cancelled')"
RUN_STATES_BEFORE = "state IN ('queued', 'running', 'paused', 'stopped', 'done', 'cancelled')"
ATTEMPT_STATES = "state IN ('sent', 'unsent', 'answered', 'error', 'uncertain')"
ATTEMPT_STATES_BEFORE = "state IN ('sent', 'answered', 'error', 'uncertain')"
RUN_COLUMNS = (
    "id, number, title, protocol, protocol_version, state, reason, settings, manifest, created_by, created_at, "
    "started_at, finished_at, archived_at, version"
)


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        _remake_run(RUN_STATES, with_hindered=True)
    else:
        op.drop_constraint(op.f("ck_run_state"), "run", type_="check")
        op.create_check_constraint(op.f("ck_run_state"), "run", RUN_STATES)
        op.add_column("run", sa.Column("hindered", sa.JSON(), nullable=False, server_default="{}"))
        op.alter_column("run", "hindered", server_default=None)
    with op.batch_alter_table("attempt") as attempt:
        attempt.drop_constraint(op.f("ck_attempt_state"), type_="check")
        attempt.create_check_constraint(op.f("ck_attempt_state"), ATTEMPT_STATES)
        attempt.add_column(sa.Column("most_tokens", sa.Integer(), nullable=True))
        attempt.add_column(sa.Column("most_usd", sa.Float(), nullable=True))


def downgrade() -> None:
    """What waits is stopped, for the version before knows no waiting; what never left has failed."""
    op.execute("UPDATE run SET state = 'stopped' WHERE state = 'waiting'")
    op.execute("UPDATE attempt SET state = 'error' WHERE state = 'unsent'")
    with op.batch_alter_table("attempt") as attempt:
        attempt.drop_column("most_usd")
        attempt.drop_column("most_tokens")
        attempt.drop_constraint(op.f("ck_attempt_state"), type_="check")
        attempt.create_check_constraint(op.f("ck_attempt_state"), ATTEMPT_STATES_BEFORE)
    if op.get_bind().dialect.name == "sqlite":
        _remake_run(RUN_STATES_BEFORE, with_hindered=False)
    else:
        op.drop_column("run", "hindered")
        op.drop_constraint(op.f("ck_run_state"), "run", type_="check")
        op.create_check_constraint(op.f("ck_run_state"), "run", RUN_STATES_BEFORE)


def _remake_run(states: str, *, with_hindered: bool) -> None:
    """SQLite changes no CHECK of a table. Samples, items and attempts point at this one, and foreign keys cannot be
    turned off within a transaction: they are looked at when it ends, and for that the rows must be put into a table
    that is called `run` already; a table renamed to it would leave them dangling."""
    op.execute("PRAGMA defer_foreign_keys = ON")
    op.execute(f"CREATE TEMPORARY TABLE run_before AS SELECT {RUN_COLUMNS} FROM run")  # noqa: S608 - constants
    op.drop_table("run")
    hindered = [sa.Column("hindered", sa.JSON(), nullable=False)] if with_hindered else []
    op.create_table(
        "run",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("protocol", sa.String(), nullable=False),
        sa.Column("protocol_version", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        *hindered,
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("manifest", sa.JSON(), nullable=False),
        sa.Column("created_by", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("archived_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.CheckConstraint(states, name=op.f("ck_run_state")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run")),
        sa.UniqueConstraint("number", name=op.f("uq_run_number")),
    )
    columns, values = (f"{RUN_COLUMNS}, hindered", f"{RUN_COLUMNS}, '{{}}'") if with_hindered else (RUN_COLUMNS,) * 2
    op.execute(f"INSERT INTO run ({columns}) SELECT {values} FROM run_before")  # noqa: S608 - constants
    op.execute("DROP TABLE run_before")
