"""The six intraclass correlations: the published table, pingouin on random tables, and what is undefined."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.agreement.icc import Icc, intraclass
from core.agreement.ratings import Ratings
from core.errors import BadInput
from core.estimate import Estimate
from tests.core.agreement.tables import DEGENERATE, ENOUGH, Table, random_table, rated_by_all, tables
from tests.everything import EVERYTHING

ROOT = Path(__file__).resolve().parents[3]
# Shrout and Fleiss 1979, table 2: four judges of six targets; the correlations are those of their table 4.
SHROUT_FLEISS: Table = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
THEIR_NAMES = {
    "ICC(1,1)": Icc.ONE_WAY,
    "ICC(A,1)": Icc.ABSOLUTE,
    "ICC(C,1)": Icc.CONSISTENT,
    "ICC(1,k)": Icc.ONE_WAY_MEAN,
    "ICC(A,k)": Icc.ABSOLUTE_MEAN,
    "ICC(C,k)": Icc.CONSISTENT_MEAN,
}


def test_the_published_table() -> None:
    found = intraclass(Ratings.of(SHROUT_FLEISS))
    printed = {
        "ICC(1,1)": 0.17,
        "ICC(2,1)": 0.29,
        "ICC(3,1)": 0.71,
        "ICC(1,k)": 0.44,
        "ICC(2,k)": 0.62,
        "ICC(3,k)": 0.91,
    }
    assert {form.value: round(estimate.value or 0, 2) for form, estimate in found.items()} == printed
    assert all(estimate.n == 6 for estimate in found.values())


def test_random_tables_equal_pingouin_or_say_why_not() -> None:
    compared = undefined = 0
    # Most random tables with gaps have too few units that every rater rated; these have none.
    for table in [*tables(), *(random_table(seed, gaps=0) for seed in range(1_000, 1_120 if EVERYTHING else 1_020))]:
        found, complete = intraclass(Ratings.of(table)), np.array(rated_by_all(table), dtype=float)
        if is_hopeless(complete):
            assert all(estimate.value is None and estimate.reason for estimate in found.values())
            undefined += 1
            continue
        for form, (value, low, high) in by_pingouin(complete).items():
            compare_with(found[form], value, low, high)
        compared += 1
    assert compared >= ENOUGH and undefined >= ENOUGH // 2


def is_hopeless(complete: np.ndarray) -> bool:
    """Too few units or raters, all equal, every rater constant, or one of two."""
    if complete.ndim < 2 or complete.shape[0] < 3 or complete.shape[1] < 2:
        return True
    constant = (complete == complete[0]).all(axis=0).sum()
    return bool(constant == complete.shape[1] or (complete.shape[1] == 2 and constant))


def by_pingouin(complete: np.ndarray) -> dict[Icc, tuple[float, float, float]]:
    """Values and bounds, unrounded; NaN or infinite where pingouin divides by nothing."""
    import pingouin  # with Matplotlib, seaborn and xarray: each worker would import them to collect

    units, raters = np.indices(complete.shape)
    long = pd.DataFrame({"unit": units.ravel(), "rater": raters.ravel(), "value": complete.ravel()})
    before = pingouin.options["round.column.CI95"]
    pingouin.options["round.column.CI95"] = None
    try:
        with np.errstate(all="ignore"):
            table = pingouin.intraclass_corr(long, targets="unit", raters="rater", ratings="value")
    finally:
        pingouin.options["round.column.CI95"] = before
    return {THEIR_NAMES[row.Type]: (row.ICC, *row.CI95) for row in table.itertuples()}


def compare_with(found: Estimate, value: float, low: float, high: float) -> None:
    ours = (found.value, found.low, found.high)
    if found.value is None:
        # Theirs divides by a variance of nothing or less: above 1, far below -1, or no number.
        assert found.reason == "the variance in its denominator is estimated at 0 or less"
        assert not math.isfinite(value) or value > 1 - 1e-9 or value < -1e9
        return
    assert value == pytest.approx(ours[0], abs=1e-9)
    for mine, theirs in ((found.low, low), (found.high, high)):
        if mine is None:
            assert found.reason
        else:
            assert theirs == pytest.approx(mine, abs=1e-9, rel=1e-9)


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        (DEGENERATE["all equal"], "every rating is 1, so there is no variance"),
        (DEGENERATE["one rater"], "there is only one rater"),
        (DEGENERATE["second column empty"], "there is only one rater"),
        (DEGENERATE["empty"], "there are no ratings"),
        (DEGENERATE["all missing"], "there are no ratings"),
        (DEGENERATE["one item"], "only one unit was rated by two raters, and 3 are needed"),
        (DEGENERATE["two items"], "only 2 units were rated by two raters, and 3 are needed"),
        ([[1, 2], [3, 2], [2, 2], [1, 2]], "the second of two raters gave every unit 2"),
        ([[1, 2, 5]] * 4, "every rater gave all units one value, so the units do not differ"),
        (
            [[1, 2, None], [None, 2, 1], [1, None, 2], [2, 3, None]],
            "no unit was rated by every rater, and 3 are needed",
        ),
    ],
)
def test_undefined_has_its_reason_in_every_form(table: Table, reason: str) -> None:
    found = intraclass(Ratings.of(table))
    assert {(estimate.value, estimate.reason) for estimate in found.values()} == {(None, reason)}


def test_units_that_some_did_not_rate_are_left_out_and_counted() -> None:
    gapped = intraclass(Ratings.of([*SHROUT_FLEISS, [1, None, 3, 4]]))[Icc.ABSOLUTE]
    whole = intraclass(Ratings.of(SHROUT_FLEISS))[Icc.ABSOLUTE]
    assert (gapped.value, gapped.low, gapped.high, gapped.n) == (whole.value, whole.low, whole.high, 6)
    assert gapped.reason == "1 of 7 units are left out, because not every rater rated them"


def test_full_agreement_is_1_and_a_constant_shift_is_consistent_only() -> None:
    same = intraclass(Ratings.of([[1, 1], [2, 2], [4, 4]]))
    assert {(estimate.value, estimate.low) for estimate in same.values()} == {(1.0, None)}
    assert {estimate.reason for estimate in same.values()} == {"no interval: there is no error variance"}
    # Between units: means 1.5, 2.5, 4.5 → MSR = 2·(14/3)/2 = 14/3; raters: MSC = 3/2; no rest.
    shifted = intraclass(Ratings.of([[1, 2], [2, 3], [4, 5]]))
    assert shifted[Icc.CONSISTENT].value == 1
    assert shifted[Icc.ABSOLUTE].value == pytest.approx((14 / 3) / (14 / 3 + 2 * (3 / 2) / 3))
    assert shifted[Icc.ABSOLUTE].low is not None


def test_the_denominator_is_never_cut_off() -> None:
    # Columns run against each other: MSR = 1/6, MSE = 9/2, MSC = 1/6, so ICC(2,k) would divide by 1/6 − 13/9 < 0.
    found = intraclass(Ratings.of([[1, 4], [2, 2], [4, 1]]))
    assert found[Icc.ABSOLUTE_MEAN].reason == "the variance in its denominator is estimated at 0 or less"
    assert found[Icc.CONSISTENT_MEAN].value == pytest.approx(1 - (9 / 2) * 6)


def test_the_reported_interval_of_104_items_and_two_raters_is_that_of_a_mean() -> None:
    # An ICC of .57 with [.36, .70] was reported for 104 items and 2 raters without its form. A table in which
    # F = 1/(1 − .57) has that interval in the mean's form; one rater's would be .40.
    rng = np.random.default_rng(1)
    truth, error = rng.normal(size=104), rng.normal(size=104)
    truth -= truth.mean()
    error -= error.mean() + truth * (error @ truth) / (truth @ truth)
    truth /= math.sqrt(truth @ truth)
    error /= math.sqrt(error @ error)
    gain = math.sqrt(1 / (1 - 0.57))
    table = np.stack([gain * truth + error, gain * truth - error], axis=1)
    found = intraclass(Ratings.of(table.tolist()))
    mean, single = found[Icc.CONSISTENT_MEAN], found[Icc.CONSISTENT]
    assert (mean.value, mean.low, mean.high) == pytest.approx((0.57, 0.366, 0.708), abs=0.001)
    assert single.value == pytest.approx(0.40, abs=0.005)


def test_scores_must_be_numbers() -> None:
    with pytest.raises(BadInput, match="“bad”"):
        intraclass(Ratings.of([["good", "bad"]] * 4))


@pytest.mark.skipif(not EVERYTHING, reason="tests/test_lock.py")
def test_agreement_needs_no_other_package_of_statistics() -> None:
    watch = (
        "import sys; sys.modules.update(dict.fromkeys(['sklearn', 'pingouin', 'statsmodels']))\n"
        "from core.agreement.icc import intraclass; from core.agreement.level import MeasurementLevel\n"
        "from core.agreement.ratings import Ratings\n"
        "from core.agreement.alpha import krippendorff_alpha\n"
        "table = Ratings.of([[1, 2], [2, 2], [4, 3], [7, 8], [9, 9]])\n"
        "assert all(found.low is not None for found in intraclass(table).values())\n"
        "assert krippendorff_alpha(table, MeasurementLevel.ORDINAL).value is not None\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", watch], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
