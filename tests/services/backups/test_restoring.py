"""Bringing a study back: a bad backup leaves nothing behind, and what lies there is never overwritten nor mixed in."""

from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest
from sqlmodel import select

from core.errors import BadInput, StoreUnavailable
from services.backups import restoring
from services.backups.archive import opened_backup
from services.backups.backup import backup
from services.backups.restoring import restore, verify
from services.backups.scratch import scratch
from services.backups.soundness import examine
from services.study import Study, open_study
from services.transcription import transcribing
from store.sqlite import deadline
from store.sqlite import file as sqlite_file
from store.sqlite import lock as file_lock
from store.tables import FileRow, new_id
from tests.everything import usual
from tests.services.backup_parts import (
    Members,
    content_of,
    draw,
    flip,
    leave_a_log,
    manifest_with,
    other_program,
    rewritten,
)
from tests.shared_fixture import laid_once
from tests.store.next_revision import NEXT, know_next_revision


@pytest.fixture
def taken(
    sqlite_study: Study,
    people: SimpleNamespace,
    a_figure: SimpleNamespace,
    tmp_path: Path,
    request: pytest.FixtureRequest,
) -> Path:
    """A good backup of a study with one paper, one file and three edges."""

    def make() -> Path:
        work = transcribing.take(people.annotator, a_figure.id, act_id=new_id()).subject_id
        for number in (1, 2, 3):
            draw(people, work, number)
        return backup(people.owner, tmp_path / "backups" / "one.zip").path

    laid_once(request, sqlite_study, make, people, a_figure)
    return tmp_path / "backups" / "one.zip"


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    return folder


def test_a_restored_study_equals_the_one_that_was_taken(sqlite_study: Study, taken: Path, elsewhere: Path) -> None:
    report = restore(taken, elsewhere / "again.edgewise")
    assert (report.files, report.is_sound, report.moved, report.set_aside) == (1, True, None, ())
    again = open_study(str(elsewhere / "again.edgewise"), elsewhere)
    assert content_of(again) == content_of(sqlite_study)
    assert again.store.check() == []
    with again.store.reading() as session:
        for row in session.exec(select(FileRow)).all():
            assert hashlib.sha256(again.shelf.path(session, row.sha256).read_bytes()).hexdigest() == row.sha256
    again.close()
    assert sorted(path.name for path in elsewhere.iterdir()) == ["again.edgewise", "cache", "files"]


