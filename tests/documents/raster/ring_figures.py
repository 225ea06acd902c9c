"""Made pictures whose nodes are dots or rings with the name next to them, as dagitty and Stella draw them."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from itertools import permutations

from PIL import Image, ImageDraw, ImageFont

NAMES = [
    "Age",
    "Smoking",
    "Income",
    "Exercise",
    "Weight",
    "Stress",
    "Sleep",
    "Diet",
    "Pollution",
    "Asthma",
    "Education",
]
COLUMNS, ROWS, STEP = 4, 3, (290, 230)
RADIUS, GAP = 17, 7  # pixels
FINER = 2  # drawn at twice the size, for soft edges
COLOURS = ("#3a7fbf", "#7aa63c", "#222222")

Place = tuple[float, float]


def ring_figure(seed: int) -> tuple[Image.Image, set[tuple[str, str]]]:
    """Return a picture and its edges: even seeds have dots with the name below and straight arrows, odd ones rings with
    the name above and bent arrows."""
    draw_of = random.Random(seed)
    is_ring, colour = seed % 2 == 1, draw_of.choice(COLOURS)
    names = draw_of.sample(NAMES, 8)
    cells = draw_of.sample([(x, y) for x in range(COLUMNS) for y in range(ROWS)], len(names))
    places = {
        name: ((x + 0.5) * STEP[0] + draw_of.uniform(-40, 40), (y + 0.5) * STEP[1] + draw_of.uniform(-25, 25))
        for name, (x, y) in zip(names, cells, strict=True)
    }
    picture = Image.new("RGB", (FINER * COLUMNS * STEP[0], FINER * ROWS * STEP[1]), "white")
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(size=22 * FINER)
    boxes = {}
    for name, (x, y) in places.items():
        anchor, aside = ("ms", -RADIUS - GAP) if is_ring else ("ma", RADIUS + GAP)
        pen.text((FINER * x, FINER * (y + aside)), name, "black", font, anchor)
        box = pen.textbbox((FINER * x, FINER * (y + aside)), name, font, anchor)
        boxes[name] = tuple(value / FINER for value in box)
        rim = [FINER * (x - RADIUS), FINER * (y - RADIUS), FINER * (x + RADIUS), FINER * (y + RADIUS)]
        pen.ellipse(rim, None if is_ring else colour, colour if is_ring else "black", 3 * FINER)
    edges: dict[tuple[str, str], list[Place]] = {}
    pairs = [pair for pair in permutations(names, 2) if names.index(pair[0]) < names.index(pair[1])]
    for one, other in draw_of.sample(pairs, len(pairs)):
        path = _path(places[one], places[other], 0.16 if is_ring else 0.0)
        if len(edges) < 9 and _is_free(path, (one, other), places, boxes, list(edges.values())):
            edges[one, other] = path
            _draw_arrow(pen, path, colour if is_ring else "#555555")
    return picture.resize((picture.width // FINER, picture.height // FINER), Image.Resampling.LANCZOS), set(edges)


def _path(start: Place, end: Place, bend: float) -> list[Place]:
    """Return points from rim to rim along a parabola that leaves the straight line by `bend` of its length at most."""
    (ax, ay), (bx, by) = start, end
    whole = [
        (
            ax + t * (bx - ax) - 4 * bend * t * (1 - t) * (by - ay),
            ay + t * (by - ay) + 4 * bend * t * (1 - t) * (bx - ax),
        )
        for t in (step / 60 for step in range(61))
    ]
    return [point for point in whole if min(math.dist(point, start), math.dist(point, end)) > RADIUS + 3]


def _is_free(
    path: list[Place],
    ends: tuple[str, str],
    places: dict[str, Place],
    boxes: dict[str, tuple[float, ...]],
    others: list[list[Place]],
) -> bool:
    """Return True if a path is not long, runs over no name and no third node, and near no other end of an arrow."""
    if not 120 < math.dist(path[0], path[-1]) < 520:
        return False
    for x, y in path:
        if any(name not in ends and math.dist((x, y), place) < 2.5 * RADIUS for name, place in places.items()):
            return False
        if any(x0 - 8 < x < x1 + 8 and y0 - 8 < y < y1 + 8 for x0, y0, x1, y1 in boxes.values()):
            return False
    tips = [end for other in others for end in (other[0], other[-1])]
    return all(math.dist(end, tip) > 16 for end in (path[0], path[-1]) for tip in tips)


def _draw_arrow(pen: ImageDraw.ImageDraw, path: list[Place], colour: str) -> None:
    tip = path[-1]
    start = next(point for point in reversed(path) if math.dist(point, tip) > 14)
    shaft = [point for point in path if math.dist(point, tip) > 10]
    pen.line([*_finer([*shaft, start])], colour, 2 * FINER, "curve")
    length = math.dist(start, tip)
    x, y = (tip[0] - start[0]) / length, (tip[1] - start[1]) / length
    back = (tip[0] - 16 * x, tip[1] - 16 * y)
    pen.polygon([*_finer([tip, (back[0] - 6 * y, back[1] + 6 * x), (back[0] + 6 * y, back[1] - 6 * x)])], colour)


def _finer(points: list[Place]) -> Iterator[Place]:
    return ((FINER * x, FINER * y) for x, y in points)
