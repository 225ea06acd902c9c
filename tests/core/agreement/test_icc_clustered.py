"""Intervals of intraclass correlations over clusters: each draw equal to the correlation worked out anew."""

from __future__ import annotations

import numpy as np
import pytest

from core.agreement.icc import Icc, intraclass
from core.agreement.icc_clustered import clustered_intraclass
from core.agreement.ratings import Ratings
from core.scoring.interval import Resampling, drawn_units
from tests.everything import EVERYTHING

HOW = Resampling(seed=3, draws=60)


def test_both_ends_are_those_of_scoring_every_draw_anew() -> None:
    rng = np.random.default_rng(8)
    for case in range(12 if EVERYTHING else 3):
        papers, each = 9 + case, 1 + case % 3
        truth = rng.integers(0, 4, papers * each)
        table = np.stack((truth, np.clip(truth + rng.integers(-1, 2, papers * each), 0, 3)), axis=1)
        clusters = [f"paper {n // each}" for n in range(papers * each)]
        found = clustered_intraclass(Ratings.of(table.tolist(), (0, 1, 2, 3)), HOW, clusters)
        drawn = np.concatenate(list(drawn_units(papers, HOW)))
        anew: dict[Icc, list[float]] = {form: [] for form in Icc}
        for draw in drawn:
            rows = [table[int(paper) * each + n].tolist() for paper in draw for n in range(each)]
            for form, estimate in intraclass(Ratings.of(rows, (0, 1, 2, 3))).items():
                if estimate.value is not None:
                    anew[form].append(estimate.value)
        for form, estimate in found.items():
            assert estimate.value == intraclass(Ratings.of(table.tolist(), (0, 1, 2, 3)))[form].value
            if len(anew[form]) == HOW.draws:
                low, high = np.quantile(anew[form], [0.025, 0.975])
                assert estimate.low == pytest.approx(low, abs=1e-9)
                assert estimate.high == pytest.approx(high, abs=1e-9)


def test_pairs_that_repeat_make_the_interval_wider_than_if_each_were_new() -> None:
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 4, 60)
    pairs = np.stack((truth, np.clip(truth + rng.integers(-1, 2, 60), 0, 3)), axis=1)
    twice = Ratings.of(np.repeat(pairs, 4, axis=0).tolist(), (0, 1, 2, 3))
    how = Resampling(seed=1, draws=400)
    by_paper = clustered_intraclass(twice, how, [n // 4 for n in range(240)])[Icc.ABSOLUTE]
    alone = intraclass(twice)[Icc.ABSOLUTE]
    assert by_paper.low is not None and by_paper.high is not None and alone.low is not None and alone.high is not None
    assert by_paper.high - by_paper.low > 1.5 * (alone.high - alone.low)


def test_one_paper_has_no_interval_and_what_is_undefined_stays_so() -> None:
    table = Ratings.of([[0, 1], [1, 2], [2, 2], [3, 3]], (0, 1, 2, 3))
    alone = clustered_intraclass(table, HOW, ["one"] * 4)[Icc.ABSOLUTE]
    assert alone.value is not None and alone.low is None and "one paper" in alone.reason
    same = clustered_intraclass(Ratings.of([[2, 2]] * 5, (0, 1, 2, 3)), HOW, list("abcde"))
    assert {found.value for found in same.values()} == {None} and all(found.reason for found in same.values())


def test_gaps_and_a_third_column_are_refused() -> None:
    tables: tuple[list[list[int | None]], ...] = ([[0, None], [1, 1]], [[0, 1, 2], [1, 1, 1]])
    for rows in tables:
        with pytest.raises(ValueError, match="columns without gaps"):
            clustered_intraclass(Ratings.of(rows, (0, 1, 2)), HOW, ["a", "b"])
