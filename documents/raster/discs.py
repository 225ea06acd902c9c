"""Discs and rings in a picture: nodes whose names are printed next to them or across them. Runs in a child only.

Each is removed from the picture, so that the remaining lines end where it began."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np

from documents.proposals.shapes import Outline
from documents.raster.engine import Pixels
from documents.raster.glyphs import Contour, disc_of, line_around
from documents.raster.ink import EM, SHADE, most_of, paper_of, pixels_of

FEWEST = 3  # a figure whose nodes are discs has several
STEPS = 24
SMALLEST, LARGEST = 0.44 * EM, 6.0 * EM  # diameters
ROUND = 0.9  # of the longer diameter, from which on a shape is a circle: the shorter one
FLATTEST = 0.55  # of the longer diameter: the shorter one
UNEVEN = 0.12  # by which points of a rim are off the ellipse, at most
FULL = 0.78  # share of the circle around it that a small disc fills
SURELY = 0.6 * EM  # the diameter from which on no head is that round
FINER = 0.12 * EM  # lines are thinner than that twice


def discs(picture: Pixels) -> list[Outline]:
    """Remove discs and rings larger than a letter's stroke from the picture, round or a little flat; return them: nodes
    with adjacent names."""
    away = most_of(np.asarray(cv2.absdiff(picture, np.full_like(picture, paper_of(picture))), np.uint8))
    solid = np.asarray(away > 2 * SHADE, np.uint8)
    rims = [(contour, line_around(solid > 0, contour)) for contour in _rings(solid)]
    return _removed([*((contour, 0.0) for contour in _solid_discs(solid)), *rims], picture)


def _solid_discs(solid: Pixels) -> list[Contour]:
    thick = cv2.morphologyEx(solid, cv2.MORPH_OPEN, disc_of(0.2 * EM))
    contours, _ = cv2.findContours(thick, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    shapes = [contour for each in contours if _is_elliptic(contour := np.asarray(each, np.int32))]
    return [contour for contour in shapes if min(cv2.fitEllipse(contour)[1]) > SURELY or not _is_head(solid, contour)]


def _rings(solid: Pixels) -> list[Contour]:
    """Return the inner rims of rings: round white holes in what is painted."""
    contours, levels = cv2.findContours(solid, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    parents = np.asarray(levels).reshape(-1, 4)[:, 3] if contours else ()
    holes = (np.asarray(each, np.int32) for each, parent in zip(contours, parents, strict=True) if parent >= 0)
    return [hole for hole in holes if _is_elliptic(hole)]


def _is_elliptic(contour: Contour) -> bool:
    if len(contour) < STEPS:
        return False
    (x, y), (wide, high), turn = cv2.fitEllipse(contour)
    short, long = min(wide, high), max(wide, high)
    if not (short > SMALLEST and long < LARGEST and short > FLATTEST * long):
        return False
    points = contour[:, 0].astype(float) - (x, y)
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    along, across = points @ (cos, sin) / (wide / 2), points @ (-sin, cos) / (high / 2)
    off = np.abs(np.hypot(along, across) - 1)
    return bool(np.percentile(off, 95) < max(UNEVEN, 3.0 / short))


def _is_head(solid: Pixels, contour: Contour) -> bool:
    """Return True if a small disc is an arrowhead: opened with a disc hardly smaller than itself, a triangle is nearly
    round. With a smaller one, its corners show."""
    (x, y), radius = cv2.minEnclosingCircle(contour)
    window = pixels_of((x, y, x, y), solid, 3 * radius)
    part = cv2.morphologyEx(solid[window], cv2.MORPH_OPEN, disc_of(FINER))
    _, labels = cv2.connectedComponents(part, connectivity=4)
    own = labels == labels[round(y) - window[0].start, round(x) - window[1].start]
    contours, _ = cv2.findContours(own.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    whole = max(contours, key=cv2.contourArea)
    return cv2.contourArea(whole) < FULL * math.pi * cv2.minEnclosingCircle(whole)[1] ** 2


def _removed(shapes: Sequence[tuple[Contour, float]], picture: Pixels) -> list[Outline]:
    """Paint over shapes with the line around them, of the given thickness; return their outlines. Round discs are
    painted as the circle around them, so that no sliver of a soft edge stays."""
    if len(shapes) < FEWEST:
        return []
    paper = [int(value) for value in paper_of(picture)]
    turns = np.linspace(0, 2 * math.pi, STEPS, endpoint=False)
    outlines: list[Outline] = []
    for contour, rim in shapes:
        (x, y), (wide, high), turn = cv2.fitEllipse(contour)
        if not rim and min(wide, high) > ROUND * max(wide, high):
            (x, y), radius = cv2.minEnclosingCircle(contour)
            wide = high = 2 * radius
        wide, high = wide + 2 * rim, high + 2 * rim
        cv2.ellipse(picture, ((x, y), (wide + 5, high + 5), turn), paper, cv2.FILLED)
        cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        along, across = wide / 2 * np.cos(turns), high / 2 * np.sin(turns)
        points = zip(x + along * cos - across * sin, y + along * sin + across * cos, strict=True)
        outlines.append(
            Outline(points=tuple((float(a), float(b)) for a, b in points), closed=True, filled=True, curved=True)
        )
    return outlines
