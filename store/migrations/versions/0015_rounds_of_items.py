"""Further requests within one item, answers with parts missing, and what to know of an answer that counts

Revision ID: 0015
Revises: 0014
"""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

BEFORE = "status IN ('pending', 'answered', 'unparsable', 'truncated', 'refused', 'excluded', 'failed')"
AFTER = BEFORE.replace("'truncated'", "'truncated', 'incomplete'")


def upgrade() -> None:
    _check(BEFORE, AFTER)
    op.add_column("run_item", sa.Column("flags", sa.JSON(none_as_null=True), nullable=True))
    op.create_table(
        "run_round",
        sa.Column("item_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("request_hash", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("fault", sa.Text(), nullable=False),
        sa.CheckConstraint(AFTER, name=op.f("ck_run_round_status")),
        sa.ForeignKeyConstraint(["item_id"], ["run_item.id"], name=op.f("fk_run_round_item_id_run_item")),
        sa.PrimaryKeyConstraint("item_id", "number", name=op.f("pk_run_round")),
    )
    op.create_index(op.f("ix_run_round_request_hash"), "run_round", ["request_hash"])


def downgrade() -> None:
    """What is incomplete is unparsable, for the version before knows nothing else of the kind."""
    op.drop_table("run_round")
    op.execute("UPDATE run_item SET status = 'unparsable' WHERE status = 'incomplete'")
    op.drop_column("run_item", "flags")
    _check(AFTER, BEFORE)


def _check(before: str, after: str) -> None:
    """Give `run_item` another CHECK."""
    if op.get_bind().dialect.name == "sqlite":
        _remake_item(before, after)
    else:
        op.drop_constraint(op.f("ck_run_item_status"), "run_item", type_="check")
        op.create_check_constraint(op.f("ck_run_item_status"), "run_item", after)


def _remake_item(before: str, after: str) -> None:
    """SQLite changes no CHECK of a table, so the table is made again by its own statement, with the rows put back.
    Attempts point at it: as in 0008, what they point at must be a table of this name when the transaction ends."""
    connection = op.get_bind()
    found = connection.execute(
        sa.text(
            "SELECT type, sql FROM sqlite_master WHERE tbl_name = 'run_item' AND sql IS NOT NULL ORDER BY type DESC"
        )
    )
    table, *indexes = [row.sql for row in found]
    if table.count(before) != 1:
        raise RuntimeError(f"The table run_item of this study is none that a migration left; it is made by {table}.")
    op.execute("PRAGMA defer_foreign_keys = ON")
    op.execute("CREATE TEMPORARY TABLE item_before AS SELECT * FROM run_item")
    op.drop_table("run_item")
    for statement in (table.replace(before, after), *indexes):
        connection.exec_driver_sql(statement)
    op.execute("INSERT INTO run_item SELECT * FROM item_before")
    op.execute("DROP TABLE item_before")
