"""Many people drawing at once: how long a save takes on each database, and none is lost or overwritten unseen."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from random import Random
from threading import Barrier
from types import SimpleNamespace

import pytest
from sqlalchemy import text
from sqlmodel import func, select

from core.errors import Conflict, EdgewiseError
from core.people import Role, Viewer
from services.acting import terminal_viewer
from services.people import access
from services.study import Study
from services.transcription import queue, reading, transcribing
from store import history
from store.graphs import graphs
from store.tables import AssignmentRow, EventRow, new_id
from tests.conftest import set_ready
from tests.soak.table import scaled

pytestmark = pytest.mark.both
CROWDS = ((20, scaled(200, least=10)), (200, scaled(20, least=2)))
MOST_WANTED = 50  # people a figure
TABS, TAB_EDITS = 20, scaled(50, least=5)


@dataclass
class Drawn:
    """What a crowd's edits took and met."""

    seconds: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    again: int = 0

    def quantile_ms(self, share: float) -> float:
        ordered = sorted(self.seconds)
        return ordered[min(len(ordered) - 1, int(len(ordered) * share))] * 1000


@pytest.fixture
def durable(study: Study) -> str:
    """The database's name; the tests' PostgreSQL does not wait for the disk, but these measurements do."""
    if study.store.is_sqlite:
        return "SQLite"
    with study.store.write_engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("ALTER SYSTEM SET fsync = on"))
        connection.execute(text("SELECT pg_reload_conf()"))
    return "PostgreSQL"


def crowd(study: Study, count: int) -> list[Viewer]:
    now, found = study.clock(), []
    with study.store.writing() as session:
        for number in range(count):
            person = access.new_person(session, f"Person {number}", [Role.ANNOTATOR], now)
            set_ready(session, person.id, now)
            found.append(access.open_session(session, person, now).viewer)
    return found


@pytest.mark.parametrize(("people", "edits"), CROWDS, ids=["20 people", "200 people"])
@pytest.mark.proof("T2", "people drawing at once", gate="0 lost, 0 errors")
def test_a_crowd_draws_and_nothing_is_lost(
    study: Study,
    durable: str,
    another_figure: Callable[[str], SimpleNamespace],
    people: int,
    edits: int,
    record_property: Callable[[str, object], None],
) -> None:
    annotators = crowd(study, people)
    figures = [another_figure(f"Paper {number}").id for number in range(-(-people // MOST_WANTED))]
    queue.want(terminal_viewer(), figures, MOST_WANTED, act_id=new_id())
    works = [
        transcribing.take(viewer, figures[number // MOST_WANTED], act_id=new_id()).subject_id
        for number, viewer in enumerate(annotators)
    ]
    drawn, gate = Drawn(), Barrier(people)

    def draw(number: int) -> None:
        version = 1
        gate.wait(120)
        for step in range(edits):
            began = time.perf_counter()
            version = save(drawn, annotators[number], works[number], f"V{step % 10} -> W{step // 10}", version)
            drawn.seconds.append(time.perf_counter() - began)

    began = time.perf_counter()
    with ThreadPoolExecutor(people) as threads:
        list(threads.map(draw, range(people)))
    took = time.perf_counter() - began
    asked, kept = people * edits, edges_kept(study)
    record_property("what", f"{people} people drawing at once, {durable}")
    record_property("repetitions", asked)
    record_property(
        "figure",
        f"{asked - kept} lost, {len(drawn.errors)} errors, {drawn.again} asked to try again; save p50 "
        f"{drawn.quantile_ms(0.5):.0f} ms, p95 {drawn.quantile_ms(0.95):.0f} ms, longest "
        f"{drawn.quantile_ms(1):.0f} ms; {asked / took:.0f} a second",
    )
    assert drawn.errors == []
    assert kept == asked


def save(drawn: Drawn, viewer: Viewer, work: str, line: str, version: int) -> int:
    """One edit as a browser sends it: told that the store is busy, the same act again. The version after it."""
    act_id = new_id()
    for _attempt in range(5):
        try:
            receipt = transcribing.add_lines(viewer, work, line, pasted=False, seen=version, act_id=act_id).receipt
        except EdgewiseError as error:
            if not str(error).startswith("Busy, not saved"):
                drawn.errors.append(str(error))
                return version
            drawn.again += 1
            continue
        assert receipt is not None
        return receipt.version
    drawn.errors.append("busy five times")
    return version


def edges_kept(study: Study) -> int:
    """Edges of all transcriptions; each graph must be what its history says."""
    with study.store.reading() as session:
        drawn = 0
        for graph_id in session.exec(select(AssignmentRow.graph_id)).all():
            assert graph_id is not None
            state = graphs.read_graph(session, graph_id)
            assert history.rebuild(session, graph_id) == state
            drawn += len(state.edges)
        edits = session.exec(select(func.count()).select_from(EventRow).where(EventRow.act == "graph.edit")).one()
    assert edits == drawn
    return drawn


@pytest.mark.proof("T2", "edits of one graph from tabs at once", gate="0 overwritten unseen; each conflict shown")
def test_tabs_of_one_graph_are_told_of_every_conflict(
    study: Study,
    durable: str,
    people: SimpleNamespace,
    a_figure: SimpleNamespace,
    record_property: Callable[[str, object], None],
) -> None:
    work = transcribing.take(people.annotator, a_figure.id, act_id=new_id()).subject_id
    conflicts: list[Conflict] = []

    def draw(tab: int) -> None:
        version, patience = 1, Random(tab)
        for step in range(TAB_EDITS):
            act_id = new_id()
            while True:
                try:
                    receipt = transcribing.add_lines(
                        people.annotator, work, f"T{tab} -> S{step}", pasted=False, seen=version, act_id=act_id
                    ).receipt
                except Conflict as conflict:
                    assert conflict.seen == version < conflict.found
                    conflicts.append(conflict)
                    version = conflict.found
                    time.sleep(patience.uniform(0, 0.1))  # what a browser needs to read the graph again
                    continue
                assert receipt is not None
                assert not receipt.is_repeat
                version = receipt.version
                break

    with ThreadPoolExecutor(TABS) as threads:
        list(threads.map(draw, range(TABS)))
    asked, kept = TABS * TAB_EDITS, edges_kept(study)
    record_property("what", f"edits of one graph from {TABS} tabs at once, {durable}")
    record_property("repetitions", asked)
    record_property("figure", f"{asked - kept} lost; {len(conflicts):,} conflicts, each shown with both versions")
    assert kept == asked
    assert reading.transcription(people.annotator, work).version == 1 + asked
