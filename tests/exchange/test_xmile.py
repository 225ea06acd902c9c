"""XMILE models: what real models hold, exact round trips, and a message for whatever cannot be read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadRow, InvalidName, UnreadableFile
from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.graphs.layouts.layout import Point
from core.graphs.names import clean_name
from core.sign import Sign
from exchange.graphs import GraphForm, lost_in, read_edges, recognised, write_graph
from exchange.graphs import obstacle as obstacle_of
from exchange.xmile import obstacle, read, write
from tests.everything import EVERYTHING

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"


def _is_legal(name: str) -> bool:
    try:
        return clean_name(name) == name
    except InvalidName:
        return False


_PIECES = st.sampled_from(['"', "\\", "\\n", ".", "[a]", "<", "&", "_", "_x0041_", "ü", "none", "x", "City", "1"])
NAMES = st.one_of(st.text(min_size=1, max_size=8), st.lists(_PIECES, min_size=1, max_size=5).map("".join)).filter(
    _is_legal
)
EDGES = st.builds(Edge, NAMES, NAMES, st.sampled_from([None, Sign.PLUS, Sign.MINUS]), st.booleans())
GRAPHS = st.builds(
    CausalGraph.of,
    st.lists(EDGES, max_size=6, unique_by=lambda edge: (edge.pair, edge.sign)),
    st.lists(NAMES, max_size=4),
)


def _model(variables: str, view: str = "", more: str = "") -> bytes:
    views = f"<views><style><aux color='red'/></style><view>{view}</view></views>" if view else ""
    return f"<xmile><model><variables>{variables}</variables>\n{views}</model>{more}</xmile>".encode()


VARIABLES = '<aux name="A"/><aux name="B"/>'
LINK = '<connector uid="1" polarity="+"><from>A</from><to>B</to></connector>'


def _edges(graph: CausalGraph) -> list[tuple[str, str, str | None]]:
    return [(edge.source, edge.sink, edge.sign) for edge in graph.edges]


@given(GRAPHS)
def test_what_is_written_is_read_back_exactly(graph: CausalGraph) -> None:
    if why := obstacle(graph):
        assert "are one variable" in why
        return
    places = {name: Point(40.25 * k - 100, 25.1 * k) for k, name in enumerate(graph.nodes)}
    content = write(graph, places)
    assert content == write(graph, places)
    back = read(content, "graph.stmx")
    assert (back.graph, back.faults, dict(back.places)) == (graph, (), places)
    assert recognised(content, "nameless") is GraphForm.XMILE


def test_names_that_are_one_name_are_refused() -> None:
    why = obstacle(CausalGraph.of([], ["Unit_Cost", "unit cost"]))
    assert "“Unit_Cost”" in why
    assert "“unit cost”" in why


def test_the_written_model_is_a_diagram_without_numbers() -> None:
    graph = CausalGraph.of([Edge("birth rate", "Births, all", Sign.MINUS, delay=True), Edge("birth rate", "x")])
    text = write(graph, {"birth rate": Point(0, 0), "Births, all": Point(0, -100), "x": Point(300, 0)}).decode()
    assert '<xmile version="1.0" xmlns="http://docs.oasis-open.org/xmile/ns/XMILE/v1.0"' in text
    assert "<eqn>NAN</eqn>" in text
    assert "<eqn>NAN(birth_rate)</eqn>" in text
    assert '<connector uid="1" angle="90" polarity="-" delay_mark="true">' in text
    assert '<from>birth_rate</from>\n          <to>"Births,_all"</to>' in text
    assert '<connector uid="2" angle="0">' in text


@pytest.mark.skipif(not (DATA / "cld").is_dir(), reason="the shared diagrams are not on this machine")
@pytest.mark.parametrize(
    ("name", "nodes", "edges", "signed", "title"),
    [
        ("alternet_example_network.stmx", 3, 3, 3, ""),
        ("marketGrowth.stmx", 43, 60, 8, "marketGrowth"),
        ("predatorPrey.stmx", 12, 16, 4, "predatorPrey"),
        ("teacup_w_diagram.xmile", 4, 4, 1, "teacup"),
    ],
)
def test_real_models_are_read_whole(name: str, nodes: int, edges: int, signed: int, title: str) -> None:
    found = read_edges((DATA / "cld" / "raw" / name).read_bytes(), name)
    assert (len(found.graph.nodes), len(found.graph.edges), len(found.places)) == (nodes, edges, nodes)
    assert sum(edge.sign is not None for edge in found.graph.edges) == signed
    assert (found.title, found.faults) == (title, ())


@pytest.mark.skipif(not (DATA / "cld").is_dir(), reason="the shared diagrams are not on this machine")
@pytest.mark.parametrize("name", ["marketGrowth", "predatorPrey"])
def test_models_draw_the_links_their_simulator_reports(name: str) -> None:
    """Same nodes and links; the simulator adds signs from its equations, and never another one than a flow's."""
    reported = json.loads((DATA / "cld" / "sdai_loops" / f"{name}.json").read_text("utf-8"))
    found = read_edges((DATA / "cld" / "raw" / f"{name}.stmx").read_bytes(), f"{name}.stmx").graph
    assert list(found.nodes) == [node["id"] for node in reported["nodes"]]
    signs = {(edge["source"], edge["sink"]): edge["polarity"] for edge in reported["edges"]}
    assert {edge.pair for edge in found.edges} == set(signs)
    assert all(edge.sign in (None, signs[edge.pair]) for edge in found.edges)


