"""Vensim sketches: what real models hold, exact round trips, and a message for whatever cannot be read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InvalidName, UnknownEncoding, UnreadableFile
from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.graphs.layouts.layout import Point
from core.graphs.names import clean_name
from core.sign import Sign
from exchange.graphs import GraphForm, read_edges, recognised, write_graph
from exchange.vensim import is_mine, obstacle, read, write
from tests.everything import EVERYTHING

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"
SKETCH = "\\\\\\---/// Sketch information\nV300  Do not put anything below\n*View 1\n$192-192-192,0,Arial|12\n"
END = "///---\\\\\\\n:L<%^E!@\n"


def _is_legal(name: str) -> bool:
    try:
        return clean_name(name) == name
    except InvalidName:
        return False


_PIECES = st.sampled_from(
    ['"', "\\", "\\n", ",", "<", ">", "|", "~", "_", "10,1", "///---\\\\\\", "ü", "{UTF-8}", "x", "é"]
)
NAMES = st.one_of(st.text(min_size=1, max_size=8), st.lists(_PIECES, min_size=1, max_size=5).map("".join)).filter(
    _is_legal
)
EDGES = st.builds(Edge, NAMES, NAMES, st.sampled_from([None, Sign.PLUS, Sign.MINUS]), st.booleans())
GRAPHS = st.builds(
    CausalGraph.of,
    st.lists(EDGES, max_size=6, unique_by=lambda edge: (edge.pair, edge.sign)),
    st.lists(NAMES, max_size=4),
)


def _sketch(*lines: str) -> str:
    return SKETCH + "\n".join([*lines, END])


def _edges(graph: CausalGraph) -> list[tuple[str, str, str | None]]:
    return [(edge.source, edge.sink, edge.sign) for edge in graph.edges]


@given(GRAPHS)
def test_what_is_written_is_read_back_exactly(graph: CausalGraph) -> None:
    if why := obstacle(graph):
        assert "rename" in why
        return
    places = {name: Point(40.0 * k - 100, 25.0 * k) for k, name in enumerate(graph.nodes)}
    content = write(graph, places)
    assert content == write(graph, places)
    back = read(content.decode("utf-8"), "graph.mdl")
    assert (back.graph, back.faults, dict(back.places)) == (graph, (), places)
    assert recognised(content, "nameless") is GraphForm.VENSIM


@pytest.mark.parametrize(
    ("names", "says"),
    [
        (["Unit_Cost", "unit cost"], "Vensim takes “Unit_Cost” and “unit cost” for one variable"),
        (["<Price>"], "reads “<Price>” as a shadow of “Price”"),
    ],
)
def test_names_vensim_would_read_otherwise_are_refused(names: list[str], says: str) -> None:
    assert says in obstacle(CausalGraph.of([], names))


def test_what_vensim_sets_itself_is_no_variable_of_a_graph() -> None:
    for graph in (CausalGraph.of([Edge("Delay", "Time")]), CausalGraph.of([], ["time"])):
        assert "itself, so it cannot be a variable of the graph; rename it" in obstacle(graph)
    assert "so no arrow can point to it" in obstacle(CausalGraph.of([Edge("Delay", "Final_Time")]))
    drawn = CausalGraph.of([Edge("FINAL TIME", "Delay"), Edge("Time to harvest", "DT")], ["SAVEPER"])
    assert obstacle(drawn) == ""
    assert read(write(drawn).decode(), "g.mdl").graph == drawn


@pytest.mark.parametrize(
    "drawn",
    ["Time,90,40,9,9,8,2,0", "<Time>,90,40,9,9,8,3,0", "TIME_STEP,90,40,9,9,8,2,0", '"Final Time",1,2,9,9,8,2,0'],
)
def test_the_time_of_the_simulation_is_no_node(drawn: str) -> None:
    found = read(
        _sketch(
            f"10,1,{drawn}",
            "10,2,Harvest,10,20,9,9,8,3,0",
            "10,3,Income,50,20,9,9,8,3,0",
            "1,4,1,2,1,0,43,0,0,64,0,-1--1--1,,1|(0,0)|",
            "1,5,2,3,1,0,43,0,0,64,0,-1--1--1,,1|(0,0)|",
        ),
        "m.mdl",
    )
    assert (found.graph.nodes, _edges(found.graph), found.faults) == (
        ("Harvest", "Income"),
        [("Harvest", "Income", "+")],
        (),
    )
    assert found.notices == (
        "Variables of Vensim's own (such as Time) left out: 1.",
        "Arrows from or to them left out: 1.",
    )


def test_the_written_model_has_equations_and_arrows_that_keep_apart() -> None:
    graph = CausalGraph.of([Edge("Price, net", "Demand", Sign.MINUS, delay=True), Edge("Demand", "Price, net")])
    text = write(graph, {"Price, net": Point(0, 0), "Demand": Point(236.4, 0)}).decode("utf-8")
    assert text.startswith('{UTF-8}\n"Price, net"  = A FUNCTION OF( Demand)\n')
    assert '10,1,"Price, net",0,0,' in text
    assert "10,2,Demand,236,0," in text
    assert "1,3,1,2,1,0,45,0,0,129,0,-1--1--1,,1|(118,-17)|" in text
    assert "1,4,2,1,1,0,0,0,0,128,0,-1--1--1,,1|(118,17)|" in text


@pytest.mark.skipif(not (DATA / "cld").is_dir(), reason="the shared diagrams are not on this machine")
@pytest.mark.parametrize(
    ("raw", "truth"),
    [
        ("sir", "sir_view1"),
        ("workforce", "workforce_view1"),
        ("ims_burnout", "ims_fhs_signed/burnout"),
        ("ims_cld-comma-and-umlaut", "ims_fhs_signed/cld-comma-and-umlaut"),
        ("ims_flexible-arbeitszeiten", "ims_fhs_signed/flexible-arbeitszeiten"),
        ("sdbot_participant_20", "sdbot_lake_urmia/p20"),
        ("sdbot_participant_29", "sdbot_lake_urmia/p29"),
    ],
)
def test_real_sketches_hold_what_their_coders_counted(raw: str, truth: str) -> None:
    expected = json.loads((DATA / "cld" / f"{truth}.json").read_text("utf-8"))
    found = read_edges((DATA / "cld" / "raw" / f"{raw}.mdl").read_bytes(), f"{raw}.mdl")
    assert found.faults == ()
    assert list(found.graph.nodes) == [node["id"] for node in expected["nodes"]]
    assert _edges(found.graph) == [(edge["source"], edge["sink"], edge["polarity"]) for edge in expected["edges"]]
    assert dict(found.places) == {node["id"]: Point(node["x"], node["y"]) for node in expected["nodes"]}


@pytest.mark.skipif(not (DATA / "cld").is_dir(), reason="the shared diagrams are not on this machine")
def test_delay_marks_stand_on_the_inputs_of_delay_functions() -> None:
    content = (DATA / "cld" / "raw" / "covid_correct.mdl").read_bytes()
    found = read_edges(content, "covid_correct.mdl")
    assert (len(found.graph.nodes), len(found.graph.edges)) == (34, 58)  # without Time and its two arrows
    assert [edge.pair for edge in found.graph.edges if edge.delay] == [
        ("Infection", "Total incubation"),
        ("Asymptomatic incubation", "Recovery without symptoms"),
        ("Incubation", "Developing symptoms"),
        ("Developing symptoms", "Total exiting symptomatic infectious"),
        ("Recovery", "Losing immunity"),
        ("Recovery without symptoms", "Losing immunity"),
    ]


@pytest.mark.skipif(not EVERYTHING, reason="tests/exchange/test_every_form.py takes a sixth of them through every form")
@pytest.mark.skipif(not (DATA / "cld").is_dir(), reason="the shared diagrams are not on this machine")
def test_every_shared_diagram_survives() -> None:
    paths = [*DATA.glob("cld/**/*.json"), *DATA.glob("bnlearn/*.json")]
    kept = 0
    for path in sorted(paths):
        drawn = json.loads(path.read_text("utf-8"))
        if not (isinstance(drawn, dict) and isinstance(drawn.get("edges"), list) and drawn.get("nodes")):
            continue
        graph = _graph_of(drawn)
        assert obstacle(graph) == "", path.name
        back = read_edges(write_graph(graph, GraphForm.VENSIM), "graph.mdl")
        assert (back.graph, back.faults) == (graph, ()), path.name
        kept += 1
    assert kept >= 65


def _graph_of(drawn: dict[str, Any]) -> CausalGraph:
    names = [node if isinstance(node, str) else node["id"] for node in drawn["nodes"]]
    edges = [
        (edge[0], edge[1], None) if isinstance(edge, list) else (edge["source"], edge["sink"], edge.get("polarity"))
        for edge in drawn["edges"]
    ]
    return CausalGraph.of((Edge(a, b, Sign(sign) if sign else None) for a, b, sign in edges), names)


def test_views_are_one_graph_and_shadows_one_node() -> None:
    first = _sketch(
        "10,1,Price,10,20,9,9,8,3,0", "10,2,Demand,90,40,9,9,8,3,0", "1,3,1,2,1,0,0,0,0,64,0,-1--1--1,,1|(0,0)|"
    )
    second = _sketch(
        "10,1,PRICE,5,6,9,9,8,2,0",
        "10,2,Demand,90,40,9,9,8,3,0",
        "10,3,Supply,7,8,9,9,8,3,0",
        "1,4,1,2,1,0,45,0,0,64,0,-1--1--1,,1|(0,0)|",
        "1,5,3,1,1,0,115,0,0,65,0,-1--1--1,,1|(0,0)|",
    )
    found = read(first.removesuffix(END) + second, "two views.mdl")
    assert found.faults == ()
    assert _edges(found.graph) == [("Price", "Demand", "-"), ("Supply", "Price", "+")]
    assert [edge.delay for edge in found.graph.edges] == [False, True]
    assert dict(found.places) == {"Price": Point(10, 20), "Demand": Point(90, 40), "Supply": Point(7, 168)}
    assert found.notices[:2] == (
        "The 2 views were read as one graph and placed one below another.",
        "Variables drawn more than once, as shadows, each of them one node: 2 (Price, Demand).",
    )
    assert "Arrows drawn in more than one view and read once: 1." in found.notices


def test_what_is_no_variable_is_counted_and_left_out() -> None:
    text = _sketch(
        "12,1,0,1,1,9,9,8,4,0,0,-1",
        "10,2,not a variable but a comment's text",
        "12,3,48,1,1,9,9,0,3,0,0,-1",
        "10,4,Stock,1,1,9,9,3,3,0",
        "11,5,48,1,1,6,8,34,3,0",
        "10,6,Flow,1,1,9,9,40,3,0",
        "1,7,5,4,4,0,0,22,0,0,0,-1--1--1,,1|(0,0)|",
        "1,8,5,3,100,0,0,22,0,0,0,-1--1--1,,1|(0,0)|",
        "1,9,4,1,0,0,0,0,0,64,0,-1--1--1,,1|(0,0)|",
        "1,10,4,5,0,1,43,0,0,64,0,-1--1--1,,1|(0,0)|",
        "stray",
    )
    found = read(text, "flow.mdl")
    assert found.faults == ()
    assert _edges(found.graph) == [("Flow", "Stock", "+"), ("Stock", "Flow", "+")]
    assert found.notices == (
        "Comments, loop marks and pictures left out, because they are not variables: 1.",
        "Clouds left out, where flows begin or end outside the model: 1.",
        "Arrows that are hidden in the sketch and were read like the others: 1.",
        "Edges that come from the pipes of flows, + into a stock and - out of it: 1.",
        "Arrows left out because they begin or end at a comment, a cloud or a flow without a name: 1.",
        "Lines of the sketch left out, because they are unknown objects: 1 (line 15).",
    )


def test_a_flow_either_way_has_no_sign() -> None:
    text = _sketch(
        "10,1,A,1,1,9,9,3,3,0",
        "10,2,B,9,1,9,9,3,3,0",
        "11,3,0,1,1,6,8,34,3,0",
        "10,4,Flow,1,1,9,9,40,3,0",
        "1,5,3,1,4,0,0,22,0,0,0,-1--1--1,,1|(0,0)|",
        "1,6,3,2,4,0,0,22,0,0,0,-1--1--1,,1|(0,0)|",
    )
    assert _edges(read(text, "flow.mdl").graph) == [("Flow", "A", None), ("Flow", "B", None)]


def test_faulty_lines_are_named_and_the_good_ones_kept() -> None:
    text = _sketch(
        "10,1,Good,10,20,9,9,8,3,0",
        '10,2,"Open,10,20,9,9,8,3,0',
        "10,3,Lost,here,20,9,9,8,3,0",
        "10,1,Twice,10,20,9,9,8,3,0",
        "10,4,,10,20,9,9,8,3,0",
        "10,x,Numberless,1,2",
        "1,5,1,99,1,0,43,0,0,64,0",
        "1,6,1,2,1,0,43,0,0,64,0",
        "1,7,1,3,1,0,42,0,0,64,0",
        "1,8,1,3,1,0,plus,0,0,64,0",
        "1,9,1,3",
        "1,10,1,3,1,0,79,0,0,64,0",
    )
    found = read(text, "faulty.mdl")
    assert _edges(found.graph) == [("Good", "Lost", "-")]
    assert dict(found.places) == {"Good": Point(10, 20)}
    assert [(fault.line, fault.field, fault.value) for fault in found.faults] == [
        (6, "name", '"Open,10,20,9,9,8,3,0'),
        (7, "x", "here"),
        (8, "id", "1"),
        (9, "name", ""),
        (10, "id", "x"),
        (11, "to", "99"),
        (12, "to", "2"),
        (13, "polarity", "42"),
        (14, "polarity", "plus"),
        (15, "", "1,9,1,3"),
    ]
    assert "no object of this view has this number" in str(found.faults[5])
    assert "the variable of line 6, which could not be read" in str(found.faults[6])
    assert "a polarity is 43 (+), 45 (-), 83 (S), 79 (O) or 0 (none)" in str(found.faults[7])


def test_files_that_hold_no_sketch_are_refused() -> None:
    with pytest.raises(UnreadableFile, match=r"has no sketch.*draws no arrows"):
        read_edges(b"{UTF-8}\nA  = A FUNCTION OF( B)\n\t~\t\n\t~\t\t|\n", "model.mdl")
    with pytest.raises(UnreadableFile, match="has no sketch"):
        read_edges(b"x" * 1_000_000, "long.mdl")


def test_a_model_in_windows_1252_asks_for_its_encoding() -> None:
    content = _sketch("10,1,Bev\u00f6lkerung,1,2,9,9,8,3,0").encode("cp1252")
    with pytest.raises(UnknownEncoding, match="Which encoding is it"):
        read_edges(content, "old.mdl")
    assert read_edges(content, "old.mdl", encoding="cp1252").graph.nodes == ("Bevölkerung",)


@pytest.mark.parametrize("line_end", ["\r\n", "\r"])
def test_line_ends_of_other_systems_are_understood(line_end: str) -> None:
    found = read(
        _sketch("10,1,A,1,2,9,9,8,3,0", "10,2,B,1,2,9,9,8,3,0", "1,3,1,2,1,0,43,0,0,64,0").replace("\n", line_end), "x"
    )
    assert _edges(found.graph) == [("A", "B", "+")]


def test_a_file_cut_short_says_so_and_keeps_what_there_is() -> None:
    whole = write(CausalGraph.of([Edge("A", "B"), Edge("B", "C", Sign.PLUS)])).decode("utf-8")
    cut = read(whole[: whole.index(",128,0", whole.index("\n1,5,"))], "cut.mdl")
    assert _edges(cut.graph) == [("A", "B", None)]
    assert "the file may be cut short" in cut.notices[0]
    assert [fault.field for fault in cut.faults] == [""]
    assert "the line is short" in str(cut.faults[0])


@pytest.mark.skipif(not EVERYTHING, reason="test_bounds.py tries the limit of every form")
def test_as_many_arrows_as_a_graph_may_have_are_read() -> None:
    nodes = [f"10,{k},N{k},{k},0,9,9,8,3,0" for k in range(1, 401)]
    arrows = [f"1,{1000 + k},{k // 400 + 1},{k % 400 + 1},1,0,43,0,0,64,0" for k in range(20_001)]
    found = read(_sketch(*nodes, *arrows[:-1]), "large.mdl")
    assert (len(found.graph.edges), found.faults) == (20_000, ())
    with pytest.raises(UnreadableFile, match=r"20,000 edges \(line 20,405\)"):
        read(_sketch(*nodes, *arrows), "large.mdl")


def test_a_model_is_recognised_by_its_words() -> None:
    assert is_mine("{utf-8}\nA = 1")
    assert is_mine("A = 1\n" + SKETCH)
    assert not is_mine('{"nodes": []}')
