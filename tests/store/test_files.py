"""The shelf: bytes by their hash, written once, on disk beside SQLite or inside the server's database."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlmodel import select

from core.errors import Missing, StoreUnavailable
from services.study import Study
from store.files import FileShelf, restore_file, sha256_of
from store.tables import FileContentRow, FileRow

pytestmark = pytest.mark.both

CONTENT = b"\x89PNG\r\n\x1a\n\x00 some bytes"
NOW = datetime(2026, 3, 2, tzinfo=UTC)


def row(content: bytes = CONTENT) -> FileRow:
    return FileRow(sha256=sha256_of(content), media_type="image/png", size_bytes=len(content), created_at=NOW)


def put(study: Study, content: bytes = CONTENT) -> str:
    with study.store.writing() as session:
        return study.shelf.put(session, row(content), content).sha256


def test_the_name_of_a_file_is_the_hash_of_its_bytes() -> None:
    # The SHA-256 of nothing is published in FIPS 180-4's examples.
    assert sha256_of(b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def test_what_was_put_comes_back(study: Study) -> None:
    sha256 = put(study)
    with study.store.reading() as session:
        path = study.shelf.path(session, sha256)
    assert path.read_bytes() == CONTENT
    assert hashlib.sha256(path.read_bytes()).hexdigest() == path.name


def test_the_same_bytes_are_kept_once(study: Study) -> None:
    assert put(study) == put(study)
    with study.store.reading() as session:
        assert len(session.exec(select(FileRow)).all()) == 1
    if study.shelf.folder is not None:
        assert [path.name for path in study.shelf.folder.rglob("*") if path.is_file()] == [sha256_of(CONTENT)]


def test_sqlite_keeps_bytes_in_the_folder_beside_it(sqlite_study: Study, tmp_path: Path) -> None:
    sha256 = put(sqlite_study)
    assert (tmp_path / "files" / sha256[:2] / sha256).read_bytes() == CONTENT
    with sqlite_study.store.reading() as session:
        assert session.exec(select(FileContentRow)).all() == []


def test_postgresql_keeps_bytes_in_the_database_and_fills_an_emptied_cache(postgresql_study: Study) -> None:
    study = postgresql_study
    sha256 = put(study)
    assert study.shelf.folder is None
    for _ in range(2):
        with study.store.reading() as session:
            path = study.shelf.path(session, sha256)
        assert path.is_relative_to(study.cache)
        assert path.read_bytes() == CONTENT
        path.unlink()


def test_a_file_the_study_does_not_have_is_missing(study: Study) -> None:
    with pytest.raises(Missing, match="no such file"), study.store.reading() as session:
        study.shelf.path(session, "0" * 64)


def test_a_file_lost_from_the_folder_is_said_with_its_name_and_what_to_do(sqlite_study: Study) -> None:
    sha256 = put(sqlite_study)
    with sqlite_study.store.reading() as session:
        sqlite_study.shelf.path(session, sha256).unlink()
    with pytest.raises(StoreUnavailable, match=rf"{sha256[:12]}.*restore it"), sqlite_study.store.reading() as session:
        sqlite_study.shelf.path(session, sha256)


def test_a_write_that_is_undone_leaves_no_row(study: Study) -> None:
    with pytest.raises(RuntimeError), study.store.writing() as session:
        study.shelf.put(session, row(), CONTENT)
        raise RuntimeError
    with study.store.reading() as session:
        assert session.get(FileRow, sha256_of(CONTENT)) is None
    put(study)  # and the bytes that were left do not stand in the way
    with study.store.reading() as session:
        assert study.shelf.path(session, sha256_of(CONTENT)).read_bytes() == CONTENT


def test_a_write_that_fails_leaves_no_half_file(sqlite_study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises((OSError, StoreUnavailable), match=r"No space|disk is full"):
        put(sqlite_study)
    assert sqlite_study.shelf.folder is not None
    assert [path for path in sqlite_study.shelf.folder.rglob("*") if path.is_file()] == []


def test_a_file_put_back_from_a_backup_leaves_a_whole_one_that_is_there(tmp_path: Path) -> None:
    place = FileShelf.place_in(tmp_path, sha256_of(CONTENT))
    for _time in (1, 2):
        (tmp_path / "unpacked").write_bytes(CONTENT)
        assert restore_file(tmp_path, sha256_of(CONTENT), tmp_path / "unpacked") is None
    assert place.read_bytes() == CONTENT


def test_a_damaged_file_is_set_aside_where_one_is_put_back(tmp_path: Path) -> None:
    place = FileShelf.place_in(tmp_path, sha256_of(CONTENT))
    place.parent.mkdir()
    for number, bad in enumerate((b"first", b"second"), start=1):
        place.write_bytes(bad)
        (tmp_path / "unpacked").write_bytes(CONTENT)
        aside = restore_file(tmp_path, sha256_of(CONTENT), tmp_path / "unpacked")
        assert aside == place.with_name(f"{place.name}.damaged-{number}")
        assert (aside.read_bytes(), place.read_bytes()) == (bad, CONTENT)


def test_a_file_that_was_lost_or_changed_is_mended_by_its_content(sqlite_study: Study) -> None:
    put(sqlite_study)
    place = sqlite_study.shelf.place(sha256_of(CONTENT))
    assert not sqlite_study.shelf.repair(sha256_of(CONTENT), CONTENT)
    place.write_bytes(b"changed")
    assert sqlite_study.shelf.repair(sha256_of(CONTENT), CONTENT)
    place.unlink()
    assert sqlite_study.shelf.repair(sha256_of(CONTENT), CONTENT)
    assert place.read_bytes() == CONTENT
