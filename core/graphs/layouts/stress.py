"""Layout by stress majorisation: distances along the graph become distances on the page. Gansner, Koren & North 2005,
"Graph Drawing by Stress Majorization". It draws feedback loops as rings, and needs only numpy and no random numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

_ROUNDS = 120  # of stress majorisation; the stress of real diagrams is flat by then
_STILL = 1e-12  # edge lengths; smaller movements end the rounds, for a pair (as most typed edges begin) after one round


def distances(part: Sequence[str], links: Mapping[str, set[str]]) -> Array:
    """Return ideal distances, parts x parts, in edge lengths; edges at busy nodes are longer, to give stars more space.
    Shortest paths after Floyd 1962 and Warshall 1962, a whole matrix at each step."""
    import numpy as np

    index = {node: i for i, node in enumerate(part)}
    ideal = np.full((len(part), len(part)), np.inf)
    np.fill_diagonal(ideal, 0.0)
    for node in part:
        for other in links[node]:
            private = len(links[node] ^ links[other]) - 2
            ideal[index[node], index[other]] = 1.0 + 0.12 * math.sqrt(max(private - 2, 0))
    for through in range(len(part)):
        np.minimum(ideal, ideal[:, through, None] + ideal[None, through], out=ideal)
    evened: Array = (ideal + ideal.T) / 2
    return evened


def least_stress(ideal: Array, rounds: int = _ROUNDS) -> Array:
    """Return positions, nodes x 2, whose distances come nearest to `ideal`; starts from classical scaling."""
    import numpy as np

    n = len(ideal)
    weights = 1.0 / (ideal + np.eye(n)) ** 2
    np.fill_diagonal(weights, 0.0)
    laplacian = np.diag(weights.sum(axis=1)) - weights
    inverse = np.linalg.inv(laplacian + 1.0 / n)
    spots = _classical(ideal)
    for _ in range(rounds):
        across, down = spots[:, None, 0] - spots[None, :, 0], spots[:, None, 1] - spots[None, :, 1]
        gaps: Array = np.sqrt(across * across + down * down)
        np.fill_diagonal(gaps, 1.0)
        pull = -weights * ideal / np.maximum(gaps, 1e-9)
        np.fill_diagonal(pull, -pull.sum(axis=1))
        before, spots = spots, inverse @ (pull @ spots)
        if np.abs(spots - before).max() < _STILL:
            break
    return spots


def _classical(ideal: Array) -> Array:
    """Return classical multidimensional scaling, with a spiral added so that no two nodes start at one spot."""
    import numpy as np

    n = len(ideal)
    centre = np.eye(n) - 1.0 / n
    values, vectors = np.linalg.eigh(-0.5 * centre @ ideal**2 @ centre)
    vectors = vectors * np.where(vectors[np.abs(vectors).argmax(axis=0), range(n)] < 0, -1.0, 1.0)
    spots = np.zeros((n, 2))
    spots[:, : min(n, 2)] = (vectors * np.sqrt(np.maximum(values, 0)))[:, ::-1][:, :2]
    turn = np.arange(n) * 2.399963  # the golden angle spreads neighbours in the list evenly
    spiral = np.sqrt(np.arange(1, n + 1) / n)[:, None] * np.column_stack((np.cos(turn), np.sin(turn)))
    spread: Array = spots + 0.15 * spiral
    return spread
