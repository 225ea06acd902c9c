"""One server a study, and none on a damaged one."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import StoreUnavailable
from services.backups.scratch import scratch
from services.backups.study_lock import begin_serving, end_serving, held_alone, refuse_old_log
from store.sqlite import file as sqlite_file
from store.sqlite import lock as file_lock
from tests.services.backup_parts import flip, leave_a_log, other_program, root_of


@pytest.fixture
def path(sqlite_url: str) -> Iterator[Path]:
    yield Path(sqlite_url)
    end_serving(sqlite_url)


def test_a_study_is_served_once_and_again_when_that_is_over(path: Path) -> None:
    begin_serving(str(path))
    begin_serving(str(path))  # the same process asks again
    assert file_lock.is_held(sqlite_file.serving_place(path))
    end_serving(str(path))
    assert [each.name for each in path.parent.iterdir()] == [path.name]
    other = file_lock.take(sqlite_file.serving_place(path))
    assert other is not None
    with pytest.raises(StoreUnavailable, match=r"is already being served \(process \d+\); stop that server first"):
        begin_serving(str(path))
    other.release()
    begin_serving(str(path))


def test_a_newer_study_is_refused_in_words_and_not_held(path: Path) -> None:
    with sqlite3.connect(path) as raw:
        raw.execute("UPDATE alembic_version SET version_num = '9999'")
    raw.close()
    with pytest.raises(StoreUnavailable, match=r"made by a newer Edgewise \(revision 9999\)\. Update first"):
        begin_serving(str(path))
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_a_newer_study_on_a_server_is_refused_and_not_changed(postgresql_url: str) -> None:
    from sqlalchemy import text

    from store.engine import Store

    store = Store(postgresql_url)
    begin_serving(postgresql_url)
    with store.write_engine.begin() as connection:
        was = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    try:
        with pytest.raises(StoreUnavailable, match="newer Edgewise"):
            begin_serving(postgresql_url)
        with store.write_engine.begin() as connection:
            assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar() == "9999"
    finally:
        with store.write_engine.begin() as connection:
            connection.execute(text("UPDATE alembic_version SET version_num = :was"), {"was": was})
        store.close()


def test_the_log_of_a_killed_server_is_applied(path: Path) -> None:
    leave_a_log(path, rows=20)
    begin_serving(str(path))
    with sqlite3.connect(path) as raw:
        assert raw.execute("SELECT count(*) FROM run_text").fetchone() == (20,)
    raw.close()


def test_a_log_that_damages_the_study_is_not_applied_and_the_way_to_restore_is_named(path: Path) -> None:
    leave_a_log(path, rows=60)
    log = sqlite_file.log_of(path).read_bytes()
    # Another study of this name, as an older version of ours restored it: beside a log that is not its own.
    with sqlite3.connect(path.with_name("other.edgewise")) as raw:
        raw.execute("PRAGMA journal_mode=WAL")
        raw.executescript("".join(f"CREATE TABLE t{n} (x TEXT); INSERT INTO t{n} VALUES ('{n}');" for n in range(200)))
    raw.close()
    path.with_name("other.edgewise").replace(path)
    before = path.read_bytes()
    with pytest.raises(StoreUnavailable, match=r"damaged together with the log .*restore BACKUP\.zip .* --replace"):
        begin_serving(str(path))
    assert (path.read_bytes(), sqlite_file.log_of(path).read_bytes()) == (before, log)
    assert not file_lock.is_held(sqlite_file.serving_place(path))


def test_a_log_that_another_program_writes_is_its_own_affair(path: Path) -> None:
    with other_program(path):
        begin_serving(str(path))
        assert sqlite_file.has_log(path)
        with pytest.raises(StoreUnavailable, match="already being served"), held_alone(path):
            pass
        assert file_lock.is_held(sqlite_file.serving_place(path))
        end_serving(str(path))
        with pytest.raises(StoreUnavailable, match="Another program"), held_alone(path):
            pass
        assert sqlite_file.has_log(path) and not file_lock.is_held(sqlite_file.serving_place(path))


def test_a_damaged_study_without_a_log_is_served_until_the_damage_is_met(path: Path) -> None:
    """Looking at every page of a large study at every start would take minutes; backups look."""
    flip(path, root_of(path, "run_text"))
    begin_serving(str(path))


def test_a_new_study_gets_no_name_beside_an_old_log(path: Path) -> None:
    leave_a_log(path, rows=5)
    path.rename(path.with_name("damaged.edgewise"))
    left = sqlite_file.parts_there(path)
    with pytest.raises(StoreUnavailable, match="earlier one left") as refused:
        refuse_old_log(path)
    assert [str(part) in str(refused.value) for part in left] == [True, True]
    assert sqlite_file.parts_there(path) == left
    refuse_old_log(path.with_name("new.edgewise"))


def test_serving_clears_what_killed_backups_left_and_not_what_living_ones_use(path: Path) -> None:
    left = path.with_name(".edgewise-left.scratch")
    left.mkdir()
    (left / "held").write_text("4194305")
    (left / "study.sqlite").write_bytes(b"names")
    with scratch(path.parent) as used:
        begin_serving(str(path))
        assert used.exists()
        assert not left.exists()
    assert not used.exists()
