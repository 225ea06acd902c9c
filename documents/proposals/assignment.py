"""Rows to columns one to one at the least sum of costs (Hungarian method by shortest augmenting paths). Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence


def least_assignment(costs: Sequence[Sequence[float]], alone: float) -> dict[int, int]:
    """The column of each row that gets one. `costs` is a matrix of rows; infinite where row and column may not meet. A
    row without a column costs `alone`, a column without a row nothing."""
    width = len(costs[0]) if costs else 0
    # each row may also take a column of its own, which stands for having none
    wide = [
        [*row, *(alone if place == own else math.inf for own in range(len(costs)))] for place, row in enumerate(costs)
    ]
    chosen = _augmented(wide)
    return {row: column for row, column in chosen.items() if column < width}


def _augmented(costs: Sequence[Sequence[float]]) -> dict[int, int]:
    """Every row served in turn along the path that adds the least, with prices of rows and columns (Jonker and
    Volgenant). Each row can be served, since it has a column of its own."""
    columns = len(costs[0]) if costs else 0
    owner = [-1] * columns
    row_price, column_price = [0.0] * len(costs), [0.0] * columns
    for start in range(len(costs)):
        least, before, done = [math.inf] * columns, [-1] * columns, [False] * columns
        row, here = start, -1
        while row >= 0:
            reach = 0.0 if here < 0 else least[here]
            for column in range(columns):
                if not done[column]:
                    cost = reach + costs[row][column] - row_price[row] - column_price[column]
                    if cost < least[column]:
                        least[column], before[column] = cost, here
            here = min((column for column in range(columns) if not done[column]), key=least.__getitem__)
            done[here] = True
            row = owner[here]
        total = least[here]
        for column in range(columns):
            if done[column] and column != here:
                row_price[owner[column]] += total - least[column]
                column_price[column] -= total - least[column]
        row_price[start] += total
        while here >= 0:
            earlier = before[here]
            owner[here] = owner[earlier] if earlier >= 0 else start
            here = earlier
    return {row: column for column, row in enumerate(owner) if row >= 0}
