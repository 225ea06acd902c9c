"""Percentile intervals by resampling units, graphs or clusters of them, with a seed.

Every statistic here is a function of sums over units. So a draw needs only the count of each drawn unit, and all draws
together are one product: (draws x units) times (units x columns). Nothing is recomputed from the ratings."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import blake2b
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.estimate import Estimate, undefined

Array = NDArray[np.float64]
Numbers = NDArray[np.integer[Any]]

# Function from sums, draws x columns, to one value per draw; NaN, used in this package only, where the measure is
# undefined.
Statistic = Callable[[Array], Array]

_BLOCK = 1 << 16  # drawn units held at once, to fit the processor's cache; a change would change every seeded result

_MOST_SUMS = 64  # cached sums of all draws, 160 kB each for four labels
_SUMS: dict[Hashable, Array] = {}
_SUMS_LOCK = Lock()
_MOST_CODES = 1 << 62  # rows of sums that a whole number can encode
_MOST_COUNTS = 1_000_000  # counts of all draws, 8 MB, up to which they are cached between measures


@dataclass(frozen=True, slots=True)
class Resampling:
    """`draws` samples with replacement, of the original size, from `seed`; `share` of them are in the interval.

    The same seed, number of draws and units give the same interval. Raises ValueError for a share outside 0–1 or no
    draws."""

    seed: int
    draws: int = 1_000
    share: float = 0.95

    def __post_init__(self) -> None:
        if not 0 < self.share < 1 or self.draws < 1:
            raise ValueError(
                f"a share between 0 and 1 and at least one draw are needed, not {self.share}, {self.draws}"
            )


def drawn_units(n: int, how: Resampling) -> Iterator[NDArray[np.uint32]]:
    """Yield blocks of draws, each draws x n: numbers of the units drawn, 0 to n − 1. Raises ValueError without
    units."""
    if n < 1:
        raise ValueError("there is no unit to draw")
    rng = np.random.default_rng(how.seed)
    rows = max(1, _BLOCK // n)
    for start in range(0, how.draws, rows):
        yield rng.integers(0, n, size=(min(rows, how.draws - start), n), dtype=np.uint32)


def resampled_sums(blocks: Sequence[Array], how: Resampling) -> list[Array]:
    """Return the sums of each block of columns (units x columns, of the same units) over the units of each draw: draws
    x columns. The last few are cached: precision, recall and F1 of each label use the same sums; the others are one
    product."""
    keys = [(blake2b(columns.tobytes()).digest(), columns.shape, how) for columns in blocks]
    with _SUMS_LOCK:
        sums = {key: _SUMS.pop(key) for key in dict.fromkeys(keys) if key in _SUMS}
    if missing := {key: columns for key, columns in zip(keys, blocks, strict=True) if key not in sums}:
        joined, n = np.hstack(list(missing.values())), len(blocks[0])
        if n * how.draws <= _MOST_COUNTS:
            product = _all_times_drawn(n, how) @ joined
        else:
            product = np.concatenate([_times_drawn(block, n) @ joined for block in drawn_units(n, how)])
        ends = np.cumsum([columns.shape[1] for columns in missing.values()])[:-1]
        sums |= zip(missing, (part.copy() for part in np.split(product, ends, axis=1)), strict=True)
    for key in keys:
        _cache(key, sums[key])
    return [sums[key] for key in keys]


def _cache(key: Hashable, sums: Array) -> None:
    sums.flags.writeable = False
    with _SUMS_LOCK:
        _SUMS[key] = sums
        while len(_SUMS) > _MOST_SUMS:
            del _SUMS[next(iter(_SUMS))]


def with_interval(
    estimate: Estimate,
    columns: Array,
    statistic: Statistic,
    how: Resampling | None,
    clusters: Sequence[Hashable] | Numbers | None = None,
) -> Estimate:
    """Return `estimate` with its percentile interval; unchanged if it is undefined or no resampling is asked for.

    `columns`: units x columns, `clusters`: one name per unit; units of one name are drawn together, as whole clusters
    (papers, graphs). Draws in which the measure is undefined are left out and counted in the reason; if they are more
    than a tail of the interval, they could be anywhere and there is none. Efron and Tibshirani 1993, section 13.3.
    Raises ValueError if clusters and units differ in number."""
    if estimate.value is None or how is None:
        return estimate
    return bounded([estimate], drawn_values([columns], [statistic], how, clusters), how)[0]


def drawn_values(
    blocks: Sequence[Array],
    statistics: Sequence[Statistic],
    how: Resampling,
    clusters: Sequence[Hashable] | Numbers | None = None,
) -> Sequence[Array | str]:
    """Return the values of the draws, of a block of columns and a statistic for each measure of the same units; the
    reason where there is no interval."""
    if clusters is not None:
        blocks = _per_cluster(blocks, clusters)
    if len(blocks[0]) < 2:
        what = "there is only one unit" if clusters is None else "all values are from one paper"
        return [f"no interval: {what}, and a bootstrap needs two"] * len(blocks)
    return [statistic(sums) for statistic, sums in zip(statistics, resampled_sums(blocks, how), strict=True)]


def mean_estimate(values: Array, clusters: Sequence[Hashable], how: Resampling | None) -> Estimate:
    """Return a mean with its population standard deviation and its interval over clusters; undefined without a
    value."""
    if not len(values):
        return undefined("there is no such answer", 0)
    found = Estimate(float(values.mean()), n=len(values), sd=float(values.std()))
    if how is None:
        return found
    sums = np.column_stack([values, np.ones(len(values))])
    return with_interval(found, sums, lambda drawn: drawn[:, 0] / drawn[:, 1], how, clusters)


def drawn_within_strata(
    columns: Array, statistic: Statistic, how: Resampling, units: Numbers, strata: Numbers
) -> Array | str:
    """Return the values of draws of units within their strata, queries within graphs, or why there are none.

    `units`: unit number of each row of `columns`, dense from 0; `strata`: stratum number of each row, equal within a
    unit. Units with the same sums are interchangeable, so that the counts of such kinds are multinomial."""
    is_unit = np.zeros(units.max(initial=-1) + 1, dtype=bool)
    is_unit[units] = True
    many = int(np.count_nonzero(is_unit))
    if many < 2:
        return "no interval: there is only one query, and a bootstrap needs two"
    places = (np.cumsum(is_unit) - 1)[units]
    sums: Array = np.zeros((many, columns.shape[1]))
    for place, column in enumerate(columns.T):
        sums[:, place] = np.bincount(places, column, minlength=many)
    first = np.empty(many, dtype=np.intp)
    first[places[::-1]] = np.arange(len(places))[::-1]
    names, seen, of_unit = np.unique(strata[first], return_index=True, return_inverse=True)
    turn = np.empty(len(names), dtype=np.intp)
    turn[np.argsort(seen)] = np.arange(len(names))  # strata are drawn from in the order of their first units
    return statistic(_drawn_within(turn[of_unit], sums, how))


def _drawn_within(strata: NDArray[np.intp], sums: Array, how: Resampling) -> Array:
    """Return the sums of each draw, which takes each stratum's own number of units from it. The last few are cached."""
    rows, counts = _alike(strata, sums)
    key = (blake2b(rows.tobytes() + counts.tobytes()).digest(), rows.shape, how)
    with _SUMS_LOCK:
        cached = _SUMS.pop(key, None)
    drawn = _drawn_kinds(rows, counts, how) if cached is None else cached
    _cache(key, drawn)
    return drawn


