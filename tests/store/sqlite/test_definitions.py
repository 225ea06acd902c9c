"""What only a stranger defines, told from what our own revisions make in any order of their constraints."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from core.errors import StoreUnavailable
from store.engine import Store
from store.migrate import NEWEST, migrate
from store.sqlite.definitions import foreign_definition, lost_definitions


@pytest.fixture
def study(tmp_path: Path) -> Path:
    store = Store(str(tmp_path / "study.sqlite"))
    migrate(store)
    store.close()
    return tmp_path / "study.sqlite"


def change(study: Path, statements: str) -> None:
    with closing(sqlite3.connect(study)) as raw:
        raw.executescript(statements)


def rewrite(study: Path, table: str, was: str, now: str) -> None:
    change(
        study,
        "PRAGMA writable_schema = ON; "
        f"UPDATE sqlite_master SET sql = replace(sql, '{was}', '{now}') WHERE name = '{table}';",
    )


def test_a_new_study_defines_nothing_foreign_and_has_lost_nothing(study: Path) -> None:
    assert foreign_definition(study) is None
    assert lost_definitions(study, NEWEST) == []


def test_layout_quotes_and_the_order_of_constraints_are_no_difference(study: Path) -> None:
    first = "CONSTRAINT fk_edge_graph_id_graph FOREIGN KEY(graph_id) REFERENCES graph (id)"
    with closing(sqlite3.connect(study)) as raw:
        (sql,) = raw.execute("SELECT sql FROM sqlite_master WHERE name = 'edge'").fetchone()
    assert f"{first}, " in sql
    rewrite(study, "edge", f"{first}, ", "")
    rewrite(study, "edge", "CONSTRAINT pk_edge", f'{first},   CONSTRAINT "pk_edge"')
    assert foreign_definition(study) is None


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("NOT NULL", "NULL"),
        ("VARCHAR", "TEXT"),
        ("PRIMARY KEY (id)", "PRIMARY KEY (id, id)"),
        ("CHECK (", "CHECK (1 OR "),
    ],
)
def test_any_other_difference_counts(study: Path, was: str, now: str) -> None:
    rewrite(study, "attempt", was, now)
    definition = foreign_definition(study)
    assert definition is not None
    described, cure = definition
    assert described.startswith("the table “attempt”,") and cure == ""


def test_a_version_that_nobody_knows_is_refused_before_anything_is_read(study: Path) -> None:
    change(study, "UPDATE alembic_version SET version_num = '9999'; CREATE VIEW extra AS SELECT 1;")
    with pytest.raises(StoreUnavailable, match=r"revision 9999"):
        foreign_definition(study)


def test_tables_of_another_program_are_foreign(tmp_path: Path) -> None:
    change(tmp_path / "other.sqlite", "CREATE TABLE customer (id)")
    found = foreign_definition(tmp_path / "other.sqlite")
    assert found is not None and found[0].startswith("the table “customer”,") and found[1] == 'DROP TABLE "customer"'


def test_an_empty_database_defines_nothing(tmp_path: Path) -> None:
    change(tmp_path / "empty.sqlite", "PRAGMA user_version = 1")
    assert foreign_definition(tmp_path / "empty.sqlite") is None


def test_a_lost_index_is_named(study: Path) -> None:
    change(study, "DROP INDEX ix_event_actor")
    assert foreign_definition(study) is None
    assert lost_definitions(study, NEWEST) == ["the index “ix_event_actor” of table “event” is lost"]
