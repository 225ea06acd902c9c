"""Least-cost one-to-one assignment (Hungarian method by shortest augmenting paths). Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence


def least_assignment(costs: Sequence[Sequence[float]], alone: float) -> dict[int, int]:
    """Return the column of each row that gets one. `costs` is a matrix of rows, infinite where row and column may not
    match. A row without a column costs `alone`, a column without a row nothing."""
    width = len(costs[0]) if costs else 0
    # each row may also take a column of its own, which means that it has none
    wide = [
        [*row, *(alone if place == own else math.inf for own in range(len(costs)))] for place, row in enumerate(costs)
    ]
    chosen = _augmented(wide)
    return {row: column for row, column in chosen.items() if column < width}


def _augmented(costs: Sequence[Sequence[float]]) -> dict[int, int]:
    """Serve each row in turn along the path that adds least, with prices of rows and columns (Jonker and Volgenant
    1987). Each row can be served, since it has a column of its own."""
    columns = len(costs[0]) if costs else 0
    owner = [-1] * columns
    row_price, column_price = [0.0] * len(costs), [0.0] * columns
    for start in range(len(costs)):
        least, before, done = [math.inf] * columns, [-1] * columns, [False] * columns
        row, current = start, -1
        while row >= 0:
            reach = 0.0 if current < 0 else least[current]
            for column in range(columns):
                if not done[column]:
                    cost = reach + costs[row][column] - row_price[row] - column_price[column]
                    if cost < least[column]:
                        least[column], before[column] = cost, current
            current = min((column for column in range(columns) if not done[column]), key=least.__getitem__)
            done[current] = True
            row = owner[current]
        total = least[current]
        for column in range(columns):
            if done[column] and column != current:
                row_price[owner[column]] += total - least[column]
                column_price[column] -= total - least[column]
        row_price[start] += total
        while current >= 0:
            earlier = before[current]
            owner[current] = owner[earlier] if earlier >= 0 else start
            current = earlier
    return {row: column for column, row in enumerate(owner) if row >= 0}
