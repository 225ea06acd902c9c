"""Every arrow that a figure shows, whether or not it became an edge: evidence for a drawn edge. Pure."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import cast

from core.transcription.proposals import PrintedArrow, ProposedEdge, Sign
from documents.proposals.delays import delayed_by_letters
from documents.proposals.matching import ReadArrow, Scene, along, circles_mark, meetings
from documents.proposals.shapes import Outline, Point, holds, unit
from documents.proposals.signs import assign_signs, delayed
from documents.proposals.words import PrintedMark
from documents.rects import Rect, grown

Path = tuple[Point, ...]

MARGIN = 2.0
"""Points by which an arrow may reach over the frame that a person drew around the figure."""


Delays = tuple[Sequence[tuple[Outline, Outline]], Sequence[Rect]]
"""Delay marks drawn as two strokes, and the boxes of those printed as letters."""


def printed_arrows(
    scene: Scene, edges: Sequence[ProposedEdge], signs: Sequence[PrintedMark], delays: Delays, names: Mapping[int, int]
) -> tuple[PrintedArrow, ...]:
    """Return the arrows of `edges` and every other head with its line, from top to bottom, without the bent arrows
    around loop marks.
    `names` maps the scene's labels to the figure's names; nodes without a name and words at lines are not in it."""
    known = {edge.path: edge for edge in edges if len(edge.path) > 1}
    lone = list(_lone_heads(scene, known))
    paths = dict.fromkeys((*known, *_with_lines(scene, known), *lone))
    read = [
        ReadArrow(source=-1, sink=-1, path=path, head=-1, confidence=0.0, is_doubtful=False, reasons=())
        for path in paths
    ]
    sign_of = assign_signs(signs, read, scene.letter)
    late = delayed(delays[0], read) | delayed_by_letters(delays[1], read, scene.letter)
    printed = []
    for place, path in enumerate(paths):
        edge = known.get(path)
        sign, is_unsure = sign_of.get(place, ("", False))
        printed.append(
            PrintedArrow(
                path=path,
                sign=edge.sign if edge is not None else cast(Sign, "" if is_unsure else sign),
                delay=edge.delay if edge is not None else place in late,
                has_line=path not in lone,
                tails=() if path in lone else _names(path[0], unit(path[1], path[0]), scene, names),
                tips=_names(path[-1], unit(path[-2], path[-1]), scene, names),
            )
        )
    return tuple(sorted(printed, key=lambda arrow: (arrow.path[-1][1], arrow.path[-1][0])))


def named(labels: int, words: Collection[int]) -> dict[int, int]:
    """Return the index among the figure's names of the first `labels` labels, without the words at lines."""
    return {place: number for number, place in enumerate(place for place in range(labels) if place not in words)}


def within(arrows: Sequence[PrintedArrow], frame: Rect) -> tuple[PrintedArrow, ...]:
    """Return the arrows with both ends in the figure's frame: others belong to the rest of the page."""
    room = grown(frame, MARGIN)
    return tuple(arrow for arrow in arrows if holds(room, arrow.path[0]) and holds(room, arrow.path[-1]))


def _with_lines(scene: Scene, known: Mapping[Path, ProposedEdge]) -> Iterator[Path]:
    """Yield the paths of heads with a line that became no edge."""
    for fit in scene.fits:
        path = along(scene.shafts[fit.shaft], fit)
        if not circles_mark(path, scene) and (rounded := _rounded(path)) not in known:
            yield rounded


def _lone_heads(scene: Scene, known: Mapping[Path, ProposedEdge]) -> Iterator[Path]:
    """Yield heads without a line, from the middle of their base to the tip."""
    owned = {fit.head for fit in scene.fits}
    for place, head in enumerate(scene.heads):
        if place not in owned and len(head.readings) == 1:
            tip, back = head.readings[0]
            if (rounded := _rounded((back, tip))) not in known:
                yield rounded


def _rounded(path: Sequence[Point]) -> Path:
    return tuple((round(x, 1), round(y, 1)) for x, y in path)


def _names(end: Point, heading: Point, scene: Scene, names: Mapping[int, int]) -> tuple[tuple[int, float], ...]:
    return tuple(
        (names[meeting.label], round(meeting.cost, 2))
        for meeting in meetings(end, heading, scene)
        if math.isfinite(meeting.cost) and meeting.label in names
    )
