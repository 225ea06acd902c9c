"""Scores as functions of sums: intervals of several of them at once."""

from __future__ import annotations

import numpy as np

from core.estimate import Estimate
from core.scoring.interval import Resampling
from core.scoring.tallies import EdgeTally, quotients, with_intervals


def test_intervals_of_several_scores_of_the_same_units_are_those_of_each_alone() -> None:
    rng, how = np.random.default_rng(4), Resampling(7, draws=300)
    units, others = rng.integers(0, 20, 60), rng.integers(0, 9, 60)
    drawn = [
        (Estimate(0.5, n=60), EdgeTally(rng.random((60, 2)), quotients, which))
        for which in (units, others, units, units, others)
    ]
    drawn.insert(2, (Estimate(None, n=0, reason="no answer"), drawn[0][1]))
    assert with_intervals(drawn, how) == [tally.with_interval(estimate, how) for estimate, tally in drawn]
