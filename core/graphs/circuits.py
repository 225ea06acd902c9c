"""Elementary circuits of a directed graph of numbered nodes, one after another, with bounded time between two."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from core.graphs.graph import CausalGraph

Successors = Sequence[Sequence[int]]  # per node its successors, ascending and each once

_Links = dict[int, list[int]]

_FAR = 1 << 60  # more than any path length
_STEPS = 512  # between two checks of the time


class TimeLimitReached(Exception):
    """The caller's `is_over` returned True; circuits yielded before are valid."""


def never() -> bool:
    """Default `is_over`: no time limit."""
    return False


def successors_of(graph: CausalGraph) -> Successors:
    """Return the graph with its nodes numbered in their order, and each ordered pair once."""
    number = {name: place for place, name in enumerate(graph.nodes)}
    followers: list[set[int]] = [set() for _ in graph.nodes]
    for edge in graph.edges:
        followers[number[edge.source]].add(number[edge.sink])
    return [sorted(others) for others in followers]


def predecessors_of(successors: Successors) -> list[list[int]]:
    behind: list[list[int]] = [[] for _ in successors]
    for node, others in enumerate(successors):
        for other in others:
            behind[other].append(node)
    return behind


def strong_parts(successors: Successors) -> list[list[int]]:
    """Return the strongly connected components, each ascending. Tarjan 1972, without recursion.

    Not from networkx, since it takes the same time (292 diagrams: 10 and 11 ms), and a worker that answers queries
    about graphs avoids the 20 MB of networkx."""
    order: dict[int, int] = {}
    low = [0] * len(successors)
    is_open = bytearray(len(successors))
    opened: list[int] = []
    parts: list[list[int]] = []

    def entered(node: int) -> tuple[int, Iterator[int]]:
        order[node] = low[node] = len(order)
        is_open[node] = True
        opened.append(node)
        return node, iter(successors[node])

    for root in range(len(successors)):
        stack = [] if root in order else [entered(root)]
        while stack:
            node, ahead = stack[-1]
            following = next(ahead, None)
            if following is None:
                stack.pop()
                if stack:
                    low[stack[-1][0]] = min(low[stack[-1][0]], low[node])
                if low[node] == order[node]:
                    parts.append(sorted(_closed(opened, node, is_open)))
            elif following not in order:
                stack.append(entered(following))
            elif is_open[following]:
                low[node] = min(low[node], order[following])
    return parts


def _closed(opened: list[int], root: int, is_open: bytearray) -> Iterator[int]:
    """Yield the nodes of the component of `root` and remove them from the open ones."""
    while True:
        node = opened.pop()
        is_open[node] = False
        yield node
        if node == root:
            return


def circuits(
    successors: Successors, longest: int | None = None, is_over: Callable[[], bool] = never
) -> Iterator[tuple[int, ...]]:
    """Yield every elementary circuit of at most `longest` nodes (None: of any length), once, from its least node on.

    They come in lexicographic order; self-loops and circuits of two are among them. There are at most polynomially many
    steps between two circuits. Raises TimeLimitReached when `is_over()`, which is called every few hundred steps.

    Not networkx's `simple_cycles`: it cannot be interrupted between two circuits, its order depends on the hashes of
    the names, and 292 diagrams take 165 ms instead of 100."""
    clock = _Clock(is_over)
    ahead, behind = _inner_links(successors)
    for start in list(ahead):
        clock.look()
        yield from _from_start(start, ahead, behind, longest, clock)
        for other in ahead.pop(start):
            behind[other].remove(start)
        for other in behind.pop(start):
            ahead[other].remove(start)


def _inner_links(successors: Successors) -> tuple[_Links, _Links]:
    """Return (successors, predecessors) inside the strongly connected components, of the nodes that have any."""
    part_of = {node: number for number, part in enumerate(strong_parts(successors)) for node in part}
    ahead: _Links = {}
    behind: _Links = {}
    for node, others in enumerate(successors):
        inner = [other for other in others if part_of[other] == part_of[node]]
        if inner:
            ahead[node] = inner
        for other in inner:
            behind.setdefault(other, []).append(node)
    return ahead, behind


class _Clock:
    def __init__(self, is_over: Callable[[], bool]) -> None:
        self._is_over = is_over
        self._steps = 0

    def step(self) -> None:
        self._steps += 1
        if self._steps >= _STEPS:
            self.look()

    def look(self) -> None:
        self._steps = 0
        if self._is_over():
            raise TimeLimitReached


def _from_start(
    start: int, ahead: _Links, behind: _Links, longest: int | None, clock: _Clock
) -> Iterator[tuple[int, ...]]:
    """Yield circuits through `start` in the remaining graph, by depth-first search with barriers.

    `barrier[v]` is at most the distance from v to `start` around the path. Where a node fails, its barrier rises above
    the steps that were left, so that it is not tried again; where it succeeds, barriers that rose because it was on the
    path sink again. (Peng et al. 2019, "Hop-constrained s-t simple path enumeration", PVLDB 13; without a bound this is
    the blocking of Johnson 1975.) Invariant for every node off the path: barrier[v] ≤ 1 + barrier[w] for each successor
    w off the path, barrier[v] ≤ 1 if v acts on `start`."""
    limit = _FAR // 2 if longest is None else longest
    barrier = _distances_to(start, behind)
    path, on_path, has_circuit = [start], {start}, [False]
    waiting = [iter(ahead[start])]
    while path:
        clock.step()
        following = next(waiting[-1], None)
        if following is None:
            node, has_found = path.pop(), has_circuit.pop()
            waiting.pop()
            on_path.discard(node)
            if path:
                has_circuit[-1] = has_circuit[-1] or has_found
                if has_found:
                    _sink(node, start, barrier, ahead, behind, on_path)
                else:
                    barrier[node] = _FAR if longest is None else limit - len(path) + 1
        elif following == start:
            has_circuit[-1] = True
            yield tuple(path)
        elif following not in on_path and len(path) + barrier.get(following, _FAR) <= limit:
            path.append(following)
            on_path.add(following)
            has_circuit.append(False)
            waiting.append(iter(ahead[following]))


def _sink(node: int, start: int, barrier: dict[int, int], ahead: _Links, behind: _Links, on_path: set[int]) -> None:
    """Lower the barriers in front of a node that leaves the path with success."""
    steps = [barrier.get(other, _FAR) for other in ahead[node] if other == start or other not in on_path]
    barrier[node] = 1 + min(steps)
    lowered = [node]
    while lowered:
        last = lowered.pop()
        for other in behind[last]:
            if other not in on_path and barrier[other] > barrier[last] + 1:
                barrier[other] = barrier[last] + 1
                lowered.append(other)


def _distances_to(start: int, behind: _Links) -> dict[int, int]:
    steps = {start: 0}
    queue = [start]
    for node in queue:
        for other in behind[node]:
            if other not in steps:
                steps[other] = steps[node] + 1
                queue.append(other)
    return steps
