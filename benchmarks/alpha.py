"""Alpha with a 1,000-fold bootstrap interval on 10,000 units x 20 raters, compared with the krippendorff package.

The package gets value counts, its fast input, and the same draws. Both sides draw, and all 1,000 values must be equal
to 1e-12. Goal: at least 20 times faster.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import TypeVar

import krippendorff
import numpy as np

from benchmarks.harness import quantiles, row
from core.agreement.alpha import columns_of, krippendorff_alpha, statistic_of
from core.agreement.level import MeasurementLevel
from core.agreement.ratings import GAP, Array, Codes, Ratings
from core.scoring.interval import Resampling, drawn_units, resampled_sums

UNITS, RATERS, SCALE, MISSING = 10_000, 20, (0, 1, 2, 3), 0.3
ROUNDS = {MeasurementLevel.NOMINAL: 5, MeasurementLevel.ORDINAL: 2, MeasurementLevel.INTERVAL: 2}
Result = TypeVar("Result")
HOW = Resampling(seed=1, draws=1_000)


def measure() -> None:
    ratings = made_up()
    counts = ratings.counts()
    for level, rounds in ROUNDS.items():
        peer, edgewise, whole, apart = [], [], [], 0.0
        for _round in range(rounds):
            by_peer, took = timed(partial(by_package, counts, level))
            peer.append(took)
            by_us, took = timed(partial(by_sums, counts, level))
            edgewise.append(took)
            apart = max(apart, float(np.abs(by_peer - by_us).max()))
            whole.append(timed(partial(krippendorff_alpha, ratings, level, HOW))[1])
        if not apart <= 1e-12:
            raise AssertionError(f"{level}: the two differ by {apart}")
        base = quantiles(peer)[0]
        print(row(f"{level}: 1,000 draws, package, value counts", peer))
        print(row(f"{level}: 1,000 draws, ours", edgewise, base, "package"))
        print(row(f"{level}: ratings to value and interval, ours", whole, base, "package"))
        print(f"{'':46} {base / quantiles(edgewise)[0]:.0f} times faster (goal 20); largest difference {apart:.1e}")


def made_up() -> Ratings:
    """Return ratings that agree more than by chance, 30 % of them missing."""
    chance = np.random.default_rng(0)
    truth = chance.integers(0, len(SCALE), size=(UNITS, 1))
    guess = chance.integers(0, len(SCALE), size=(UNITS, RATERS))
    codes = np.where(chance.random((UNITS, RATERS)) < 0.6, truth, guess)
    return Ratings(np.where(chance.random((UNITS, RATERS)) < MISSING, GAP, codes).astype(np.intp), SCALE)


def by_package(counts: Codes, level: MeasurementLevel) -> Array:
    drawn = (units for block in drawn_units(len(counts), HOW) for units in block)
    return np.array(
        [krippendorff.alpha(value_counts=counts[units], level_of_measurement=level.value) for units in drawn]
    )


def by_sums(counts: Codes, level: MeasurementLevel) -> Array:
    values = np.array(SCALE, dtype=np.float64)
    (sums,) = resampled_sums([columns_of(counts, values, level)], HOW)
    return statistic_of(values, level)(sums)


def timed(work: Callable[[], Result]) -> tuple[Result, float]:
    """Return the result of the work and its processor time in ms, which other load on the machine does not change."""
    began = time.process_time()
    done = work()
    return done, (time.process_time() - began) * 1000
