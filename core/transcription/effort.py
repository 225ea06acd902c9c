"""Measurement of work: active time, the size of a figure, and the pace of drawing. Pure."""

from __future__ import annotations

import math
from enum import StrEnum

from core.errors import BadInput
from core.estimate import Estimate, undefined

# The time between two inputs (pointer, wheel, touch, key) counts as active up to this limit; a longer pause, or time
# with the tab hidden, does not count at all.
IDLE_AFTER_S = 60.0

REPORT_EVERY_S = 20.0  # interval at which a browser reports active seconds; it also reports when the tab is hidden

SHORTEST_S = 30.0  # active time below which the pace is undefined

# Maximum nodes and edges of a small and of a middle figure. 25 nodes and 37 edges are the diagram for which published
# practice reports about an hour of work.
SMALL, MIDDLE = (10, 15), (25, 37)


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
    """Return the seconds of a report that are stored: at most the time since the last one. Raises BadInput for a report
    that is no number of seconds."""
    if not math.isfinite(reported_s) or reported_s < 0:
        raise BadInput(f"{reported_s} is not an active time; a report has seconds, 0 or more.")
    return min(reported_s, max(since_s, 0.0))


def pace(edges: int, active_s: float, tasks: int = 1) -> Estimate:
    """Return edges per active minute. Of several tasks: all their edges over all their minutes (pooled, not a mean of
    paces), `n` the number of tasks. Undefined under half a minute of activity.

    >>> pace(10, 120).value
    5.0
    """
    if active_s < SHORTEST_S:
        return undefined("less than 30 s of active time", tasks)
    return Estimate(edges / (active_s / 60), n=tasks)


LEAST_TASKS = 3  # timed transcriptions needed to estimate the time of a further one


def minutes_for(nodes: int, drawn_nodes: int, active_s: float, tasks: int) -> Estimate:
    """Return the estimated active minutes for a figure of `nodes` nodes, from the pooled time per node of the
    transcriptions measured so far: `active_s` seconds for `drawn_nodes` nodes in `tasks` of them, which is `n` too.

    >>> minutes_for(12, drawn_nodes=30, active_s=900, tasks=3).value
    6.0
    """
    if tasks < LEAST_TASKS:
        return undefined(f"fewer than {LEAST_TASKS} submitted transcriptions with measured time", tasks)
    if not drawn_nodes:
        return undefined("no node was drawn in the transcriptions measured", tasks)
    return Estimate(nodes * active_s / drawn_nodes / 60, n=tasks)
