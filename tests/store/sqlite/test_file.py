"""A SQLite study as files: who has it open, and what a log makes of it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from core.errors import StoreUnavailable
from store.engine import Store, study_file
from store.migrate import migrate
from store.sqlite import file as sqlite_file
from tests.services.backup_parts import flip, leave_a_log, other_program, root_of


def test_another_programs_open_study_is_seen_also_under_another_name(sqlite_url: str) -> None:
    path = Path(sqlite_url)
    assert not sqlite_file.is_open_elsewhere(path)
    with other_program(path):
        assert sqlite_file.is_open_elsewhere(path)
        path.rename(path.with_name("moved.edgewise"))
        assert sqlite_file.is_open_elsewhere(path), "its log is open under the old name"
        path.with_name("moved.edgewise").rename(path)
    assert not sqlite_file.is_open_elsewhere(path), "it is dead, however its log lies there"
    assert sqlite_file.has_log(path)


def test_a_look_at_a_study_and_its_log_changes_neither(sqlite_url: str) -> None:
    path = Path(sqlite_url)
    leave_a_log(path, rows=20)
    before = [each.read_bytes() for each in (path, sqlite_file.log_of(path))]
    assert sqlite_file.quick_fault(path) == ""
    assert [each.read_bytes() for each in (path, sqlite_file.log_of(path))] == before


def test_damage_is_told_in_sqlites_words(sqlite_url: str) -> None:
    path = Path(sqlite_url)
    at = root_of(path, "run_text")
    for place in range(8):
        flip(path, at + place)
    assert sqlite_file.quick_fault(path)
    path.write_bytes(b"This is no database. " * 300)
    assert sqlite_file.quick_fault(path) == "file is not a database"


def test_names_with_signs_of_addresses_are_opened(tmp_path: Path) -> None:
    path = tmp_path / "100% mine #1.edgewise"
    store = Store(str(path))
    migrate(store)
    store.close()
    assert sqlite_file.quick_fault(path) == ""


def test_a_file_of_no_bytes_is_no_study_and_stays_empty(tmp_path: Path) -> None:
    path = tmp_path / "empty.edgewise"
    path.touch()
    with pytest.raises(StoreUnavailable, match=r"empty\.edgewise is empty \(0 bytes\), so it is not a study"):
        Store(str(path))
    assert path.stat().st_size == 0


def test_only_sqlite_studies_are_files(tmp_path: Path) -> None:
    assert study_file(str(tmp_path / "a.edgewise")) == tmp_path / "a.edgewise"
    assert study_file(f"sqlite:///{tmp_path}/a.edgewise") == tmp_path / "a.edgewise"
    assert study_file("postgresql://user@host/study") is None


def test_a_definition_that_is_no_text_is_told_as_damage(sqlite_url: str) -> None:
    """SQLite quotes it in its message, which the driver then cannot read."""
    with closing(sqlite3.connect(sqlite_url)) as raw:
        raw.execute("PRAGMA writable_schema = ON")
        raw.execute("UPDATE sqlite_master SET sql = CAST(sql || x'20ae' AS TEXT) WHERE name = 'ix_event_actor'")
        raw.commit()
    assert sqlite_file.quick_fault(Path(sqlite_url))
    with pytest.raises(StoreUnavailable, match="damaged or is not a study"):
        migrate(Store(sqlite_url))
