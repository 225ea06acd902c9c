"""All answers of a graph at once, as boolean arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from math import comb
from typing import TYPE_CHECKING

from core.errors import BadInput, TooLarge
from core.graphs.graph import CausalGraph
from core.graphs.queries.query import SIX, AnswerShape, Asked, QueryKind, Variant, shape_of
from core.graphs.queries.truths import Truths

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Flags = NDArray[np.bool_]
    Places = NDArray[np.intp]

MOST_CELLS = 200_000_000  # of one table, a byte each


def columns(graph: CausalGraph, kinds: Sequence[Asked] = SIX) -> dict[Asked, Flags]:
    """Return per kind or variant an array with a row per query of the whole graph and a column per node, in node order:
    True if the node answers. Of n nodes source, sink and fork have one row; queries of X have n; queries between A and
    B have n(n-1)/2, in the order of `QuerySpace`: A before B in topological order, rows by B, then by A.

    A cell whose node the query names is False and no query. Raises InvalidGraph for a graph with a cycle, BadInput for
    `INTERVENTION_PAIR`, which has three variables, TooLarge for a graph whose table has more than 200 million cells."""
    import numpy as np

    if Variant.INTERVENTION_PAIR in kinds:
        raise BadInput("An intervention on a pair names three variables, which no table of two has; ask one by one.")
    truths = Truths.of(graph)
    n = len(truths.nodes)
    if AnswerShape.BETWEEN in map(shape_of, kinds) and n * comb(n, 2) > MOST_CELLS:
        raise TooLarge(f"The table of all pairs of {n:,} nodes has more than {MOST_CELLS:,} cells; ask one by one.")
    order = np.array(truths.order, dtype=np.intp)
    first, second = (order[each] for each in _pairs(n))
    children: Flags = np.zeros((n, n), dtype=np.bool_)
    if truths.pairs:
        children[tuple(np.array(truths.pairs, dtype=np.intp).T)] = True
    parents = np.ascontiguousarray(children.T)
    descendants = cache(lambda: _unpacked(truths.descendants))
    ancestors = cache(lambda: np.ascontiguousarray(descendants().T))
    tables: dict[Asked, Callable[[], Flags]] = {
        QueryKind.SOURCE: lambda: _unpacked([truths.sources], n),
        QueryKind.SINK: lambda: _unpacked([truths.sinks], n),
        QueryKind.PARENT: lambda: parents,
        QueryKind.CHILD: lambda: children,
        QueryKind.MEDIATOR: lambda: children[first] & parents[second],
        QueryKind.CONFOUNDER: lambda: parents[first] & parents[second],
        QueryKind.INTERVENTION: descendants,
        Variant.MEDIATOR_ANY_PATH: lambda: descendants()[first] & ancestors()[second],
        Variant.CONFOUNDER_COMMON_ANCESTOR: lambda: ancestors()[first] & ancestors()[second],
        Variant.CONFOUNDER_FORK: lambda: _unpacked([truths.forks], n),
    }
    return {each: tables[each]() for each in kinds}


@lru_cache(maxsize=8)
def _pairs(n: int) -> tuple[Places, Places]:
    """Return positions i < j of all pairs of n, by j and then by i."""
    import numpy as np

    second = np.repeat(np.arange(n), np.arange(n))
    first = np.arange(len(second)) - second * (second - 1) // 2
    return first, second


def _unpacked(masks: Sequence[int], n: int = -1) -> Flags:
    """Return a row per integer, a column per bit; without `n` the array is square."""
    import numpy as np

    width = len(masks) if n < 0 else n
    size = (width + 7) // 8
    packed = np.frombuffer(b"".join(mask.to_bytes(size, "little") for mask in masks), dtype=np.uint8)
    return np.unpackbits(packed.reshape(len(masks), size), axis=1, count=width, bitorder="little").view(np.bool_)
