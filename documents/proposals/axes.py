"""Axes of numbers, which a chart has and a causal diagram has not. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from documents.proposals.shapes import Point, centre
from documents.proposals.words import PrintedWord

NUMBER = re.compile(r"[+−–-]?\d+(?:[.,]\d+)?%?")
LEAST_TICKS = 4
IN_LINE = 0.35  # letters between the middles of an axis's numbers, across it
EVEN = 0.15  # by which the steps of an axis differ from its middle one

Tick = tuple[Point, float]


def has_axes(words: Sequence[PrintedWord]) -> bool:
    """Return True if a row of numbers and a column next to its end, not in it, grow evenly with their distance.
    Nodes that are named by numbers in a grid do so too, but there each column crosses each row."""
    ticks = [
        (centre(word.box), float(re.sub("[−–]", "-", word.text).replace(",", ".").rstrip("%")))
        for word in words
        if NUMBER.fullmatch(word.text)
    ]
    slack = IN_LINE * median(word.size for word in words) if ticks else 0.0
    rows, columns = _axes(ticks, 1, slack), _axes(ticks, 0, slack)
    return any(_is_beyond(row, column, 0) and _is_beyond(column, row, 1) for row in rows for column in columns)


def _axes(ticks: Sequence[Tick], across: int, slack: float) -> list[list[Tick]]:
    """Return the lines of numbers with one place across (0: x, so columns; 1: y, so rows) whose values grow evenly."""
    lines: list[list[Tick]] = []
    for tick in sorted(ticks, key=lambda one: one[0][across]):
        if lines and tick[0][across] - lines[-1][-1][0][across] <= slack:
            lines[-1].append(tick)
        else:
            lines.append([tick])
    return [line for line in lines if len(line) >= LEAST_TICKS and _is_even(line, 1 - across)]


def _is_even(line: Sequence[Tick], along: int) -> bool:
    placed = sorted((place[along], value) for place, value in line)
    gaps = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(placed)]
    if any(gap <= 0 for gap, _ in gaps):
        return False
    steps = [grown / gap for gap, grown in gaps]
    usual = median(steps)
    return usual != 0 and all(abs(step - usual) <= EVEN * abs(usual) for step in steps)


def _is_beyond(line: Sequence[Tick], other: Sequence[Tick], axis: int) -> bool:
    own, others = [place[axis] for place, _ in line], [place[axis] for place, _ in other]
    return max(others) < min(own) or min(others) > max(own)
