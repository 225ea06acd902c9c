"""Queues, rulings, classes of names, releases and erasures

Revision ID: 0004
Revises: 0003
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

FROZEN = ("release", "release_item")
WHY = "a release is frozen"
SQLITE_GUARD = """
CREATE TRIGGER {table}_refuse_{act} BEFORE {act} ON {table}
BEGIN SELECT RAISE(ABORT, '{why}'); END
"""
# INSERT OR REPLACE deletes the row in its way without firing the trigger on DELETE.
SQLITE_REPLACE_GUARD = """
CREATE TRIGGER {table}_refuse_REPLACE BEFORE INSERT ON {table}
WHEN EXISTS (SELECT 1 FROM {table} WHERE {same})
BEGIN SELECT RAISE(ABORT, '{why}'); END
"""
SAME = {
    "release": "id = NEW.id OR number = NEW.number",
    "release_item": "release_id = NEW.release_id AND figure_id = NEW.figure_id",
}
POSTGRESQL_GUARD = """
CREATE TRIGGER {table}_refuse_change BEFORE UPDATE OR DELETE ON {table}
FOR EACH ROW EXECUTE FUNCTION release_refuse();
CREATE TRIGGER {table}_refuse_truncate BEFORE TRUNCATE ON {table}
FOR EACH STATEMENT EXECUTE FUNCTION release_refuse();
"""


def guard_releases() -> None:
    if op.get_bind().dialect.name == "sqlite":
        for table in FROZEN:
            for act in ("UPDATE", "DELETE"):
                op.execute(SQLITE_GUARD.format(table=table, act=act, why=WHY))
            op.execute(SQLITE_REPLACE_GUARD.format(table=table, same=SAME[table], why=WHY))
        return
    op.execute(
        "CREATE FUNCTION release_refuse() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{WHY}'; END $$;"
    )
    for table in FROZEN:
        op.execute(POSTGRESQL_GUARD.format(table=table))


def upgrade() -> None:
    op.add_column("assignment", sa.Column("seen_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("alignment", sa.Column("classes", sa.JSON(), nullable=False, server_default="{}"))
    op.create_table(
        "queue_entry",
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("subject_id", sa.String(), nullable=False),
        sa.Column("priority", sa.Integer(), nullable=False),
        sa.Column("wanted", sa.Integer(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("kind", "subject_id", name=op.f("pk_queue_entry")),
    )
    op.create_table(
        "ruling",
        sa.Column("assignment_id", sa.String(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("choice", sa.String(), nullable=False),
        sa.Column("reasons", sa.JSON(), nullable=False),
        sa.Column("is_gap", sa.Boolean(), nullable=False),
        sa.Column("comment", sa.Text(), nullable=False),
        sa.Column("value", sa.JSON(), nullable=False),
        sa.Column("ruled_by", sa.String(), nullable=False),
        sa.Column("ruled_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["assignment_id"], ["assignment.id"], name=op.f("fk_ruling_assignment_id_assignment")),
        sa.PrimaryKeyConstraint("assignment_id", "round", "key", name=op.f("pk_ruling")),
    )
    op.create_table(
        "release",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("notes", sa.Text(), nullable=False),
        sa.Column("licence", sa.Text(), nullable=False),
        sa.Column("manifest", sa.JSON(), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("created_by", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_release")),
        sa.UniqueConstraint("number", name=op.f("uq_release_number")),
    )
    op.create_table(
        "release_item",
        sa.Column("release_id", sa.String(), nullable=False),
        sa.Column("figure_id", sa.String(), nullable=False),
        sa.Column("paper_id", sa.String(), nullable=False),
        sa.Column("graph_id", sa.String(), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["release_id"], ["release.id"], name=op.f("fk_release_item_release_id_release")),
        sa.PrimaryKeyConstraint("release_id", "figure_id", name=op.f("pk_release_item")),
    )
    op.create_table(
        "erasure",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("people", sa.Integer(), nullable=False),
        sa.Column("rows", sa.Integer(), nullable=False),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_erasure")),
    )
    guard_releases()


def downgrade() -> None:
    for table in ("erasure", "release_item", "release", "ruling", "queue_entry"):
        op.drop_table(table)
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION release_refuse()")
    op.drop_column("alignment", "classes")
    op.drop_column("assignment", "seen_at")
