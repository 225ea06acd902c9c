"""Loops: all of them, shortest first, with their kinds; and an end where there are too many."""

from __future__ import annotations

import json
import random
import tracemalloc
from collections.abc import Iterable
from itertools import permutations
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.graphs.circuits import circuits
from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.graphs.loops import Loop, find_loops
from core.sign import Sign
from tests.everything import EVERYTHING

REPORTED = Path(__file__).resolve().parents[4] / "shared" / "data" / "cld" / "sdai_loops"
MODELS = ["armsRace", "bassDiffusion", "inventoryWorkforce", "maibab", "marketGrowth", "predatorPrey"]
MODULAR = ["resourceUse", "urbanDynamics"]
NAMES = "ABCDEFG"
EDGES = st.lists(
    st.builds(Edge, st.sampled_from(NAMES), st.sampled_from(NAMES), st.sampled_from([None, Sign.PLUS, Sign.MINUS])),
    max_size=18,
)


def graph(*pairs: str) -> CausalGraph:
    """`graph("A+B", "BC")`: A → B with a plus, B → C without a sign."""
    return CausalGraph.of([Edge(pair[0], pair[-1], Sign(pair[1]) if len(pair) == 3 else None) for pair in pairs])


def found_in(*pairs: str) -> list[tuple[str, str | None]]:
    return [("".join(loop.nodes), loop.kind) for loop in find_loops(graph(*pairs)).loops]


# --- kinds and order --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pairs", "kind"),
    [
        (("A+B", "B+A"), "R"),
        (("A-B", "B+A"), "B"),
        (("A-B", "B-A"), "R"),
        (("A-B", "BA"), None),
        (("A-B", "A+B", "B+A"), None),  # conflicting
        (("A-B", "AB", "B+A"), None),  # once without a sign
        (("A-B", "A-B", "B+A"), "B"),  # listed twice alike
    ],
)
def test_the_product_of_signs_is_the_kind(pairs: tuple[str, ...], kind: str | None) -> None:
    assert found_in(*pairs) == [("AB", kind)]


def test_a_self_loop_is_a_loop() -> None:
    assert found_in("A-A", "AB") == [("A", "B")]


def test_loops_start_at_the_node_listed_first_and_come_shortest_first() -> None:
    assert found_in("C+A", "A+B", "B+C", "B+D", "D-B", "D+C", "C+C") == [
        ("C", "R"),
        ("BD", "B"),
        ("CAB", "R"),
        ("CABD", "R"),
    ]


def test_a_loop_names_its_edges_in_order() -> None:
    (loop,) = find_loops(graph("AB", "BC", "CA")).loops
    assert loop.edges == (("A", "B"), ("B", "C"), ("C", "A"))
    assert find_loops(graph("AA")).loops[0].edges == (("A", "A"),)


def test_a_graph_without_loops_has_none() -> None:
    for acyclic in (CausalGraph((), ()), graph("AB", "AC", "BC")):
        found = find_loops(acyclic)
        assert (found.loops, found.is_capped, found.reason) == ((), False, "")


# --- against networkx -------------------------------------------------------------------------------------------


def by_networkx(drawn: CausalGraph) -> list[tuple[str, ...]]:
    g = nx.DiGraph(edge.pair for edge in drawn.edges)
    return sorted((from_first(cycle, drawn.nodes) for cycle in nx.simple_cycles(g)), key=order_of(drawn))


def from_first(cycle: Iterable[str], nodes: tuple[str, ...]) -> tuple[str, ...]:
    names = list(cycle)
    place = names.index(min(names, key=nodes.index))
    return tuple(names[place:] + names[:place])


def order_of(drawn: CausalGraph) -> Any:
    return lambda names: (len(names), [drawn.nodes.index(name) for name in names])


@given(EDGES)
def test_loops_are_the_simple_cycles_of_networkx(edges: list[Edge]) -> None:
    drawn = CausalGraph.of(edges)
    assert [loop.nodes for loop in find_loops(drawn).loops] == by_networkx(drawn)


@given(EDGES, st.integers(1, 12))
def test_capped_loops_are_the_first_of_all(edges: list[Edge], most: int) -> None:
    drawn = CausalGraph.of(edges)
    everything, some = find_loops(drawn), find_loops(drawn, most=most)
    assert some.loops == everything.loops[:most]
    assert some.is_capped == (len(everything.loops) > most)
    assert bool(some.reason) == some.is_capped


