"""Random graphs without a cycle: of the size that is asked for, the same everywhere, drawn without favour."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb

import networkx as nx
import pytest

from core.errors import BadInput, TooLarge
from core.graphs.pairs import pair_at, pair_number
from core.graphs.random_dag import random_dag
from core.seeded_random import draw
from tests.core.graphs.asked_plainly import drawn


@pytest.mark.parametrize(("nodes", "edges"), [(0, 0), (1, 0), (2, 1), (10, 45), (20, 30), (30, 60), (200, 400)])
def test_it_has_its_nodes_and_edges_and_no_cycle(nodes: int, edges: int) -> None:
    for seed in range(5):
        graph = random_dag(nodes, edges, seed)
        assert graph.nodes == tuple(map(str, range(nodes)))
        assert len({edge.pair for edge in graph.edges}) == edges
        assert nx.is_directed_acyclic_graph(drawn(graph))


def test_the_same_seed_gives_the_same_graph_on_every_machine() -> None:
    assert [edge.pair for edge in random_dag(4, 3, seed=1).edges] == [("0", "1"), ("0", "2"), ("2", "1")]
    assert random_dag(30, 60, seed=1) != random_dag(30, 60, seed=2)
    assert [draw(1, "sample", number, 1_000) for number in range(3)] == [731, 162, 705]


def test_more_edges_contain_fewer() -> None:
    few, many = ({edge.pair for edge in random_dag(20, edges, seed=3).edges} for edges in (15, 40))
    assert few < many


def test_every_ordered_pair_is_drawn_about_as_often() -> None:
    seen = Counter(edge.pair for seed in range(600) for edge in random_dag(4, 2, seed).edges)
    assert len(seen) == 12
    assert min(seen.values()) > 65 and max(seen.values()) < 140  # 100 each on average


def test_pairs_are_numbered_without_gaps() -> None:
    assert [pair_number(*pair_at(number)) for number in range(500)] == list(range(500))
    assert sorted(map(pair_at, range(comb(9, 2)))) == sorted(combinations(range(9), 2))
    far = 10**40
    assert pair_number(*pair_at(far)) == far


def test_what_cannot_be_is_refused_with_the_bound() -> None:
    with pytest.raises(BadInput, match=r"^10 variables without a cycle hold at most 45 edges; found 60\.$"):
        random_dag(10, 60, seed=1)
    with pytest.raises(BadInput, match=r"^1 variable without a cycle holds at most 0 edges; found 1\.$"):
        random_dag(1, 1, seed=1)
    with pytest.raises(BadInput, match="found -1"):
        random_dag(-1, 0, seed=1)
    with pytest.raises(TooLarge, match="at most 20,000 nodes"):
        random_dag(20_001, 0, seed=1)
