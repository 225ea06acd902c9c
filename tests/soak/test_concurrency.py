"""Twenty people drawing at once, a hundred edits each: how long a save takes on each database, and none is lost."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

from sqlalchemy import text
from sqlmodel import func, select

from core.errors import EdgewiseError
from core.people import Role, Viewer
from services import queueing, transcribing
from services.acting import terminal_viewer
from services.study import Study
from store import graphs, history
from store.tables import AssignmentRow, EventRow, new_id

PEOPLE, EDITS = 20, 100


def test_twenty_people_save_a_hundred_edits_each(
    study: Study, a_figure: SimpleNamespace, newcomer: Callable[..., Viewer]
) -> None:
    if not study.store.is_sqlite:  # the tests' cluster does not wait for the disk; this measurement does
        with study.store.write_engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text("ALTER SYSTEM SET fsync = on"))
            connection.execute(text("SELECT pg_reload_conf()"))
    annotators = [newcomer(f"Person {number}", Role.ANNOTATOR) for number in range(PEOPLE)]
    queueing.want(terminal_viewer(), [a_figure.id], PEOPLE, act_id=new_id())
    works = [transcribing.take(viewer, a_figure.id, act_id=new_id()).subject_id for viewer in annotators]
    errors: list[str] = []

    def draw(number: int) -> list[float]:
        version, taken = 1, []
        for step in range(EDITS):
            began = time.perf_counter()
            try:
                receipt = transcribing.add_lines(
                    annotators[number], works[number], f"V{step % 10} -> W{step // 10}", pasted=False, seen=version,
                    act_id=new_id(),
                ).receipt  # fmt: skip
            except EdgewiseError as error:
                errors.append(str(error))
                continue
            taken.append(time.perf_counter() - began)
            assert receipt is not None
            version = receipt.version
        return taken

    began = time.perf_counter()
    with ThreadPoolExecutor(PEOPLE) as threads:
        times = sorted(duration for person in threads.map(draw, range(PEOPLE)) for duration in person)
    took = time.perf_counter() - began
    with study.store.reading() as session:
        kept = session.exec(select(func.count()).select_from(EventRow).where(EventRow.act == "graph.edit")).one()
        drawn = 0
        for graph_id in session.exec(select(AssignmentRow.graph_id)).all():
            assert graph_id is not None
            state = graphs.read_graph(session, graph_id)
            assert history.rebuild(session, graph_id) == state
            drawn += len(state.edges)
    asked = PEOPLE * EDITS
    p50, p95 = times[len(times) // 2] * 1000, times[len(times) * 95 // 100] * 1000
    print(f"""
| database | people | edits | p50 | p95 | longest | edits/s | errors | lost |
|---|---:|---:|---:|---:|---:|---:|---:|---:|
| {"SQLite" if study.store.is_sqlite else "PostgreSQL"} | {PEOPLE} | {asked} | {p50:.0f} ms | {p95:.0f} ms \
| {times[-1] * 1000:.0f} ms | {asked / took:.0f} | {len(errors)} | {asked - len(errors) - drawn} |""")
    assert errors == []
    assert kept == drawn == asked
