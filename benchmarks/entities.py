"""Entities of 20,000 phrases of 3,072 numbers, compared with one dense matrix of all cosines.

Phrases are families of near copies, some of them in chains, so that there are groups to find. Peer: the dense
`components(at_least(…))` of a whole n × n matrix, on 4,000 phrases; the groups must be equal. Goal: at 20,000 phrases
at most 600 MB in a process of its own, where the matrix alone would take 3,200.
"""

from __future__ import annotations

import multiprocessing
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.memory import highest_mb
from core.triplets.chains import chained
from core.triplets.similarity import at_least, components, cosines

PHRASES, DENSE, NUMBERS, SIMILARITY = 20_000, 4_000, 3_072, 0.9
MOST_MB = 600


def made_up(count: int) -> NDArray[np.float32]:
    """Return phrases of which every fifth is new; the next four each lie a little further from the previous one."""
    rng = np.random.default_rng(29)
    vectors = np.empty((count, NUMBERS), dtype=np.float32)
    for at in range(count):
        fresh = rng.standard_normal(NUMBERS, dtype=np.float32)
        vectors[at] = fresh if at % 5 == 0 else vectors[at - 1] + np.float32(0.3 + 0.1 * (at % 3)) * fresh
    return vectors


def _child(count: int, answers: Any) -> None:
    vectors = made_up(count)
    before = highest_mb()
    began = time.perf_counter()
    groups = chained(vectors, SIMILARITY)
    answers.put((time.perf_counter() - began, len(groups), max(map(len, groups)), before, highest_mb()))


def measure() -> None:
    vectors = made_up(DENSE)
    began = time.perf_counter()
    chained_groups = chained(vectors, SIMILARITY)
    took = time.perf_counter() - began
    began = time.perf_counter()
    whole = vectors.astype(np.float64)
    dense = components(at_least(whole, cosines(whole), SIMILARITY))
    dense_took = time.perf_counter() - began
    assert [list(group) for group in chained_groups] == [list(group) for group in dense], "the groups differ"
    print(f"{DENSE:,} phrases: {took:.1f} s, dense {dense_took:.1f} s ({took / dense_took:.2f} of it), equal groups")
    context = multiprocessing.get_context("spawn")
    answers = context.Queue()
    process = context.Process(target=_child, args=(PHRASES, answers))
    process.start()
    seconds, groups, largest, before, highest = answers.get()
    process.join()
    print(
        f"{PHRASES:,} phrases: {seconds:.1f} s, {groups:,} entities, the largest of {largest}; at most "
        f"{highest:.0f} MB ({before:.0f} MB before), goal {MOST_MB} MB: {'held' if highest <= MOST_MB else 'missed'}"
    )


if __name__ == "__main__":
    measure()
