"""A study's export read back: equal graphs, edits told, broken parts named and the rest kept."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadRow, UnreadableFile
from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.sign import Sign
from exchange.graphs import GraphForm
from exchange.study import LABELS, StudyGraph, export_study
from exchange.study_reading import ReadStudy, is_study, read_study
from tests.exchange.strategies import GRAPHS

TEXTS = st.text(st.sampled_from("ab=-'\"\t,;ü \r\n"), max_size=4)
STUDIES = st.lists(
    st.builds(StudyGraph, TEXTS, TEXTS, TEXTS, st.sampled_from(["A1", "A2"]), st.just("draft"), GRAPHS),
    max_size=4,
    unique_by=lambda named: (named.paper_id, named.paper_title, named.figure_label, named.annotator),
)
SUFFIX = {GraphForm.CSV: ".csv", GraphForm.SAFE_CSV: ".csv", GraphForm.TSV: ".tsv", GraphForm.JSON: ".json"}
TWO = [
    StudyGraph("One", "p1", "Figure 2", "A1", "submitted", CausalGraph.of([Edge("A", "B", Sign.MINUS)], ["C"])),
    StudyGraph("Two", "p2", "", "A2", "draft", CausalGraph.of([Edge("D", "E")])),
]


def changed(change: Any) -> ReadStudy:
    """Two exported graphs, read back after a hand went over the file."""
    value = json.loads(export_study(TWO, GraphForm.JSON))
    change(value)
    return read_study(json.dumps(value, indent=1).encode(), "study.json")


@given(STUDIES, st.sampled_from(list(SUFFIX)))
def test_a_study_is_read_back_exactly(study: list[StudyGraph], form: GraphForm) -> None:
    content = export_study(study, form)
    read = read_study(content, f"study{SUFFIX[form]}")
    assert (read.faults, read.notices) == ((), ())
    assert sorted(read.graphs, key=str) == sorted(study, key=str)
    assert export_study(read.graphs, form) == content
    assert [one.title for one in read.read] == [named.title for named in read.graphs]


def test_spaces_and_the_order_of_keys_are_no_change() -> None:
    def reordered(value: Any) -> None:
        value["graphs"] = [dict(reversed(entry.items())) for entry in value["graphs"]]

    assert changed(reordered) == changed(lambda value: None)
    assert changed(reordered).notices == ()


def test_a_changed_graph_is_named() -> None:
    def edit(value: Any) -> None:
        value["graphs"][0]["edges"][0]["sign"] = "+"

    read = changed(edit)
    assert read.notices == ("Changed since export: 1 graph differs: One · Figure 2 · A1.",)
    assert read.graphs[0].graph.edges == (Edge("A", "B", Sign.PLUS),)
    everything = changed(lambda value: [entry.update(state="x") for entry in value["graphs"]])
    (notice,) = everything.notices
    assert notice.endswith("2 graphs differ: One · Figure 2 · A1; Two · A2.")


def test_graphs_added_or_taken_out_are_told() -> None:
    assert changed(lambda value: value["graphs"].pop()).notices == (
        "Changed since export: graphs were added, removed or reordered.",
    )
    added = changed(lambda value: value["graphs"].append({"paper_title": "New", "nodes": ["X"]}))
    assert [notice.partition(": ")[2] for notice in added.notices] == ["1 graph differs: New."]
    assert added.graphs[2].graph.nodes == ("X",)
    assert changed(lambda value: value.pop("digest")).notices == (
        "The file has no digest, so changes since its export cannot be detected.",
    )


def test_a_newer_version_is_refused_and_a_broken_one_too() -> None:
    with pytest.raises(UnreadableFile) as caught:
        changed(lambda value: value.update(version=3))
    assert re.findall(r"version (\d)", str(caught.value)) == ["3", "1"]
    for version in ("1", 0, True, None):
        with pytest.raises(BadRow) as refused:
            changed(lambda value, version=version: value.update(version=version))
        assert (refused.value.field, refused.value.value) == ("version", str(version))


def test_broken_entries_are_faults_and_the_others_are_kept() -> None:
    def spoil(value: Any) -> None:
        value["graphs"] += [7, {"paper_title": 7}, {"edges": 7}, {"paper_title": "Half", "edges": [{"source": "A"}, 1]}]

    read = changed(spoil)
    assert [named.title for named in read.graphs] == ["One · Figure 2 · A1", "Two · A2", "Half"]
    assert [str(fault) for fault in read.faults] == [
        'study.json, graphs[2]: found \'7\'; a graph is {"paper_title": …, "nodes": […], "edges": […]}',
        "study.json, graphs[3].paper_title: found '7'; a text was expected here",
        'study.json, graphs[4].edges: found \'7\'; a graph is {"nodes": […], "edges": [{"source": …, "sink": …}]}',
        "study.json, graphs[5].edges[0].sink; an edge needs a sink; nodes without edges go into nodes",
        'study.json, graphs[5].edges[1]: found \'1\'; an edge is {"source": …, "sink": …, "sign": …}',
    ]
    assert read.read[2].faults == read.faults[3:]
    with pytest.raises(BadRow, match=r"study\.json, graphs; a study is"):
        changed(lambda value: value.update(graphs=7))


def test_a_table_sorted_by_hand_and_its_faulty_rows() -> None:
    text = (
        "Paper_ID,paper_title,figure_label,annotator,state,from,to,sign,remark\n"
        "p1,One,F1,A1,s,A,B,+,x\n"
        "p2,Two,F1,A1,s,C,D,,\n"
        "p1,One,F1,A1,s,B,A,up,\n"
        "p1,One,F1,A1\n"
        ",,,,,,,,\n"
        "p1,One,F1,A1,s,B,C,-,\n"
        'p3,"Open,F1,A1,s,B,C,-,\n'
    )
    read = read_study(text.encode(), "study.csv")
    assert [(named.title, [edge.pair for edge in named.graph.edges]) for named in read.graphs] == [
        ("One · F1 · A1", [("A", "B"), ("B", "C")]),
        ("Two · F1 · A1", [("C", "D")]),
    ]
    assert [(fault.line, fault.field) for fault in read.faults] == [(4, "sign"), (5, ""), (8, "")]
    for fault, word in zip(read.faults, ("+, - or empty", "4 fields, expected 9", "quote is opened"), strict=True):
        assert word in fault.expected
    assert read.notices == ("Columns not read: remark.",)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (export_study(TWO, GraphForm.JSON).decode(), True),
        ('{"graphs": []}', True),
        (";".join(LABELS) + ";source;sink", True),
        ("annotator\tfigure_label\tpaper_id\tfrom\tto\n", True),
        ("source,sink\nA,B\n", False),
        ("paper_id,figure_label,annotator\n", False),
        ('{"nodes": [], "edges": []}', False),
        ("A -> B", False),
        ("", False),
    ],
)
def test_a_study_is_told_by_its_beginning(text: str, expected: bool) -> None:
    assert is_study(text) is expected


def test_what_is_no_study_is_refused() -> None:
    with pytest.raises(UnreadableFile, match=r"a.csv is not a study; a study has the columns paper_id, paper_title"):
        read_study(b"source,sink\nA,B\n", "a.csv")
    with pytest.raises(BadRow, match="not JSON"):
        read_study(b'{"graphs": [', "a.json")