def test_a_backup_of_an_older_version_is_restored_as_this_versions_study(
    taken: Path, elsewhere: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    know_next_revision(tmp_path, monkeypatch)
    report = restore(taken, elsewhere / "new" / "again.edgewise")
    assert (report.files, report.is_sound) == (1, True)
    with closing(sqlite3.connect(report.path)) as raw:
        assert raw.execute("SELECT version_num FROM alembic_version").fetchone() == (NEXT,)
        assert raw.execute("SELECT count(*), max(is_retracted) FROM paper").fetchone() == (1, 0)
        assert raw.execute("SELECT count(*) FROM edge").fetchone() == (3,)


# --- what lies there ---------------------------------------------------------------------------------------------


@pytest.mark.proof("T1", "restore next to the log of a killed program", gate="refused in words; with --replace sound")
def test_a_log_of_a_killed_program_is_never_replayed_into_the_restored_study(
    taken: Path, elsewhere: Path, sqlite_study: Study
) -> None:
    place = elsewhere / "study.edgewise"
    restore(taken, place)
    leave_a_log(place)
    place.rename(elsewhere / "damaged.edgewise")
    log, index = sqlite_file.log_of(place), sqlite_file.index_of(place)
    kept = log.read_bytes()
    with pytest.raises(StoreUnavailable, match=r"never overwritten.* restore BACKUP\.zip .* --replace") as refused:
        restore(taken, place)
    assert str(log) in str(refused.value)
    assert str(index) in str(refused.value)
    assert not place.exists()
    report = restore(taken, place, replace=True)
    assert report.moved is not None
    assert (report.moved / log.name).read_bytes() == kept
    assert (report.moved / index.name).exists()
    assert sqlite_file.parts_there(place) == [place]
    again = open_study(str(place), elsewhere)
    assert again.store.check() == []
    assert content_of(again) == content_of(sqlite_study)
    again.close()


def test_a_study_is_never_written_over(taken: Path, sqlite_study: Study) -> None:
    path = sqlite_study.store.path
    assert path is not None
    before = path.read_bytes()
    with pytest.raises(StoreUnavailable, match="never overwritten"):
        restore(taken, path)
    assert path.read_bytes() == before


def test_replacing_moves_the_study_its_log_and_index_and_deletes_nothing(taken: Path, elsewhere: Path) -> None:
    place = elsewhere / "study.edgewise"
    restore(taken, place)
    leave_a_log(place, rows=5)
    parts = sqlite_file.parts_there(place)
    before = {path.name: path.read_bytes() for path in parts}
    report = restore(taken, place, replace=True)
    assert report.moved is not None
    assert report.moved.parent == elsewhere
    assert report.moved.name.startswith("study.edgewise.replaced-20")
    assert {path.name: path.read_bytes() for path in report.moved.iterdir()} == before
    again = restore(taken, place, replace=True)
    assert again.moved not in (None, report.moved)
    # What was moved aside is a study still, with all that its log holds.
    assert examine(report.moved / "study.edgewise").faults[0].startswith("text 0 x…")


HOLDERS = ("server", "worker", "program", "program of a moved study")


@pytest.mark.parametrize("who", usual(HOLDERS, *HOLDERS[1:3]))
def test_nothing_is_replaced_while_a_process_holds_the_study(taken: Path, elsewhere: Path, who: str) -> None:
    place = elsewhere / "study.edgewise"
    restore(taken, place)
    if who in ("server", "worker"):
        held = sqlite_file.serving_place(place) if who == "server" else sqlite_file.worker_place(place)
        lock = file_lock.take(held)
        assert lock is not None
        words = "is already being served" if who == "server" else "A worker of model runs has"
        with pytest.raises(StoreUnavailable, match=words):
            restore(taken, place, replace=True)
        lock.release(remove=True)
    else:
        with other_program(place):
            if "moved" in who:
                place.rename(elsewhere / "moved.edgewise")
            before = sorted(path.name for path in elsewhere.iterdir())
            with pytest.raises(StoreUnavailable, match=r"Another program has the study .* open; close it first"):
                restore(taken, place, replace=True)
            assert sorted(path.name for path in elsewhere.iterdir()) == before
    assert restore(taken, place, replace=True).is_sound


def test_two_studies_of_one_folder_share_their_files_and_a_damaged_one_is_set_aside(
    taken: Path, elsewhere: Path, sqlite_study: Study, a_figure: SimpleNamespace
) -> None:
    first, second = elsewhere / "first.edgewise", elsewhere / "second.edgewise"
    restore(taken, first)
    assert restore(taken, second).set_aside == ()
    place = elsewhere / "files" / a_figure.sha256[:2] / a_figure.sha256
    sound = place.read_bytes()
    flip(place, 5)
    damaged = place.read_bytes()
    report = restore(taken, first, replace=True)
    assert [path.read_bytes() for path in report.set_aside] == [damaged]
    assert (report.set_aside[0].parent, report.is_sound) == (place.parent, True)
    assert place.read_bytes() == sound
    other = open_study(str(second), elsewhere)
    with other.store.reading() as session:
        assert other.shelf.path(session, a_figure.sha256).read_bytes() == sound
    assert content_of(other) == content_of(sqlite_study)
    other.close()


def test_a_move_that_fails_leaves_the_study_where_it_was(
    taken: Path, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = elsewhere / "study.edgewise"
    restore(taken, place)
    before = place.read_bytes()
    replace = Path.replace

    def refuse(path: Path, target: Path) -> Path:
        if target == place:
            raise OSError(5, "Input/output error")
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(StoreUnavailable, match="Nothing was restored: the disk of"):
        restore(taken, place, replace=True)
    assert place.read_bytes() == before
    assert sorted(path.name for path in elsewhere.iterdir()) == ["files", "study.edgewise"]


def test_the_study_is_read_again_where_it_was_put(
    taken: Path, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = elsewhere / "study.edgewise"
    restore(taken, place)
    before = place.read_bytes()

    def damage(_folder: Path) -> None:
        for at in range(100, 4096):
            flip(place, at)

    monkeypatch.setattr(restoring, "_sync_folder", damage)
    with pytest.raises(StoreUnavailable, match="not read back") as refused:
        restore(taken, place, replace=True)
    (moved,) = elsewhere.glob("study.edgewise.replaced-*")
    assert str(moved) in str(refused.value)
    assert (moved / place.name).read_bytes() == before


# --- bad backups -------------------------------------------------------------------------------------------------


def replace_file(content: bytes) -> Callable[[Members], None]:
    def change(members: Members) -> None:
        members[next(name for name in members if name.startswith("files/"))] = content

    return change


def lose(prefix: str) -> Callable[[Members], None]:
    def change(members: Members) -> None:
        del members[next(name for name in members if name.startswith(prefix))]

    return change


def climb_out(members: Members) -> None:
    members["files/../../evil"] = b"x"
    manifest_with(files=["../../evil"])(members)


def database_is(content: bytes) -> Callable[[Members], None]:
    def change(members: Members) -> None:
        members["study.sqlite"] = content
        manifest_with(database_sha256=hashlib.sha256(content).hexdigest())(members)

    return change


def manifest_is(text: bytes) -> Callable[[Members], None]:
    def change(members: Members) -> None:
        members["manifest.json"] = text

    return change


BAD = {
    "no manifest": (lose("manifest"), "contains no manifest.json"),
    "manifest is not JSON": (manifest_is(b"{"), "is not JSON"),
    "manifest is a list": (manifest_is(b"[]"), "this Edgewise reads format 1"),
    "manifest says nothing": (manifest_is(b'{"format": 1}'), "does not say which database"),
    "manifest says no version": (manifest_with(revision=6), "does not say which version's tables"),
    "manifest says nonsense of what is missing": (manifest_with(missing=[1]), "does not say what the backup lacks"),
    "a later format": (manifest_with(format=2), "backup format 2; this Edgewise reads format 1"),
    "a later version": (manifest_with(revision="9999"), r"made by a newer Edgewise \(revision 9999; .*Update first"),
    "a version before the first release": (
        manifest_with(revision="0011"),
        r"The backup changed.zip was made by a pre-release version \(revision 0011\)\. Edgewise .* cannot open it",
    ),
    "no database": (lose("study"), "contains no study.sqlite"),
    "another database": (manifest_with(database_sha256="0" * 64), "differs from what the manifest says"),
    "no database at all": (database_is(b"This is no database. " * 200), "the database is damaged"),
    "an empty database": (database_is(b""), "is empty"),
    "a way out": (climb_out, "is not a SHA-256"),
    "a number for a file": (manifest_with(files=[7]), "is not a SHA-256"),
}


@pytest.mark.parametrize("fault", sorted(BAD))
def test_a_bad_backup_is_named_and_leaves_nothing_behind(taken: Path, elsewhere: Path, fault: str) -> None:
    change, message = BAD[fault]
    with pytest.raises(BadInput, match=message):
        restore(rewritten(taken, change), elsewhere / "again.edgewise")
    with pytest.raises(BadInput, match=message):
        verify(rewritten(taken, change))
    assert list(elsewhere.iterdir()) == []
    assert not (elsewhere.parent / "evil").exists()


ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT"
FOREIGN = {
    "a trigger": (
        "CREATE TRIGGER quiet AFTER INSERT ON event BEGIN DELETE FROM person; END",
        "defines the trigger “quiet” of table “event”, which no study has",
    ),
    "a view": (f"CREATE VIEW extra AS {ENDLESS} i FROM n", "defines the view “extra”, which no study has"),
    "a view for a table": (
        "ALTER TABLE file RENAME TO other; "
        f"CREATE VIEW file AS {ENDLESS} hex(i) AS sha256, 1 AS size_bytes, '' AS added_at FROM n",
        "defines the ",
    ),
    "a view for the version": (
        f"DROP TABLE alembic_version; CREATE VIEW alembic_version AS {ENDLESS} max(i) AS version_num FROM n",
        "defines the view “alembic_version”, which no study has",
    ),
    "a virtual table": ("CREATE VIRTUAL TABLE extra USING fts5(a)", "defines the table “extra"),
    "a check that never ends": (
        "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, 'CHECK (', 'CHECK (hex(1) AND ') "
        "WHERE name = 'attempt'",
        "defines the table “attempt”, which is not as Edgewise makes it",
    ),
    "an index": ("CREATE INDEX slow ON event (hex(zeroblob(99999)))", "defines the index “slow” of table “event”"),
    "a guard that guards nothing": (
        "DROP TRIGGER event_refuse_UPDATE; "
        "CREATE TRIGGER event_refuse_UPDATE BEFORE UPDATE ON event BEGIN SELECT 1; END",
        "defines the trigger “event_refuse_UPDATE” of table “event”, which is not as Edgewise makes it",
    ),
    "a name that a terminal obeys": ('CREATE VIEW "\x1b[31mred" AS SELECT 1', "the view “\N{REPLACEMENT CHARACTER}"),
}


def defines(statements: str, place: Path) -> Callable[[Members], None]:
    """The backup's database, with what a stranger wrote into it by SQLite's own means."""

    def change(members: Members) -> None:
        place.write_bytes(members["study.sqlite"])
        with closing(sqlite3.connect(place)) as raw:
            raw.executescript(statements)
        database_is(place.read_bytes())(members)
        place.unlink()

    return change


@pytest.mark.proof("T6", "a backup that brings triggers, views or tables of its own", gate="refused, named, not run")
@pytest.mark.parametrize("what", sorted(FOREIGN))
def test_what_a_stranger_defined_in_a_backup_is_named_and_never_run(
    taken: Path, elsewhere: Path, tmp_path: Path, what: str
) -> None:
    statements, words = FOREIGN[what]
    changed = rewritten(taken, defines(statements, tmp_path / "hostile.sqlite"))
    with pytest.raises(BadInput) as refused:
        restore(changed, elsewhere / "again.edgewise")
    assert str(refused.value).startswith("changed.zip is not restored: the database ")
    assert words in str(refused.value)
    assert str(refused.value).isprintable()
    assert list(elsewhere.iterdir()) == []
    with pytest.raises(BadInput, match="is not restored: the database defines"):
        verify(changed)


def test_a_version_that_a_terminal_obeys_is_told_as_text(taken: Path, elsewhere: Path, tmp_path: Path) -> None:
    named = "UPDATE alembic_version SET version_num = char(27) || '[2J'"
    with pytest.raises(BadInput) as refused:
        restore(rewritten(taken, defines(named, tmp_path / "hostile.sqlite")), elsewhere / "again.edgewise")
    assert str(refused.value).isprintable()


def test_tables_that_sqlite_makes_for_itself_are_no_strangers(taken: Path, elsewhere: Path, tmp_path: Path) -> None:
    analysed = rewritten(taken, defines("ANALYZE", tmp_path / "analysed.sqlite"))
    assert restore(analysed, elsewhere / "again.edgewise").is_sound


def test_a_lost_guard_is_told_and_all_is_restored(
    sqlite_study: Study, taken: Path, elsewhere: Path, tmp_path: Path
) -> None:
    changed = rewritten(taken, defines("DROP TRIGGER event_refuse_UPDATE", tmp_path / "open.sqlite"))
    report = restore(changed, elsewhere / "again.edgewise")
    (fault,) = report.faults
    assert "event_refuse_UPDATE" in fault
    assert (report.files, report.missing, report.is_sound) == (1, (), False)
    again = open_study(str(report.path), elsewhere)
    assert content_of(again) == content_of(sqlite_study)
    again.close()


def test_a_look_that_takes_too_long_is_broken_off_and_holds_nothing(
    taken: Path, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deadline, "LEAST_S", -1.0)
    monkeypatch.setattr(deadline, "_STEPS", 1)
    with pytest.raises(BadInput, match=r"one\.zip: checking the database took longer than .* was stopped"):
        restore(taken, elsewhere / "again.edgewise")
    assert list(elsewhere.iterdir()) == []


LOST = {
    "no file": (lose("files/"), "it is damaged in the backup"),
    "a changed file": (replace_file(b"changed"), "it is damaged in the backup"),
    "a file that nobody listed": (manifest_with(files=[]), "the backup does not contain it"),
}


UNNAMED = "0123456789ab" + "0" * 52


def list_as_held(members: Members) -> None:
    manifest_with(files=[*json.loads(members["manifest.json"])["files"], UNNAMED])(members)


LISTED = {
    "listed as missing": (
        manifest_with(missing=[{"sha256": UNNAMED, "why": "its bytes have changed"}]),
        "the backup lacks it: when the backup was made, its bytes have changed",
    ),
    "listed as held": (list_as_held, "it is damaged in the backup"),
}


@pytest.mark.parametrize("how", sorted(LISTED))
def test_a_file_that_only_the_manifest_lists_and_nobody_has_is_named(taken: Path, elsewhere: Path, how: str) -> None:
    change, why = LISTED[how]
    changed = rewritten(taken, change)
    said = [f"(0123456789ab…): {why}; the database does not name it"]
    report = verify(changed)
    assert ([str(each) for each in report.missing], report.files, report.is_sound) == (said, 1, False)
    assert [str(each) for each in restore(changed, elsewhere / "again.edgewise").missing] == said


@pytest.mark.parametrize("fault", sorted(LOST))
def test_a_file_that_a_backup_lost_is_named_and_all_else_is_restored(
    sqlite_study: Study, taken: Path, elsewhere: Path, a_figure: SimpleNamespace, fault: str
) -> None:
    change, why = LOST[fault]
    changed = rewritten(taken, change)
    said = [f"“Grain and people” ({a_figure.sha256[:12]}…): {why}"]
    assert [str(each) for each in verify(changed).missing] == said
    report = restore(changed, elsewhere / "again.edgewise")
    assert ([str(each) for each in report.missing], report.files, report.is_sound) == (said, 0, False)
    again = open_study(str(report.path), elsewhere)
    assert content_of(again) == content_of(sqlite_study)
    again.close()


def test_a_file_that_a_backup_lost_is_not_missed_where_it_lies_already(
    taken: Path, elsewhere: Path, sqlite_study: Study
) -> None:
    assert sqlite_study.shelf.folder is not None
    shutil.copytree(sqlite_study.shelf.folder, elsewhere / "files")
    report = restore(rewritten(taken, lose("files/")), elsewhere / "again.edgewise")
    assert (report.files, report.is_sound) == (1, True)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"Dear colleague, " * 100])
def test_a_file_that_is_no_zip_is_named_and_leaves_nothing_behind(
    tmp_path: Path, elsewhere: Path, content: bytes
) -> None:
    source = tmp_path / "letter.zip"
    source.write_bytes(content)
    with pytest.raises(BadInput, match=r"letter\.zip is not a backup"):
        restore(source, elsewhere / "again.edgewise")
    with pytest.raises(BadInput, match=r"There is no file .*gone\.zip; name the ZIP that `edgewise.py backup` wrote"):
        restore(tmp_path / "gone.zip", elsewhere / "again.edgewise")
    assert list(elsewhere.iterdir()) == []


def test_a_damaged_zip_is_told_wherever_the_damage_is(
    taken: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = taken.read_bytes()
    damaged = taken.with_name("damaged.zip")
    for step in range(1, 16):
        place = len(whole) * step // 16
        for content in (
            whole[:place] + bytes(byte ^ 0xFF for byte in whole[place : place + 8]) + whole[place + 8 :],
            whole[:place],
        ):
            damaged.write_bytes(content)
            try:
                is_told = not verify(damaged).is_sound
            except BadInput as error:
                is_told = "damaged.zip" in str(error)
            assert is_told, place


# --- looking only, room, and what the killed left ------------------------------------------------------------------


def test_a_verified_backup_is_read_whole_and_leaves_nothing(
    taken: Path, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(elsewhere))
    report = verify(taken)
    assert (report.is_sound, report.files, report.made_at[:10]) == (True, 1, "2026-03-02")
    assert list(elsewhere.iterdir()) == []


def test_a_backup_without_room_is_refused_before_it_is_unpacked(
    taken: Path, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: SimpleNamespace(free=1000))
    with pytest.raises(StoreUnavailable, match=r"study\.sqlite takes [0-9,]+ bytes; .* has room for 1,000"):
        restore(taken, elsewhere / "again.edgewise")
    assert list(elsewhere.iterdir()) == []


def test_what_a_killed_restore_left_is_cleared_by_the_next(taken: Path, elsewhere: Path) -> None:
    with scratch(elsewhere) as folder:
        (folder / "study.sqlite").write_bytes(b"names")
        left = shutil.copytree(folder, elsewhere / ".edgewise-killed.scratch")
        restore(taken, elsewhere / "again.edgewise")
        assert not left.exists()
        assert (folder / "study.sqlite").exists(), "its maker lives"


def test_a_restored_manifest_may_say_what_was_missing_when_it_was_made(
    taken: Path, elsewhere: Path, a_figure: SimpleNamespace
) -> None:
    def missed(members: Members) -> None:
        files = json.loads(members["manifest.json"])["files"]
        manifest_with(files=[], missing=[{"sha256": files[0], "why": "its bytes have changed"}])(members)

    report = restore(rewritten(taken, missed), elsewhere / "again.edgewise")
    (fault,) = report.missing
    assert (fault.sha256, fault.of, report.files) == (a_figure.sha256, "Grain and people", 0)
    assert fault.why.endswith("its bytes have changed")


def test_no_word_of_a_manifest_reaches_a_terminal_as_a_command(taken: Path) -> None:
    hostile = manifest_with(made_at="\x1b]0;owned\x07", faults=["\x1b[31mred"])
    with opened_backup(rewritten(taken, hostile)) as archive:
        assert archive.manifest.made_at == "unknown"
        assert archive.manifest.faults == ("\N{REPLACEMENT CHARACTER}[31mred",)
