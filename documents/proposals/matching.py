"""Matching of arrows to names: each end goes to the name that its direction meets. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from documents.proposals.labels import PrintedLabel
from documents.proposals.lines.fits import Fit
from documents.proposals.lines.heads import Head
from documents.proposals.lines.strokes import Shaft
from documents.proposals.shapes import Point, angle, box_of, holds, length_of, nearest_of_polygon, unit
from documents.rects import Rect, grown, meet

REACH = 3.3  # letters between an arrow's end and its name
NEAR = 1.3  # letters within which no end is doubtful
LEAST_ARROWS = 3  # whole arrows in a figure before heads without a line are taken for arrows too
NO_LINE = "Only an arrowhead was found, no line."


@dataclass(frozen=True, slots=True)
class LineEndMatch:
    """A name that an arrow's end may belong to."""

    label: int
    cost: float  # distance in letters, increased away from the arrow's direction
    is_ahead: bool = True  # the arrow's direction meets the name


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadArrow:
    """An arrow from name to name, with all that speaks against it."""

    source: int
    sink: int
    path: tuple[Point, ...]  # runs to the tip
    head: int  # its place among the heads
    confidence: float
    is_doubtful: bool
    reasons: tuple[str, ...]
    is_fitting: bool = True  # both ends lie at their names, and no third name lies between


@dataclass(frozen=True, slots=True)
class Scene:
    """A figure as matching sees it."""

    labels: Sequence[PrintedLabel]
    shafts: Sequence[Shaft]
    heads: Sequence[Head]
    fits: Sequence[Fit]
    loop_marks: Sequence[Point]
    letter: float


def find_arrows(scene: Scene) -> list[ReadArrow]:
    """Return one arrow per head that owns a shaft end and whose shaft joins two names (or bends back to one)."""
    arrows = []
    circling = circling_heads(scene)
    for fit in scene.fits:
        if fit.head not in circling:
            arrow = _arrow(fit, along(scene.shafts[fit.shaft], fit), scene)
            if arrow is not None:
                arrows.append(arrow)
    if len(arrows) >= LEAST_ARROWS:
        owned = {fit.head for fit in scene.fits}
        lone = (_lone_arrow(place, head, scene) for place, head in enumerate(scene.heads) if place not in owned)
        arrows += [arrow for arrow in lone if arrow is not None]
    return arrows


def circling_heads(scene: Scene) -> set[int]:
    """Return the heads of the small bent arrows around R1 or B2, which show a loop's direction and join nothing."""
    return {fit.head for fit in scene.fits if circles_mark(along(scene.shafts[fit.shaft], fit), scene)}


def _lone_arrow(place: int, head: Head, scene: Scene) -> ReadArrow | None:
    """Return the arrow of a head without a line, which fills the gap between two close names."""
    if len(head.readings) != 1:
        return None
    tip, back = head.readings[0]
    heading = unit(back, tip)
    tips = [meeting for meeting in meetings(tip, heading, scene) if meeting.cost < NEAR]
    tails = [meeting for meeting in meetings(back, (-heading[0], -heading[1]), scene) if meeting.cost < NEAR]
    pairs = [(tail.cost + end.cost, tail, end) for tail in tails for end in tips if tail.label != end.label]
    if not pairs:
        return None
    _, tail, end = min(pairs, key=lambda pair: pair[0])
    return ReadArrow(
        source=tail.label,
        sink=end.label,
        path=(back, tip),
        head=place,
        confidence=0.6,
        is_doubtful=False,
        reasons=(NO_LINE,),
    )