@pytest.mark.skipif(not EVERYTHING, reason="tests/exchange/test_every_form.py takes a sixth of them through every form")
@pytest.mark.skipif(not (DATA / "cld").is_dir(), reason="the shared diagrams are not on this machine")
def test_every_shared_diagram_survives() -> None:
    kept = 0
    for path in sorted([*DATA.glob("cld/**/*.json"), *DATA.glob("bnlearn/*.json")]):
        drawn = json.loads(path.read_text("utf-8"))
        if not (isinstance(drawn, dict) and isinstance(drawn.get("edges"), list) and drawn.get("nodes")):
            continue
        graph = _graph_of(drawn)
        assert obstacle(graph) == "", path.name
        back = read_edges(write_graph(graph, GraphForm.XMILE), "graph.stmx")
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


@pytest.mark.skipif(not (DATA / "cld").is_dir(), reason="the shared diagrams are not on this machine")
@pytest.mark.parametrize("form", [GraphForm.VENSIM, GraphForm.XMILE])
def test_real_files_of_both_programs_survive_both_forms(form: GraphForm) -> None:
    paths = [path for path in sorted((DATA / "cld" / "raw").iterdir()) if path.suffix in (".mdl", ".stmx", ".xmile")]
    assert len(paths) >= 12
    for path in paths:
        found = read_edges(path.read_bytes(), path.name)
        assert obstacle_of(found.graph, form) == "", path.name
        assert lost_in(found.graph, form, found.places) == (), path.name
        back = read_edges(write_graph(found.graph, form, found.places), f"graph{form.suffix}")
        assert (back.graph, back.faults) == (found.graph, ()), path.name
        assert all(abs(back.places[name].x - at.x) <= 0.5 for name, at in found.places.items()), path.name


@pytest.mark.skipif(not (DATA / "faults").is_dir(), reason="the shared inputs are not on this machine")
def test_a_file_of_a_converter_that_declares_no_prefix_is_read() -> None:
    read = read_edges((DATA / "faults/05-undeclared-prefix.stmx").read_bytes(), "05.stmx")
    assert (_edges(read.graph), read.faults) == ([("Price", "Demand", "-")], ())
    assert read.notices[0].endswith("any other: isee.")


TIME = "Time or DT: {}."


@pytest.mark.skipif(not (DATA / "faults").is_dir(), reason="the shared inputs are not on this machine")
def test_a_connector_from_the_time_of_the_simulation_is_left_out() -> None:
    read = read_edges((DATA / "faults/05-time.stmx").read_bytes(), "05-time.stmx")
    assert (read.graph.nodes, _edges(read.graph), read.faults) == (("A",), [], ())
    assert any(notice.endswith(TIME.format(1)) for notice in read.notices)


