"""Making and upgrading a store's tables, and refusing a store that is not ours to touch."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, text
from sqlalchemy.exc import IntegrityError

from core.errors import StoreUnavailable
from core.version import PROGRAM_VERSION
from store.engine import Store
from store.migrate import NEWEST, alembic_config, migrate
from store.sqlite.definitions import foreign_definition, lost_definitions
from store.tables import PaperRow, metadata
from store.tables.runs import RunCellRow, RunRow
from tests.store.next_revision import NEXT, know_next_revision

pytestmark = pytest.mark.both
NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)


@pytest.fixture
def bare(bare_url: str) -> Iterator[Store]:
    store = Store(bare_url)
    yield store
    store.close()


def tables(store: Store) -> set[str]:
    with store.write_engine.connect() as connection:
        return set(inspect(connection).get_table_names())


def do(store: Store, *statements: str) -> None:
    with store.writing() as session:
        for statement in statements:
            session.execute(text(statement))


def add_rows(store: Store) -> None:
    with store.writing() as session:
        session.add(PaperRow(id="p", title="Rain", created_by="a", created_at=NOON))
        session.add(RunRow(id="r", number=7, protocol="x", protocol_version="1", created_by="a", created_at=NOON))
        session.flush()
        session.add(RunCellRow(id="c", run_id="r", hash="h"))


def ask(store: Store, query: str) -> list[tuple[object, ...]]:
    with store.reading() as session:
        return [tuple(row) for row in session.execute(text(query))]


def test_a_bare_database_gets_the_tables_of_the_code_once_and_of_another_version_is_left_alone(bare: Store) -> None:
    assert tables(bare) == set()
    migrate(bare)
    assert tables(bare) == {*metadata.tables, "alembic_version"}
    with bare.write_engine.connect() as connection:
        assert MigrationContext.configure(connection).get_current_revision() == NEWEST
        options = {"compare_type": True, "compare_server_default": True}
        assert compare_metadata(MigrationContext.configure(connection, opts=options), metadata) == []
    if bare.path is not None:
        assert foreign_definition(bare.path) is None
        assert lost_definitions(bare.path, NEWEST) == []
    migrating_again_changes_nothing(bare)
    for revision, message in (
        ("9999", rf"^The study {bare.name} was made by a newer Edgewise \(revision 9999\). Update first.$"),
        (
            "0011",
            rf"^The study {bare.name} was made by a pre-release version \(revision 0011\). "
            rf"Edgewise {PROGRAM_VERSION} cannot open it.$",
        ),
    ):
        a_store_of_another_version_is_refused_and_left_alone(bare, revision, message)


def migrating_again_changes_nothing(store: Store) -> None:
    do(store, "INSERT INTO study_setting (key, value, version) VALUES ('kept', '1', 1)")
    migrate(store)
    assert ask(store, "SELECT key FROM study_setting") == [("kept",)]


def a_store_of_another_version_is_refused_and_left_alone(store: Store, revision: str, message: str) -> None:
    do(store, f"UPDATE alembic_version SET version_num = '{revision}'")
    with pytest.raises(StoreUnavailable, match=message):
        migrate(store)
    assert ask(store, "SELECT version_num FROM alembic_version") == [(revision,)]
    assert tables(store) == {*metadata.tables, "alembic_version"}


def test_a_database_of_another_program_is_refused_and_left_alone(bare: Store) -> None:
    do(bare, "CREATE TABLE invoice (number INTEGER)")
    with pytest.raises(StoreUnavailable, match="tables of another program"):
        migrate(bare)
    assert tables(bare) == {"invoice"}


def test_an_upgrade_keeps_every_row_and_its_references(
    bare: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    migrate(bare)
    add_rows(bare)
    know_next_revision(tmp_path, monkeypatch)
    migrate(bare)
    assert ask(bare, "SELECT version_num FROM alembic_version") == [(NEXT,)]
    assert ask(bare, "SELECT title, version, is_retracted FROM paper") == [("Rain", 1, False)]
    joined = ask(bare, "SELECT r.number, r.state, c.hash FROM run_cell c JOIN run r ON r.id = c.run_id")
    assert joined == [(7, "queued", "h")]
    do(bare, "UPDATE run SET state = 'asleep'")
    for refused in ("UPDATE run SET state = 'lost'", "DELETE FROM run", "UPDATE run_cell SET run_id = 'nowhere'"):
        with pytest.raises(IntegrityError):
            do(bare, refused)
    assert bare.check() == []


def test_an_upgrade_that_fails_halfway_leaves_the_store_as_it_was(
    bare: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    know_next_revision(tmp_path / "bad", monkeypatch, end="    raise RuntimeError('stopped halfway')\n")
    with pytest.raises(RuntimeError, match="halfway"):
        migrate(bare)
    assert tables(bare) == set()
    monkeypatch.undo()
    migrate(bare)
    add_rows(bare)
    know_next_revision(tmp_path / "again", monkeypatch, end="    raise RuntimeError('stopped halfway')\n")
    with pytest.raises(RuntimeError, match="halfway"):
        migrate(bare)
    assert ask(bare, "SELECT version_num FROM alembic_version") == [(NEWEST,)]
    assert ask(bare, "SELECT count(*) FROM run_cell") == [(1,)]
    with bare.write_engine.connect() as connection:
        assert "is_retracted" not in {column["name"] for column in inspect(connection).get_columns("paper")}


def test_the_newest_revision_is_the_last_one_in_the_folder() -> None:
    assert ScriptDirectory.from_config(alembic_config()).get_current_head() == NEWEST
