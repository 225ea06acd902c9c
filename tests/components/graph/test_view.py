"""The drawing handed to the browser: numbers for ids, text for labels, nothing from pyvis's own page."""

from __future__ import annotations

import json
import math
import re

import pytest
from pyvis.network import Network

from components.graph.view import (
    MAX_REACH,
    STYLE_COLOURS,
    Selection,
    StyledEdge,
    ViewMark,
    ViewNode,
    build_drawing,
    interactive_html,
    read_moved,
    read_selection,
    summary,
)
from core.errors import InvalidGraph
from core.graphs.labels import MAX_CAPTION
from core.graphs.layouts.layout import Point
from tests.components.test_colours import classes

NODES = [ViewNode("p", "Price"), ViewNode("d", "Demand"), ViewNode("x", "Weather")]
EDGES = [
    StyledEdge(id="e1", source_id="p", sink_id="d", sign="-", delay=True),
    StyledEdge(id="e2", source_id="d", sink_id="p", sign="+", flag="ambiguous arrow"),
]
PLACES = {"p": Point(0, 0), "d": Point(300, 0), "x": Point(0, 100)}
HOSTILE = [
    "</script><img src=x onerror=alert(1)>",
    'click <a href="javascript:alert(1)">href</a>',
    "__proto__",
    "![x](http://example.com/a.png)",
]


def test_nodes_and_edges_are_numbered_and_carry_our_ids() -> None:
    drawing = build_drawing(NODES, EDGES, PLACES)
    assert [(node["id"], node["ref"], node["label"]) for node in drawing["nodes"]] == [
        (0, "p", "Price"),
        (1, "d", "Demand"),
        (2, "x", "Weather"),
    ]
    assert [(edge["id"], edge["ref"], edge["from"], edge["to"]) for edge in drawing["edges"]] == [
        (0, "e1", 0, 1),
        (1, "e2", 1, 0),
    ]


def test_places_signs_and_marks_reach_the_drawing() -> None:
    drawing = build_drawing(NODES, EDGES, PLACES)
    assert [(node["x"], node["y"]) for node in drawing["nodes"]] == [(0, 0), (300, 0), (0, 100)]
    assert [edge["mark"] for edge in drawing["edges"]] == ["−", "+"]
    assert [edge["delay"] for edge in drawing["edges"]] == [True, False]
    assert [edge["flag"] for edge in drawing["edges"]] == ["", "ambiguous arrow"]


def test_a_reciprocal_pair_is_two_bowed_edges_and_a_lone_edge_is_straight() -> None:
    pair = build_drawing(NODES, EDGES, PLACES)["edges"]
    assert all(edge["bend"] > 0 for edge in pair)
    assert build_drawing(NODES, EDGES[:1], PLACES)["edges"][0]["bend"] == 0


def test_self_loops_isolated_nodes_and_edges_of_either_sign_are_kept() -> None:
    edges = [
        StyledEdge(id="a", source_id="p", sink_id="p"),
        StyledEdge(id="b", source_id="p", sink_id="d", sign="+"),
        StyledEdge(id="c", source_id="p", sink_id="d", sign="-"),
    ]
    drawing = build_drawing(NODES, edges, PLACES)
    assert len(drawing["nodes"]) == 3
    assert [(edge["from"], edge["to"]) for edge in drawing["edges"]] == [(0, 0), (0, 1), (0, 1)]


def test_the_empty_graph_draws() -> None:
    drawn = build_drawing([], [], {})
    assert (drawn["nodes"], drawn["edges"], drawn["marks"]) == ([], [], [])
    assert "0 nodes, 0 edges" in drawn["summary"]


def test_classes_badges_and_differing_signs_reach_the_drawing() -> None:
    nodes = [ViewNode("p", "Price", "matched", "2 names"), ViewNode("d", "Demand", "spurious")]
    edges = [StyledEdge(id="e", source_id="p", sink_id="d", sign="+", style="matched", differs="+ → −")]
    drawing = build_drawing(nodes, edges, PLACES)
    assert [(node["style"], node["badge"]) for node in drawing["nodes"]] == [("matched", "2 names"), ("spurious", "")]
    assert [(edge["style"], edge["mark"], edge["differs"]) for edge in drawing["edges"]] == [("matched", "+", "+ → −")]