@pytest.mark.parametrize("name", ["DT", "STARTTIME", "TIME_STEP", '"final time"', "pi"])
def test_what_is_built_in_is_no_node(name: str) -> None:
    clock = f'<connector uid="2"><from>{name}</from><to>A</to></connector>'
    alias = f'<alias x="1" y="1" uid="7"><of>{name}</of></alias>'
    from_alias = '<connector uid="3"><from><alias uid="7"/></from><to>B</to></connector>'
    read = read_edges(_model(VARIABLES, alias + LINK + clock + from_alias), "m.stmx")
    assert (read.graph.nodes, _edges(read.graph), read.faults) == (("A", "B"), [("A", "B", "+")], ())
    assert any(notice.endswith(TIME.format(2)) for notice in read.notices)


def test_a_variable_that_is_declared_as_time_is_a_node() -> None:
    clock = '<connector uid="2"><from>Time</from><to>A</to></connector>'
    read = read_edges(_model(VARIABLES + '<aux name="Time"/>', LINK + clock), "m.stmx")
    assert (_edges(read.graph), read.faults) == ([("A", "B", "+"), ("Time", "A", None)], ())


def test_undeclared_prefixes_of_a_model_are_read_with_a_notice() -> None:
    for place in ("<isee:dependencies/>", '<aux isee:delay="1" name="C"><eqn>1</eqn></aux>', "<simlin:group/>"):
        read = read_edges(_model(VARIABLES + place, LINK), "m.xmile")
        assert (_edges(read.graph), read.faults) == ([("A", "B", "+")], ())
        assert read.notices[0].startswith("Prefixes that no xmlns")


def test_names_are_one_whatever_their_spelling_and_copies_are_their_variable() -> None:
    found = read(
        _model(
            "<aux name='Sales\\nForce'/><aux name='\"wom, \\\"net\\\"\"'/><aux name='x'><dimensions/></aux>",
            "<aux name='Sales Force' x='10' y='20'/><aux name='\"wom,_\\\"net\\\"\"' x='1' y='2' width='8' height='4'/>"
            "<alias uid='7' x='90' y='90'><of>SALES__FORCE</of></alias>"
            "<connector uid='1' polarity='o' delay_mark='true'><from><alias uid='7'/></from>"
            '<to>"wom,_\\"net\\""</to></connector>'
            "<connector uid='2' polarity='none'><from>x[North]</from><to>sales_force</to></connector>",
        ),
        "names.stmx",
    )
    assert found.faults == ()
    assert found.graph.nodes == ("Sales Force", 'wom, "net"', "x")
    assert _edges(found.graph) == [("Sales Force", 'wom, "net"', "-"), ("x", "Sales Force", None)]
    assert [edge.delay for edge in found.graph.edges] == [True, False]
    assert dict(found.places) == {"Sales Force": Point(10, 20), 'wom, "net"': Point(5, 4)}
    assert "Copies (aliases, ghosts) read as the variable they stand for: 1." in found.notices
    assert "The sign “o” was read as -." in found.notices


def test_inputs_of_modules_are_the_variables_connected_to_them() -> None:
    found = read(
        _model(
            "<aux name='Price'/><module name='Shop'><connect to='Shop.cost' from='.Price'/></module>"
            "<aux name='Income'/><module name='Bank'><connect to='stake' from='Shop.profit'/></module>",
            "<connector><from>Price</from><to>Shop</to></connector>"
            "<connector polarity='+'><from>Shop.profit</from><to>Income</to></connector>",
            "<model name='Shop'><variables><aux name='cost' access='input'/><aux name='profit'/></variables><views>"
            "<view><connector polarity='-'><from>cost</from><to>profit</to></connector></view></views></model>"
            "<model name='Bank'><variables><aux name='stake'/><stock name='Money'><inflow>gain</inflow></stock>"
            "<flow name='gain'/></variables><views><view><connector><from>stake</from><to>gain</to></connector></view>"
            "</views></model>",
        ),
        "modules.stmx",
    )
    assert found.faults == ()
    assert found.graph.nodes == ("Price", "Income", "Shop.profit", "Bank.Money", "Bank.gain")
    assert _edges(found.graph) == [
        ("Shop.profit", "Income", "+"),
        ("Price", "Shop.profit", "-"),
        ("Shop.profit", "Bank.gain", None),
        ("Bank.gain", "Bank.Money", "+"),
    ]
    assert "Inputs of modules read as the variable connected to them: 2." in found.notices
    assert "Connectors left out because they begin or end at a module, not at a variable: 1." in found.notices