@given(EDGES, st.integers(1, 7))
def test_a_bound_on_length_leaves_out_the_longer_ones_only(edges: list[Edge], longest: int) -> None:
    drawn = CausalGraph.of(edges, NAMES)
    ahead = [sorted({NAMES.index(e.sink) for e in edges if e.source == name}) for name in NAMES]
    shown = ["".join(NAMES[i] for i in circuit) for circuit in circuits(ahead, longest)]
    assert shown == sorted("".join(cycle) for cycle in by_networkx(drawn) if len(cycle) <= longest)


# --- too many ---------------------------------------------------------------------------------------------------


def dense_core(seed: int, core: int) -> CausalGraph:
    """140 nodes and 205 arrows, most of them in a core where circuits explode."""
    chance = random.Random(seed)
    pairs: set[tuple[int, int]] = set()
    while len(pairs) < 205 - (140 - core):
        source, sink = chance.randrange(core), chance.randrange(core)
        if source != sink:
            pairs.add((source, sink))
    pairs |= {(chance.randrange(core), node) for node in range(core, 140)}
    return CausalGraph.of([Edge(str(a), str(b)) for a, b in sorted(pairs)], map(str, range(140)))


def diamonds(count: int) -> CausalGraph:
    """A ring of diamonds: 2 to the power of `count` circuits, all of them long; none is found by short searches."""
    edges = []
    for i in range(count):
        start, end = f"{i}", f"{(i + 1) % count}"
        edges += [Edge(start, f"{i}a"), Edge(start, f"{i}b"), Edge(f"{i}a", end), Edge(f"{i}b", end)]
    return CausalGraph.of(edges)


class Clock:
    """An `is_over` that counts how often it is asked, and says yes from `end` on."""

    def __init__(self, end: int = 10**9) -> None:
        self.end, self.asked = end, 0

    def __call__(self) -> bool:
        self.asked += 1
        return self.asked > self.end


@pytest.mark.parametrize("drawn", [dense_core(1, 30)] + ([diamonds(46)] if EVERYTHING else []))
def test_too_many_loops_stop_at_the_bound_and_say_so(drawn: CausalGraph) -> None:
    found = find_loops(drawn)
    assert found.is_capped
    assert found.reason == "first 20,000 shown, shortest first"
    assert len(found.loops) == len({loop.nodes for loop in found.loops}) == 20_000
    lengths = [len(loop.nodes) for loop in found.loops]
    assert lengths == sorted(lengths)


def test_the_longest_of_too_many_loops_are_held_in_little_memory() -> None:
    drawn = diamonds(46)
    tracemalloc.start()
    found = find_loops(drawn, most=2_000)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(found.loops) == 2_000
    assert peak < 15_000_000  # bytes; the loops themselves take a third of it


def test_the_first_loops_of_too_many_are_the_shortest() -> None:
    drawn = dense_core(1, 30)
    g = nx.DiGraph(edge.pair for edge in drawn.edges)
    short = sorted((from_first(c, drawn.nodes) for c in nx.simple_cycles(g, length_bound=8)), key=order_of(drawn))
    assert len(short) > 100
    assert [loop.nodes for loop in find_loops(drawn).loops if len(loop.nodes) <= 8] == short


def test_many_loops_have_the_kind_of_the_product_of_their_signs() -> None:
    chance = random.Random(2)
    signs = {edge.pair: chance.choice([Sign.PLUS, Sign.PLUS, Sign.MINUS, None]) for edge in dense_core(1, 14).edges}
    drawn = CausalGraph.of([Edge(*pair, sign) for pair, sign in signs.items()])
    found = find_loops(drawn, most=3_001).loops
    assert len(found) == 3_001

    def kind(loop: Loop) -> str | None:
        passed = [signs[pair] for pair in loop.edges]
        return None if None in passed else "B" if passed.count(Sign.MINUS) % 2 else "R"

    assert [loop.kind for loop in found] == [kind(loop) for loop in found]
    assert {loop.kind for loop in found} == {"R", "B", None}


