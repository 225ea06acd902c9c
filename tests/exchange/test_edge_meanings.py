"""Columns `type` and `direction` of edge tables: signs, directions or neither, told by what they hold."""

from __future__ import annotations

import re

import pytest

from core.errors import BadInput, UnknownColumns
from exchange.edge_meanings import UNDIRECTED
from exchange.edge_rows import ImportedGraph
from exchange.graphs import GraphForm, read_edges
from exchange.study_reading import read_study
from tests.exchange.strategies import DATA
from tests.exchange.test_workbook import book

FAULTS = DATA / "faults"


def read(text: str, name: str = "edges.csv", columns: dict[str, str] | None = None) -> ImportedGraph:
    return read_edges(text.encode(), name, columns=columns)


def arrows(found: ImportedGraph) -> list[str]:
    return [f"{edge.source} {edge.sign.value if edge.sign else '>'} {edge.sink}" for edge in found.graph.edges]


def faults(found: ImportedGraph) -> list[tuple[int | None, str, str]]:
    return [(fault.line, fault.field, fault.value) for fault in found.faults]


@pytest.mark.skipif(not FAULTS.is_dir(), reason="the shared inputs are not on this machine")
def test_the_tables_of_gephi_and_kumu_that_were_read_wrong() -> None:
    gephi = read_edges((FAULTS / "07-gephi-edges.csv").read_bytes(), "edges.csv")
    assert (arrows(gephi), faults(gephi)) == (["A > B"], [])
    assert "Columns not read: Id, Label, timeset, Weight." in gephi.notices
    kumu = read_edges((FAULTS / "11-kumu.csv").read_bytes(), "kumu.csv")
    assert (arrows(kumu), faults(kumu)) == (
        ["Price - Demand", "Demand + Price", "Price + Demand"],
        [(4, "direction", "undirected")],
    )
    assert any(notice.endswith('two edges: "Demand" -> "Price".') for notice in kumu.notices)


GEPHI = "Source,Target,Type,Id,Label,timeset,Weight\n"


@pytest.mark.parametrize(
    ("text", "expected", "faulty"),
    [
        (GEPHI + "A,B,Directed,0,,,1\nB,A,Undirected,1,,,1\n", ["A > B"], (3, "type", "Undirected")),
        (GEPHI.replace(",", "\t") + "A\tB\tMutual\t0\t\t\t2\n", ["A > B", "B > A"], None),
        (GEPHI.replace(",", ";") + "A;B;directed;0;;;1\nB;C;;1;;;1\n", ["A > B", "B > C"], None),
        ("source,target,type,sign\nA,B,Directed,+\nB,C,undirected,-\n", ["A + B"], (3, "type", "undirected")),
        ("from,to,type\nA,B,activates\nB,C,inhibits\n", ["A > B", "B > C"], None),
        ("from,to,type,sign\nA,B,feeds,+\nB,C,feeds,\n", ["A + B", "B > C"], None),
        ("from,to,type\nA,B,plus\nB,C,eats\nC,D,\n", ["A + B", "C > D"], (3, "type", "eats")),
        ("From,To,Direction\nA,B,Mutual\nB,C,\nC,D,odd\n", ["A > B", "B > A", "B > C"], (4, "direction", "odd")),
        ("From,To,Direction,Type\nA,B,directed,+\nC,D,Undirected,-\n", ["A + B"], (3, "direction", "Undirected")),
        ("from,to,directed\nA,B,TRUE\nB,C,FALSE\n", ["A > B"], (3, "direction", "FALSE")),
        ("from,to,direction\nA,B,positive\nB,C,negative\n", ["A > B", "B > C"], None),
    ],
)
def test_a_type_or_direction_is_what_all_rows_together_say(
    text: str, expected: list[str], faulty: tuple[int, str, str] | None
) -> None:
    found = read(text)
    assert (arrows(found), faults(found)) == (expected, [faulty] if faulty else [])


