"""The space of all queries: counted, numbered both ways, and drawn from, without listing it."""

from __future__ import annotations

import random
import time
import tracemalloc
from dataclasses import replace

import pytest

from core.errors import BadInput, InvalidGraph
from core.graphs.edge import Edge
from core.graphs.encodings import Encoding
from core.graphs.graph import CausalGraph
from core.graphs.naming import Naming
from core.graphs.orders import EdgeOrder
from core.graphs.queries import SIX, Query, QueryKind, QueryLevel, Truths, Variant, answer
from core.graphs.query_space import QuerySpace, counts
from core.graphs.random_dag import random_dag
from tests.core.graphs.asked_plainly import NETWORKS, UP_TO_40, network
from tests.everything import EVERYTHING

PAPER = (27, 37, 10, 20, 30)
EVERY = (*QueryKind, *Variant)


def test_the_papers_five_graphs_have_747_026_queries() -> None:
    found = counts(PAPER)
    assert found[QueryLevel.GRAPH] == dict(zip(SIX, (5, 5, 124, 124, 1687, 1687), strict=True))
    assert found[QueryLevel.NODE] == dict(zip(SIX, (124, 124, 3374, 3374, 48045, 48045), strict=True))
    contextual, synthetic = (sum(sum(each.values()) for each in counts(s).values()) for s in ((27, 37), (10, 20, 30)))
    assert (contextual, synthetic) == (70_532, 36_186)
    assert len(QuerySpace(PAPER)) == 747_026 == 7 * 106_718


def test_the_published_networks_have_12_316_046_queries_an_encoding() -> None:
    networks = [network(path.stem) for path in sorted(NETWORKS.glob("*.json"))]
    space = QuerySpace(networks)
    assert (len(networks), space.per_telling, len(space)) == (15, 12_316_046, 86_212_322)
    assert len(QuerySpace([network("andes")], encodings=[Encoding.JSON])) == 11_090_238
    assert sum(len(QuerySpace([network(name)], encodings=[Encoding.JSON])) for name in UP_TO_40) == 156_866


def test_number_and_query_are_inverse_for_the_papers_graphs() -> None:
    space = QuerySpace(PAPER, encodings=[Encoding.JSON])
    numbers = range(0, len(space), 1 if EVERYTHING else 17)
    assert [space.number_of(space[number]) for number in numbers] == list(numbers)
    print(f"{len(numbers):,} of {len(space):,} numbers and their queries are inverse")


def test_number_and_query_are_inverse_for_random_numbers_of_a_large_network() -> None:
    space = QuerySpace([network("andes")], EVERY, orders=tuple(EdgeOrder), namings=tuple(Naming))
    chance = random.Random(3)
    numbers = [chance.randrange(len(space)) for _ in range(10_000 if EVERYTHING else 1_000)]
    assert [space.number_of(space[number]) for number in numbers] == numbers


def test_every_number_is_another_query_and_every_query_is_there_once() -> None:
    graph = random_dag(5, 6, 4)
    space = QuerySpace([graph, 3], EVERY, encodings=[Encoding.JSON, Encoding.MULTI], namings=tuple(Naming))
    everything = [replace(each, number=0) for each in space]
    assert len(set(everything)) == len(everything) == len(space)
    assert space[-1] == space[len(space) - 1]
    with pytest.raises(IndexError, match="found the number"):
        space[len(space)]


def test_a_pair_is_asked_once_with_its_cause_first() -> None:
    alarm = network("alarm")
    truths = Truths.of(alarm)
    space = QuerySpace([alarm], [QueryKind.MEDIATOR], [QueryLevel.GRAPH], [Encoding.JSON])
    assert (len(space), sum(bool(answer(truths, each.query)) for each in space)) == (666, 44)
    in_file_order = [
        Query(kind=QueryKind.MEDIATOR, between=(a, b))
        for at, a in enumerate(alarm.nodes)
        for b in alarm.nodes[at + 1 :]
    ]
    assert sum(bool(answer(truths, query)) for query in in_file_order) == 24


def test_reversed_graphs_have_their_own_order_of_pairs() -> None:
    graph = CausalGraph.of([Edge("A", "M"), Edge("M", "B")])
    space = QuerySpace([graph], [QueryKind.MEDIATOR], [QueryLevel.GRAPH], [Encoding.JSON], namings=tuple(Naming))
    assert [each.query.between for each in space if each.naming is Naming.REVERSED] == [
        ("B", "M"),
        ("B", "A"),
        ("M", "A"),
    ]


def test_a_larger_sample_begins_with_every_smaller_one() -> None:
    space = QuerySpace(PAPER)
    hundred = space.sample(100, seed=1)
    assert space.sample(40, seed=1) == hundred[:40]
    assert space.sample(40, seed=2) != hundred[:40]
    assert len({each.number for each in hundred}) == 100
    assert [each.number for each in hundred[:3]] == [477_149, 660_493, 305_521]  # in every version of Python


def test_a_small_space_can_be_drawn_whole() -> None:
    space = QuerySpace([2], encodings=[Encoding.JSON])
    assert sorted(each.number for each in space.sample(len(space), seed=1)) == list(range(len(space)))
    with pytest.raises(BadInput, match=r"A sample of 17 needs as many queries; there are 16\."):
        space.sample(17, seed=1)


def test_a_thousand_queries_are_drawn_in_milliseconds_and_without_lists() -> None:
    networks = [network(path.stem) for path in sorted(NETWORKS.glob("*.json"))]
    QuerySpace(PAPER).sample(10, seed=1)
    began = time.process_time()
    QuerySpace(PAPER).sample(1_000, seed=1)
    took_ms = (time.process_time() - began) * 1000
    print(f"1,000 of 747,026 queries drawn and built in {took_ms:.1f} ms of processor time")
    assert took_ms < 50
    tracemalloc.start()
    QuerySpace(networks).sample(10, seed=1)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2_000_000, "86 million queries are not listed"


def test_a_graph_with_a_cycle_has_no_space_and_says_which_cycle() -> None:
    with pytest.raises(InvalidGraph, match="A → B → A"):
        QuerySpace([CausalGraph.of([Edge("A", "B"), Edge("B", "A")])])


@pytest.mark.parametrize(
    ("query", "told"),
    [
        (Query(kind=QueryKind.MEDIATOR, between=("2", "1")), "2 before 1"),
        (Query(kind=QueryKind.INTERVENTION, of="1"), "0, intervention, graph"),
        (Query(kind=QueryKind.PARENT, of="9"), "9"),
        (Query(kind=QueryKind.PARENT, of="1", node="1"), "1 twice"),
    ],
)
def test_a_query_outside_of_the_space_has_no_number(query: Query, told: str) -> None:
    space = QuerySpace([4])
    with pytest.raises(BadInput, match=rf" no query with {told}\.$"):
        space.number_of(replace(space[0], query=query))


@pytest.mark.parametrize("size", range(4))
def test_the_smallest_graphs_have_the_queries_there_are(size: int) -> None:
    space = QuerySpace([size], EVERY, encodings=[Encoding.JSON])
    assert [space.number_of(each) for each in space] == list(range(len(space)))
    assert len(space) == sum(sum(each.values()) for each in counts([size], EVERY).values())
