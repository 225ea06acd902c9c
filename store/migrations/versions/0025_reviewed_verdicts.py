"""Sheets of verdicts, what people label and correct, and tallies after review

Revision ID: 0025
Revises: 0024
"""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

SECTIONS = "section IN ('node_precision', 'node_recall', 'edge_precision', 'edge_recall')"
DRAWN_BY = "drawn_by IN ('random', 'stratified', 'disagreement', 'chosen')"
BLOCKS = "block IN ('graph', 'text', 'item')"
RULINGS = "ruling IN ('override', 'conceded', 'both', 'flagged', 'taken back')"
WHY = "what was ruled about verdicts is append-only"
SQLITE_GUARD = """
CREATE TRIGGER verdict_override_refuse_{act} BEFORE {act} ON verdict_override
BEGIN SELECT RAISE(ABORT, '{why}'); END
"""
# INSERT OR REPLACE deletes the row in its way without firing the trigger on DELETE.
SQLITE_REPLACE_GUARD = """
CREATE TRIGGER verdict_override_refuse_REPLACE BEFORE INSERT ON verdict_override
WHEN EXISTS (SELECT 1 FROM verdict_override WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, '{why}'); END
"""
POSTGRESQL_GUARD = """
CREATE FUNCTION verdict_override_refuse() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION '{why}'; END $$;
CREATE TRIGGER verdict_override_refuse_change BEFORE UPDATE OR DELETE ON verdict_override
FOR EACH ROW EXECUTE FUNCTION verdict_override_refuse();
CREATE TRIGGER verdict_override_refuse_truncate BEFORE TRUNCATE ON verdict_override
FOR EACH STATEMENT EXECUTE FUNCTION verdict_override_refuse();
"""


def guard_overrides() -> None:
    if op.get_bind().dialect.name == "sqlite":
        for act in ("UPDATE", "DELETE"):
            op.execute(SQLITE_GUARD.format(act=act, why=WHY))
        op.execute(SQLITE_REPLACE_GUARD.format(why=WHY))
    else:
        op.execute(POSTGRESQL_GUARD.format(why=WHY))


def upgrade() -> None:
    op.create_table(
        "verdict_sheet",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("item_id", sa.String(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("section", sa.String(), nullable=False),
        sa.Column("numbers", sa.JSON(), nullable=False),
        sa.Column("weights", sa.JSON(), nullable=False),
        sa.Column("drawn_by", sa.String(), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=True),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("created_by", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(SECTIONS, name=op.f("ck_verdict_sheet_section")),
        sa.CheckConstraint(DRAWN_BY, name=op.f("ck_verdict_sheet_drawn_by")),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_verdict_sheet_run_id_run")),
        sa.ForeignKeyConstraint(["item_id"], ["run_item.id"], name=op.f("fk_verdict_sheet_item_id_run_item")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_verdict_sheet")),
    )
    op.create_index(op.f("ix_verdict_sheet_run_id"), "verdict_sheet", ["run_id"])
    op.create_index(op.f("ix_verdict_sheet_item_id_drawn_by"), "verdict_sheet", ["item_id", "drawn_by"])
    op.create_table(
        "person_label",
        sa.Column("assignment_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("block", sa.String(), nullable=False),
        sa.Column("field", sa.String(), nullable=False),
        sa.Column("label", sa.String(), nullable=False),
        sa.Column("saw_verdict", sa.Boolean(), nullable=False),
        sa.Column("set_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("compared_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(BLOCKS, name=op.f("ck_person_label_block")),
        sa.ForeignKeyConstraint(
            ["assignment_id"], ["assignment.id"], name=op.f("fk_person_label_assignment_id_assignment")
        ),
        sa.PrimaryKeyConstraint("assignment_id", "number", "block", "field", name=op.f("pk_person_label")),
    )
    op.create_table(
        "verdict_override",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("item_id", sa.String(), nullable=False),
        sa.Column("assignment_id", sa.String(), nullable=True),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("block", sa.Text(), nullable=False),
        sa.Column("field", sa.Text(), nullable=False),
        sa.Column("ruling", sa.String(), nullable=False),
        sa.Column("before", sa.Text(), nullable=False),
        sa.Column("after", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(RULINGS, name=op.f("ck_verdict_override_ruling")),
        sa.ForeignKeyConstraint(["item_id"], ["run_item.id"], name=op.f("fk_verdict_override_item_id_run_item")),
        sa.ForeignKeyConstraint(
            ["assignment_id"], ["assignment.id"], name=op.f("fk_verdict_override_assignment_id_assignment")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_verdict_override")),
    )
    op.create_index(op.f("ix_verdict_override_assignment_id"), "verdict_override", ["assignment_id"])
    op.create_index(op.f("ix_verdict_override_item_id_number"), "verdict_override", ["item_id", "number"])
    op.create_table(
        "verdict_reviewed",
        sa.Column("item_id", sa.String(), nullable=False),
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("tally", sa.JSON(), nullable=False),
        sa.Column("score", sa.Float(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["item_id"], ["run_item.id"], name=op.f("fk_verdict_reviewed_item_id_run_item")),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_verdict_reviewed_run_id_run")),
        sa.PrimaryKeyConstraint("item_id", name=op.f("pk_verdict_reviewed")),
    )
    op.create_index(op.f("ix_verdict_reviewed_run_id"), "verdict_reviewed", ["run_id"])
    guard_overrides()


def downgrade() -> None:
    """The version before knows no review; what the history says of it stays."""
    for table in ("verdict_reviewed", "verdict_override", "person_label", "verdict_sheet"):
        op.drop_table(table)
    if op.get_bind().dialect.name != "sqlite":
        op.execute("DROP FUNCTION verdict_override_refuse()")
