"""Groups of phrases linked by chains of similarity, for tens of thousands of phrases, without an n x n matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.errors import BadInput
from core.triplets.similarity import at_least, cosines

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32] | NDArray[np.float64]

BLOCK = 1024

# Cosines in single precision nearer to the threshold than this are compared again exactly. With 3,072 dimensions their
# error stays below 1e-6.
NEAR = 1e-5


def chained(vectors: Vectors, threshold: float) -> list[list[int]]:
    """Return rows of `vectors` (n x dimensions) linked by chains of cosines of at least `threshold`, 0–1: groups of row
    numbers, each ascending, in the order of their first.

    The same groups as `similarity.components(at_least(…))`, in memory of a few blocks in addition to the vectors.
    Raises BadInput for a vector of zeros, which has no cosine."""
    import numpy as np

    count = len(vectors)
    joined = _Joined(count)
    lengths = np.empty(count, dtype=np.float64)
    for start in range(0, count, BLOCK):
        block = vectors[start : start + BLOCK].astype(np.float64)
        largest = np.abs(block).max(axis=1)
        scaled = block / np.where(largest > 0, largest, 1.0)[:, None]  # so that no square overflows
        lengths[start : start + BLOCK] = largest * np.sqrt((scaled**2).sum(axis=1))
    if count and (zero := np.flatnonzero(lengths == 0)).size:
        raise BadInput(f"Vector {int(zero[0]) + 1} is all zeros; it has no cosine with another.")
    for first in range(0, count, BLOCK):
        left = _unit(vectors, lengths, first)
        for second in range(first, count, BLOCK):
            right = left if second == first else _unit(vectors, lengths, second)
            block_cosines = left @ right.T
            for row, column in np.argwhere(block_cosines >= threshold - NEAR).tolist():
                one, other = first + row, second + column
                if one < other and not joined.are(one, other):
                    is_far = block_cosines[row, column] >= threshold + NEAR
                    if is_far or _reach(vectors, one, other, threshold):
                        joined.join(one, other)
    return joined.groups()


def _unit(vectors: Vectors, lengths: NDArray[np.float64], start: int) -> NDArray[np.float32]:
    import numpy as np

    block = vectors[start : start + BLOCK] / lengths[start : start + BLOCK, None]
    return block.astype(np.float32, copy=False)


def _reach(vectors: Vectors, one: int, other: int, threshold: float) -> bool:
    import numpy as np

    pair = np.array([vectors[one], vectors[other]], dtype=np.float64)
    return bool(at_least(pair, cosines(pair), threshold)[0, 1])


class _Joined:
    """Union–find with path halving; the smaller number is the root."""

    def __init__(self, count: int) -> None:
        self._above = list(range(count))

    def are(self, one: int, other: int) -> bool:
        return self._top(one) == self._top(other)

    def join(self, one: int, other: int) -> None:
        first, second = sorted((self._top(one), self._top(other)))
        self._above[second] = first

    def groups(self) -> list[list[int]]:
        by_root: dict[int, list[int]] = {}
        for number in range(len(self._above)):
            by_root.setdefault(self._top(number), []).append(number)
        return list(by_root.values())

    def _top(self, each: int) -> int:
        above = self._above
        while above[each] != each:
            above[each] = above[above[each]]
            each = above[each]
        return each
