"""Flows of stock-and-flow diagrams: a valve represents its flow's name; a pipe without head leaves a stock. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from documents.proposals.labels import PrintedLabel
from documents.proposals.lines.strokes import Shaft
from documents.proposals.matching import NEAR, ReadArrow, Scene, meetings
from documents.proposals.shapes import Point, box_of, centre, nearest_of_polygon

VALVE_REACH = 5.0  # letters from a valve to the name of its flow
AT_VALVE = 0.5  # letters between a valve and the end of its pipe
OUTFLOW = "A pipe from a stock into a flow, read as: the flow lowers the stock."
CONFIDENCE = 0.75


@dataclass(frozen=True, slots=True)
class Valve:
    """A valve and the place of its flow's name among the labels."""

    body: tuple[Point, ...]
    label: int


def named_valves(labels: Sequence[PrintedLabel], valves: Sequence[Sequence[Point]], letter: float) -> list[Valve]:
    named = []
    for valve in valves:
        x, y = centre(box_of(valve))
        near = [
            (abs(y - centre(label.box)[1]), place)
            for place, label in enumerate(labels)
            if label.box[0] - letter < x < label.box[2] + letter
        ]
        if near and min(near)[0] < VALVE_REACH * letter:
            named.append(Valve(tuple(valve), min(near)[1]))
    return named


def with_valves(labels: Sequence[PrintedLabel], valves: Sequence[Valve]) -> list[PrintedLabel]:
    """Return the labels, with the valves as further bodies at which arrows end."""
    extended = list(labels)
    for valve in valves:
        extended[valve.label] = replace(extended[valve.label], bodies=(*extended[valve.label].bodies, valve.body))
    return extended


def outflows(valves: Sequence[Valve], scene: Scene) -> list[ReadArrow]:
    """Return an arrow with a minus from a flow to each stock that a pipe without head joins to its valve."""
    served = {fit.shaft for fit in scene.fits}
    free = [shaft for place, shaft in enumerate(scene.shafts) if place not in served]
    candidates = [_outflow(valve, shaft, which, scene) for valve in valves for shaft in free for which in (0, 1)]
    return [arrow for arrow in candidates if arrow is not None]


def _outflow(valve: Valve, shaft: Shaft, which: int, scene: Scene) -> ReadArrow | None:
    start = shaft.end(which)
    if math.dist(nearest_of_polygon(valve.body, start), start) > AT_VALVE * scene.letter:
        return None
    path = shaft.towards(1 - which)
    stocks = meetings(path[-1], shaft.heading(1 - which, scene.letter), scene)
    if not stocks or stocks[0].cost > NEAR or stocks[0].label == valve.label:
        return None
    return ReadArrow(
        source=valve.label,
        sink=stocks[0].label,
        path=path,
        head=-1,
        confidence=CONFIDENCE,
        is_doubtful=False,
        reasons=(OUTFLOW,),
    )