def _drawn_kinds(rows: Array, counts: NDArray[np.int64], how: Resampling) -> Array:
    rng = np.random.default_rng(how.seed)
    sums = np.zeros((how.draws, rows.shape[1] - 1))
    ends = [*np.flatnonzero(np.diff(rows[:, 0])) + 1, len(rows)]
    start = 0
    for end in ends:
        some = counts[start:end]
        sums += rng.multinomial(some.sum(), some / some.sum(), size=how.draws) @ rows[start:end, 1:]
        start = end
    return sums


def _alike(strata: NDArray[np.intp], sums: Array) -> tuple[Array, NDArray[np.int64]]:
    """Return each stratum with each distinct row of sums that it has, in their order, and the number of its units with
    it."""
    code, bound = strata.astype(np.int64), int(strata.max()) + 1
    for column in sums.T:
        values = np.unique(column)
        if bound * len(values) > _MOST_CODES:
            distinct, code = np.unique(code, return_inverse=True)
            bound = len(distinct)
        code = code * len(values) + np.searchsorted(values, column)
        bound *= len(values)
    codes, counts = np.unique(code, return_counts=True)
    one = np.empty(len(codes), dtype=np.intp)
    one[np.searchsorted(codes, code)] = np.arange(len(code))
    return np.column_stack([strata[one], sums[one]]), counts


