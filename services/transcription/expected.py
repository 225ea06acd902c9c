"""Expected size and minutes of figures that nobody has transcribed yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.estimate import Estimate, undefined
from core.papers.pages import Box, part_of
from core.people import Permission, Viewer
from core.transcription.effort import SHORTEST_S, minutes_for
from documents.reader import PROPOSALS_SIZE, PROPOSALS_VERSION
from services.acting import consulting
from store import documents as derived
from store import efforts
from store.assignments import HANDED_IN
from store.graphs import graphs
from store.papers import papers

UNREAD = "the figure is not read yet"


@dataclass(frozen=True, slots=True)
class ExpectedFigure:
    version: int  # of the figure, for the address of its thumbnail
    nodes: int | None  # names that the program found; None until the figure is read
    minutes: Estimate  # of active time, at the study's pace per node


def expected(viewer: Viewer, figure_ids: Sequence[str]) -> dict[str, ExpectedFigure]:
    """Return the expectation by figure, for figures whose paper has a file. The number of queries is constant.

    Blind: others' work enters only as the total time and node count of all submitted transcriptions.
    """
    with consulting(viewer, Permission.OPEN_WORK) as r:
        rows = papers.figures_with_files(r.session, figure_ids)
        sizes = derived.derived_of(r.session, {sha256 for _row, sha256 in rows}, PROPOSALS_SIZE, str(PROPOSALS_VERSION))
        done = [each for each in efforts.worked_on(r.session) if each.state in HANDED_IN]
        seconds = efforts.active_seconds(r.session, [each.assignment_id for each in done])
        timed = [each for each in done if seconds.get(each.assignment_id, 0.0) >= SHORTEST_S]
        counts = graphs.count_elements(r.session, [each.graph_id for each in timed])
    nodes_timed = sum(counts[each.graph_id][0] for each in timed)
    active_s = sum(seconds[each.assignment_id] for each in timed)
    figures = {}
    for row, sha256 in rows:
        size = sizes.get((sha256, part_of(row.page, Box(row.x0, row.y0, row.x1, row.y1))))
        nodes = None if size is None else int(size["names"])
        minutes = undefined(UNREAD) if nodes is None else minutes_for(nodes, nodes_timed, active_s, len(timed))
        figures[row.id] = ExpectedFigure(row.version, nodes, minutes)
    return figures
