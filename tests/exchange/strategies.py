"""What the tests of graph files share: random causal graphs with every trap in their names, and the real ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import strategies as st

from core.errors import InvalidName
from core.graphs.edge import Edge, EdgeFlag
from core.graphs.graph import CausalGraph
from core.graphs.layouts.layout import Point
from core.graphs.names import clean_name
from core.sign import Sign, parse_edge_sign

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"
"""Real inputs, beside the repository; absent on a machine that has only the repository."""


def _is_legal(name: str) -> bool:
    try:
        return clean_name(name) == name
    except InvalidName:
        return False


_PIECES = st.sampled_from(
    [
        '"',
        "->",
        ",",
        "'",
        "=",
        "%20",
        "-",
        "&amp;",
        "<b>",
        "]]>",
        "ü",
        "🐟",
        "None",
        "null",
        "007",
        "_x000C_",
        "x",
        "n0",
    ]
)
NAMES = st.one_of(st.text(min_size=1, max_size=8), st.lists(_PIECES, min_size=1, max_size=5).map("".join)).filter(
    _is_legal
)
NOTES = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=10),
    st.text(st.sampled_from(" \n\r\t\x01\x0c_x0Cc5F&<\"'\uffff"), max_size=10),
)
EDGES = st.builds(
    Edge,
    NAMES,
    NAMES,
    st.sampled_from([None, Sign.PLUS, Sign.MINUS]),
    st.booleans(),
    NOTES,
    st.sampled_from([None, *EdgeFlag]),
)
GRAPHS = st.builds(
    CausalGraph.of,
    st.lists(EDGES, max_size=6, unique_by=lambda edge: (edge.pair, edge.sign)),
    st.lists(NAMES, max_size=4),
)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def placed_graphs(draw: st.DrawFn) -> tuple[CausalGraph, dict[str, Point]]:
    """A graph, and places for some of its nodes."""
    graph = draw(GRAPHS)
    placed = [name for name in graph.nodes if draw(st.booleans())]
    return graph, {name: Point(draw(NUMBERS), draw(NUMBERS)) for name in placed}


TRICKY = CausalGraph.of(
    [
        Edge('A, "x"', "<b>Größe</b>", Sign.PLUS, True, "see\r\n\x0cp. 3 _x000C_\t", EdgeFlag.NOT_CAUSAL),
        Edge('A, "x"', "<b>Größe</b>", Sign.MINUS),
        Edge('A, "x"', "<b>Größe</b>"),
        Edge("None", "None", Sign.MINUS),
        Edge("<b>Größe</b>", 'A, "x"', note=" \n "),
    ],
    ["50 % & more", "🐟 {fish}"],
)
"""Arrows that differ only in sign, a self-loop, a reciprocal pair, isolated nodes, names and notes full of traps."""


def real_clds() -> dict[str, tuple[CausalGraph, dict[str, Point]]]:
    """The published causal loop diagrams by file name, with the places they have. Skips where they are absent."""
    paths = [path for path in sorted((DATA / "cld").rglob("*.json")) if "raw" not in path.parts]
    found = {path.stem: json.loads(path.read_text("utf-8")) for path in paths}
    _skip_if_absent(found)
    return {name: _cld(held) for name, held in found.items() if "nodes" in held and "edges" in held}


def real_networks() -> dict[str, CausalGraph]:
    """The published Bayesian networks by file name. Skips where they are absent."""
    found = {path.stem: json.loads(path.read_text("utf-8")) for path in sorted((DATA / "bnlearn").glob("*.json"))}
    _skip_if_absent(found)
    return {
        name: CausalGraph.of([Edge(edge["source"], edge["sink"]) for edge in held["edges"]], held["nodes"])
        for name, held in found.items()
    }


def _cld(held: dict[str, list[dict[str, str]]]) -> tuple[CausalGraph, dict[str, Point]]:
    edges = [
        Edge(clean_name(edge["source"]), clean_name(edge["sink"]), parse_edge_sign(edge.get("polarity")))
        for edge in held["edges"]
    ]
    placed = [node for node in held["nodes"] if node.get("x") is not None and node.get("y") is not None]
    places = {clean_name(node["id"]): Point(float(node["x"]), float(node["y"])) for node in placed}
    unique = {(edge.pair, edge.sign): edge for edge in edges}.values()
    return CausalGraph.of(unique, [clean_name(node["id"]) for node in held["nodes"]]), places


def _skip_if_absent(found: dict[str, dict[str, list[dict[str, str]]]]) -> None:
    if not found:
        pytest.skip(f"real graphs are not at {DATA}")
