"""The last backup as a witness: what nobody changed and reads otherwise is told, and no act ever is."""

from __future__ import annotations

import shutil
import sqlite3
import zipfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace

import pytest

from services import drafts
from services.backups import comparing as backup_comparing
from services.backups.backup import backup
from services.backups.restoring import restore
from services.people import identities
from services.study import Study, open_study, use_study
from services.transcription import guidelines, transcribing
from store.sqlite.deadline import Deadline
from store.tables import metadata, new_id
from store.tamper_check import RULES
from tests.everything import usual
from tests.services.backup_parts import Members, draw, flip, manifest_with, rewritten
from tests.services.release_parts import lay_truth


@pytest.fixture
def work(sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace) -> str:
    return transcribing.take(people.annotator, a_figure.id, act_id=new_id()).subject_id


def change(study: Study, *statements: str) -> None:
    """By a program that leaves no mark, as a disk would."""
    assert study.store.path is not None
    with sqlite3.connect(study.store.path) as raw:
        for statement in statements:
            assert raw.execute(statement).rowcount in (-1, 1)
    raw.close()


UNTOLD = {
    "a text": ["UPDATE paper SET title = 'Grain and peoplf'"],
    "an act": ["DROP TRIGGER event_refuse_UPDATE", "UPDATE event SET at = '2026-03-02 12:00:00.000001' WHERE seq = 1"],
    "a number": ["UPDATE figure SET x0 = 73"],
    "a setting": ["UPDATE study_setting SET value = '\"0\"' WHERE key = 'secret'"],
}


@pytest.mark.parametrize("what", usual(sorted(UNTOLD), "a setting", "a text"))
def test_what_nobody_changed_and_reads_otherwise_is_told(
    sqlite_study: Study, people: SimpleNamespace, work: str, tmp_path: Path, what: str
) -> None:
    draw(people, work, 1)
    first = backup(people.owner, tmp_path / "out" / "one.zip")
    assert (first.is_sound, first.compared_with) == (True, None)
    draw(people, work, 2)
    change(sqlite_study, *UNTOLD[what])
    second = backup(people.owner, tmp_path / "out" / "two.zip")
    assert second.compared_with == first.path
    assert second.is_restorable
    assert any("is not what it was, and no act has changed it; one.zip has it" in each for each in second.faults)
    assert restore(second.path, tmp_path / "again" / "study.edgewise").faults == second.faults
    third = backup(people.owner, tmp_path / "out" / "three.zip")
    assert (third.compared_with, third.faults) == (first.path, second.faults), "told until it is mended"


def test_no_act_is_taken_for_damage(
    sqlite_study: Study,
    people: SimpleNamespace,
    work: str,
    tmp_path: Path,
    a_figure: SimpleNamespace,
    another_figure: Callable[..., SimpleNamespace],
    clock: SimpleNamespace,
) -> None:
    draw(people, work, 1)
    backup(people.owner, tmp_path / "one.zip")
    clock.advance(seconds=1)
    another_figure("Debts")
    draw(people, work, 2)
    drafts.keep_draft(people.annotator, "form", "half a")
    guidelines.save_guidelines(people.owner, "Draw all.", seen=0, act_id=new_id())
    transcribing.submit(people.annotator, work, seen=3, act_id=new_id())
    lay_truth(sqlite_study, a_figure.id, "Rain -> Harvest +")
    second = backup(people.owner, tmp_path / "two.zip")
    assert (second.faults, second.compared_with) == ((), tmp_path / "one.zip")
    clock.advance(seconds=1)
    drafts.keep_draft(people.annotator, "form", "half a sentence")
    third = backup(people.owner, tmp_path / "three.zip")
    assert (third.faults, third.compared_with) == ((), tmp_path / "two.zip")
    identities.destroy(people.owner, "destroy", act_id=new_id())
    fourth = backup(people.owner, tmp_path / "four.zip")
    assert (fourth.faults, fourth.compared_with) == ((), None)


