"""Tables of ratings to try every coefficient on: random ones with gaps, and degenerate and odd ones by name."""

from __future__ import annotations

from random import Random

from tests.everything import EVERYTHING

Cell = int | None
Table = list[list[Cell]]

SEEDS = range(320 if EVERYTHING else 20)
ENOUGH = len(SEEDS) * 5 // 8
"""So many of the tables must have a value; half as many must have none, with its reason."""
DEGENERATE: dict[str, Table] = {
    "all equal": [[1, 1, 1]] * 8,
    "one rater": [[1], [2], [1], [3]],
    "second column empty": [[1, None], [2, None], [1, None], [3, None]],
    "empty": [],
    "all missing": [[None, None]] * 5,
    "one item": [[1, 2, 2]],
    "two items": [[1, 2], [2, 2]],
    "nothing rated twice": [[1, None], [None, 2], [1, None], [None, 1]],
}
ODD: dict[str, Table] = {
    "constant rater": [[1, 2], [1, 1], [1, 3], [1, 2], [1, 1]],
    "29 of 30 equal": [[1, 1] if unit < 29 else [1, 2] for unit in range(30)],
    "disjoint pairs": [[1, 1, None], [2, 2, None], [1, None, 2], [2, None, 2], [None, 1, 1], [None, 2, 1]],
}


def random_table(seed: int, gaps: float | None = None) -> Table:
    """0–30 units, 1–6 raters, 1–5 values, from almost full agreement to none, with none to most ratings missing
    (`gaps`: that share instead)."""
    chance = Random(seed)
    units, raters, values = (
        chance.randrange(31),
        chance.choice([1, *[2, 3, 4, 5, 6] * 2]),
        chance.choice([1, *[2, 3, 4, 5] * 3]),
    )
    noise, drawn = chance.choice([0.05, 0.3, 1.0]), chance.choice([0.0, 0.1, 0.4, 0.7])
    gaps = drawn if gaps is None else gaps
    table: Table = []
    for _unit in range(units):
        truth = chance.randrange(values)
        row = [chance.randrange(values) if chance.random() < noise else truth for _rater in range(raters)]
        table.append([None if chance.random() < gaps else value for value in row])
    return table


def tables() -> list[Table]:
    return [*(random_table(seed) for seed in SEEDS), *DEGENERATE.values(), *ODD.values()]


def rated_twice(table: Table) -> list[list[int]]:
    """The units with at least two ratings, without their gaps."""
    present = ([value for value in row if value is not None] for row in table)
    return [row for row in present if len(row) >= 2]


def rated_by_all(table: Table) -> list[list[int]]:
    """The units that every rater rated; columns without any rating are no raters."""
    columns = [column for column in zip(*table, strict=True) if any(value is not None for value in column)]
    rows = zip(*columns, strict=True)
    return [[value for value in row if value is not None] for row in rows if None not in row]