def test_a_model_without_a_drawing_gives_its_flows_and_says_so() -> None:
    found = read(
        _model("<stock name='S'><inflow>in</inflow><outflow>out</outflow></stock><flow name='in'/><flow name='out'/>"),
        "flows.xmile",
    )
    assert _edges(found.graph) == [("in", "S", "+"), ("out", "S", "-")]
    assert found.notices[0] == "The file draws no connectors; edges come from its flows only."


def test_views_are_set_below_each_other() -> None:
    content = _model(
        "<aux name='A'/><aux name='B'/>", "<aux name='A' x='1' y='50'/></view><view><aux name='B' x='2' y='3'/>"
    )
    found = read(content, "views.xmile")
    assert dict(found.places) == {"A": Point(1, 50), "B": Point(2, 173)}
    assert "Views read as one graph and placed one below another: 2." in found.notices


def test_faulty_elements_are_named_with_their_line_and_the_good_ones_kept() -> None:
    found = read(
        _model(
            "<aux name='A'/>\n<aux name='B'/>\n<aux/>\n<aux name='\u202e'/>",
            "\n<aux name='A' x='left' y='2'/><aux name='Z'/>\n"
            "<connector polarity='*'><from>A</from><to>B</to></connector>"
            "\n<connector><from><alias uid='9'/></from><to>B</to></connector>\n<connector><to>B</to></connector>"
            "\n<connector polarity='+'><from>A</from><to>B</to></connector>"
            "<connector><from>A</from><to>C</to></connector>"
            "\n<connector delay_mark='perhaps'><from>B</from><to>A</to></connector>",
        ),
        "faulty.xmile",
    )
    assert _edges(found.graph) == [("A", "B", "+")]
    assert [(fault.line, fault.field, fault.value) for fault in found.faults] == [
        (3, "name", ""),
        (4, "name", "\u202e"),
        (6, "x", "left"),
        (6, "name", "Z"),
        (7, "polarity", "*"),
        (8, "from", "9"),
        (9, "from", ""),
        (10, "to", "C"),
        (11, "delay", "perhaps"),
    ]
    messages = [str(fault) for fault in found.faults]
    assert "no variable of this model has this name" in messages[3]
    assert "a polarity is +, - or none" in messages[4]
    assert "no alias of this view has this uid" in messages[5]
    assert "which variable it joins" in messages[6]


def test_connections_in_a_circle_stop() -> None:
    shop = "<model name='Shop'><variables><aux name='a'/><aux name='b'/></variables></model>"
    circle = "<module name='Shop'><connect to='a' from='Shop.b'/><connect to='b' from='Shop.a'/></module>"
    found = read(_model(circle, "", shop), "circle.xmile")
    assert found.graph.nodes == ("Shop.a",)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"<xmile/>", "contains no <model>"),
        (b"<graph><model/></graph>", "begins with <xmile>"),
        (b"<xmile><model><variables>", "cut short"),
        (b"<!DOCTYPE x [<!ENTITY a 'aaaa'>]><xmile>&a;</xmile>", "document type"),
        (b"\x00\x01\x02<xmile", "line 1, column 1; not well-formed XML"),
        (b"<xmile>" + b"x" * 1_000_000, "cut short"),
    ],
)
def test_files_that_are_no_models_are_refused(content: bytes, says: str) -> None:
    with pytest.raises((UnreadableFile, BadRow), match=says):
        read(content, "broken.xmile")


@pytest.mark.skipif(not EVERYTHING, reason="test_bounds.py tries the limit of every form")
def test_as_many_connectors_as_a_graph_may_have_are_read() -> None:
    variables = "".join(f"<aux name='N{k}'/>" for k in range(400))
    arrows = [f"<connector><from>N{k // 400}</from><to>N{k % 400}</to></connector>" for k in range(20_001)]
    found = read(_model(variables, "".join(arrows[:-1])), "large.xmile")
    assert (len(found.graph.edges), found.faults) == (20_000, ())
    with pytest.raises(UnreadableFile, match=r"large\.xmile .* 20,000 edges"):
        read(_model(variables, "".join(arrows)), "large.xmile")
