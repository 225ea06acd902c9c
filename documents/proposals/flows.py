"""Flows of stock-and-flow diagrams: a valve represents its flow's name; a pipe without head leaves a stock. Pure.

A pipe is drawn from valve to stock or cloud, as one line or two, or as two lines with one head through its valve."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from documents.proposals.labels import PrintedLabel
from documents.proposals.lines.strokes import Shaft
from documents.proposals.matching import NEAR, ReadArrow, Scene, meetings
from documents.proposals.shapes import Point, box_of, centre, holds, nearest_of_line, nearest_of_polygon, nearest_on
from documents.rects import grown

VALVE_REACH = 5.0  # letters from a valve to the name of its flow
AT_VALVE = 0.5  # letters between a valve and the end of its pipe, or its middle and the line of a pipe
WALLS = 1.0  # letters between the two lines of a pipe
OUTFLOW = "A pipe from a stock into a flow, read as: the flow lowers the stock."
CONFIDENCE = 0.55  # its sign is a convention, not printed, so sizes that agree must not make it certain


@dataclass(frozen=True, slots=True)
class Valve:
    """A valve and the place of its flow's name among the labels."""

    body: tuple[Point, ...]
    label: int


def cut_at_valves(shafts: Sequence[Shaft], valves: Sequence[Valve], letter: float) -> list[Shaft]:
    """Cut pipes of two lines that run through a valve there; of the two lines of a pipe one is left."""
    for valve in valves:
        others, parts = list[Shaft](), list[Shaft]()
        for shaft in shafts:
            walls = [other for other in shafts if other is not shaft]  # a single line through it is an arrow over it
            if _is_through(shaft, valve.body, letter) and _has_twin(shaft, walls, letter):
                parts += _parts(shaft, centre(box_of(valve.body)))
            else:
                (parts if _is_piped(shaft, valve, letter) else others).append(shaft)
        shafts = [*others, *(part for at, part in enumerate(parts) if not _has_twin(part, parts[:at], letter))]
    return list(shafts)


def _is_piped(shaft: Shaft, valve: Valve, letter: float) -> bool:
    return any(_is_at(valve, shaft.end(which), letter) for which in (0, 1))


def _is_through(shaft: Shaft, valve: Sequence[Point], letter: float) -> bool:
    middle, around = centre(box_of(valve)), grown(box_of(valve), AT_VALVE * letter)
    is_out = not any(holds(around, shaft.end(which)) for which in (0, 1))
    return is_out and math.dist(nearest_of_line(shaft.points, middle), middle) < AT_VALVE * letter


def _parts(pipe: Shaft, middle: Point) -> tuple[Shaft, Shaft]:
    sides = list(pairwise(pipe.points))
    at = min(range(len(sides)), key=lambda place: math.dist(nearest_on(*sides[place], middle), middle))
    cut = nearest_on(*sides[at], middle)
    return replace(pipe, points=(*pipe.points[: at + 1], cut)), replace(pipe, points=(cut, *pipe.points[at + 1 :]))


def _has_twin(part: Shaft, others: Iterable[Shaft], letter: float) -> bool:
    return any(
        max(math.dist(part.end(which), other.end(which ^ turn)) for which in (0, 1)) < WALLS * letter
        for other in others
        for turn in (0, 1)
    )


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
    flows = {valve.label for valve in valves}
    served = {fit.shaft for fit in scene.fits}
    free = [shaft for place, shaft in enumerate(scene.shafts) if place not in served]
    candidates = [_outflow(valve, shaft, which, flows, scene) for valve in valves for shaft in free for which in (0, 1)]
    return [arrow for arrow in candidates if arrow is not None]


def pipes(valves: Sequence[Valve], scene: Scene) -> set[int]:
    """Return the places of the shafts that end at a valve."""
    return {
        place
        for place, shaft in enumerate(scene.shafts)
        if any(_is_piped(shaft, valve, scene.letter) for valve in valves)
    }


def _is_at(valve: Valve, end: Point, letter: float) -> bool:
    return math.dist(nearest_of_polygon(valve.body, end), end) <= AT_VALVE * letter


def _outflow(valve: Valve, shaft: Shaft, which: int, flows: Collection[int], scene: Scene) -> ReadArrow | None:
    if not _is_at(valve, shaft.end(which), scene.letter):
        return None
    path = shaft.towards(1 - which)
    stocks = meetings(path[-1], shaft.heading(1 - which, scene.letter), scene)
    if not stocks or stocks[0].cost > NEAR or stocks[0].label in flows:
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