def test_only_earlier_states_of_the_same_study_are_witnesses(
    sqlite_study: Study, people: SimpleNamespace, work: str, tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    draw(people, work, 1)
    one = backup(people.owner, folder / "one.zip").path
    # A copy of the study goes on by itself, and its backup lies there too.
    place = restore(one, tmp_path / "copy" / "study.edgewise").path
    copy = open_study(str(place), tmp_path / "home", clock=sqlite_study.clock)
    use_study(copy)
    draw(people, work, 2)
    change(copy, "UPDATE paper SET title = 'Of the copy'")
    assert backup(people.owner, folder / "of the copy.zip").compared_with == one
    use_study(sqlite_study)
    copy.close()
    draw(people, work, 2)
    damaged = Path(shutil.copy(one, folder / "zz damaged.zip"))
    flip(damaged, 5_000)
    (folder / "letter.zip").write_bytes(b"Dear colleague")
    report = backup(people.owner, folder / "two.zip")
    assert (report.faults, report.compared_with) == ((), one)


@pytest.mark.parametrize("act", [[10**30, "x"], [-1, "x"], [1, "\ud800"]])
def test_a_zip_that_names_an_impossible_act_witnesses_nothing_and_hinders_no_backup(
    people: SimpleNamespace, work: str, tmp_path: Path, act: list[object]
) -> None:
    one = backup(people.owner, tmp_path / "one.zip").path
    rewritten(one, manifest_with(last_act=act, made_at="9999-01-01T00:00:00+00:00"))
    report = backup(people.owner, tmp_path / "two.zip")
    assert (report.faults, report.compared_with) == ((), one)


def make_endless(path: Path, table: str) -> None:
    """Have the table's root lead to its one leaf through 15 pages, 200 times from each to the next."""
    with sqlite3.connect(path) as raw:
        query = "SELECT rootpage FROM sqlite_master WHERE type = 'table' AND name = ?"
        (root,) = raw.execute(query, [table]).fetchone()
        (size,) = raw.execute("PRAGMA page_size").fetchone()
    raw.close()
    content = bytearray(path.read_bytes())
    pages = len(content) // size
    leaf = content[(root - 1) * size : root * size]
    content += leaf
    for below in range(pages + 1, pages + 16):
        child, cells = below.to_bytes(4, "big"), 200
        start = size - 5 * cells
        places = b"".join((start + 5 * number).to_bytes(2, "big") for number in range(cells))
        head = b"\x05\0\0" + cells.to_bytes(2, "big") + start.to_bytes(2, "big") + b"\0" + child
        content += (head + places).ljust(start, b"\0") + (child + b"\x01") * cells
    content[(root - 1) * size : root * size] = content[-size:]
    content[28:32] = (len(content) // size).to_bytes(4, "big")
    path.write_bytes(content)


def test_a_zip_whose_table_never_ends_is_given_up(
    people: SimpleNamespace, work: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = backup(people.owner, tmp_path / "in" / "one.zip").path
    database = tmp_path / "endless.sqlite"
    with zipfile.ZipFile(one) as archive:
        database.write_bytes(archive.read("study.sqlite"))
    make_endless(database, "event")
    content = database.read_bytes()

    def change(members: Members) -> None:
        members["study.sqlite"] = content
        manifest_with(database_sha256=sha256(content).hexdigest())(members)

    (tmp_path / "out").mkdir()
    rewritten(one, change).rename(tmp_path / "out" / "endless.zip")
    monkeypatch.setattr(backup_comparing, "Deadline", SimpleNamespace(of=lambda _path: Deadline(0.2)))
    report = backup(people.owner, tmp_path / "out" / "two.zip")
    assert (report.faults, report.compared_with) == ((), None)


def test_rules_name_tables_and_columns_that_there_are() -> None:
    for table, rule in RULES.items():
        known = set(metadata.tables[table].columns.keys())
        assert {*rule.marks, *rule.may_change} <= known, table
