"""How work is timed: what counts as active time, how large a figure is, and how fast it was drawn. Pure."""

from __future__ import annotations

import math
from enum import StrEnum

from core.errors import BadInput
from core.estimate import Estimate, undefined

IDLE_AFTER_S = 60.0
"""The time between two inputs (pointer, wheel, touch, key) counts if it is no longer than this; a longer pause, and
any time in which the tab is hidden, counts nothing at all."""

REPORT_EVERY_S = 20.0
"""How often a browser reports the seconds it has counted; it also reports when the tab is hidden."""

SHORTEST_S = 30.0
"""Below so much active time no pace is worked out."""

SMALL, MIDDLE = (10, 15), (25, 37)
"""Most nodes and most edges of a small and of a middle figure. 25 nodes and 37 edges are the diagram for which
published practice reports about an hour of work."""


class FigureSize(StrEnum):
    """A figure's class by what was drawn of it; the larger of its two counts decides."""

    SMALL = "small"
    MIDDLE = "middle"
    LARGE = "large"


def size_of(nodes: int, edges: int) -> FigureSize:
    """
    >>> size_of(9, 14).value, size_of(9, 16).value, size_of(26, 3).value
    ('small', 'middle', 'large')
    """
    for size, (most_nodes, most_edges) in ((FigureSize.SMALL, SMALL), (FigureSize.MIDDLE, MIDDLE)):
        if nodes <= most_nodes and edges <= most_edges:
            return size
    return FigureSize.LARGE


def credited(reported_s: float, since_s: float) -> float:
    """The seconds of a report that are kept: never more than have passed since the last one.

    Raises BadInput for a report that is no number of seconds.
    """
    if not math.isfinite(reported_s) or reported_s < 0:
        raise BadInput(f"{reported_s} is not an active time; a report has seconds, 0 or more.")
    return min(reported_s, max(since_s, 0.0))


def pace(edges: int, active_s: float, tasks: int = 1) -> Estimate:
    """Edges per active minute. Of several tasks: all their edges over all their minutes (pooled, not a mean of
    paces), `n` the number of tasks. Undefined under half a minute of activity.

    >>> pace(10, 120).value
    5.0
    """
    if active_s < SHORTEST_S:
        return undefined("less than 30 s of active time", tasks)
    return Estimate(edges / (active_s / 60), n=tasks)


LEAST_TASKS = 3
"""Transcriptions with measured time from which the time of a further one is estimated."""


def minutes_for(nodes: int, drawn_nodes: int, active_s: float, tasks: int) -> Estimate:
    """Active minutes that a figure of so many `nodes` will take, by the pooled time a node of the transcriptions
    measured so far: `active_s` seconds for `drawn_nodes` nodes in `tasks` of them, which is `n` too.

    >>> minutes_for(12, drawn_nodes=30, active_s=900, tasks=3).value
    6.0
    """
    if tasks < LEAST_TASKS:
        return undefined(f"fewer than {LEAST_TASKS} submitted transcriptions with measured time", tasks)
    if not drawn_nodes:
        return undefined("no node was drawn in the transcriptions measured", tasks)
    return Estimate(nodes * active_s / drawn_nodes / 60, n=tasks)
