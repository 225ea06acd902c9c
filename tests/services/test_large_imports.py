"""Imports of many rows: in short transactions that nobody waits for, shown all at once or not at all."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import event
from sqlmodel import func, select

from core.errors import EdgewiseError, Refused, SignedOut
from core.people import Permission, Receipt, Viewer
from exchange.recite import ReciteRow, write_default
from services.acting import Writing, perform_import
from services.graphs import sample_tables
from services.people.people import set_active
from services.study import Study, open_study
from services.triplets import corpora, importing, lists
from store import unfinished_imports
from store.samples import imported_rows
from store.tables import EventRow, SampleRow, SampleTableRow, TripletPaperRow, TripletRow, UnfinishedImportRow, new_id
from tests.everything import usual
from tests.forking import WORKERS, Forked
from tests.services.scoring_parts import act, critics, file_of, rows_of

pytestmark = pytest.mark.both
KINDS = ("samples", "triplets")
MANY = 1_800
ROOT = Path(__file__).resolve().parents[2]
TABLES: tuple[Any, ...] = (SampleTableRow, SampleRow, TripletRow, TripletPaperRow, UnfinishedImportRow)
Import = Callable[[Viewer], Receipt]


def made_file(kind: str, rows: int, *, is_scored: bool = True) -> tuple[str, bytes]:
    """Name and content of a file of so many samples or triplets, these with the scores of a critic or without."""
    if kind == "triplets":
        return "many.jsonl", file_of(rows_of(rows, **(critics(3, 3, 3, 3, 3, 3, number=1) if is_scored else {})))
    samples = [
        ReciteRow(id=n, nodes=("A", "B"), edges=(("A", "B"),), input_text=f"Text {n}: A leads to B.")
        for n in range(rows)
    ]
    return "many.parquet", write_default(samples)


def bring(viewer: Viewer, kind: str, file: tuple[str, bytes]) -> Receipt:
    run = sample_tables.import_samples if kind == "samples" else importing.import_triplets
    return run(viewer, *file, with_faulty=False, **act())


def rows_in(study: Study) -> list[int]:
    with study.store.reading() as session:
        return [int(session.exec(select(func.count()).select_from(table)).one()) for table in TABLES]


def acts_of(study: Study, name: str) -> int:
    with study.store.reading() as session:
        return int(session.exec(select(func.count()).select_from(EventRow).where(EventRow.act == name)).one())


def shown(viewer: Viewer, kind: str, file: tuple[str, bytes]) -> list[Any]:
    """Whatever lists and counts say of imported samples and triplets; empty values if there are none."""
    if kind == "samples":
        look = sample_tables.preview_samples(viewer, *file)
        return [list(sample_tables.sample_tables(viewer, with_archived=True)), look.known]
    found = importing.preview(viewer, *file)
    page = lists.triplets_of(viewer, venue="Any")
    kept = lists.collections(viewer, with_archived=True)
    return [list(kept), list(page.lines), page.total, found.known, list(found.elsewhere)]


def kill_an_import(study: Study, kind: str, file: tuple[str, bytes], home: Path, commits: int) -> None:
    path = home / file[0]
    path.write_bytes(file[1])
    command = [sys.executable, "-m", "tests.soak.killed_import", study.store.url, str(home), kind, str(path)]
    done = Forked(WORKERS, [*command, str(commits)], cwd=ROOT, text=True, stderr=subprocess.PIPE)
    _, said = done.communicate(timeout=60)
    assert done.returncode == -signal.SIGKILL, said


@pytest.fixture
def rows_of_transactions(study: Study) -> Iterator[list[int]]:
    """How many rows each transaction has written or asked about, in the order of their commits."""
    found, open_now = list[int](), [0]

    def begin(_connection: Any) -> None:
        open_now[0] = 0

    def execute(_c: Any, _cursor: Any, _s: str, parameters: Any, _context: Any, many: bool) -> None:
        open_now[0] += len(parameters) if many else 1

    def commit(_connection: Any) -> None:
        found.append(open_now[0])

    listeners = (("begin", begin), ("before_cursor_execute", execute), ("commit", commit))
    for name, listener in listeners:
        event.listen(study.store.write_engine, name, listener)
    yield found
    for name, listener in listeners:
        event.remove(study.store.write_engine, name, listener)


@pytest.mark.both(usually=False)
@pytest.mark.parametrize("kind", KINDS)
def test_no_transaction_of_a_large_import_writes_more_than_a_batch(
    study: Study, people: SimpleNamespace, kind: str, rows_of_transactions: list[int]
) -> None:
    receipt = bring(people.researcher, kind, made_file(kind, MANY))
    assert sum(rows_of_transactions) > MANY
    assert max(rows_of_transactions) < unfinished_imports.MOST_ROWS + 10
    assert rows_of_transactions[-1] < 10  # the one that shows them all
    assert len(shown(people.researcher, kind, ("x", b""))[0]) == 1
    assert receipt.subject_id == shown(people.researcher, kind, ("x", b""))[0][0].id


@pytest.mark.both(usually=False)
def test_long_texts_are_written_few_at_a_time(
    study: Study, people: SimpleNamespace, rows_of_transactions: list[int]
) -> None:
    samples = [ReciteRow(id=n, nodes=("A",), input_text=f"{n}: {'long ' * 50_000}") for n in range(16)]
    bring(people.researcher, "samples", ("long.parquet", write_default(samples)))
    assert len(rows_of_transactions) > 5
    assert max(rows_of_transactions[:-2]) < 10  # 250,000 characters each; then the rows that refer to them
    assert rows_in(study)[1] == 16


@pytest.mark.both(usually=False)
@pytest.mark.parametrize("kind", usual(KINDS, "triplets"))
def test_a_killed_import_shows_nothing_and_its_rows_go_when_the_study_is_opened(
    study: Study, people: SimpleNamespace, kind: str, tmp_path: Path
) -> None:
    file = made_file(kind, MANY)
    nothing = shown(people.researcher, kind, file)
    before = rows_in(study)
    kill_an_import(study, kind, file, tmp_path, 4)
    assert sum(rows_in(study)) > sum(before) + 999
    assert shown(people.researcher, kind, file) == nothing
    open_study(study.store.url, tmp_path).close()
    assert rows_in(study) == before
    assert shown(people.researcher, kind, file) == nothing


@pytest.mark.both(usually=False)
def test_the_file_of_a_killed_import_is_imported_without_a_restart(
    study: Study, people: SimpleNamespace, tmp_path: Path
) -> None:
    kind, file = "triplets", made_file("triplets", MANY)
    kill_an_import(study, kind, file, tmp_path, 3)
    importing.link_papers(people.researcher, **act())
    with study.store.reading() as session:
        assert session.exec(select(EventRow.payload).where(EventRow.act == "triplets.link")).one()["papers"] == 0
    bring(people.researcher, kind, file)
    assert len(shown(people.researcher, kind, file)[0]) == 1
    assert rows_in(study)[-1] == 0
    with pytest.raises(Refused, match="as “many”"):
        bring(people.researcher, kind, file)
    assert max(rows_in(study)) == MANY


def test_a_study_that_is_opened_leaves_an_import_alone_that_is_under_way(
    study: Study, people: SimpleNamespace, tmp_path: Path
) -> None:
    seen = []

    def samples() -> Iterator[dict[str, Any]]:
        for place in range(MANY):
            if place == 1_500:
                open_study(study.store.url, tmp_path).close()
                seen.append(rows_in(study)[1])
            yield a_row(place)

    perform_with(people.researcher, samples())
    assert seen == [unfinished_imports.MOST_ROWS]
    assert rows_in(study)[:2] == [1, MANY]


def a_row(place: int) -> dict[str, Any]:
    return {"external_id": str(place), "place": place, "content": {}, "text_hash": None, "characters": 0}


def perform_with(viewer: Viewer, samples: Iterable[dict[str, Any]]) -> Receipt:
    def begin(w: Writing) -> Any:
        about = {"with_text": 0, "odd": {}, "notices": []}
        w.session.add(
            SampleTableRow(
                id="t", title="T", licence="", file="t", row_count=1, about=about, created_by="x", created_at=w.now
            )
        )
        return imported_rows("t", samples, ())

    def finish(w: Writing) -> Receipt:
        return w.record("table.import", "table", "t")

    return perform_import(viewer, Permission.CURATE, new_id(), "samples", "t", begin, finish)


def test_an_import_that_fails_leaves_nothing(study: Study, people: SimpleNamespace) -> None:
    def samples() -> Iterator[dict[str, Any]]:
        yield from map(a_row, range(MANY))
        raise MemoryError

    with pytest.raises(MemoryError):
        perform_with(people.researcher, samples())
    assert (rows_in(study), acts_of(study, "table.import")) == ([0] * len(TABLES), 0)


def test_an_import_of_someone_who_loses_access_meanwhile_leaves_nothing(study: Study, people: SimpleNamespace) -> None:
    def samples() -> Iterator[dict[str, Any]]:
        yield from map(a_row, range(MANY))
        set_active(people.owner, people.researcher.person_id, False, seen=1, **act())

    with pytest.raises(EdgewiseError) as refused:
        perform_with(people.researcher, samples())
    assert isinstance(refused.value, (SignedOut, Refused))
    assert (rows_in(study), acts_of(study, "table.import")) == ([0] * len(TABLES), 0)


def test_of_five_who_import_one_large_file_at_once_one_does(study: Study, people: SimpleNamespace) -> None:
    kind, file = "samples", made_file("samples", MANY)

    def one(_number: int) -> str:
        try:
            return bring(people.researcher, kind, file).subject_id
        except Refused as refused:
            return str(refused)

    with ThreadPoolExecutor(5) as pool:
        told = list(pool.map(one, range(5)))
    assert sorted("as “many”" in each for each in told) == [False, True, True, True, True]
    assert max(rows_in(study)) == MANY


def test_an_import_sent_twice_is_done_once(study: Study, people: SimpleNamespace) -> None:
    once = act()
    file = made_file("samples", 3)
    first = sample_tables.import_samples(people.researcher, *file, with_faulty=False, **once)
    again = sample_tables.import_samples(people.researcher, *file, with_faulty=False, **once)
    assert (again.seq, again.is_repeat, first.is_repeat) == (first.seq, True, False)


def test_a_file_is_a_collection_or_a_corpus(study: Study, people: SimpleNamespace) -> None:
    """Their papers share a table: what is removed of one must not be another's."""
    content = file_of(rows_of(3, abstract="An abstract."))
    corpora.import_corpus(people.researcher, "a.jsonl", content, with_faulty=False, **act())
    with pytest.raises(Refused, match="as “a”"):
        importing.import_triplets(people.researcher, "b.jsonl", content, with_faulty=False, **act())
    assert rows_in(study) == [0, 0, 0, 3, 0]


def test_rows_that_another_process_has_taken_for_left_behind_are_not_added_to(
    study: Study, people: SimpleNamespace
) -> None:
    def samples() -> Iterator[dict[str, Any]]:
        for place in range(MANY):
            if place == 1_500:
                unfinished_imports.remove(study.store)
            yield a_row(place)

    with pytest.raises(EdgewiseError, match="The import was interrupted"):
        perform_with(people.researcher, samples())
    assert rows_in(study) == [0] * len(TABLES)
