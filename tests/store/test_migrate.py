"""Making and upgrading a store's tables, and refusing a store that is not ours to touch."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, text

from core.errors import StoreTrouble
from store.engine import Store
from store.migrate import NEWEST, alembic_config, migrate
from store.tables import metadata

pytestmark = pytest.mark.both
cells_and_subjects = import_module("store.migrations.versions.0014_cells_and_subjects_of_samples")


@pytest.fixture
def bare(bare_url: str) -> Iterator[Store]:
    store = Store(bare_url)
    yield store
    store.close()


def tables(store: Store) -> set[str]:
    with store.write_engine.connect() as connection:
        return set(inspect(connection).get_table_names())


def test_a_bare_database_gets_the_tables_of_the_code_once_and_of_a_newer_version_is_left_alone(bare: Store) -> None:
    assert tables(bare) == set()
    migrate(bare)
    assert tables(bare) == {*metadata.tables, "alembic_version"}
    with bare.write_engine.connect() as connection:
        assert MigrationContext.configure(connection).get_current_revision() == NEWEST
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
    migrating_again_changes_nothing(bare)
    the_tables_can_be_taken_down_and_made_again(bare)
    a_store_of_a_newer_version_is_refused_and_left_alone(bare)


def migrating_again_changes_nothing(store: Store) -> None:
    with store.writing() as session:
        session.execute(text("INSERT INTO study_setting (key, value, version) VALUES ('kept', '1', 1)"))
    migrate(store)
    with store.reading() as session:
        assert session.execute(text("SELECT key FROM study_setting")).scalars().all() == ["kept"]


def the_tables_can_be_taken_down_and_made_again(store: Store) -> None:
    with store.write_engine.connect() as connection, connection.begin():
        command.downgrade(alembic_config(connection), "base")
    assert tables(store) == {"alembic_version"}
    migrate(store)
    assert tables(store) == {*metadata.tables, "alembic_version"}


def a_store_of_a_newer_version_is_refused_and_left_alone(store: Store) -> None:
    with store.writing() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StoreTrouble, match=r"newer Edgewise \(revision 9999\)"):
        migrate(store)
    with store.reading() as session:
        assert session.execute(text("SELECT version_num FROM alembic_version")).scalar() == "9999"


def test_a_database_of_another_program_is_refused_and_left_alone(bare: Store) -> None:
    with bare.writing() as session:
        session.execute(text("CREATE TABLE invoice (number INTEGER)"))
    with pytest.raises(StoreTrouble, match="tables of another program"):
        migrate(bare)
    assert tables(bare) == {"invoice"}


def test_a_revision_that_fails_leaves_no_half_made_table(bare: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_args: object) -> None:
        with bare.write_engine.connect():
            raise StoreTrouble("stopped half-way")

    original = command.upgrade

    def upgrade_and_fail(*args: object) -> None:
        original(*args)  # type: ignore[arg-type]
        fail()

    monkeypatch.setattr(command, "upgrade", upgrade_and_fail)
    with pytest.raises(StoreTrouble, match="half-way"):
        migrate(bare)
    assert tables(bare) == set()


def test_the_newest_revision_is_the_last_one_in_the_folder() -> None:
    assert ScriptDirectory.from_config(alembic_config()).get_current_head() == NEWEST