def test_a_loops_mark_carries_the_numbers_of_its_nodes_in_order() -> None:
    marks = [ViewMark("R1", ("d", "p")), ViewMark("B1", ("x",))]
    assert build_drawing(NODES, EDGES, PLACES, marks)["marks"] == [
        {"text": "R1", "nodes": [1, 0]},
        {"text": "B1", "nodes": [2]},
    ]


@pytest.mark.parametrize("node_ids", [(), ("p", "gone")])
def test_a_mark_without_drawn_nodes_is_refused(node_ids: tuple[str, ...]) -> None:
    with pytest.raises(InvalidGraph, match="mark “R1”"):
        build_drawing(NODES, EDGES, PLACES, [ViewMark("R1", node_ids)])


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_stay_text_under_integer_ids(name: str) -> None:
    nodes = [ViewNode(name, name), ViewNode("b", "b")]
    drawing = build_drawing(
        nodes, [StyledEdge(id=name, source_id=name, sink_id="b", flag=name)], {name: Point(0, 0), "b": Point(1, 1)}
    )
    node, edge = drawing["nodes"][0], drawing["edges"][0]
    assert (node["id"], node["name"]) == (0, name)
    assert "".join(node["label"].split()) == "".join(name.split())  # the same letters, in lines
    assert set(node) == {
        "id",
        "label",
        "shape",
        "x",
        "y",
        "ref",
        "name",
        "style",
        "badge",
    }  # no title, no image: nothing is loaded
    assert set(edge) == {"id", "ref", "from", "to", "arrows", "bend", "mark", "delay", "flag", "style", "differs"}
    assert json.loads(json.dumps(drawing)) == drawing


def test_pyvis_never_writes_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("pyvis was asked for its HTML")

    for name in ("generate_html", "write_html", "show", "set_options", "from_DOT"):
        monkeypatch.setattr(Network, name, refuse)
    assert len(build_drawing(NODES, EDGES, PLACES)["nodes"]) == 3


def test_a_name_is_set_in_the_lines_that_the_layout_makes_room_for() -> None:
    drawn = build_drawing([ViewNode("a", "hares killed per lynx")], [], {"a": Point(0, 0)})["nodes"][0]
    assert drawn["label"].split("\n") == ["hares killed", "per lynx"]
    assert drawn["name"] == drawn["label"].replace("\n", " ")


def test_a_long_name_is_cut_in_the_figure_and_whole_beside_it() -> None:
    name = "yield " * 40
    drawn = build_drawing([ViewNode("a", name)], [], {"a": Point(0, 0)})["nodes"][0]
    assert len(drawn["label"]) <= MAX_CAPTION
    assert drawn["label"].endswith("…")
    assert drawn["name"] == name


def test_the_summary_counts_in_words() -> None:
    assert "3 nodes, 2 edges" in summary(NODES, EDGES)
    assert re.findall(r"(\d+) (plus|minus|without)", summary(NODES, EDGES)) == [
        ("1", "plus"),
        ("1", "minus"),
        ("0", "without"),
    ]
    compared = [
        StyledEdge(id="a", source_id="p", sink_id="d", style="matched"),
        StyledEdge(id="b", source_id="d", sink_id="x", sign="+", style="missed"),
    ]
    assert "2 edges (1 matched, 1 missed; 1 plus, 0 minus, 1 without" in summary(NODES, compared)


def test_the_summary_counts_classes_of_nodes_and_differing_signs() -> None:
    nodes = [ViewNode("p", "Price", "missed"), ViewNode("d", "Demand", "missed"), ViewNode("x", "Weather")]
    plain = [
        StyledEdge(id="a", source_id="p", sink_id="d", sign="+", differs="+ → −"),
        StyledEdge(id="b", source_id="d", sink_id="p", sign="-"),
    ]
    counts = [int(number) for number in re.findall(r"\d+", summary(nodes, plain))]
    assert counts == [3, 2, 2, 1, 1, 1, 0] and "(2 missed)" in summary(nodes, plain)


