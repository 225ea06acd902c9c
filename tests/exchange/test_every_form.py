"""Real graphs through every form and back: nodes, edges and signs equal, or the form says why it cannot hold them.

The graphs were drawn by others (causal loop diagrams and Bayesian networks); the test prints how many of them each
form carried, with how many nodes, edges and signs.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.graphs.layouts.layout import Point
from core.sign import Sign
from exchange.forms import FACTS, GraphFact, GraphForm
from exchange.graphs import ImportedGraph, lost_in, obstacle, read_edges, write_graph
from tests.everything import EVERYTHING

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"
NEEDS_DATA = pytest.mark.skipif(not DATA.is_dir(), reason=f"the real data are not beside the repository ({DATA})")
CYCLES = (GraphForm.BIF, GraphForm.DAGITTY)


@dataclass(frozen=True)
class Real:
    """A real graph, where its makers drew the nodes, and the file it came in."""

    name: str
    graph: CausalGraph
    places: dict[str, Point] = field(default_factory=dict)


def of_json(path: Path) -> Real:
    value = json.loads(path.read_text(encoding="utf-8"))
    nodes = [node if isinstance(node, str) else node["id"] for node in value["nodes"]]
    edges = [
        Edge(edge["source"], edge["sink"], Sign(edge["polarity"]) if edge.get("polarity") else None)
        for edge in value["edges"]
    ]
    placed = [node for node in value["nodes"] if isinstance(node, dict) and node.get("x") is not None]
    return Real(
        str(path.relative_to(DATA)),
        CausalGraph.of(dict.fromkeys(edges), nodes),
        {node["id"]: Point(float(node["x"]), float(node["y"])) for node in placed},
    )


def drawn_and_learned() -> Iterator[Real]:
    """The 50 causal loop diagrams and the 15 published networks."""
    for path in sorted(DATA.glob("cld/**/*.json")):
        if path.parent.name != "raw" and path.name not in ("sdbot_literature_index.json", "recite_qinba_case.json"):
            yield of_json(path)
    for path in sorted(DATA.glob("bnlearn/*.json")):
        yield of_json(path)


def raw() -> Iterator[tuple[Path, ImportedGraph]]:
    """Every file as its program wrote it, read by our importers."""
    for path in sorted([*DATA.glob("cld/raw/*"), *DATA.glob("bnlearn/*.bif")]):
        yield path, read_edges(path.read_bytes(), path.name)


def back_and_forth(real: Real, form: GraphForm) -> str:
    """Write and read one graph; returns why the form cannot hold it, "" if it came back equal."""
    if why := obstacle(real.graph, form):
        return why
    content = write_graph(real.graph, form, real.places)
    assert content == write_graph(real.graph, form, real.places), f"{real.name} as {form}: not the same bytes twice"
    read = read_edges(content, f"graph{form.suffix}")
    assert not read.faults, f"{real.name} as {form}: {read.faults[0]}"
    lost = set(lost_in(real.graph, form, real.places))
    assert set(read.graph.nodes) == set(real.graph.nodes) - (
        set(real.graph.isolated) if GraphFact.ISOLATED in lost else set()
    ), f"{real.name} as {form}"
    if GraphFact.SIGNS in lost or GraphFact.CONFLICTING in lost:
        assert {e.pair for e in read.graph.edges} == {e.pair for e in real.graph.edges}, f"{real.name} as {form}"
    else:
        delays = GraphFact.DELAYS in FACTS[form].carries
        assert sorted(told(read.graph, delays)) == sorted(told(real.graph, delays)), f"{real.name} as {form}"
    if GraphFact.PLACES in FACTS[form].carries and set(real.places) == set(real.graph.nodes):
        assert set(read.places) == set(real.places), f"{real.name} as {form}: places"
    return ""


def told(graph: CausalGraph, delays: bool) -> list[tuple[str, str, str, bool]]:
    """Edges as source, sink, sign and (where the form carries it) delay."""
    return [(e.source, e.sink, e.sign or "", e.delay and delays) for e in graph.edges]


def table(title: str, reals: list[Real]) -> list[str]:
    """Send every graph through every form; the printed lines count what came back."""
    lines = [f"{title}: {len(reals)} graphs", f"{'form':16}{'equal':>6}{'nodes':>7}{'edges':>7}{'signs':>7}  not held"]
    for form in GraphForm:
        reasons = {real.name: back_and_forth(real, form) for real in reals}
        carried = [real.graph for real in reals if not reasons[real.name]]
        if form not in (*CYCLES, GraphForm.LOOPY):
            assert len(carried) == len(reals), f"{form}: {next(filter(None, reasons.values()))}"
        signs = GraphFact.SIGNS in FACTS[form].carries
        isolated = GraphFact.ISOLATED in FACTS[form].carries
        lines.append(
            f"{form.value:16}{len(carried):>6}"
            f"{sum(len(g.nodes) - (0 if isolated else len(g.isolated)) for g in carried):>7}"
            f"{sum(len(g.edges) for g in carried):>7}"
            f"{sum(e.sign is not None for g in carried for e in g.edges) if signs else 0:>7}"
            f"  {len(reals) - len(carried) or ''}"
        )
    return lines


@NEEDS_DATA
def test_real_graphs_come_back_from_every_form(capsys: pytest.CaptureFixture[str]) -> None:
    reals = list(drawn_and_learned())
    assert len(reals) == 65
    reals = reals[:: 1 if EVERYTHING else 12]
    lines = table("Causal loop diagrams and networks", reals)
    with capsys.disabled():
        print("\n" + "\n".join(lines))


@NEEDS_DATA
def test_files_of_other_programs_are_read_whole_and_come_back_from_every_form(
    capsys: pytest.CaptureFixture[str],
) -> None:
    read = list(raw())
    faults = [str(fault) for _, one in read for fault in one.faults]
    assert not faults
    lines = [
        f"{path.name:34}{one.form or '':12}{len(one.graph.nodes):>4} nodes{len(one.graph.edges):>5} edges"
        f"{sum(e.sign is not None for e in one.graph.edges):>5} signed{len(one.places):>5} placed"
        for path, one in read
    ]
    reals = [Real(path.name, one.graph, dict(one.places)) for path, one in read[:: 1 if EVERYTHING else 2]]
    lines += table("Files of other programs", reals)
    with capsys.disabled():
        print("\n" + "\n".join(lines))


@NEEDS_DATA
@pytest.mark.parametrize(
    ("raw_file", "truth"),
    [
        ("sir.mdl", "sir_view1"),
        ("workforce.mdl", "workforce_view1"),
        ("sdbot_participant_20.mdl", "sdbot_lake_urmia/p20"),
        ("sdbot_participant_29.mdl", "sdbot_lake_urmia/p29"),
        ("sleep_kumu_import.xlsx", "sleep_depression"),
        ("ims_burnout.mdl", "ims_fhs_signed/*burnout*"),
        ("ims_cld-comma-and-umlaut.mdl", "ims_fhs_signed/*comma*"),
        ("ims_flexible-arbeitszeiten.mdl", "ims_fhs_signed/*flexible*"),
    ],
)
def test_a_file_holds_the_graph_that_others_read_from_it(raw_file: str, truth: str) -> None:
    [path] = DATA.glob(f"cld/{truth}.json")
    read = read_edges((DATA / "cld" / "raw" / raw_file).read_bytes(), raw_file).graph
    expected = of_json(path).graph
    assert set(read.nodes) == set(expected.nodes)
    assert {(e.pair, e.sign) for e in read.edges} == {(e.pair, e.sign) for e in expected.edges}


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (b'{"nodes": ["A", "A"], "edges": []}', "g.json"),
        (b'{"elements": [{"label": "A"}, {"label": "A"}]}', "g.json"),
        (b'digraph { a [label="A"] b [label="A"] }', "g.dot"),
        (b'dag { a [label="A"] b [label="A"] }', "g.dagitty"),
        (b'[[[1,0,0,0.5,"A",0],[2,9,9,0.5,"A",0]],[],[],2]', "g.loopy"),
        (
            b"variable a { type discrete [1] {x}; property name = A; }\n"
            + b"variable b { type discrete [1] {x}; property name = A; }\n",
            "g.bif",
        ),
        (b'<gexf><graph><nodes><node id="1" label="A"/><node id="2" label="A"/></nodes></graph></gexf>', "g.gexf"),
        (
            b'<graphml><graph><node id="1"><data key="name">A</data></node>'
            b'<node id="2"><data key="name">A</data></node></graph></graphml>',
            "g.graphml",
        ),
    ],
)
def test_two_nodes_of_one_name_are_reported(content: bytes, name: str) -> None:
    read = read_edges(content, name)
    assert (read.graph.nodes, read.faults) == (("A",), ())
    assert 'Nodes of the same name were read as one: "A".' in read.notices
