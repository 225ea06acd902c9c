"""Clusters, principal axes and distances of groups of vectors, and whether values differ between groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.estimate import Estimate, undefined

Array = NDArray[np.float64]
Labels = NDArray[np.intp]
MOST_CLUSTERS = 10
STARTS = 5
"""Of k-means, for each number of clusters; the start with the least sum of squares counts."""
PERMUTATIONS = 1_000
SEED = 1


@dataclass(frozen=True, slots=True)
class Clusters:
    """Clusters of vectors, and where the vectors lie.

    Attributes:
        labels: the cluster of each vector, from 0, the largest first; empty without clusters
        silhouettes: number of clusters → its mean silhouette; empty without clusters
        apart: distances (n × n)
        places: the vectors on their principal axes (n × min(n, d))
        shares: of the variance, of each axis
        reason: why there are no clusters
    """

    labels: Labels
    silhouettes: Mapping[int, float]
    apart: Array
    places: Array
    shares: Array
    reason: str = ""


def unit_length(vectors: ArrayLike) -> Array:
    """Return vectors (n × d) of length 1, whose squared distance is twice their cosine distance; 0 stays 0."""
    rows = np.asarray(vectors, dtype=np.float64)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0))


def distances(vectors: Array) -> Array:
    """Return the Euclidean distances (n × n) of vectors (n × d)."""
    squares = np.einsum("ij,ij->i", vectors, vectors)
    squared = squares[:, None] + squares[None, :] - 2 * vectors @ vectors.T
    np.fill_diagonal(squared, 0.0)
    return np.asarray(np.sqrt(np.where(squared > 1e-12, squared, 0.0)))  # equal vectors differ by rounding


def principal_axes(vectors: Array) -> tuple[Array, Array]:
    """Return the places of vectors (n × d) on all their principal axes (n × min(n, d)), which have the same distances,
    and the share of the variance of each axis. The largest place on an axis is positive; without variance shares are
    0."""
    centred = vectors - vectors.mean(axis=0)
    is_wide = centred.shape[0] <= centred.shape[1]
    # Eigenvectors of the smaller product: a singular value decomposition takes ten times as long.
    values, axes = np.linalg.eigh(centred @ centred.T if is_wide else centred.T @ centred)
    variances, axes = np.maximum(values[::-1], 0.0), axes[:, ::-1]
    places = axes * np.sqrt(variances) if is_wide else centred @ axes
    largest = np.abs(places).argmax(axis=0)
    places = places * np.where(places[largest, np.arange(places.shape[1])] < 0, -1.0, 1.0)
    total = float(variances.sum())
    return np.asarray(places), np.asarray(variances / total if total > 1e-12 else np.zeros_like(variances))


def clusters(vectors: Array, seed: int = SEED) -> Clusters:
    """Group vectors (n × d) by k-means (Lloyd 1982, k-means++) into the number of clusters, 2 to 10, whose mean
    silhouette is the highest; of equal ones, the least number."""
    from scipy.cluster.vq import ClusterError, kmeans, kmeans2, vq

    apart = distances(vectors)
    places, shares = principal_axes(vectors)  # n coordinates have the distances of d, and are fewer
    distinct = len(vectors) - int(np.any(np.tril(apart == 0, -1), axis=1).sum())
    if len(vectors) < 3 or distinct < 2:
        fewer = f"clusters need 3 texts, and there are {len(vectors)}" if len(vectors) < 3 else "all vectors are equal"
        return Clusters(np.zeros(0, dtype=np.intp), {}, apart, places, shares, fewer)
    silhouettes, best = dict[int, float](), np.zeros(len(vectors), dtype=np.intp)
    for k in range(2, min(MOST_CLUSTERS, distinct, len(vectors) - 1) + 1):
        rng, least = np.random.default_rng([seed, k]), float("inf")
        labels: Labels | None = None
        for _start in range(STARTS):
            try:
                first, _ = kmeans2(places, k, iter=1, minit="++", missing="raise", rng=rng)
            except ClusterError:  # a cluster has lost all its vectors: another start
                continue
            centres, _ = kmeans(places, first)  # until its means are stable
            groups, apart_from = vq(places, centres)
            within = float((apart_from**2).sum())
            if within < least - 1e-12:
                labels, least = np.asarray(groups, dtype=np.intp), within
        if labels is None or len(np.unique(labels)) < k:
            continue
        mean = float(silhouette(apart, labels).mean())
        if mean > max(silhouettes.values(), default=-np.inf):
            best = labels
        silhouettes[k] = mean
    if not silhouettes:
        return Clusters(best[:0], {}, apart, places, shares, "k-means finds no clusters in these vectors")
    return Clusters(_largest_first(best), silhouettes, apart, places, shares)


def silhouette(apart: Array, labels: Labels) -> Array:
    """Return the silhouette of each unit (Rousseeuw 1987), −1 to 1: (b − a) / max(a, b), where a is its mean distance
    from the others of its cluster and b the least mean distance from another; 0 alone in a cluster. `apart`: distances
    (n × n)."""
    members = labels[:, None] == np.unique(labels)[None, :]
    sizes = members.sum(axis=0)
    sums = apart @ members
    own_size = sizes[members.argmax(axis=1)]
    within = sums[members] / np.maximum(own_size - 1, 1)
    nearest = np.where(members, np.inf, sums / sizes).min(axis=1)
    larger = np.maximum(within, nearest)
    is_defined = (own_size > 1) & (larger > 0)
    return np.asarray(np.divide(nearest - within, larger, out=np.zeros(len(labels)), where=is_defined))


def _largest_first(labels: Labels) -> Labels:
    names, first, sizes = np.unique(labels, return_index=True, return_counts=True)
    place = {name: number for number, name in enumerate(names[np.lexsort((first, -sizes))].tolist())}
    return np.array([place[label] for label in labels.tolist()], dtype=np.intp)


def differences(values: ArrayLike, labels: Sequence[Any]) -> dict[str, Estimate]:
    """Return whether values differ between groups: f and f_p of one-way analysis of variance, eta_squared (the share of
    the sum of squares between groups), h and h_p of Kruskal and Wallis (1952), and n. NaN leaves a unit out."""
    from scipy import stats

    all_values = np.asarray(values, dtype=np.float64)
    known = ~np.isnan(all_values)
    numbers, groups = all_values[known], np.asarray(labels, dtype=object)[known]
    samples = [numbers[groups == group] for group in dict.fromkeys(groups.tolist())]
    n = len(numbers)
    result = {"n": Estimate(n, n=n)}
    why = ""
    if len(samples) < 2:
        why = "values are of one group only" if samples else "no unit has a value"
    elif np.ptp(numbers) == 0:
        why = "the value is the same in all units"
    if why:
        return result | dict.fromkeys(("f", "f_p", "eta_squared", "h", "h_p"), undefined(why, n))
    total = float(((numbers - numbers.mean()) ** 2).sum())
    within = float(sum(((sample - sample.mean()) ** 2).sum() for sample in samples))
    result["eta_squared"] = Estimate(max(0.0, 1 - within / total), n=n)
    ranks = stats.kruskal(*samples)
    result |= {"h": Estimate(float(ranks.statistic), n=n), "h_p": Estimate(float(ranks.pvalue), n=n)}
    if n <= len(samples) or within <= 1e-12 * total:
        none = undefined("no group has values that differ", n)
        return result | {"f": none, "f_p": none}
    variance = stats.f_oneway(*samples)
    return result | {"f": Estimate(float(variance.statistic), n=n), "f_p": Estimate(float(variance.pvalue), n=n)}


def discrepancy(apart: Array, is_first: NDArray[np.bool_], seed: int = SEED) -> dict[str, Estimate]:
    """Return mmd, the maximum mean discrepancy of two groups, and mmd_p, the share of 1,000 permutations (and the
    groups themselves) that are as far apart (Gretton et al. 2012, JMLR 13, equation 5, its root). The kernel is
    exp(−d²/2σ²), σ the median distance of all pairs. `apart`: distances (n × n)."""
    n, first = len(apart), int(is_first.sum())
    others = n - first
    why = "" if min(first, others) > 1 else "a group needs 2 texts"
    width = 0.0 if why else float(np.median(apart[np.triu_indices(n, 1)]))
    if not why and width == 0:
        why = "half of all pairs have equal vectors"
    if why:
        return dict.fromkeys(("mmd", "mmd_p"), undefined(why, n))
    kernel = np.exp(-(apart**2) / (2 * width**2))
    weights = np.where(is_first, 1 / first, -1 / others)
    rng = np.random.default_rng(seed)
    drawn = np.vstack([weights, rng.permuted(np.tile(weights, (PERMUTATIONS, 1)), axis=1)])
    squared = np.maximum(((drawn @ kernel) * drawn).sum(axis=1), 0.0)
    p = float(np.mean(squared >= squared[0] - 1e-12))
    return {"mmd": Estimate(float(np.sqrt(squared[0])), n=n), "mmd_p": Estimate(p, n=n)}