@pytest.mark.parametrize(
    ("nodes", "edges", "places", "message"),
    [
        ([*NODES, ViewNode("p", "Again")], [], PLACES, "Two nodes"),
        (NODES, [EDGES[0], EDGES[0]], PLACES, "Two edges"),
        (NODES, [StyledEdge(id="e", source_id="p", sink_id="gone")], PLACES, "not drawn"),
        (NODES, [], {"p": Point(0, 0)}, "“Demand” has no place"),
        (NODES, [StyledEdge(id="e", source_id="p", sink_id="d", sign="None")], PLACES, "sign “None”"),
        (NODES, [StyledEdge(id="e", source_id="p", sink_id="d", style="wrong")], PLACES, "style “wrong”"),  # type: ignore[arg-type]
        ([ViewNode("p", "Price", "reversed")], [], PLACES, "style “reversed”"),  # type: ignore[arg-type]
    ],
)
def test_what_cannot_be_drawn_is_refused(
    nodes: list[ViewNode], edges: list[StyledEdge], places: dict[str, Point], message: str
) -> None:
    with pytest.raises(InvalidGraph, match=message):
        build_drawing(nodes, edges, places)


def test_a_choice_of_a_drawn_thing_is_returned() -> None:
    assert read_selection({"kind": "node", "id": "p", "n": 3}, NODES, EDGES) == Selection("node", "p", 3)
    assert read_selection({"kind": "edge", "id": "e2", "n": 4}, NODES, EDGES) == Selection("edge", "e2", 4)


@pytest.mark.parametrize(
    "value",
    [
        None,
        "p",
        {"kind": "node", "id": "gone", "n": 1},
        {"kind": "node", "id": "e1", "n": 1},
        {"kind": "page", "id": "p", "n": 1},
        {"kind": "node", "id": 7, "n": 1},
        {"kind": "node", "id": "p", "n": "1"},
        {"kind": "node", "id": "p"},
    ],
)
def test_a_forged_or_stale_choice_is_no_choice(value: object) -> None:
    assert read_selection(value, NODES, EDGES) is None


def test_the_places_of_dragged_nodes_are_read_to_a_tenth_of_a_pixel() -> None:
    told = {"n": 3, "places": [["p", 12, -3.26], ["x", 0.0, 7]]}
    assert read_moved(told, NODES) == {"p": Point(12.0, -3.3), "x": Point(0.0, 7.0)}


@pytest.mark.parametrize(
    "row",
    [
        ["gone", 1, 2],
        ["p", 1],
        ["p", 1, 2, 3],
        ["p", "1", 2],
        ["p", True, 2],
        ["p", math.nan, 2],
        ["p", 1, math.inf],
        ["p", MAX_REACH * 1.01, 0],
        ["p", 10**400, 0],
        [["p"], 1, 2],
        "p12",
        None,
    ],
)
def test_a_forged_place_is_left_out_and_the_others_stay(row: object) -> None:
    assert read_moved({"places": [row, ["d", 1, 2]]}, NODES) == {"d": Point(1, 2)}


@pytest.mark.parametrize("value", [None, "p", 3, [], {}, {"places": "p"}, {"places": {"p": [1, 2]}}])
def test_what_is_no_list_of_places_moves_nothing(value: object) -> None:
    assert read_moved(value, NODES) == {}


def test_a_graph_in_one_file_has_a_policy_no_title_fields_and_no_ids_of_the_study() -> None:
    node, other = ViewNode("an-id", "Rain", badge="a badge"), ViewNode("other-id", "</script>")
    edge = StyledEdge(id="edge-id", source_id="an-id", sink_id="other-id", sign="-", flag="unclear")
    written = interactive_html([node, other], [edge], {"an-id": Point(0, 0), "other-id": Point(90, 0)}, "<b>Title</b>")
    policy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'"
    assert f'<meta http-equiv="Content-Security-Policy" content="{policy}">' in written
    assert "<h1>&lt;b&gt;Title&lt;/b&gt;</h1>" in written
    data = written.rpartition("<script>")[2]
    assert "title" not in data
    assert not re.search(r"an-id|other-id|edge-id|a badge|unclear", written)
    assert written.count("</script>") == 2
    assert not re.search(r"<(link|img|script)\b[^>]*(src|href)=", written)


def test_a_graph_in_one_file_has_the_colours_of_the_figure() -> None:
    colours = classes("light")
    assert {style: look["colour"] for style, look in STYLE_COLOURS.items() if style != "plain"} == colours