def test_the_end_of_the_time_ends_the_search() -> None:
    found = find_loops(diamonds(60), most=10**9, is_over=Clock(5))
    assert found.is_capped
    assert found.reason.startswith("the time ran out: ")
    assert len(found.loops) < 5_000


def test_paths_that_cannot_return_are_not_tried_again() -> None:
    # From 0 a ladder of 40 diamonds leads to a node that acts only on 1, which stands on every path: Johnson's case.
    ladder = [e for e in diamonds(40).edges if e.sink != "0"]
    edges = [Edge("start", "0"), Edge("0", "start"), *ladder, Edge("39a", "0"), Edge("39b", "0")]
    drawn = CausalGraph.of(edges, ["start"])
    clock = Clock(200)  # some hundred thousand steps; the ladder has 2 to the power of 40 paths
    found = find_loops(drawn, most=1, is_over=clock)
    assert [loop.nodes for loop in found.loops] == [("start", "0")]
    assert found.reason.startswith("first 1 shown")


def test_time_that_ends_while_the_shortest_are_sought_leaves_the_shortest() -> None:
    full = CausalGraph.of([Edge(a, b) for a, b in permutations("ABCDEFGHIJKL", 2)])
    clock = Clock()
    everything = find_loops(full, is_over=clock)
    found = find_loops(full, is_over=Clock(clock.asked - 5))
    assert "time ran out" in found.reason
    assert f"first {len(found.loops):,} shown" in found.reason
    assert 0 < len(found.loops) < 20_000
    assert found.loops == everything.loops[: len(found.loops)]


# --- what a simulator reported ----------------------------------------------------------------------------------


def model(name: str) -> dict[str, Any]:
    file = REPORTED / f"{name}.json"
    if not file.exists():
        pytest.skip(f"{file.name} is not here")
    content: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return content


def drawn_in(content: dict[str, Any]) -> list[Edge]:
    return [Edge(e["source"], e["sink"], e["polarity"] and Sign(e["polarity"])) for e in content["edges"]]


def reported(content: dict[str, Any], nodes: tuple[str, ...]) -> set[Loop]:
    loops = {
        Loop(from_first([link["source"] for link in loop["links"]], nodes), loop["type"])
        for loop in content["reported_loops"]
    }
    assert len(loops) == len(content["reported_loops"])
    return loops


@pytest.mark.parametrize("name", MODELS)
def test_every_loop_a_simulator_reported_is_found_with_its_kind(name: str) -> None:
    """Reported loops are exactly ours over the arrows that any reported loop runs along.

    For five models that is every arrow of every loop. Of maibab's ten loops the simulator left out three: they pass
    through food availability, whose effect it saw in no loop.
    """
    content = model(name)
    drawn = CausalGraph.of(drawn_in(content), [node["id"] for node in content["nodes"]])
    ours, theirs = set(find_loops(drawn).loops), reported(content, drawn.nodes)
    run_along = {pair for loop in theirs for pair in loop.edges}
    assert {loop for loop in ours if set(loop.edges) <= run_along} == theirs
    left_out = ours - theirs
    assert len(left_out) == (3 if name == "maibab" else 0)
    assert all("Food Availability" in loop.nodes and loop.kind is None for loop in left_out)


@pytest.mark.parametrize("name", MODULAR)
def test_loops_across_modules_are_found_once_ghosts_are_resolved(name: str) -> None:
    """These models are drawn in modules. A variable of another module is drawn again as a ghost, `Here.Variable`,
    and joined to the original by nothing but a self-loop at the original; arrows leave the ghost unsigned.
    """
    content = model(name)
    originals = {e["source"].split(".")[1]: e["source"] for e in content["edges"] if e["source"] == e["sink"]}
    links = {
        (link["source"], link["sink"]): link["polarity"] for loop in content["reported_loops"] for link in loop["links"]
    }
    resolved = []
    for edge in drawn_in(content):
        pair = (originals.get(edge.source.split(".")[1], edge.source), edge.sink)
        if not edge.is_self_loop:
            known = links.get(pair)
            resolved.append(Edge(*pair, edge.sign or (Sign(known) if known else None)))
    drawn = CausalGraph.of(resolved)
    assert set(find_loops(drawn).loops) == reported(content, drawn.nodes)
