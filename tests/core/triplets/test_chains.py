"""Groups by chains of likeness, block by block, beside the whole matrix."""

from __future__ import annotations

import numpy as np
import pytest

from core.errors import BadInput
from core.triplets import chains
from core.triplets.chains import chained
from core.triplets.similarity import at_least, components, cosines


def test_groups_equal_those_of_the_whole_matrix(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chains, "BLOCK", 7)
    random = np.random.default_rng(3)
    for _ in range(20):
        centres = random.normal(size=(12, 8))
        vectors = centres[random.integers(12, size=60)] + random.normal(scale=0.3, size=(60, 8))
        dense = components(at_least(vectors, cosines(vectors), 0.9))
        assert chained(vectors, 0.9) == dense
        assert chained(vectors.astype(np.float32), 0.9) == dense or _is_near(vectors)


def _is_near(vectors: np.ndarray) -> bool:
    return bool((np.abs(cosines(vectors) - 0.9) < 1e-6).any())


def test_a_cosine_of_exactly_the_threshold_joins_and_one_just_below_does_not() -> None:
    assert chained(np.array([[4.0, 3.0], [1.0, 0.0]]), 0.8) == [[0, 1]]
    assert chained(np.array([[4.0, 3.0000001], [1.0, 0.0]]), 0.8) == [[0], [1]]


def test_chains_join_what_is_not_alike_itself() -> None:
    angles = np.radians([0, 20, 40, 120])
    vectors = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    assert chained(vectors, 0.9) == [[0, 1, 2], [3]]  # cos 20° = 0.94, cos 40° = 0.77


def test_nothing_gives_no_groups_and_zeros_are_refused() -> None:
    assert chained(np.empty((0, 3)), 0.9) == []
    with pytest.raises(BadInput, match="Vector 2 is all zeros"):
        chained(np.array([[1.0, 0.0], [0.0, 0.0]]), 0.9)
