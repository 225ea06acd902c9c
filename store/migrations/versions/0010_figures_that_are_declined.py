"""Work that ends in a verdict instead of a graph: the state "declined", the verdict and its reason

Revision ID: 0010
Revises: 0009
"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

STATES = "state IN ('open', 'submitted', 'returned', 'accepted', 'abandoned', 'declined')"
STATES_BEFORE = "state IN ('open', 'submitted', 'returned', 'accepted', 'abandoned')"
VERDICTS = "verdict IN ('not a causal diagram', 'illegible', 'part of another figure')"
COLUMNS = (
    "id, kind, subject_id, person_id, round, state, graph_id, proposals, comment, claimed_at, expires_at, "
    "submitted_at, seen_at, version"
)


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        _remake(STATES, with_verdict=True)
        return
    op.drop_constraint(op.f("ck_assignment_state"), "assignment", type_="check")
    op.create_check_constraint(op.f("ck_assignment_state"), "assignment", STATES)
    op.add_column("assignment", sa.Column("verdict", sa.String(), nullable=True))
    op.add_column("assignment", sa.Column("reason", sa.Text(), nullable=False, server_default=""))
    op.alter_column("assignment", "reason", server_default=None)
    op.create_check_constraint(op.f("ck_assignment_verdict"), "assignment", VERDICTS)


def downgrade() -> None:
    """What was declined was given up, for the version before knows no verdict."""
    op.execute("UPDATE assignment SET state = 'abandoned' WHERE state = 'declined'")
    if op.get_bind().dialect.name == "sqlite":
        _remake(STATES_BEFORE, with_verdict=False)
        return
    op.drop_constraint(op.f("ck_assignment_verdict"), "assignment", type_="check")
    op.drop_column("assignment", "reason")
    op.drop_column("assignment", "verdict")
    op.drop_constraint(op.f("ck_assignment_state"), "assignment", type_="check")
    op.create_check_constraint(op.f("ck_assignment_state"), "assignment", STATES_BEFORE)


def _remake(states: str, *, with_verdict: bool) -> None:
    """SQLite changes no CHECK, and rulings, scores and efforts point at this table: made anew as 0008 does with runs,
    under its own name and with its rows put back before foreign keys are looked at."""
    op.execute("PRAGMA defer_foreign_keys = ON")
    op.execute(f"CREATE TEMPORARY TABLE assignment_before AS SELECT {COLUMNS} FROM assignment")  # noqa: S608 - constants
    op.drop_table("assignment")
    verdict: list[sa.Column[str] | sa.CheckConstraint] = []
    if with_verdict:
        verdict = [
            sa.Column("verdict", sa.String(), nullable=True),
            sa.Column("reason", sa.Text(), nullable=False),
            sa.CheckConstraint(VERDICTS, name=op.f("ck_assignment_verdict")),
        ]
    op.create_table(
        "assignment",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("subject_id", sa.String(), nullable=False),
        sa.Column("person_id", sa.String(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("graph_id", sa.String(), nullable=True),
        sa.Column("proposals", sa.Text(), nullable=False),
        sa.Column("comment", sa.Text(), nullable=False),
        *verdict,
        sa.Column("claimed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("submitted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.CheckConstraint(states, name=op.f("ck_assignment_state")),
        sa.ForeignKeyConstraint(["graph_id"], ["graph.id"], name=op.f("fk_assignment_graph_id_graph")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_assignment_person_id_person")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_assignment")),
        sa.UniqueConstraint("kind", "subject_id", "person_id", name=op.f("uq_assignment_kind_subject_id_person_id")),
    )
    with op.batch_alter_table("assignment", schema=None) as assignment:
        for column in ("graph_id", "person_id", "subject_id"):
            assignment.create_index(op.f(f"ix_assignment_{column}"), [column], unique=False)
    columns, values = (f"{COLUMNS}, reason", f"{COLUMNS}, ''") if with_verdict else (COLUMNS, COLUMNS)
    op.execute(f"INSERT INTO assignment ({columns}) SELECT {values} FROM assignment_before")  # noqa: S608 - constants
    op.execute("DROP TABLE assignment_before")