def test_what_is_neither_sign_nor_direction_is_named() -> None:
    assert "Types of edges not read: eats (2), feeds." in read("from,to,type\nA,B,eats\nB,C,eats\nC,D,feeds\n").notices
    both = read("from,to,type,sign\nA,B,-,+\nB,C,plus,+\n")
    assert (arrows(both), both.faults) == (["A + B", "B + C"], ())
    assert "Types of edges not read: -." in both.notices
    assert "Directions of edges not read: up (2)." in read("from,to,direction\nA,B,up\nB,C,up\n").notices
    assert (
        "Columns read: from as source, to as sink, type as direction." in read("from,to,type\nA,B,Directed\n").notices
    )


def test_a_row_is_counted_once() -> None:
    assert read("from,to,direction\nA,B,mutual\nB,C,undirected\nC,D,directed\n").rows == 3


def test_an_undirected_row_says_what_would_be_right() -> None:
    [fault] = read("Source,Target,Type\nA,B,Undirected\n", "gephi.csv").faults
    assert (fault.file, fault.line, fault.field, fault.value) == ("gephi.csv", 2, "type", "Undirected")
    assert fault.expected == UNDIRECTED


def test_workbooks_and_studies_have_them_too() -> None:
    sheet = book(
        Edges=[["Source", "Target", "Type"], ["A", "B", "Directed"], ["B", "C", "Undirected"], ["C", "A", "Mutual"]]
    )
    found = read_edges(sheet, "gephi.xlsx")
    assert (found.form, arrows(found)) == (GraphForm.XLSX, ["A > B", "C > A", "A > C"])
    assert faults(found) == [(3, "Edges!C3 type", "Undirected")]
    labels = "paper_id,figure_label,annotator"
    study = read_study(
        f"{labels},source,sink,direction\np,F1,A1,A,B,undirected\np,F2,A1,A,B,mutual\n".encode(), "s.csv"
    )
    assert [len(one.graph.edges) for one in study.read] == [0, 2]
    assert [fault.line for fault in study.faults] == [2]


def test_a_person_can_say_that_no_column_has_the_sign() -> None:
    numbered = "from,to,type\nA,B,1\nB,C,2\n"
    assert faults(read(numbered)) == [(3, "type", "2")]
    unsigned = read(numbered, columns={"sign": ""})
    assert (arrows(unsigned), unsigned.faults) == (["A > B", "B > C"], ())
    assert any(notice.endswith(": 1, 2.") for notice in unsigned.notices)
    strength = "from,to,sign\nA,B,strong\nB,C,weak\n"
    assert len(read(strength).faults) == 2
    assert arrows(read(strength, columns={"source": "from", "sink": "to", "sign": ""})) == ["A > B", "B > C"]
    undirected = read(GEPHI + "A,B,Undirected,0,,,1\n", columns={"sign": ""})
    assert faults(undirected) == [(2, "type", "Undirected")]
    with pytest.raises(UnknownColumns):
        read(strength, columns={"source": ""})


def test_a_column_that_a_person_names_is_nothing_else() -> None:
    text = "from,to,type,direction\nA,B,see p. 3,+\n"
    found = read(text, columns={"note": "type", "sign": "direction"})
    assert (arrows(found), found.graph.edges[0].note, found.faults) == (["A + B"], "see p. 3", ())
    with pytest.raises(BadInput, match=re.escape("found from, to, type, direction")):
        read(text, columns={"sign": "Sign"})


GRAPHML = """<graphml><key id="t" for="edge" attr.name="type"/><graph edgedefault="directed">
<node id="A"/><node id="B"/><edge source="A" target="B"><data key="t">{}</data></edge>
<edge source="B" target="A"><data key="t">{}</data></edge></graph></graphml>"""


def test_types_of_xml_edges_are_signs_or_named() -> None:
    signs = read(GRAPHML.format("+", "minus"), "g.graphml")
    assert (arrows(signs), signs.faults) == (["A + B", "B - A"], ())
    kinds = read(GRAPHML.format("activates", "inhibits"), "g.graphml")
    assert (arrows(kinds), kinds.faults) == (["A > B", "B > A"], ())
    assert any(notice.endswith(": activates, inhibits.") for notice in kinds.notices)
    mixed = read(GRAPHML.format("+", "inhibits"), "g.graphml")
    assert (arrows(mixed), faults(mixed)) == (["A + B"], [(3, "edge, type", "inhibits")])
