"""Backups at a terminal: what is said, where, and the exit status that a nightly job goes by."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import edgewise
from services.study import Study
from services.transcription import transcribing
from store.sqlite import file as sqlite_file
from store.tables import new_id
from tests.services.backup_parts import draw, flip, leave_a_log, root_of, settled

Run = Callable[..., Result]


@pytest.fixture
def run(
    sqlite_study: Study,
    people: SimpleNamespace,
    a_figure: SimpleNamespace,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Run:
    """`run("backup", zip)` on a study with one paper, its file and an edge."""
    work = transcribing.take(people.annotator, a_figure.id, act_id=new_id()).subject_id
    draw(people, work, 1)
    monkeypatch.setenv("EDGEWISE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("EDGEWISE_STORE", str(sqlite_study.store.path))
    return lambda *arguments: CliRunner().invoke(edgewise.app, list(map(str, arguments)))


def said(done: Result) -> str:
    """What a command that found damage said, and where."""
    assert (done.exit_code, done.stdout) == (1, ""), done.output
    return done.stderr


def document(done: Result, status: int = 0) -> Any:
    assert (done.exit_code, done.stderr) == (status, ""), done.output
    return json.loads(done.stdout)


def test_a_sound_backup_is_written_verified_and_restored(run: Run, tmp_path: Path) -> None:
    archive, place = tmp_path / "one.zip", tmp_path / "again" / "study.edgewise"
    made = run("backup", archive)
    assert made.stdout == f"Wrote {archive} (1 file, {archive.stat().st_size:,} bytes).\n"
    looked = run("backup", archive, "--verify")
    assert looked.stdout.startswith(f"{archive}, made 20")
    assert looked.stdout.endswith(" UTC, is sound: the database and 1 file.\n")
    assert run("restore", archive, place).stdout == f"Restored {place} with 1 file.\n"
    facts = document(run("restore", archive, place, "--replace", "--json"))
    assert facts == {
        "store": str(place),
        "files": 1,
        "missing": [],
        "faults": [],
        "moved": facts["moved"],
        "set_aside": [],
    }
    assert (Path(facts["moved"]) / place.name).exists()
    assert document(run("backup", archive, "--verify", "--json"))["sound"] is True


def test_a_damaged_file_is_named_by_backup_verify_and_restore(
    run: Run, sqlite_study: Study, a_figure: SimpleNamespace, tmp_path: Path
) -> None:
    archive, place = tmp_path / "one.zip", tmp_path / "again" / "study.edgewise"
    flip(sqlite_study.shelf.place(a_figure.sha256), 3)
    named = f"“Grain and people” ({a_figure.sha256[:12]}…)"
    assert said(run("backup", archive)) == (
        f"Wrote {archive}, but 1 of 1 file is damaged: {named}: its bytes have changed. To repair this, import the "
        "same file again under Papers.\n"
    )
    assert f"can be restored, but 1 of 1 file is damaged: {named}" in said(run("backup", archive, "--verify"))
    assert f"Restored {place} with 0 files, but 1 of 1 file is damaged: {named}" in said(run("restore", archive, place))
    facts = document(run("backup", tmp_path / "two.zip", "--json"), status=1)
    assert facts["missing"] == [{"sha256": a_figure.sha256, "why": "its bytes have changed", "of": "Grain and people"}]
    assert (facts["files"], facts["faults"], facts["restorable"]) == (0, [], True)


def test_a_damaged_database_is_said_with_what_to_do(run: Run, sqlite_study: Study, tmp_path: Path) -> None:
    path = sqlite_study.store.path
    assert path is not None
    archive = tmp_path / "one.zip"
    at = root_of(settled(path), "edge")
    for place in range(40):
        flip(path, at + place)
    words = said(run("backup", archive))
    assert words.startswith(f"Wrote {archive}, but the database has ")
    assert "This backup cannot be restored. Restore an earlier one" in words
    assert "the database is damaged" in said(run("backup", archive, "--verify"))
    assert "It cannot be restored; use an earlier backup" in said(run("restore", archive, tmp_path / "again.edgewise"))


def test_a_log_that_lies_there_is_named_with_the_way_to_go_on(run: Run, tmp_path: Path) -> None:
    archive, place = tmp_path / "one.zip", tmp_path / "again" / "study.edgewise"
    run("backup", archive)
    run("restore", archive, place)
    leave_a_log(place)
    place.unlink()
    words = said(run("restore", archive, place))
    for each in (sqlite_file.log_of(place), sqlite_file.index_of(place)):
        assert str(each) in words
    assert f"edgewise.py restore BACKUP.zip {place} --replace" in words
    assert run("restore", archive, place, "--replace").exit_code == 0
    leave_a_log(place)
    place.unlink()
    assert "Move that away first" in said(run("init", "--store", place))
    assert not place.exists()


def test_a_file_of_no_bytes_is_no_study_to_any_command(run: Run, tmp_path: Path) -> None:
    place = tmp_path / "empty.edgewise"
    place.touch()
    for command in (("people", "list"), ("backup", tmp_path / "one.zip"), ("init",), ("demo",)):
        assert "is empty (0 bytes), so it is not a study" in said(run(*command, "--store", place))
    assert place.stat().st_size == 0
    assert not (tmp_path / "one.zip").exists()


def test_a_setting_that_is_no_json_is_one_sentence_and_named_by_backup_and_verify(
    run: Run, sqlite_study: Study, tmp_path: Path
) -> None:
    """A restored study opened with the traceback of a JSONDecodeError."""
    path = sqlite_study.store.path
    assert path is not None
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        raw.execute("INSERT INTO study_setting (key, value, version) VALUES ('places', '{\"a\": ', 1)")
    archive, place = tmp_path / "one.zip", tmp_path / "again" / "study.edgewise"
    named = "of study_setting cannot be read: its value is not readable JSON"
    for command in (("backup", archive), ("backup", archive, "--verify"), ("restore", archive, place)):
        assert named in said(run(*command))
    for store in (path, place):
        with closing(sqlite3.connect(store, isolation_level=None)) as raw:
            raw.execute("UPDATE study_setting SET value = 'x' WHERE key = 'secret'")
        words = said(run("people", "list", "--store", store))
        assert words.startswith(
            "The study is damaged: a value of study_setting.value is not readable JSON. Put your last"
        )


def test_a_view_of_ones_own_is_named_with_the_command_that_takes_it_out(
    run: Run, sqlite_study: Study, tmp_path: Path
) -> None:
    """“This backup cannot be restored” said neither why nor what to do."""
    path = sqlite_study.store.path
    assert path is not None
    archive, place = tmp_path / "one.zip", tmp_path / "again.edgewise"
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        raw.execute('CREATE VIEW "My acts" AS SELECT act FROM event')
        raw.execute("CREATE INDEX by_title ON paper (title)")
    for number, drop in enumerate(('DROP INDEX "by_title"', 'DROP VIEW "My acts"')):
        archive = tmp_path / f"{number}.zip"
        words = said(run("backup", archive))
        assert (
            "which no study has. This backup cannot be restored: Edgewise refuses anything that it "
            "did not create itself" in words
        )
        assert f"sqlite3 STUDY '{drop}'" in words
        assert f"If it is yours, remove it from the study ({drop})" in said(run("restore", archive, place))
        with closing(sqlite3.connect(path, isolation_level=None)) as raw:
            raw.execute(drop)
    assert run("backup", tmp_path / "two.zip").exit_code == 0
    assert run("restore", tmp_path / "two.zip", place).exit_code == 0
