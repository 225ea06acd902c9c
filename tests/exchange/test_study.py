"""The study export: one file, the same bytes in any order, no graph lost, safe where it says so."""

from __future__ import annotations

import csv
import io
import json

import pytest

from core.errors import BadInput
from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.sign import Sign
from exchange.graphs import GraphForm
from exchange.study import STUDY_COLUMNS, NamedGraph, export_study

FIRST = NamedGraph(
    "=Title, one", "p1", "Figure 2", "owl", "submitted", CausalGraph.of([Edge("A", "-B", Sign.MINUS)], ["A", "-B", "C"])
)
EMPTY = NamedGraph("Two", "p2", "Figure 1", "fox", "draft", CausalGraph.of([]))


def test_the_canonical_study_csv_holds_every_graph_in_order() -> None:
    assert export_study([EMPTY, FIRST], GraphForm.CSV).decode() == (
        "paper_id,paper_title,figure_label,annotator,state,source,sink,sign,delay,flag,note\n"
        'p1,"=Title, one",Figure 2,owl,submitted,A,-B,-,,,\n'
        'p1,"=Title, one",Figure 2,owl,submitted,C,,,,,\n'
        "p2,Two,Figure 1,fox,draft,,,,,,\n"
    )


@pytest.mark.parametrize("form", [GraphForm.CSV, GraphForm.SAFE_CSV, GraphForm.JSON])
def test_the_order_given_does_not_change_the_bytes(form: GraphForm) -> None:
    twin = NamedGraph("=Title, one", "p1", "Figure 2", "owl", "submitted", CausalGraph.of([Edge("X", "Y")]))
    assert export_study([FIRST, twin, EMPTY], form) == export_study([EMPTY, twin, FIRST], form)


def test_the_safe_study_csv_guards_every_column() -> None:
    text = export_study([FIRST], GraphForm.SAFE_CSV).decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(text, newline="")))
    assert tuple(rows[0]) == STUDY_COLUMNS
    assert rows[1][:8] == ["p1", "'=Title, one", "Figure 2", "owl", "submitted", "A", "'-B", "minus"]


def test_the_study_json_holds_plain_graphs() -> None:
    graphs = json.loads(export_study([EMPTY, FIRST], GraphForm.JSON))["graphs"]
    assert graphs[0] == {
        "paper_id": "p1",
        "paper_title": "=Title, one",
        "figure_label": "Figure 2",
        "annotator": "owl",
        "state": "submitted",
        "nodes": ["A", "-B", "C"],
        "edges": [{"source": "A", "sink": "-B", "sign": "-"}],
    }
    assert (graphs[1]["nodes"], graphs[1]["edges"]) == ([], [])


def test_an_empty_study_is_a_header_and_the_edge_text_is_refused() -> None:
    assert export_study([], GraphForm.CSV).decode().count("\n") == 1
    with pytest.raises(BadInput, match="one graph"):
        export_study([], GraphForm.STANDARD)
