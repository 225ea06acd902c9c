"""Frames that are not drawn: text boxes without a rim, at whose sides programs let lines end. Pure; lengths in letters.

Presentation and diagram programs glue lines to the box of a text, painted or not. Copied from each other, the boxes of
a figure have one size, with their texts in the middle. So the frames have the size at whose sides most lines end."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from documents.proposals.labels import PrintedLabel
from documents.proposals.matching import NEAR, Scene
from documents.proposals.shapes import Outline, Point, centre, corners, nearest_of_polygon
from documents.rects import Rect

LEAST_NAMES = 4
LEAST_ENDS = 8
FAR = 0.2  # share of the lines' ends that lie at no name before frames are looked for
MOST_HALF = (14.0, 5.0)  # letters from a name's middle to the sides of its frame
LEAST_AT = 3  # ends that give a size
ON = 0.4  # letters from a side within which a line ends at it
ONE_SIDE = 0.75  # most of these ends at one side
EXPLAINED = 0.8  # share of the ends that lie at a frame


def in_frames(scene: Scene) -> list[PrintedLabel] | None:
    """Return the labels with the frames of bare names as their shapes, None if there are no such frames."""
    bare = [place for place, label in enumerate(scene.labels) if label.shape is None and label.bodies]
    headed = {(fit.shaft, fit.which) for fit in scene.fits}
    tails = [
        scene.shafts[fit.shaft].end(1 - fit.which) for fit in scene.fits if (fit.shaft, 1 - fit.which) not in headed
    ]
    ends = [*(fit.tip for fit in scene.fits if not fit.shared), *tails]
    if len(bare) < LEAST_NAMES or len(ends) < LEAST_ENDS:
        return None
    far = sum(not _is_near(end, scene.labels, scene.letter) for end in ends)
    half = _half([scene.labels[place].box for place in bare], ends, scene.letter) if far > FAR * len(ends) else None
    if half is None:
        return None
    labels = [*scene.labels]
    for place in bare:
        x, y = centre(labels[place].box)
        frame = Outline(
            points=corners((x - half[0], y - half[1], x + half[0], y + half[1])), closed=True, stroked=False
        )
        labels[place] = replace(labels[place], shape=frame, bodies=(frame.points,))
    return labels


def _is_near(end: Point, labels: Sequence[PrintedLabel], letter: float) -> bool:
    return any(
        math.dist(nearest_of_polygon(body, end), end) < NEAR * letter for label in labels for body in label.bodies
    )


def _half(boxes: Sequence[Rect], ends: Sequence[Point], letter: float) -> Point | None:
    """Return half the width and height of the frame at whose sides most ends lie; None if too few do."""
    least = max(box[2] - box[0] for box in boxes) / 2, max(box[3] - box[1] for box in boxes) / 2
    middles = [centre(box) for box in boxes]
    most = MOST_HALF[0] * letter, MOST_HALF[1] * letter
    offsets = [
        [(end[0] - x, end[1] - y) for x, y in middles if abs(end[0] - x) < most[0] and abs(end[1] - y) < most[1]]
        for end in ends
    ]
    sizes = [_crowded([abs(offset[axis]) for own in offsets for offset in own], least[axis], letter) for axis in (0, 1)]
    scored = [
        (_count(offsets, half, letter), -half[0] * half[1], half)
        for half in ((wide, high) for wide in sizes[0] for high in sizes[1])
        if not _overlap(middles, half, letter)
    ]
    count, _, half = max(scored, default=(0, 0.0, least))
    return half if count >= EXPLAINED * len(ends) else None


def _overlap(middles: Sequence[Point], half: Point, letter: float) -> bool:
    wide, high = 2 * half[0] - ON * letter, 2 * half[1] - ON * letter
    return any(abs(a[0] - b[0]) < wide and abs(a[1] - b[1]) < high for a, b in combinations(middles, 2))


def _crowded(values: Sequence[float], least: float, letter: float) -> list[float]:
    """Return the values around which several lie, and the least that a frame needs to contain the names."""
    slack = ON * letter
    places = {round(value / slack) * slack for value in values if value > least - slack / 2}
    crowded = [
        sum(near) / len(near)
        for place in places
        if len(near := [value for value in values if abs(value - place) < slack]) >= LEAST_AT
    ]
    return [least, *crowded]


def _count(offsets: Sequence[Sequence[Point]], half: Point, letter: float) -> int:
    """Count the ends at a side of a frame; 0 if most lie at the same side, as where names are next to dots."""
    sides = [side for own in offsets if (side := _side(own, half, letter)) is not None]
    return 0 if max(Counter(sides).values(), default=0) > ONE_SIDE * len(sides) else len(sides)


def _side(offsets: Sequence[Point], half: Point, letter: float) -> tuple[int, bool] | None:
    """Return the side of a frame at which an end lies, seen from the middles of the names around; no line ends at a
    corner."""
    for offset in offsets:
        beyond = [abs(off) - size for off, size in zip(offset, half, strict=True)]
        axis = beyond.index(max(beyond))
        if abs(beyond[axis]) < ON * letter and beyond[1 - axis] < -ON * letter:
            return axis, offset[axis] > 0
    return None
