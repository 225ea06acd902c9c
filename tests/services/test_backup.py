"""Taking a study away whole and bringing it back; a bad backup leaves nothing behind."""

from __future__ import annotations

import hashlib
import json
import threading
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from sqlmodel import select

from core.errors import BadInput, StoreTrouble
from services import transcribing
from services.backup import backup, restore
from services.study import Study, open_study
from store import graphs, history
from store.tables import AssignmentRow, EventRow, FileRow, metadata, new_id


def draw(people: SimpleNamespace, work: str, number: int) -> None:
    transcribing.add_lines(people.annotator, work, f"A{number} -> B", pasted=False, seen=number, act_id=new_id())


def content_of(study: Study) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table."""
    with study.store.reading() as session:
        return {
            table.name: sorted((tuple(map(repr, row)) for row in session.execute(table.select())), key=str)
            for table in metadata.sorted_tables
        }


@pytest.fixture
def work(sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace) -> str:
    return transcribing.take(people.annotator, a_figure.id, act_id=new_id()).subject_id


@pytest.fixture
def taken(sqlite_study: Study, people: SimpleNamespace, work: str, tmp_path: Path) -> Path:
    """A good backup of a study with one paper, one file and three edges."""
    for number in (1, 2, 3):
        draw(people, work, number)
    return backup(people.owner, tmp_path / "backups" / "one.zip").path


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    return folder


def test_a_restored_study_equals_the_one_that_was_taken(sqlite_study: Study, taken: Path, elsewhere: Path) -> None:
    assert restore(taken, elsewhere / "again.edgewise") == 1
    again = open_study(str(elsewhere / "again.edgewise"), elsewhere)
    assert content_of(again) == content_of(sqlite_study)
    assert again.store.check() == []
    with again.store.reading() as session:
        for row in session.exec(select(FileRow)).all():
            assert hashlib.sha256(again.shelf.path(session, row.sha256).read_bytes()).hexdigest() == row.sha256
    again.close()


def test_a_report_counts_files_and_bytes_and_leaves_no_partial_file(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, tmp_path: Path
) -> None:
    report = backup(people.owner, tmp_path / "out" / "one.zip")
    assert (report.files, report.size_bytes) == (1, report.path.stat().st_size)
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
        for number in range(4):
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


def test_a_backup_never_writes_over_a_file(people: SimpleNamespace, taken: Path) -> None:
    before = taken.read_bytes()
    with pytest.raises(StoreTrouble, match="exists already"):
        backup(people.owner, taken)
    assert taken.read_bytes() == before


def test_a_lost_file_stops_the_backup_and_leaves_nothing(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, tmp_path: Path
) -> None:
    with sqlite_study.store.reading() as session:
        sqlite_study.shelf.path(session, a_figure.sha256).unlink()
    with pytest.raises(StoreTrouble, match="missing from the study's files folder"):
        backup(people.owner, tmp_path / "out" / "one.zip")
    assert list((tmp_path / "out").iterdir()) == []


def test_a_postgresql_study_points_to_the_servers_own_tool(
    postgresql_study: Study, people: SimpleNamespace, tmp_path: Path
) -> None:
    with pytest.raises(StoreTrouble, match="pg_dump"):
        backup(people.owner, tmp_path / "one.zip")


# --- bad backups -------------------------------------------------------------------------------------------------


def rewritten(source: Path, change: Callable[[dict[str, bytes]], None]) -> Path:
    """A copy of a backup whose members `change` has altered."""
    with zipfile.ZipFile(source) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    change(members)
    target = source.with_name("changed.zip")
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return target


def manifest_with(**changed: object) -> Callable[[dict[str, bytes]], None]:
    def change(members: dict[str, bytes]) -> None:
        members["manifest.json"] = json.dumps({**json.loads(members["manifest.json"]), **changed}).encode()

    return change


def replace_file(content: bytes) -> Callable[[dict[str, bytes]], None]:
    def change(members: dict[str, bytes]) -> None:
        members[next(name for name in members if name.startswith("files/"))] = content

    return change


def lose(prefix: str) -> Callable[[dict[str, bytes]], None]:
    def change(members: dict[str, bytes]) -> None:
        del members[next(name for name in members if name.startswith(prefix))]

    return change


def second_file_is_damaged(members: dict[str, bytes]) -> None:
    """The first file is good, the second not: the first must not stay behind."""
    good = next(name for name in members if name.startswith("files/")).removeprefix("files/")
    members["files/" + "f" * 64] = b"not what its name says"
    manifest_with(files=[good, "f" * 64])(members)


def climb_out(members: dict[str, bytes]) -> None:
    members["files/../../evil"] = b"x"
    manifest_with(files=["../../evil"])(members)


def swap_database(members: dict[str, bytes]) -> None:
    members["study.sqlite"] = b"This is no database. " * 200
    manifest_with(database_sha256=hashlib.sha256(members["study.sqlite"]).hexdigest())(members)


def manifest_is(text: bytes) -> Callable[[dict[str, bytes]], None]:
    def change(members: dict[str, bytes]) -> None:
        members["manifest.json"] = text

    return change


BAD = {
    "no manifest": (lose("manifest"), "holds no manifest.json"),
    "manifest is not JSON": (manifest_is(b"{"), "is not JSON"),
    "manifest is a list": (manifest_is(b"[]"), "this reads format 1"),
    "manifest says nothing": (manifest_is(b'{"format": 1}'), "does not say which database"),
    "a later format": (manifest_with(format=2), "backup format 2; this reads format 1"),
    "no database": (lose("study"), "holds no study.sqlite"),
    "another database": (manifest_with(database_sha256="0" * 64), "differs from what the manifest says"),
    "no database at all": (swap_database, "the database is damaged"),
    "no file": (lose("files/"), "holds no files/"),
    "a changed file": (replace_file(b"changed"), "is damaged"),
    "the second file": (second_file_is_damaged, "is damaged"),
    "a way out": (climb_out, "is not a SHA-256"),
    "a number for a file": (manifest_with(files=[7]), "is not a SHA-256"),
}


@pytest.mark.parametrize("fault", sorted(BAD))
def test_a_bad_backup_is_named_and_leaves_nothing_behind(taken: Path, elsewhere: Path, fault: str) -> None:
    change, message = BAD[fault]
    with pytest.raises(BadInput, match=message):
        restore(rewritten(taken, change), elsewhere / "again.edgewise")
    assert list(elsewhere.iterdir()) == []
    assert not (elsewhere.parent / "evil").exists()


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"Dear colleague, " * 100])
def test_a_file_that_is_no_zip_is_named_and_leaves_nothing_behind(
    tmp_path: Path, elsewhere: Path, content: bytes
) -> None:
    source = tmp_path / "letter.zip"
    source.write_bytes(content)
    with pytest.raises(BadInput, match=r"letter\.zip is not a backup"):
        restore(source, elsewhere / "again.edgewise")
    with pytest.raises(BadInput, match=r"gone\.zip is not a backup"):
        restore(tmp_path / "gone.zip", elsewhere / "again.edgewise")
    assert list(elsewhere.iterdir()) == []


def test_a_damaged_zip_is_named_wherever_the_damage_is(taken: Path, elsewhere: Path) -> None:
    whole = taken.read_bytes()
    damaged = taken.with_name("damaged.zip")
    for step in range(1, 16):
        place = len(whole) * step // 16
        damaged.write_bytes(
            whole[:place] + bytes(byte ^ 0xFF for byte in whole[place : place + 8]) + whole[place + 8 :]
        )
        with pytest.raises(BadInput, match=r"damaged\.zip"):
            restore(damaged, elsewhere / "again.edgewise")
        damaged.write_bytes(whole[:place])
        with pytest.raises(BadInput, match=r"damaged\.zip"):
            restore(damaged, elsewhere / "again.edgewise")
    assert list(elsewhere.iterdir()) == []


def test_a_study_is_never_written_over(taken: Path, sqlite_study: Study) -> None:
    path = sqlite_study.store.path
    assert path is not None
    before = path.read_bytes()
    with pytest.raises(StoreTrouble, match="never overwritten"):
        restore(taken, path)
    assert path.read_bytes() == before