def along(shaft: Shaft, fit: Fit) -> tuple[Point, ...]:
    line = shaft.towards(fit.which)
    reach = math.dist(fit.tip, fit.back)
    between = [point for point in line[1:] if math.dist(point, fit.tip) > 0.6 * reach]
    if not between and len(line) > 2:
        between = [line[len(line) // 2]]
    return (line[0], *between, fit.tip)


def circles_mark(path: Sequence[Point], scene: Scene) -> bool:
    """Return True if a line is small, bent and lies around a loop's mark."""
    box = box_of(path)
    is_small = max(box[2] - box[0], box[3] - box[1]) < 7 * scene.letter
    is_bent = length_of(path) > 1.25 * math.dist(path[0], path[-1])
    return is_small and is_bent and any(holds(grown(box, 0.3 * scene.letter), mark) for mark in scene.loop_marks)


def _arrow(fit: Fit, path: tuple[Point, ...], scene: Scene) -> ReadArrow | None:
    letter = scene.letter
    tip_heading = unit(fit.back, fit.tip)
    tail_heading = scene.shafts[fit.shaft].heading(1 - fit.which, letter)
    tails = meetings(path[0], tail_heading, scene)
    tips = meetings(path[-1], tip_heading, scene)
    is_loop_like = _is_loop(path, tails, tips, letter)
    pairs = [
        (tail.cost + tip.cost, tail, tip) for tail in tails for tip in tips if tail.label != tip.label or is_loop_like
    ]
    if not pairs:
        return None
    _, tail, tip = min(pairs, key=lambda pair: pair[0])
    return _judged(fit, path, (tail, tip), (tails, tips), scene)


def _is_loop(path: Sequence[Point], tails: Sequence[LineEndMatch], tips: Sequence[LineEndMatch], letter: float) -> bool:
    """Return True if an arrow may return to its own name: it bends far, or bends and both ends lie at one name."""
    bent, chord = length_of(path), math.dist(path[0], path[-1])
    if bent > 2.0 * chord and bent > 2.5 * letter:
        return True
    is_at_one = bool(tails and tips) and tails[0].label == tips[0].label and max(tails[0].cost, tips[0].cost) < NEAR
    return is_at_one and 1.5 * chord < bent < 8 * letter


def meetings(end: Point, heading: Point, scene: Scene) -> list[LineEndMatch]:
    """Return the names within reach of an end, nearest first."""
    matches = []
    for place, label in enumerate(scene.labels):
        if not label.bodies or not holds(
            grown(box_of(point for body in label.bodies for point in body), REACH * scene.letter), end
        ):
            continue
        cost = min(_cost(end, heading, body, scene.letter) for body in label.bodies)
        if cost < REACH:
            is_ahead = any(_angle_to(end, heading, body) == 0.0 for body in label.bodies)
            matches.append(LineEndMatch(place, cost, is_ahead))
    return sorted(matches, key=lambda meeting: meeting.cost)[:4]


def _cost(end: Point, heading: Point, body: Sequence[Point], letter: float) -> float:
    """Return the distance in letters, times up to three the further the body lies from the arrow's direction."""
    near = nearest_of_polygon(body, end)
    distance = math.dist(end, near) / letter
    off = _angle_to(end, heading, body) if distance > 0.05 else 0.0
    return distance * (1 + 2 * (1 - math.cos(math.radians(off))) / 2) if off < 100 else distance * 3


def _angle_to(end: Point, heading: Point, body: Sequence[Point]) -> float:
    """Return the degrees by which the arrow's direction misses a body; 0 if it meets it."""
    if heading == (0.0, 0.0):
        return 45.0
    sides = [heading[0] * (point[1] - end[1]) - heading[1] * (point[0] - end[0]) for point in body]
    ahead = [heading[0] * (point[0] - end[0]) + heading[1] * (point[1] - end[1]) for point in body]
    if min(sides) <= 0 <= max(sides) and max(ahead) > 0:
        return 0.0
    return min(angle(heading, unit(end, point)) for point in body)


def _judged(
    fit: Fit,
    path: tuple[Point, ...],
    ends: tuple[LineEndMatch, LineEndMatch],
    rivals: tuple[Sequence[LineEndMatch], Sequence[LineEndMatch]],
    scene: Scene,
) -> ReadArrow:
    """Return the arrow with its confidence, which each doubt multiplies by its factor."""
    confidence = 0.98
    doubtful = False
    reasons: list[str] = []
    for share, is_about_direction, reason in _doubts(fit, path, ends, rivals, scene):
        confidence *= share
        doubtful = doubtful or is_about_direction
        reasons.append(reason)
    tail, tip = ends
    return ReadArrow(
        source=tail.label,
        sink=tip.label,
        path=path,
        head=fit.head,
        confidence=round(confidence, 3),
        is_doubtful=doubtful,
        reasons=tuple(reasons),
        is_fitting=all(_fits(end, others, scene) for end, others in zip(ends, rivals, strict=True))
        and not _crossed(path, ends, scene),
    )


def _fits(meeting: LineEndMatch, others: Sequence[LineEndMatch], scene: Scene) -> bool:
    """Return True if an end lies at its name. Bare names may have any distance around them, so an end may be farther
    away if it points to the name and can mean no other."""
    if meeting.cost <= NEAR:
        return True
    is_bare = scene.labels[meeting.label].shape is None
    return is_bare and meeting.is_ahead and not _is_between(meeting, others)


def _is_between(meeting: LineEndMatch, others: Sequence[LineEndMatch]) -> bool:
    second = min((other.cost for other in others if other.label != meeting.label), default=math.inf)
    return second < 1.4 * meeting.cost + 0.25


def _doubts(
    fit: Fit,
    path: tuple[Point, ...],
    ends: tuple[LineEndMatch, LineEndMatch],
    rivals: tuple[Sequence[LineEndMatch], Sequence[LineEndMatch]],
    scene: Scene,
) -> list[tuple[float, bool, str]]:
    """Return (factor, whether it is about the direction, sentence) for everything that speaks against an arrow."""
    doubts = []
    if fit.shared:
        doubts.append((0.6, True, "It has no arrowhead of its own; it runs into another arrow's."))
    elif fit.rival < 0.6:
        doubts.append((0.6, True, "Another line without a head ends at this arrowhead."))
    if fit.off > 32:
        doubts.append((0.8, True, "The arrowhead does not point along the line."))
    if _head_at_tail(fit, path, scene):
        doubts.append((0.75, True, "The line begins beside another arrow's head."))
    for meeting, others, place in zip(ends, rivals, ("begins", "ends"), strict=True):
        name = scene.labels[meeting.label].text
        if _is_between(meeting, others):
            doubts.append((0.7, False, f"It {place} between two names."))
        if meeting.cost > NEAR:
            share = 0.9 if meeting.cost < 2 * NEAR else 0.75
            doubts.append((share, False, f"It {place} at some distance from “{name}”."))
        if scene.labels[meeting.label].is_unsure:
            doubts.append((0.75, False, f"“{name}” may name another dot."))
    if ends[0].label == ends[1].label:
        doubts.append((0.7, False, "It begins and ends at one name."))
    if crossed := _crossed(path, ends, scene):
        doubts.append((0.8, False, f"It runs over “{crossed}”."))
    return doubts


def _head_at_tail(fit: Fit, path: Sequence[Point], scene: Scene) -> bool:
    for other in scene.fits:
        if other.shaft == fit.shaft or other.cost < 0.8:
            continue
        reach = 0.7 * math.dist(other.tip, other.back)
        if min(math.dist(other.tip, path[0]), math.dist(other.back, path[0])) < reach:
            return True
    return False


def _crossed(path: Sequence[Point], ends: tuple[LineEndMatch, LineEndMatch], scene: Scene) -> str:
    own_labels = {ends[0].label, ends[1].label}
    box = box_of(path)
    for place, label in enumerate(scene.labels):
        x0, y0, x1, y1 = _seen_box(label)
        if place in own_labels or not label.bodies or x0 > box[2] or x1 < box[0] or y0 > box[3] or y1 < box[1]:
            continue
        inner = (x0 + 0.15 * (x1 - x0), y0 + 0.3 * (y1 - y0), x1 - 0.15 * (x1 - x0), y1 - 0.3 * (y1 - y0))
        if any(holds(inner, point) for point in _denser(path, scene.letter)):
            return label.text
    return ""


def _seen_box(label: PrintedLabel) -> Rect:
    """Return the box that a line would cross: the glyph of a name that is apart from it, else the words within their
    shape."""
    if label.shape is None:
        return label.box
    return label.shape.box if label.is_apart else meet(label.box, label.shape.box)


def _denser(path: Sequence[Point], step: float) -> list[Point]:
    points = []
    for a, b in pairwise(path):
        count = max(1, int(2 * math.dist(a, b) / step))
        points += [(a[0] + (b[0] - a[0]) * k / count, a[1] + (b[1] - a[1]) * k / count) for k in range(count)]
    return points


def once_each(arrows: Sequence[ReadArrow]) -> list[ReadArrow]:
    """Return the most confident arrow from each name to each other."""
    best: dict[tuple[int, int], ReadArrow] = {}
    for arrow in sorted(arrows, key=lambda one: -one.confidence):
        best.setdefault((arrow.source, arrow.sink), arrow)
    return list(best.values())
