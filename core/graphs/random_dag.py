"""Random graphs without a cycle, with given numbers of nodes and edges."""

from __future__ import annotations

from math import comb

from core.errors import BadInput, TooLarge
from core.graphs.bounds import MOST_EDGES, MOST_NODES
from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.graphs.pairs import pair_at
from core.seeded_random import draw, shuffled
from core.words import counted


def random_dag(nodes: int, edges: int, seed: int) -> CausalGraph:
    """Return a random graph of `nodes` nodes "0" … "n-1" and `edges` edges, uniform: a random order of the nodes, then
    `edges` of its n(n-1)/2 pairs, each directed forward. With more edges the same seed gives a graph that contains this
    one.

    Edges are sorted by their names, so that their order does not reveal the nodes'. Raises BadInput for more edges than
    possible or for numbers below 0, TooLarge for a graph above the size limit.

    >>> [edge.pair for edge in random_dag(4, 3, seed=1).edges]
    [('0', '1'), ('0', '2'), ('2', '1')]
    """
    if min(nodes, edges) < 0:
        raise BadInput(f"Numbers of nodes and edges are 0 or more; found {min(nodes, edges):,}.")
    if nodes > MOST_NODES or edges > MOST_EDGES:
        raise TooLarge(f"A graph has at most {MOST_NODES:,} nodes and {MOST_EDGES:,} edges; fewer are needed.")
    most = comb(nodes, 2)
    if edges > most:
        holds = "holds" if nodes == 1 else "hold"
        raise BadInput(
            f"{counted(nodes, 'variable')} without a cycle {holds} at most {counted(most, 'edge')}; found {edges:,}."
        )
    order = [int(name) for name in shuffled(seed, "order", map(str, range(nodes)))]
    pairs = sorted((order[i], order[j]) for i, j in map(pair_at, _drawn(most, edges, seed)))
    names = [str(number) for number in range(nodes)]
    return CausalGraph(tuple(names), tuple(Edge(names[source], names[sink]) for source, sink in pairs))


def _drawn(below: int, size: int, seed: int) -> list[int]:
    """Return `size` different numbers in [0, `below`): the first steps of a shuffle, storing only what moved."""
    moved: dict[int, int] = {}
    numbers: list[int] = []
    for step in range(size):
        at = step + draw(seed, "edge", step, below - step)
        numbers.append(moved.get(at, at))
        moved[at] = moved.get(step, step)
    return numbers
