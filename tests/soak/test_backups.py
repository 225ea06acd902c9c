"""Backups taken while people draw, each restored: one moment's state, whole."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from sqlmodel import select

from services.backups.backup import backup
from services.backups.restoring import restore
from services.study import Study, open_study
from services.transcription import transcribing
from store import history
from store.graphs import graphs
from store.tables import AssignmentRow, EventRow, new_id
from tests.soak.table import scaled

BACKUPS = scaled(20, least=2)
BETWEEN = 10  # edges drawn between two backups at least
MOST_EDGES = 4_000


class Drawing:
    """Somebody who draws as fast as the store takes it, until told to stop."""

    def __init__(self, people: SimpleNamespace, figure_id: str) -> None:
        self.viewer = people.annotator
        self.work = transcribing.take(self.viewer, figure_id, act_id=new_id()).subject_id
        self.done = 0
        self._enough = threading.Event()
        self._thread = threading.Thread(target=self._draw)
        self._thread.start()

    def _draw(self) -> None:
        while not self._enough.is_set() and self.done < MOST_EDGES:
            line = f"A{self.done} -> B{self.done % 20}"
            transcribing.add_lines(self.viewer, self.work, line, pasted=False, seen=self.done + 1, act_id=new_id())
            self.done += 1

    def wait_for(self, count: int) -> None:
        while self.done < count:
            assert self._thread.is_alive(), "the drawing ended early"
            time.sleep(0.01)

    def stop(self) -> None:
        self._enough.set()
        self._thread.join()


@pytest.mark.proof(
    "T1", "backup taken while someone draws, and restored", gate="each whole, of one moment, integrity ok"
)
def test_every_backup_restores_to_one_moments_state(
    sqlite_study: Study,
    people: SimpleNamespace,
    a_figure: SimpleNamespace,
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    drawing = Drawing(people, a_figure.id)
    taken = []
    try:
        for number in range(BACKUPS):
            drawing.wait_for(BETWEEN * (number + 1))
            before = drawing.done
            taken.append((before, backup(people.owner, tmp_path / f"{number}.zip").path, drawing.done + 1))
    finally:
        drawing.stop()
    sizes = [edges_in(path, tmp_path / path.stem, before, after) for before, path, after in taken]
    record_property("repetitions", BACKUPS)
    record_property(
        "figure",
        f"{len(sizes)} of {BACKUPS} restored whole, of {sizes[0]} to {sizes[-1]} edges; integrity ok each time",
    )


def edges_in(path: Path, folder: Path, before: int, after: int) -> int:
    """Edges of a restored backup: rows as the history tells, as many as there were while it was taken."""
    restore(path, folder / "study.edgewise")
    again = open_study(str(folder / "study.edgewise"), folder)
    with again.store.reading() as session:
        graph_id = session.exec(select(AssignmentRow.graph_id)).one()
        assert graph_id is not None
        state = graphs.read_graph(session, graph_id)
        assert history.rebuild(session, graph_id) == state
        edits = session.exec(select(EventRow).where(EventRow.act == "graph.edit")).all()
    assert len(edits) == len(state.edges)
    assert before <= len(state.edges) <= after
    assert again.store.check() == []
    again.close()
    return len(state.edges)