def bounded(estimates: Sequence[Estimate], values: Sequence[Array | str], how: Resampling) -> list[Estimate]:
    """Return estimates with the percentiles of their values, one for each draw, or with the reason that there are
    none."""
    tail = (1 - how.share) / 2
    lost = [0 if isinstance(each, str) else int(np.count_nonzero(np.isnan(each))) for each in values]
    ends: dict[int, tuple[float, float]] = {}
    whole = [place for place, each in enumerate(values) if not isinstance(each, str) and not lost[place]]
    for start in range(0, len(whole), _MOST_SUMS):  # one call for many: it costs more than the draws
        places = whole[start : start + _MOST_SUMS]
        low, high = np.quantile([values[place] for place in places], [tail, 1 - tail], axis=1).tolist()
        ends |= zip(places, zip(low, high, strict=True), strict=True)
    result = []
    for place, (estimate, each, left_out) in enumerate(zip(estimates, values, lost, strict=True)):
        if isinstance(each, str):
            result.append(_noted(estimate, each))
        elif left_out > tail * how.draws:
            note = f"no interval: the measure is undefined in {left_out:,} of {how.draws:,} draws"
            result.append(_noted(estimate, note))
        elif left_out:
            below, above = np.quantile(each[~np.isnan(each)], [tail, 1 - tail]).tolist()
            note = f"{left_out:,} of {how.draws:,} draws are left out because the measure is undefined in them"
            result.append(_noted(replace(estimate, low=below, high=above), note))
        else:
            below, above = ends[place]
            result.append(replace(estimate, low=below, high=above))
    return result


def _noted(estimate: Estimate, note: str) -> Estimate:
    return replace(estimate, reason=f"{estimate.reason}; {note}" if estimate.reason else note)


def _times_drawn(block: NDArray[np.uint32], n: int) -> Array:
    rows = len(block)
    cells = block.astype(np.intp)
    cells += (np.arange(rows, dtype=np.intp) * n)[:, None]
    return np.bincount(cells.ravel(), minlength=rows * n).reshape(rows, n).astype(np.float64)


@lru_cache(maxsize=8)
def _all_times_drawn(n: int, how: Resampling) -> Array:
    """Return the counts of all draws at once, cached for the next measure of `n` units: a table asks for dozens of
    them."""
    drawn = np.concatenate([_times_drawn(block, n) for block in drawn_units(n, how)])
    drawn.flags.writeable = False
    return drawn


def _per_cluster(blocks: Sequence[Array], clusters: Sequence[Hashable] | Numbers) -> list[Array]:
    if different := [len(columns) for columns in blocks if len(columns) != len(clusters)]:
        raise ValueError(f"there are {different[0]} units and {len(clusters)} names of their clusters")
    numbers = cluster_numbers(clusters)
    return [np.column_stack([np.bincount(numbers, column) for column in columns.T]) for columns in blocks]


def cluster_numbers(clusters: Sequence[Hashable] | Numbers) -> NDArray[np.intp]:
    """Return the number of each unit's cluster, from 0 in the order of their first units."""
    if isinstance(clusters, np.ndarray):
        _, first, of_unit = np.unique(clusters, return_index=True, return_inverse=True)
        turn = np.empty(len(first), dtype=np.intp)
        turn[np.argsort(first)] = np.arange(len(first))
        return turn[of_unit]
    numbers: dict[Hashable, int] = {}
    return np.fromiter((numbers.setdefault(cluster, len(numbers)) for cluster in clusters), np.intp, len(clusters))
