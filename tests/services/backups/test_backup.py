"""Taking a study away whole, and saying so if it is not."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import threading
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from sqlmodel import select

from core.errors import StoreUnavailable
from services.backups.backup import backup
from services.backups.restoring import restore
from services.study import Study, open_study
from services.transcription import transcribing
from store import history
from store.graphs import graphs
from store.tables import AssignmentRow, EventRow, new_id
from tests.everything import usual
from tests.services.backup_parts import content_of, draw, flip, manifest_of, root_of, settled


@pytest.fixture
def work(sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace) -> str:
    return transcribing.take(people.annotator, a_figure.id, act_id=new_id()).subject_id


@pytest.fixture
def path(sqlite_study: Study) -> Path:
    assert sqlite_study.store.path is not None
    return sqlite_study.store.path


def file_of(study: Study, figure: SimpleNamespace) -> Path:
    return study.shelf.place(figure.sha256)


def test_a_report_counts_files_and_bytes_and_leaves_no_partial_file(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, tmp_path: Path
) -> None:
    report = backup(people.owner, tmp_path / "out" / "one.zip")
    assert (report.files, report.size_bytes) == (1, report.path.stat().st_size)
    assert report.is_sound
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["one.zip"]


def test_a_backup_taken_while_people_draw_is_one_moments_state(
    sqlite_study: Study, people: SimpleNamespace, work: str, tmp_path: Path
) -> None:
    enough = threading.Event()
    done = 0

    def keep_drawing() -> None:
        nonlocal done
        while not enough.is_set() and done < 300:
            draw(people, work, done + 1)
            done += 1

    drawer = threading.Thread(target=keep_drawing)
    drawer.start()
    reports = []
    try:
        for number in range(2):
            before = done
            reports.append((before, backup(people.owner, tmp_path / f"{number}.zip").path, done))
    finally:
        enough.set()
        drawer.join()
    for number, (before, path, after) in enumerate(reports):
        restore(path, tmp_path / f"restored {number}" / "study.edgewise")
        again = open_study(str(tmp_path / f"restored {number}" / "study.edgewise"), tmp_path)
        with again.store.reading() as session:
            graph_id = session.exec(select(AssignmentRow.graph_id)).one()
            assert graph_id is not None
            state = graphs.read_graph(session, graph_id)
            assert history.rebuild(session, graph_id) == state
            assert before <= len(state.edges) <= after + 1  # one act may have been kept and not yet counted
            edits = session.exec(select(EventRow).where(EventRow.act == "graph.edit")).all()
            assert len(edits) == len(state.edges)
        assert again.store.check() == []
        again.close()


def test_a_backup_never_writes_over_a_file(people: SimpleNamespace, sqlite_study: Study, tmp_path: Path) -> None:
    taken = tmp_path / "letter.zip"
    taken.write_bytes(b"Dear colleague")
    with pytest.raises(StoreUnavailable, match="exists already"):
        backup(people.owner, taken)
    assert taken.read_bytes() == b"Dear colleague"


def test_a_postgresql_study_points_to_the_servers_own_tool(
    postgresql_study: Study, people: SimpleNamespace, tmp_path: Path
) -> None:
    with pytest.raises(StoreUnavailable, match="pg_dump"):
        backup(people.owner, tmp_path / "one.zip")


# --- damage that a backup finds ----------------------------------------------------------------------------------


@pytest.mark.proof("T1", "a file changed or lost", gate="named, all else backed up and restored")
@pytest.mark.parametrize("way", ["changed", "lost"])
def test_a_damaged_file_is_named_and_the_rest_is_backed_up_and_restored(
    sqlite_study: Study,
    people: SimpleNamespace,
    a_figure: SimpleNamespace,
    another_figure: Callable[..., SimpleNamespace],
    tmp_path: Path,
    way: str,
) -> None:
    other = another_figure("Debts")
    place = file_of(sqlite_study, a_figure)
    if way == "changed":
        flip(place, 3)
    else:
        place.unlink()
    report = backup(people.owner, tmp_path / "out" / "one.zip")
    why = "its bytes have changed" if way == "changed" else "it is not in the study's files folder"
    assert [str(fault) for fault in report.missing] == [f"“Grain and people” ({a_figure.sha256[:12]}…): {why}"]
    assert (report.files, report.faults, report.is_restorable) == (1, (), True)
    assert manifest_of(report.path)["files"] == [other.sha256]
    assert manifest_of(report.path)["missing"] == [{"sha256": a_figure.sha256, "why": why}]
    back = restore(report.path, tmp_path / "elsewhere" / "again.edgewise")
    assert (back.files, [fault.sha256 for fault in back.missing]) == (1, [a_figure.sha256])
    assert "when the backup was made" in back.missing[0].why
    again = open_study(str(back.path), tmp_path / "elsewhere")
    assert content_of(again) == content_of(sqlite_study)
    again.close()


def test_a_damaged_table_is_said_at_once_and_its_restore_refused(
    sqlite_study: Study, people: SimpleNamespace, work: str, path: Path, tmp_path: Path
) -> None:
    draw(people, work, 1)
    at = root_of(settled(path), "edge")
    for place in range(40):
        flip(path, at + place)
    report = backup(people.owner, tmp_path / "one.zip")
    assert not report.is_sound
    assert not report.is_restorable
    assert report.faults
    with pytest.raises(Exception, match=r"one\.zip: the database is damaged: .*use an earlier backup"):
        restore(report.path, tmp_path / "elsewhere" / "again.edgewise")
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_damaged_index_is_built_anew_in_the_backup_and_said(
    sqlite_study: Study, people: SimpleNamespace, work: str, path: Path, tmp_path: Path
) -> None:
    for number in (1, 2, 3):
        draw(people, work, number)
    before = content_of(sqlite_study)
    with sqlite3.connect(settled(path)) as raw:
        (actor,) = raw.execute("SELECT actor FROM event ORDER BY actor DESC LIMIT 1").fetchone()
    raw.close()
    at = root_of(path, "ix_event_actor")
    place = path.read_bytes().index(actor.encode(), at)
    flip(path, place + 4, 1)  # the index says another actor than its table
    report = backup(people.owner, tmp_path / "one.zip")
    assert report.is_restorable
    assert any("missing from index ix_event_actor" in fault for fault in report.faults)
    back = restore(report.path, tmp_path / "elsewhere" / "again.edgewise")
    assert back.is_sound
    again = open_study(str(back.path), tmp_path / "elsewhere")
    assert content_of(again) == before
    assert again.store.check() == []
    again.close()


@pytest.mark.parametrize("table", ["paper", "mark"])  # one with rows, one without
def test_a_table_without_its_columns_makes_a_backup_that_cannot_be_restored(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, path: Path, tmp_path: Path, table: str
) -> None:
    column = {"paper": "screened_by", "mark": "set_by"}[table]
    with sqlite3.connect(path) as raw:
        raw.execute(f"ALTER TABLE {table} RENAME COLUMN {column} TO other")
    raw.close()
    report = backup(people.owner, tmp_path / "one.zip")
    fault = f"the database defines the table “{table}”, which is not as Edgewise makes it"
    assert (report.faults, report.is_restorable) == ((fault,), False)


CHANGES = {
    "a graph": ("UPDATE node SET name = 'B!' WHERE name = 'B'", "differs from its history"),
    "a row": ("UPDATE paper SET authors = '[\"One' WHERE title LIKE 'Grain%'", "of paper cannot be read"),
    "a text": ("UPDATE paper SET title = CAST(x'47ff' AS TEXT) WHERE title LIKE 'Grain%'", "of paper cannot be read"),
    "a number": ("UPDATE figure SET page = 'two'", "of figure cannot be read"),
    "a text of runs": ("INSERT INTO run_text VALUES ('ab', 'not what ab is the hash of')", "text ab… of model runs"),
    "a key": ("UPDATE edge SET sink_id = 'nobody'", "of edge names a row of node that is not there"),
}


@pytest.mark.parametrize("what", usual(list(CHANGES), "a row", "a text", "a number"))
def test_what_sqlite_itself_does_not_see_is_said_and_all_is_restored_as_it_is(
    sqlite_study: Study, people: SimpleNamespace, work: str, path: Path, tmp_path: Path, what: str
) -> None:
    draw(people, work, 1)
    change, words = CHANGES[what]
    with sqlite3.connect(path) as raw:
        raw.execute(change)
    raw.close()
    report = backup(people.owner, tmp_path / "one.zip")
    assert report.is_restorable
    assert any(words in fault for fault in report.faults), report.faults
    back = restore(report.path, tmp_path / "elsewhere" / "again.edgewise")
    assert back.faults == report.faults
    with sqlite3.connect(path) as ours, sqlite3.connect(back.path) as theirs:
        for table in ("event", "paper", "figure", "node", "edge", "run_text"):
            query = f"SELECT * FROM {table} ORDER BY 1"
            for each in (ours, theirs):
                each.text_factory = bytes
            assert ours.execute(query).fetchall() == theirs.execute(query).fetchall()
    ours.close()
    theirs.close()


def test_a_disk_that_is_full_is_one_sentence_and_leaves_nothing(
    sqlite_study: Study,
    people: SimpleNamespace,
    a_figure: SimpleNamespace,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StoreUnavailable, match=r"No backup was written: the disk of .* is full or cannot be written"):
        backup(people.owner, tmp_path / "out" / "one.zip")
    assert list((tmp_path / "out").iterdir()) == []


def test_the_manifest_says_the_databases_hash(sqlite_study: Study, people: SimpleNamespace, tmp_path: Path) -> None:
    report = backup(people.owner, tmp_path / "one.zip")
    with zipfile.ZipFile(report.path) as archive:
        found = hashlib.sha256(archive.read("study.sqlite")).hexdigest()
    assert manifest_of(report.path)["database_sha256"] == found
