"""Feedback loops: the elementary circuits of a graph, shortest first, as many as a caller can wait for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Literal

from core.graphs.circuits import Successors, TimeIsUp, circuits, never, successors_of
from core.graphs.graph import CausalGraph
from core.graphs.shortest_circuits import TooManyPaths, shortest_circuits
from core.graphs.signs import settled_signs
from core.sign import Sign

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_LOOPS = 20_000
FEW = 300
"""Circuits that a search in depth finds before arrays would be worth their while."""
Circuit = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Loop:
    """An elementary circuit: `nodes` once each, in the direction of the arrows, from the one that the graph lists
    first; the last acts on the first. `kind` is R (reinforcing), B (balancing) or None (a sign is not settled)."""

    nodes: tuple[str, ...]
    kind: Literal["R", "B"] | None

    @property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """The ordered pairs of the loop, in order; a self-loop has one."""
        return tuple(pairwise((*self.nodes, self.nodes[0])))


@dataclass(frozen=True, slots=True)
class Loops:
    """Loops, shortest first and then in the graph's order of nodes. `is_capped`: there are more, or may be, and
    `reason` says in a clause which are shown ("" if all are)."""

    loops: tuple[Loop, ...]
    is_capped: bool = False
    reason: str = ""


def find_loops(graph: CausalGraph, *, most: int = MOST_LOOPS, is_over: Callable[[], bool] = never) -> Loops:
    """Every elementary circuit, self-loops and reciprocal pairs included, or the `most` shortest of them.

    Edges listed more than once are one arrow. A loop is R if the product of its signs is plus, B if it is minus;
    it has no kind if one of its arrows has no sign, or different ones. `is_over()` is asked every few hundred steps
    and ends the search. Memory holds at most `most` loops, however many there are.

    >>> from core.graphs.edge import Edge
    >>> find_loops(CausalGraph.of([Edge("A", "B", Sign.PLUS), Edge("B", "A", Sign.MINUS)])).loops
    (Loop(nodes=('A', 'B'), kind='B'),)
    """
    successors = successors_of(graph)
    signs = settled_signs(graph)
    few, has_ended = _taken(circuits(successors, is_over=is_over), FEW + 1)
    if not has_ended and len(few) > min(FEW, most):
        try:
            return _many(successors, most, is_over, graph.nodes, signs)
        except TooManyPaths:
            few, has_ended = _taken(circuits(successors, is_over=is_over), most + 1)
    if has_ended or len(few) <= most:
        found = sorted(few, key=_by_length)[:most]
        reason = f"the time ran out: {len(found):,} shown, and shorter ones may be missing" if has_ended else ""
    else:  # there are more, and they are sought length by length, which may repeat much of the search for each length
        found, has_ended = _taken(_length_by_length(successors, is_over), most)
        reason = _shortest_first(len(found), has_ended)
    return Loops(tuple(_loop(circuit, graph.nodes, signs) for circuit in found), bool(reason), reason)


def loop_of(graph: CausalGraph) -> tuple[str, ...]:
    """The names along one loop of edges, the first again at the end; () if the graph has none.

    >>> from core.graphs.edge import Edge
    >>> loop_of(CausalGraph.of([Edge("A", "B"), Edge("B", "C"), Edge("C", "B")]))
    ('B', 'C', 'B')
    """
    ahead: dict[str, list[str]] = {name: [] for name in graph.nodes}
    for edge in graph.edges:
        ahead[edge.source].append(edge.sink)
    done: set[str] = set()
    for start in graph.nodes:
        path, open_ends = [start], [iter(ahead[start])]
        places = {start: 0}
        while open_ends and start not in done:
            sink = next(open_ends[-1], None)
            if sink is None:
                done.add(path[-1])
                del places[path.pop()]
                open_ends.pop()
            elif sink in places:
                return (*path[places[sink] :], sink)
            elif sink not in done:
                places[sink] = len(path)
                path.append(sink)
                open_ends.append(iter(ahead[sink]))
    return ()


def shown_loop(loop: Sequence[str], arrow: str = " → ") -> str:
    """A loop as text, shortened in its middle if it has more than seven names.

    >>> shown_loop(("A", "B", "A")), shown_loop("ABCDEFGA")
    ('A → B → A', 'A → B → C → … → F → G → A')
    """
    return arrow.join(loop if len(loop) <= 7 else [*loop[:3], "…", *loop[-3:]])


def _many(
    successors: Successors,
    most: int,
    is_over: Callable[[], bool],
    names: Sequence[str],
    signs: Mapping[tuple[str, str], Sign | None],
) -> Loops:
    """All loops or the shortest of them, read in blocks. Raises TooManyPaths."""
    found: list[Loop] = []
    has_ended = False
    kinds = _Kinds.of(names, signs)
    try:
        for block in shortest_circuits(successors, is_over):
            found += kinds.loops(block[: most + 1 - len(found)])  # of a block with more, no more are made
            if len(found) > most:
                break
        else:
            return Loops(tuple(found))
    except TimeIsUp:
        has_ended = True
    return Loops(tuple(found[:most]), True, _shortest_first(len(found[:most]), has_ended))


def _shortest_first(shown: int, has_ended: bool) -> str:
    return f"{'the time ran out: ' * has_ended}first {shown:,} shown, shortest first"


def _taken(coming: Iterator[Circuit], most: int) -> tuple[list[Circuit], bool]:
    """The first `most`, and whether the time ended before."""
    taken: list[Circuit] = []
    try:
        for circuit in islice(coming, most):
            taken.append(circuit)
    except TimeIsUp:
        return taken, True
    return taken, False


def _length_by_length(successors: Successors, is_over: Callable[[], bool]) -> Iterator[Circuit]:
    for length in range(1, len(successors) + 1):
        for circuit in circuits(successors, length, is_over):
            if len(circuit) == length:
                yield circuit


def _by_length(circuit: Circuit) -> tuple[int, Circuit]:
    return len(circuit), circuit


def _loop(circuit: Circuit, names: Sequence[str], signs: Mapping[tuple[str, str], Sign | None]) -> Loop:
    nodes = tuple(names[number] for number in circuit)
    passed = [signs[pair] for pair in Loop(nodes, None).edges]
    if None in passed:
        return Loop(nodes, None)
    return Loop(nodes, "B" if passed.count(Sign.MINUS) % 2 else "R")


@dataclass(frozen=True, slots=True)
class _Kinds:
    """Names by number, and node x node which edges have a minus, and which no settled sign."""

    names: NDArray[np.object_]
    minus: NDArray[np.bool_]
    unsettled: NDArray[np.bool_]

    @classmethod
    def of(cls, names: Sequence[str], signs: Mapping[tuple[str, str], Sign | None]) -> _Kinds:
        import numpy as np

        place = {name: number for number, name in enumerate(names)}
        minus, unsettled = (np.zeros((len(names), len(names)), dtype=np.bool_) for _ in range(2))
        for (source, sink), sign in signs.items():
            minus[place[source], place[sink]] = sign is Sign.MINUS
            unsettled[place[source], place[sink]] = sign is None
        return cls(np.array(names, dtype=np.object_), minus, unsettled)

    def loops(self, block: NDArray[np.int32]) -> Iterator[Loop]:
        """As `_loop`, of circuits x nodes."""
        import numpy as np

        at = block.astype(np.intp) * len(self.names)  # of each edge its place in the tables, read as rows
        at[:, :-1] += block[:, 1:]
        at[:, -1] += block[:, 0]
        is_odd = np.logical_xor.reduce(self.minus.ravel().take(at), axis=1)
        kinds = np.where(is_odd, "B", "R").astype(np.object_)
        kinds[self.unsettled.ravel().take(at).any(axis=1)] = None
        columns = (self.names.take(numbers).tolist() for numbers in block.T)
        return map(Loop, zip(*columns, strict=True), kinds.tolist())  # no list a loop, which becomes a tuple again
