"""Clusters, principal axes and distances of groups, against direct recomputation on planted vectors."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from core.scoring.clusters import (
    clusters,
    differences,
    discrepancy,
    distances,
    principal_axes,
    silhouette,
    unit_length,
)

RNG = np.random.default_rng(3)
CENTRES = 4 * np.eye(4, 12)
TRUE = np.repeat(np.arange(4), (9, 8, 7, 6))
VECTORS = CENTRES[TRUE] + 0.4 * RNG.standard_normal((len(TRUE), 12))


def test_planted_clusters_are_found_with_their_number_and_the_largest_is_first() -> None:
    order = np.random.default_rng(1).permutation(len(TRUE))
    result = clusters(VECTORS[order])
    assert max(result.silhouettes, key=result.silhouettes.__getitem__) == 4 and set(result.silhouettes) == {
        *range(2, 11)
    }
    assert result.labels.tolist() == TRUE[order].tolist()
    assert clusters(VECTORS[order]).labels.tolist() == result.labels.tolist()


def test_silhouettes_are_those_of_the_definition() -> None:
    labels = np.where(np.arange(len(TRUE)) == 5, 9, TRUE)  # one alone in its cluster
    expected = list[float]()
    for place, label in enumerate(labels.tolist()):
        means = dict[int, float]()
        for other in set(labels.tolist()):
            members = [at for at in np.flatnonzero(labels == other) if at != place]
            lengths = np.linalg.norm(VECTORS[members] - VECTORS[place], axis=1)
            means[other] = float(np.mean(lengths)) if members else 0.0
        a, b = means.pop(label), min(means.values())
        expected.append(0.0 if (labels == label).sum() == 1 else (b - a) / max(a, b))
    assert silhouette(distances(VECTORS), labels) == pytest.approx(np.array(expected), abs=1e-9)


def test_principal_axes_keep_distances_and_come_by_their_share_of_the_variance() -> None:
    places, shares = principal_axes(VECTORS)
    assert distances(places) == pytest.approx(distances(VECTORS), abs=1e-9)
    values = np.sort(np.linalg.eigvalsh(np.cov(VECTORS.T)))[::-1]
    assert shares == pytest.approx(values / values.sum(), abs=1e-9)
    assert places.var(axis=0, ddof=1) == pytest.approx(values, abs=1e-9)
    assert (places.max(axis=0) >= -places.min(axis=0)).all()


def test_differences_between_groups_are_those_of_scipy_and_of_the_sums_of_squares() -> None:
    values = RNG.random(len(TRUE)) + 0.2 * (TRUE == 2)
    values[4] = np.nan
    known = ~np.isnan(values)
    groups = [values[known & (label == TRUE)] for label in range(4)]
    result = {name: estimate.value for name, estimate in differences(values, TRUE.tolist()).items()}
    f, h = stats.f_oneway(*groups), stats.kruskal(*groups)
    mean = values[known].mean()
    between = sum(len(group) * (group.mean() - mean) ** 2 for group in groups)
    assert result == pytest.approx(
        {
            "n": 29,
            "f": f.statistic,
            "f_p": f.pvalue,
            "eta_squared": between / ((values[known] - mean) ** 2).sum(),
            "h": h.statistic,
            "h_p": h.pvalue,
        },
        abs=1e-9,
    )


def test_the_discrepancy_is_the_mean_of_kernels_and_its_p_tells_different_groups_from_equal_ones() -> None:
    is_first = TRUE < 2
    apart = distances(VECTORS)
    width = np.median([apart[i, j] for i in range(30) for j in range(i)])
    kernel = np.exp(-(apart**2) / (2 * width**2))
    inside = kernel[np.ix_(is_first, is_first)].mean() + kernel[np.ix_(~is_first, ~is_first)].mean()
    result = discrepancy(apart, is_first)
    assert result["mmd"].value == pytest.approx(np.sqrt(inside - 2 * kernel[np.ix_(is_first, ~is_first)].mean()))
    assert result["mmd_p"].value == pytest.approx(1 / 1001)
    same = distances(RNG.standard_normal((40, 6)))
    p = discrepancy(same, np.arange(40) % 2 == 0)["mmd_p"].value
    assert p is not None and p > 0.05


def test_too_few_or_equal_vectors_have_no_clusters_and_no_distance_and_say_why() -> None:
    same = np.ones((5, 3))
    assert clusters(same).reason == "all vectors are equal" and not clusters(same).silhouettes
    assert clusters(same[:2]).reason == "clusters need 3 texts, and there are 2"
    assert discrepancy(distances(same), np.arange(5) < 2)["mmd"].reason == "half of all pairs have equal vectors"
    assert discrepancy(distances(VECTORS), np.arange(30) < 1)["mmd_p"].reason == "a group needs 2 texts"
    assert not principal_axes(same)[1].any() and not unit_length([[0.0, 0.0]]).any()
    two = clusters(np.array([[0.0], [0.0], [1.0], [1.0]]))
    assert two.labels.tolist() == [0, 0, 1, 1] and two.silhouettes == {2: 1.0}


@pytest.mark.parametrize(
    ("values", "labels", "name", "reason"),
    [
        ([], [], "f", "no unit has a value"),
        ([0.1, 0.2], ["a", "a"], "h", "one group only"),
        ([0.5, 0.5, 0.5], ["a", "b", "b"], "eta_squared", "same in all units"),
        ([0.1, 0.2], ["a", "b"], "f_p", "no group has values that differ"),
    ],
)
def test_a_difference_that_is_not_defined_says_why(
    values: list[float], labels: list[str], name: str, reason: str
) -> None:
    estimate = differences(values, labels)[name]
    assert estimate.value is None and reason in estimate.reason
