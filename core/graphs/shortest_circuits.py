"""The shortest elementary circuits of a directed graph, all paths of one length at a time.

Where circuits are many, a search in depth comes upon long ones first and has to be repeated for each length. Here the
simple paths of one length stand in arrays and grow by one node together: each is looked at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from core.graphs.circuits import Successors, TimeIsUp, predecessors_of, strong_parts

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int32]
    Words = NDArray[np.uint64]

MOST_PATHS = 100_000
"""Of one length, held at once: some 10 MB."""
_BLOCK = 4096


class TooManyPaths(Exception):
    """Far more paths than circuits: a search in depth, which knows where it failed, is to be taken."""


def shortest_circuits(successors: Successors, is_over: Callable[[], bool]) -> Iterator[Numbers]:
    """Every elementary circuit, by length and then in lexicographic order, each from its least node on: the same ones
    as `circuits` finds, as blocks of circuits x nodes, those of one block of one length.

    Raises TooManyPaths, and TimeIsUp when `is_over()`, which is asked at each length and each block.
    """
    links = _Links.of(successors)
    level = _first(links)
    grown: list[_Growth] = []
    while len(level.node):
        if is_over():
            raise TimeIsUp
        grown.append(_Growth(level.node, level.parent))
        closing = links.leads(level.node, level.start)
        for start in range(0, len(closing), _BLOCK):
            yield _read(grown, closing[start : start + _BLOCK], links.numbers)
            if is_over():
                raise TimeIsUp
        level = _grown(level, links)


@dataclass(frozen=True, slots=True)
class _Links:
    """Edges inside strongly connected parts, whose nodes are numbered anew. `numbers`: the graph's own; of node i the
    successors are `ahead[begins[i] : begins[i + 1]]`. `acts`: node x node, whether the first acts on the second.
    `returns`: start x node, whether the node is greater and the start can be reached from
    it through greater ones. `bits`: of each node its own in a word of 64."""

    numbers: Numbers
    ahead: Numbers
    begins: Numbers
    acts: NDArray[np.bool_]
    returns: NDArray[np.bool_]
    bits: Words

    @classmethod
    def of(cls, successors: Successors) -> _Links:
        import numpy as np

        part_of = {node: place for place, part in enumerate(strong_parts(successors)) for node in part}
        inner = [[o for o in others if part_of[o] == part_of[node]] for node, others in enumerate(successors)]
        numbers = [node for node, others in enumerate(inner) if others]
        place = {node: new for new, node in enumerate(numbers)}
        ahead = [[place[other] for other in inner[node]] for node in numbers]
        acts = np.zeros((len(numbers), len(numbers)), dtype=np.bool_)
        for node, others in enumerate(ahead):
            acts[node, others] = True
        return cls(
            np.array(numbers, dtype=np.int32),
            np.array([other for others in ahead for other in others], dtype=np.int32),
            np.cumsum([0, *map(len, ahead)], dtype=np.int32),
            acts,
            _returns(ahead),
            _bits(np.arange(len(numbers))),
        )

    def leads(self, nodes: Numbers, starts: Numbers) -> NDArray[np.intp]:
        """Places at which the node acts on the start."""
        import numpy as np

        return np.flatnonzero(_at(self.acts, nodes, starts))


@dataclass(frozen=True, slots=True)
class _Level:
    """Simple paths of one length in lexicographic order, none of whose nodes comes before the first. `parent`: place of
    the path that it grew from; `passed`: a bit a node, in words of 64."""

    start: Numbers
    node: Numbers
    parent: Numbers
    passed: Words


@dataclass(frozen=True, slots=True)
class _Growth:
    """What is kept of a level to read its paths: their last nodes, and where the paths before them stand."""

    node: Numbers
    parent: Numbers


def _first(links: _Links) -> _Level:
    import numpy as np

    count = len(links.numbers)
    nodes = np.arange(count, dtype=np.int32)
    passed = np.zeros((count, (count + 63) // 64), dtype=np.uint64)
    passed[nodes, nodes >> 6] = links.bits
    return _Level(nodes, nodes, nodes, passed)


def _grown(level: _Level, links: _Links) -> _Level:
    """The paths that are one node longer and can still end where they began."""
    import numpy as np

    counts = links.begins[level.node + 1] - links.begins[level.node]
    total = int(counts.sum())
    if total > 8 * MOST_PATHS:
        raise TooManyPaths
    parent = np.repeat(np.arange(len(level.node), dtype=np.int32), counts)
    # Of each path the places of its successors: one after another, from where those of its last node begin.
    offset = np.repeat(links.begins[level.node] - (np.cumsum(counts) - counts), counts)
    node = links.ahead.take(np.arange(total) + offset)
    start = level.start.take(parent)
    fits = np.flatnonzero(_at(links.returns, start, node))
    parent, node, start = parent.take(fits), node.take(fits), start.take(fits)
    bits = links.bits.take(node)
    is_new = np.flatnonzero((_at(level.passed, parent, node >> 6) & bits) == 0)
    parent, node, start, bits = parent.take(is_new), node.take(is_new), start.take(is_new), bits.take(is_new)
    if len(node) > MOST_PATHS:
        raise TooManyPaths
    passed = level.passed.take(parent, axis=0)
    passed[np.arange(len(node)), node >> 6] |= bits
    return _Level(start, node, parent, passed)


def _at(table: NDArray[Any], rows: NDArray[Any], columns: NDArray[Any]) -> NDArray[Any]:
    """`table[rows, columns]`, by one index instead of two, which takes less time."""
    found: NDArray[Any] = table.ravel().take(rows.astype("intp") * table.shape[1] + columns)
    return found


def _read(grown: Sequence[_Growth], closing: NDArray[np.intp], numbers: Numbers) -> Numbers:
    """The paths at these places of the last level, as the graph numbers their nodes."""
    import numpy as np

    columns, places = [], closing.astype(np.int32)
    for each in reversed(grown):
        columns.append(numbers.take(each.node.take(places)))
        places = each.parent.take(places)
    return np.stack(columns[::-1], axis=1)


def _returns(ahead: Sequence[Sequence[int]]) -> NDArray[np.bool_]:
    import numpy as np

    behind = predecessors_of(ahead)
    found = np.zeros((len(ahead), len(ahead)), dtype=np.bool_)
    for start in range(len(ahead)):
        reached, queue = {start}, [start]
        for node in queue:
            for other in behind[node]:
                if other > start and other not in reached:
                    reached.add(other)
                    queue.append(other)
        found[start, queue[1:]] = True
    return found


def _bits(nodes: NDArray[np.intp]) -> Words:
    import numpy as np

    return np.left_shift(np.uint64(1), (nodes & 63).astype(np.uint64))
