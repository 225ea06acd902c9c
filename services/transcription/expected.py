"""What is expected of figures before anybody draws them: how many nodes the program found, and the minutes it takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.estimate import Estimate, undefined
from core.papers.pages import Box, part_of
from core.people import May, Viewer
from core.transcription.effort import SHORTEST_S, minutes_for
from documents.reader import PROPOSALS_SIZE, PROPOSALS_VERSION
from services.acting import Reading, consulting
from store import documents as derived
from store import efforts
from store.assignments import HANDED_IN
from store.graphs import graphs
from store.papers import papers

UNREAD = "the figure is not read yet"


@dataclass(frozen=True, slots=True)
class ExpectedFigure:
    """`version`: of the figure, for the address of its thumbnail. `nodes`: the names the program found, None while it
    is not read; `minutes`: of active time, by the time a node of the study's submitted transcriptions took."""

    version: int
    nodes: int | None
    minutes: Estimate


@dataclass(frozen=True, slots=True)
class _Pace:
    nodes: int
    active_s: float
    tasks: int


def expected(viewer: Viewer, figure_ids: Sequence[str]) -> dict[str, ExpectedFigure]:
    """By figure, those whose paper has a file; the same few queries however many there are. Nobody's work is in it but
    the time and the number of nodes of all submitted transcriptions together."""
    with consulting(viewer, May.OPEN_WORK) as r:
        rows = papers.figures_with_files(r.session, figure_ids)
        sizes = derived.derived_of(r.session, {sha256 for _row, sha256 in rows}, PROPOSALS_SIZE, str(PROPOSALS_VERSION))
        pace = _pace(r)
    found = {}
    for row, sha256 in rows:
        size = sizes.get((sha256, part_of(row.page, Box(row.x0, row.y0, row.x1, row.y1))))
        nodes = None if size is None else int(size["names"])
        minutes = undefined(UNREAD) if nodes is None else minutes_for(nodes, pace.nodes, pace.active_s, pace.tasks)
        found[row.id] = ExpectedFigure(row.version, nodes, minutes)
    return found


def _pace(r: Reading) -> _Pace:
    """Over the submitted transcriptions whose time was measured."""
    done = [each for each in efforts.worked_on(r.session) if each.state in HANDED_IN]
    seconds = efforts.active_seconds(r.session, [each.assignment_id for each in done])
    timed = [each for each in done if seconds.get(each.assignment_id, 0.0) >= SHORTEST_S]
    counts = graphs.count_elements(r.session, [each.graph_id for each in timed])
    return _Pace(
        sum(counts[each.graph_id][0] for each in timed),
        sum(seconds[each.assignment_id] for each in timed),
        len(timed),
    )
