"""The study export: one file, the same bytes in any order, no graph lost, safe where it says so."""

from __future__ import annotations

import csv
import hashlib
import io
import json

import pytest

from core.errors import BadInput
from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.sign import Sign
from exchange.archive import open_archive
from exchange.bundle import read_bundle
from exchange.edge_table import table_bytes
from exchange.graphs import GraphForm, write_graph
from exchange.study import STUDY_COLUMNS, StudyGraph, export_study, export_study_zip, graph_hash

FIRST = StudyGraph(
    "=Title, one", "p1", "Figure 2", "owl", "submitted", CausalGraph.of([Edge("A", "-B", Sign.MINUS)], ["A", "-B", "C"])
)
FORMS = [GraphForm.CSV, GraphForm.SAFE_CSV, GraphForm.TSV, GraphForm.JSON]
EMPTY = StudyGraph("Two", "p2", "Figure 1", "fox", "draft", CausalGraph.of([]))


def test_the_canonical_study_csv_holds_every_graph_in_order() -> None:
    assert export_study([EMPTY, FIRST], GraphForm.CSV).decode() == (
        "paper_id,paper_title,figure_label,annotator,state,source,sink,sign,delay,flag,note\n"
        'p1,"=Title, one",Figure 2,owl,submitted,A,-B,-,,,\n'
        'p1,"=Title, one",Figure 2,owl,submitted,C,,,,,\n'
        "p2,Two,Figure 1,fox,draft,,,,,,\n"
    )


@pytest.mark.parametrize("form", FORMS)
def test_the_order_given_does_not_change_the_bytes(form: GraphForm) -> None:
    twin = StudyGraph("=Title, one", "p1", "Figure 2", "owl", "submitted", CausalGraph.of([Edge("X", "Y")]))
    assert export_study([FIRST, twin, EMPTY], form) == export_study([EMPTY, twin, FIRST], form)


def test_the_safe_study_csv_guards_every_column() -> None:
    text = export_study([FIRST], GraphForm.SAFE_CSV).decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(text, newline="")))
    assert tuple(rows[0]) == STUDY_COLUMNS
    assert rows[1][:8] == ["p1", "'=Title, one", "Figure 2", "owl", "submitted", "A", "'-B", "-"]


def test_the_study_tsv_holds_the_same_rows() -> None:
    csv_lines, tsv_lines = (
        list(csv.reader(io.StringIO(export_study([EMPTY, FIRST], form).decode(), newline=""), delimiter=mark))
        for form, mark in ((GraphForm.CSV, ","), (GraphForm.TSV, "\t"))
    )
    assert csv_lines == tsv_lines


def test_labels_and_cells_are_quoted_as_in_any_table() -> None:
    named = StudyGraph('a "title",\r\nlong', "'=p", "\ttab", "A1", "", CausalGraph.of([Edge("x", "y", note="1\r2\n")]))
    for form in FORMS[:3]:
        safe, mark = form is GraphForm.SAFE_CSV, "\t" if form is GraphForm.TSV else ","
        row = ["'=p", 'a "title",\r\nlong', "\ttab", "A1", "", "x", "y", "", "", "", "1\r2\n"]
        assert export_study([named], form) == table_bytes(STUDY_COLUMNS, [row], safe=safe, separator=mark)


def test_the_study_json_holds_plain_graphs_below_a_head() -> None:
    study = json.loads(export_study([EMPTY, FIRST], GraphForm.JSON))
    assert list(study) == ["format", "version", "digest", "graphs"]
    assert (study["format"], study["version"]) == ("edgewise study", 1)
    first, second = study["graphs"]
    entry = {
        "paper_id": "p1",
        "paper_title": "=Title, one",
        "figure_label": "Figure 2",
        "annotator": "owl",
        "state": "submitted",
        "nodes": ["A", "-B", "C"],
        "edges": [{"source": "A", "sink": "-B", "sign": "-"}],
    }
    canonical = json.dumps(entry, sort_keys=True, separators=(",", ":"))
    full = hashlib.sha256(canonical.encode()).hexdigest()
    assert first == {"hash": full[:16]} | entry
    assert (second["nodes"], second["edges"]) == ([], [])
    other = graph_hash(second)
    assert study["digest"] == "sha256:" + hashlib.sha256(f"{full}\n{other}".encode()).hexdigest()


def test_the_study_json_has_one_graph_a_line() -> None:
    lines = export_study([EMPTY, FIRST], GraphForm.JSON).decode().splitlines()
    starts = ["{", '"format"', '"version', '"digest"', '"graphs"', '{"hash":', '{"hash":', "]", "}"]
    assert [line[:8] for line in lines] == starts


def test_an_empty_study_is_a_header_and_forms_of_one_graph_are_refused() -> None:
    assert export_study([], GraphForm.CSV).decode().count("\n") == 1
    assert json.loads(export_study([], GraphForm.JSON))["graphs"] == []
    for form in (GraphForm.STANDARD, GraphForm.XLSX, GraphForm.VENSIM):
        with pytest.raises(BadInput, match="can store only one graph; export a study as CSV, TSV or JSON, or as a ZIP"):
            export_study([], form)


def test_a_study_zip_has_one_file_a_graph_and_says_whose_each_is() -> None:
    study = export_study_zip([EMPTY, FIRST], GraphForm.GRAPHML)
    assert study == export_study_zip([FIRST, EMPTY], GraphForm.GRAPHML)
    members = {member.name: member.content for member in open_archive(study.content, "study.zip")}
    assert list(members) == ["001-title-one-figure-2-owl.graphml", "002-two-figure-1-fox.graphml", "contents.csv"]
    assert members["001-title-one-figure-2-owl.graphml"] == write_graph(FIRST.graph, GraphForm.GRAPHML)
    assert members["contents.csv"].decode("utf-8-sig") == (
        "file,paper_id,paper_title,figure_label,annotator,state\r\n"
        '001-title-one-figure-2-owl.graphml,p1,"\'=Title, one",Figure 2,owl,submitted\r\n'
        "002-two-figure-1-fox.graphml,p2,Two,Figure 1,fox,draft\r\n"
    )
    assert read_bundle(study.content, "study.zip")[0].title == "=Title, one · Figure 2 · owl"


def test_a_study_zip_names_the_graphs_its_form_cannot_hold() -> None:
    long = StudyGraph("Long", "p0", "", "owl", "", CausalGraph.of([Edge("A", "B", note="x" * 40_000)]))
    study = export_study_zip([FIRST, long], GraphForm.XLSX)
    assert len(study.not_written) == 1
    assert study.not_written[0].startswith(
        '001-long-owl.xlsx: Long · owl: The note on "A" -> "B" has 40,000 characters'
    )
    members = {member.name: member.content for member in open_archive(study.content, "study.zip")}
    assert list(members) == ["002-title-one-figure-2-owl.xlsx", "contents.csv", "not-written.txt"]
    assert members["not-written.txt"].decode() == study.not_written[0] + "\n"
