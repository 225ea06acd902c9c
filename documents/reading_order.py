"""Reading order of the blocks of a page of two columns, if layout analysis got it wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

Row = TypeVar("Row", bound=Mapping[str, Any])

_WIDE = 0.6  # of the printed width: a block of both columns
_OVER = 6.0  # points a block may reach over the middle
_EDGES = ("page-header", "page-footer")


def in_columns(rows: Sequence[Row]) -> list[Row]:
    """Return the left column before the right one, between blocks that are as wide as both; any other page unchanged.
    A page has two columns if each of its blocks is wide or in one half, at least two in either."""
    prose = [row for row in rows if row["seen"] not in (*_EDGES, None)]
    if len(prose) < 4:
        return list(rows)
    left = min(row["box"][0] for row in prose)
    right = max(row["box"][2] for row in prose)
    middle = (left + right) / 2
    sides = [_side(row, middle, right - left) for row in prose]
    if None in sides or sides.count(0) < 2 or sides.count(1) < 2:
        return list(rows)
    sides = [_alone(row, side, prose, sides) for row, side in zip(prose, sides, strict=True)]
    ordered, band = list[Row](), list[tuple[int, float, Row]]()
    for row, side in sorted(zip(prose, sides, strict=True), key=lambda each: each[0]["box"][1]):
        if side == _BOTH:
            ordered += _columns(band)
            band = []
            ordered.append(row)
        else:
            band.append((side or 0, row["box"][1], row))
    ordered += _columns(band)
    heads = [row for row in rows if row["seen"] == "page-header"]
    return [*heads, *ordered, *(row for row in rows if row["seen"] in ("page-footer", None))]


_BOTH = 2


def _side(row: Mapping[str, Any], middle: float, width: float) -> int | None:
    """Return 0 for left, 1 for right, 2 for both; None for none of these."""
    x0, _, x1, _ = row["box"]
    if x1 <= middle + _OVER:
        return 0
    if x0 >= middle - _OVER:
        return 1
    return _BOTH if x1 - x0 >= _WIDE * width else None


def _alone(
    row: Mapping[str, Any], side: int | None, others: Sequence[Mapping[str, Any]], sides: Sequence[int | None]
) -> int | None:
    """Correct the side of a block that seems as wide as both columns but has another next to it."""
    _, y0, _, y1 = row["box"]
    if side == _BOTH and any(
        its != _BOTH and each["box"][1] < y1 and y0 < each["box"][3] for each, its in zip(others, sides, strict=True)
    ):
        return 0
    return side


def _columns(band: Sequence[tuple[int, float, Row]]) -> list[Row]:
    return [row for _, _, row in sorted(band, key=lambda each: each[:2])]
