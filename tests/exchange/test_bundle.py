"""Whatever a person drops, as the graphs it holds: titles, places of faults, and what is skipped or refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadRow, UnknownEncoding, UnreadableFile
from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.graphs.layouts.layout import Point
from core.sign import Sign
from exchange import bundle
from exchange.archive import open_archive, write_archive
from exchange.bundle import read_bundle
from exchange.graphs import GraphForm, write_graph
from exchange.study import StudyGraph, export_study, export_study_zip
from tests.exchange.strategies import GRAPHS, TRICKY, real_clds
from tests.exchange.test_workbook import book

CSV = b"source,sink\nA,B\n"
TWO = [
    StudyGraph("One", "p1", "Figure 2", "A1", "submitted", CausalGraph.of([Edge("A", "B", Sign.MINUS)], ["C"])),
    StudyGraph("Two", "p2", "", "A2", "draft", CausalGraph.of([Edge("D", "E")])),
]


def zipped(**members: bytes) -> bytes:
    return write_archive((name.replace("__", "/").replace("_dot_", "."), content) for name, content in members.items())


def test_a_file_of_one_graph_is_titled_by_its_name_or_by_itself() -> None:
    (read,) = read_bundle(CSV, "demand.csv")
    assert (read.title, [edge.pair for edge in read.graph.edges]) == ("demand", [("A", "B")])
    (read,) = read_bundle(b'{"elements": [], "connections": [], "maps": [{"name": "Mine"}]}', "demand.json")
    assert read.title == "Mine"


@given(st.lists(GRAPHS, min_size=1, max_size=3), st.sampled_from([GraphForm.XLSX, GraphForm.JSON, GraphForm.GRAPHML]))
def test_a_zip_gives_every_member(graphs: list[CausalGraph], form: GraphForm) -> None:
    members = [(f"folder/g{number}{form.suffix}", write_graph(graph, form)) for number, graph in enumerate(graphs)]
    read = read_bundle(write_archive(members), "graphs.zip")
    assert [one.graph for one in read] == graphs
    assert [(one.title, one.form, one.faults) for one in read] == [(f"g{n}", form, ()) for n in range(len(graphs))]


def test_real_diagrams_in_one_zip_in_every_form_that_holds_them() -> None:
    forms = (GraphForm.XLSX, GraphForm.KUMU_XLSX, GraphForm.KUMU_JSON, GraphForm.CSV, GraphForm.GRAPHML)
    clds = list(real_clds().items())[:10]
    members = [
        (f"{form.value}/{name}{form.suffix}", write_graph(graph, form)) for form in forms for name, (graph, _) in clds
    ]
    read = read_bundle(write_archive(members), "graphs.zip")
    assert [(one.title, one.graph) for one in read] == [(name, graph) for name, (graph, _) in clds] * len(forms)


@pytest.mark.parametrize("form", [GraphForm.CSV, GraphForm.SAFE_CSV, GraphForm.TSV, GraphForm.JSON])
def test_a_study_gives_its_graphs_with_their_titles(form: GraphForm) -> None:
    read = read_bundle(export_study(TWO, form), f"study{form.suffix}")
    assert [(one.title, one.graph, one.faults) for one in read] == [
        ("One · Figure 2 · A1", TWO[0].graph, ()),
        ("Two · A2", TWO[1].graph, ()),
    ]
    inside = read_bundle(write_archive([(f"study{form.suffix}", export_study(TWO, form))]), "all.zip")
    assert [(one.title, one.graph) for one in inside] == [(one.title, one.graph) for one in read]


def test_a_changed_study_says_so_and_its_broken_entries_have_a_place() -> None:
    text = export_study(TWO, GraphForm.JSON).decode()
    read = read_bundle(text.replace('"D"', '"Dd"').replace("[\n", "[\n7,\n", 1).encode(), "study.json")
    assert [one.title for one in read] == ["One · Figure 2 · A1", "Two · A2", "study"]
    assert read[0].notices[0].endswith("not a graph; Two · A2.")
    assert [str(fault).split(";")[0] for fault in read[2].faults] == ["study.json, graphs[0]: found '7'"]


@pytest.mark.parametrize("form", [GraphForm.XLSX, GraphForm.VENSIM, GraphForm.DAGITTY])
def test_a_study_zip_is_read_back_with_its_titles(form: GraphForm) -> None:
    read = read_bundle(export_study_zip(TWO, form).content, "study.zip")
    assert [(one.title, [edge.pair for edge in one.graph.edges]) for one in read] == [
        ("One · Figure 2 · A1", [("A", "B")]),
        ("Two · A2", [("D", "E")]),
    ]
    assert read[0].notices[0] == "Not read from study.zip: contents.csv."


def test_faults_name_the_member() -> None:
    read = read_bundle(zipped(a__one_dot_csv=CSV + b"A,\x00\n", two_dot_csv=CSV), "graphs.zip")
    assert [(fault.file, fault.line, fault.field) for fault in read[0].faults] == [("graphs.zip/a/one.csv", 3, "sink")]
    assert read[1].faults == ()


def test_members_that_are_no_graphs_are_one_fault_each() -> None:
    members = {
        "a.docx": write_archive([("word/document.xml", b"")]),
        "b.csv": b"left,right\n1,2\n",
        "c.csv": "source,sink\nä,b\n".encode("latin-1"),
        "d.txt": b"These are our graphs.\nEnjoy -- them\n",
        "e.xlsx": b"PK\x03\x04 nothing",
        "f.csv": b"",
        "g.png": b"\x89PNG\r\n",
        "h.csv": CSV,
    }
    read = read_bundle(write_archive(members.items()), "graphs.zip")
    assert [one.title for one in read] == list("abcdefgh")
    faults = [fault for one in read for fault in one.faults]
    assert [(fault.file, fault.line) for fault in faults] == [
        ("graphs.zip/a.docx", None),
        ("graphs.zip/b.csv", 1),
        ("graphs.zip/c.csv", None),
        ("graphs.zip/d.txt", None),
        ("graphs.zip/e.xlsx", None),
        ("graphs.zip/f.csv", None),
        ("graphs.zip/g.png", None),
    ]
    words = ("Word document", "source and sink", "not UTF-8", "no graph", "damaged", "empty", "picture")
    for fault, word in zip(faults, words, strict=True):
        assert word in fault.expected
    assert all(one.graph.nodes == () for one in read[:-1])


def test_files_of_systems_are_skipped_with_a_notice() -> None:
    members = ["__MACOSX/a.csv", ".DS_Store", "a/.hidden/b.csv", "Thumbs.db", "a.csv", "contents.csv"]
    read = read_bundle(write_archive((name, CSV) for name in members), "graphs.zip")
    assert [one.title for one in read] == ["a", "contents"]
    assert read[0].notices == ("Not read from graphs.zip: __MACOSX/a.csv, .DS_Store, a/.hidden/b.csv, Thumbs.db.",)


def test_answers_go_to_the_members_that_need_them() -> None:
    content = zipped(one_dot_csv=b"Driver,Driven\nA,B\n", two_dot_csv=CSV)
    assert [len(one.faults) for one in read_bundle(content, "graphs.zip")] == [1, 0]
    read = read_bundle(content, "graphs.zip", columns={"source": "Driver", "sink": "Driven"})
    assert [(one.faults, [edge.pair for edge in one.graph.edges]) for one in read] == [((), [("A", "B")])] * 2
    with pytest.raises(UnknownEncoding):
        read_bundle("source,sink\nä,b\n".encode("latin-1"), "one.csv")
    (named,) = read_bundle("source,sink\nä,b\n".encode("latin-1"), "one.csv", encoding="cp1252")
    assert named.graph.nodes == ("ä", "b")
    (sheet,) = read_bundle(
        book(One=[["from", "to"], ["A", "B"]], Two=[["from", "to"], ["C", "D"]]), "a.xlsx", sheet="Two"
    )
    assert sheet.graph.nodes == ("C", "D")


def test_a_zip_is_known_without_its_ending() -> None:
    assert len(read_bundle(zipped(one_dot_csv=CSV), "graphs")) == 1
    assert read_bundle(write_graph(TRICKY, GraphForm.XLSX, {"None": Point(1, 2)}), "graph")[0].graph == TRICKY


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (write_archive([]), "graphs.zip contains no graph: it is empty."),
        (write_archive([(".DS_Store", b"x")]), "graphs.zip contains no graph: .DS_Store."),
        (write_archive([("../a.csv", CSV)]), "graphs.zip: the member “../a.csv” leads out of the folder with ..;"),
        (
            write_archive([("a.dat", write_archive([]) + CSV), ("b.dat", write_archive([("x", CSV)]))]),
            "graphs.zip: the member “b.dat” is a ZIP inside the ZIP",
        ),
        (b"PK\x03\x04", "graphs.zip is damaged"),
    ],
)
def test_zips_that_hold_no_graph_or_a_trap_are_refused(content: bytes, expected: str) -> None:
    with pytest.raises(UnreadableFile) as caught:
        read_bundle(content, "graphs.zip")
    assert str(caught.value).startswith(expected)


def test_what_workbooks_inside_unpack_to_counts_for_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    content = write_graph(TRICKY, GraphForm.XLSX)
    unpacked = sum(len(part.content) for part in open_archive(content, "graph.xlsx"))
    monkeypatch.setattr(bundle, "MOST_BYTES", 9 * len(content) + 3 * unpacked)
    read = read_bundle(write_archive((f"{number}.xlsx", content) for number in range(9)), "graphs.zip")
    assert [bool(one.faults) for one in read] == [False] * 3 + [True] * 6
    assert "takes the ZIP past 200 MB unpacked; split the ZIP" in str(read[-1].faults[0])


def test_a_single_broken_file_is_refused_as_alone() -> None:
    with pytest.raises(BadRow, match="needs the columns source and sink"):
        read_bundle(b"left,right\n1,2\n", "a.csv")
    with pytest.raises(BadRow, match="not JSON"):
        read_bundle(b'{"graphs": [', "a.json")


def test_a_file_of_more_graphs_than_a_person_looks_at_is_refused() -> None:
    rows = "".join(f"p{number},f,a,x,y\n" for number in range(2_001))
    table = ("paper_id,figure_label,annotator,source,sink\n" + rows).encode()
    with pytest.raises(UnreadableFile, match=r"many\.csv .* 2,000 graphs"):
        read_bundle(table, "many.csv")
    assert len(read_bundle(table.rpartition(b"p2000")[0], "many.csv")) == 2_000
