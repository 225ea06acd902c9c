"""Correlations, against SciPy where it has the same, and by hand where it has not."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from core.scoring.associations import COEFFICIENTS, associations

NAN = float("nan")
VALUES = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=8, max_size=40)


@given(VALUES)
def test_coefficients_and_p_are_those_of_scipy(pairs: list[tuple[int, int]]) -> None:
    one, two = np.array(pairs, dtype=float).T
    ours = associations(one, two)
    if np.ptp(one) == 0 or np.ptp(two) == 0:
        assert all("same in all units" in ours[name].reason for name in COEFFICIENTS)
        return
    for name, test in (
        ("pearson", stats.pearsonr(one, two)),
        ("spearman", stats.spearmanr(one, two)),
        ("kendall", stats.kendalltau(one, two)),
    ):
        assert ours[name].value == pytest.approx(test.statistic, abs=1e-9)
        assert ours[f"{name}_p"].value == pytest.approx(test.pvalue, abs=1e-9)


def test_units_without_one_of_the_values_are_left_out() -> None:
    assert associations([1, 2, 3, NAN, 5], [2, 1, 4, 9, NAN])["n"].value == 3


@pytest.mark.parametrize(("n", "p"), [(3, 2 / 6), (4, 2 / 24), (5, 2 / 120)])
def test_p_of_equal_orders_of_few_units_is_exact(n: int, p: float) -> None:
    assert associations(range(n), [each**2 for each in range(n)])["spearman_p"].value == pytest.approx(p)


def test_two_units_have_no_correlation() -> None:
    pearson = associations([1, 2], [3, 4])["pearson"]
    assert pearson.value is None and "needs 3 units, and there are 2" in pearson.reason


def test_the_papers_order_of_models_follows_from_its_tables() -> None:
    """Appendix D of ReCITE from its tables 3, 10 and 11; models in the order of table 3."""
    weighted = [0.535, 0.510, 0.501, 0.493, 0.471, 0.469, 0.460, 0.432, 0.386, 0.295]
    of_edges = [0.297, 0.253, 0.275, 0.260, 0.229, 0.239, 0.226, 0.213, 0.173, 0.111]
    of_nodes = [0.592, 0.543, 0.551, 0.543, 0.518, 0.514, 0.545, 0.522, 0.489, 0.402]
    orders = associations(weighted, [(one + two) / 2 for one, two in zip(of_edges, of_nodes, strict=True)])
    assert [round(orders[name].value or 0, 3) for name in ("spearman", "kendall")] == [0.915, 0.778]
    assert all((orders[name].value or 1) < 0.001 for name in ("spearman_p", "kendall_p"))
