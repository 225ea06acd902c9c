"""A revision that no release has, one above the newest, to test upgrades with while there is only one.

It does what is hard on SQLite: it changes a CHECK of a table that others refer to. A CHECK is changed by making the
table again. Foreign keys cannot be turned off inside a transaction; they are checked when it ends, and then the rows
must be in a table that was created as `run`: rows of a table that was renamed to it would leave references dangling.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from services.backups import archive, backup, comparing, soundness
from store import migrate
from store.sqlite import definitions

NEXT = f"{int(migrate.NEWEST) + 1:04}"
REVISION = f'''"""A further state of runs, and whether a paper is retracted

Revision ID: {NEXT}
Revises: {migrate.NEWEST}
"""

import sqlalchemy as sa
from alembic import op

revision = "{NEXT}"
down_revision = "{migrate.NEWEST}"


def upgrade() -> None:
    op.add_column("paper", sa.Column("is_retracted", sa.Boolean(), nullable=False, server_default=sa.false()))
    connection = op.get_bind()
    if connection.dialect.name == "sqlite":
        (made,) = connection.exec_driver_sql("SELECT sql FROM sqlite_master WHERE name = 'run'").one()
        op.execute("PRAGMA defer_foreign_keys = ON")
        op.execute("CREATE TEMPORARY TABLE run_before AS SELECT * FROM run")
        op.drop_table("run")
        connection.exec_driver_sql(made.replace("'queued', 'running'", "'queued', 'asleep', 'running'"))
        op.execute("INSERT INTO run SELECT * FROM run_before")
        op.execute("DROP TABLE run_before")
    else:
        op.drop_constraint(op.f("ck_run_state"), "run", type_="check")
        op.create_check_constraint(op.f("ck_run_state"), "run", "state IN ('queued', 'asleep', 'running')")
'''


def know_next_revision(folder: Path, monkeypatch: pytest.MonkeyPatch, end: str = "") -> None:
    """Let this process know the further revision, `end` its last statements."""
    shutil.copytree(migrate.MIGRATIONS, folder / "migrations", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "migrations" / "versions" / f"{NEXT}_next.py").write_text(REVISION + end, encoding="utf-8")
    monkeypatch.setattr(migrate, "MIGRATIONS", folder / "migrations")
    for module in (migrate, archive, backup, comparing, soundness):
        monkeypatch.setattr(module, "NEWEST", NEXT)
    monkeypatch.setattr(definitions, "made_by", definitions.made_by.__wrapped__)  # remember nothing of it
