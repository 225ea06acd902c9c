"""What a file holds is counted while it is read: the refusal names where, and nothing after it is looked at."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest

from core.errors import BadInput, UnreadableFile
from core.graphs import bounds
from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.graphs.layouts.layout import Point
from core.sign import Sign
from exchange import econcausal, jel_table, sheets, text_lines, triplet_rows
from exchange.archive import write_archive
from exchange.bundle import read_bundle
from exchange.graphs import GraphForm, read_edges, write_graph
from exchange.references import read_references
from exchange.study import StudyGraph, export_study

Limit = Callable[..., None]


@pytest.fixture
def limit(monkeypatch: pytest.MonkeyPatch) -> Limit:
    """`limit(MOST_EDGES=5)` for this test."""

    def limited(**most: int) -> None:
        for name, number in most.items():
            monkeypatch.setattr(bounds, name, number)

    return limited


def chain(edges: int) -> CausalGraph:
    """X1 → X2 → …, every arrow with a sign, so that every form can hold it."""
    return CausalGraph.of([Edge(f"X{n}", f"X{n + 1}", Sign.PLUS) for n in range(1, edges + 1)])


def refusal(content: bytes, name: str) -> str:
    with pytest.raises(UnreadableFile) as caught:
        read_bundle(content, name)
    return str(caught.value)


@pytest.mark.parametrize("form", GraphForm)
def test_every_form_stops_at_the_first_edge_too_many(form: GraphForm, limit: Limit) -> None:
    graph = chain(8)
    spots = {name: Point(100.0 * place, 0) for place, name in enumerate(graph.nodes)}
    content, name = write_graph(graph, form, spots), f"large{form.suffix}"
    limit(MOST_EDGES=8)
    assert len(read_edges(content, name).graph.edges) == 8
    limit(MOST_EDGES=7)
    assert refusal(content, name).startswith(f"{name} has more than 7 edges")
    limit(MOST_EDGES=8, MOST_NODES=8)
    if form not in (GraphForm.STANDARD, GraphForm.ARROWS):  # there a name stands beside its arrow, which is counted
        assert refusal(content, name).startswith(f"{name} has more than 8 nodes")


EDGES = [f"n{n // 200},m{n % 200}" for n in range(20_001)]


@pytest.mark.parametrize(
    ("content", "name", "expected", "most"),
    [
        ("source,sink\n" + "\n".join(EDGES), "a.csv", "20,000 edges (line 20,002)", {}),
        ("\n".join(EDGES[:501]).replace(",", " -> "), "a.txt", "500 edges (line 501)", {"MOST_EDGES": 500}),
        ("source,sink\n" + "a,b\n" * 501, "a.csv", "500 rows (line 502)", {"MOST_ROWS": 500}),
        ("a -> b\n" * 501, "a.txt", "500 rows (line 501)", {"MOST_ROWS": 500}),
        ("source,sink,sign\n" + "a,b,x\n" * 10_001, "a.csv", "10,000 faulty rows (line 10,002)", {}),
        ("xx -> \n" * 502, "a.txt", "500 faulty rows (line 502)", {"MOST_FAULTS": 500}),
        (
            '{"edges": [\n' + ",\n".join(["[]"] * 100_001) + "]}",
            "a.json",
            "100,000 entries in one list (line 100,002)",
            {},
        ),
        (
            "{" + ",".join(f'"{n}":0' for n in range(1_001)) + "}",
            "a.json",
            "500 keys in one object (line 1)",
            {"MOST_ROWS": 500},
        ),
    ],
)
def test_the_limits_and_the_line_that_is_beyond(
    content: str, name: str, expected: str, most: dict[str, int], limit: Limit
) -> None:
    limit(**most)
    assert f"{name} has more than {expected}" in refusal(content.encode(), name)


def test_nothing_behind_the_limit_is_looked_at(limit: Limit) -> None:
    """What stands there would be told otherwise: a quote that is never closed, a NaN."""
    limit(MOST_EDGES=2)
    assert "2 edges (line 4)" in refusal(b'source,sink\na,b\nb,c\nc,d\n"never closed\n', "a.csv")
    limit(MOST_ROWS=3)
    rows = b", ".join([b'{"source": "a", "sink": "b"}'] * 4)
    with pytest.raises(UnreadableFile, match=r"3 entries in one list \(line 1\)"):
        read_edges(b'{"edges": [' + rows + b", NaN, never closed", "a.json")


def test_blank_lines_are_counted_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_lines, "MOST_LINES", 4)
    monkeypatch.setattr(text_lines.first_lines, "__defaults__", (4,))
    assert read_edges(b"source,sink\n\n\na,b", "a.csv").graph.edges == (Edge("a", "b"),)
    assert "a.csv has more than 4 lines" in refusal(b"source,sink\n\n\n\n\na,b", "a.csv")


def test_the_graphs_of_a_zip_and_of_a_study_are_counted_together(limit: Limit) -> None:
    from exchange import bundle, study_reading

    members = [(f"{number}.csv", b"source,sink\na,b\nb,c\n") for number in range(4)]
    assert len(read_bundle(write_archive(members), "all.zip")) == 4
    named = [StudyGraph("P", "p", f"F{n}", "A1", "submitted", chain(3)) for n in range(4)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bundle, "MOST_TOGETHER", 14)
        patch.setattr(study_reading, "MOST_TOGETHER", 11)
        assert "14 nodes and edges together (all.zip/2.csv)" in refusal(write_archive(members), "all.zip")
        for form, where in ((GraphForm.CSV, "line 13"), (GraphForm.JSON, "graphs[1]")):
            found = refusal(export_study(named, form), f"s{form.suffix}")
            assert f"11 nodes and edges together ({where})" in found
    bad = [(f"{number}.csv", b"source,sink,sign\na,b,x\n") for number in range(4)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bundle, "MOST_FAULTS", 3)
        assert "more than 3 faulty rows together (all.zip/3.csv)" in refusal(write_archive(bad), "all.zip")


def test_a_member_with_too_much_is_one_fault_of_its_zip(limit: Limit) -> None:
    limit(MOST_EDGES=1)
    read = read_bundle(
        write_archive([("a.csv", b"source,sink\na,b\n"), ("b.csv", b"source,sink\na,b\nb,c\n")]), "z.zip"
    )
    assert read[0].graph.edges == (Edge("a", "b"),)
    [fault] = read[1].faults
    assert fault.file == "z.zip/b.csv"
    assert "1 edges (line 3)" in fault.expected


def test_cells_of_a_workbook_are_counted_over_all_sheets(monkeypatch: pytest.MonkeyPatch) -> None:
    content = write_graph(chain(4), GraphForm.XLSX)
    sheets.forget_sheets()
    monkeypatch.setattr(sheets, "MOST_CELLS", 14)  # headings 6; edges 3 each; names 3 or 1
    assert "14 cells (edges, row 4)" in refusal(content, "b.xlsx")
    monkeypatch.setattr(sheets, "MOST_CELLS", 22)
    assert "22 cells (nodes, row " in refusal(content, "b.xlsx")


def test_many_notices_of_one_kind_are_counted() -> None:
    (read,) = read_bundle(b"source,sink\n" + b"a,b\n" * 1_503, "a.csv")
    assert (len(read.notices), read.notices[-1]) == (1_001, "… and 502 more of the same kind.")


def test_headings_are_named_as_far_as_a_sentence_can_hold_them() -> None:
    wide = ",".join(["source", "sink", *(f"c{n}" for n in range(2_000))])
    (read,) = read_bundle(f"{wide}\na,b{',' * 2_000}\n".encode(), "a.csv")
    (notice,) = read.notices
    assert "c20" not in notice
    assert re.findall(r"c19 and ([\d,]+) more", notice) == ["1,980"]


# --- triplets and references --------------------------------------------------------------------------------------

ROW = {"treatment": "A", "outcome": "B", "sign": "+"}


def test_rows_faults_and_columns_of_triplets_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    def said(*rows: object) -> str:
        content = "\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows).encode()
        with pytest.raises(UnreadableFile) as caught:
            econcausal.read_triplets(content, "t.jsonl")
        return str(caught.value)

    monkeypatch.setattr(triplet_rows, "MOST_ROWS", 2)
    assert "2 rows (line 3)" in said(ROW, ROW, ROW)
    monkeypatch.setattr(triplet_rows, "MOST_FAULTS", 2)
    assert "2 faulty rows (line 4)" in said(ROW, "{", "{", "{")
    monkeypatch.setattr(triplet_rows, "MOST_COLUMNS", 4)
    assert "4 columns (line 2)" in said(ROW, {**ROW, "a": 1, "b": 2})


def test_rows_and_faults_of_a_table_of_codes_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jel_table, "MOST_ROWS", 2)
    with pytest.raises(UnreadableFile, match=r"2 rows \(line 4\)"):
        jel_table.read_jel(b"paper,jel\nw1,A\nw2,B\nw3,C\n", "j.csv")
    monkeypatch.setattr(jel_table, "MOST_FAULTS", 0)
    with pytest.raises(UnreadableFile, match=r"0 faulty rows \(line 3\)"):
        jel_table.read_jel(b"paper,jel\nw1,??\nw2,B\n", "j.csv")


def test_entries_and_faults_of_references_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    from exchange import reference_entries

    monkeypatch.setattr(reference_entries, "MOST_ENTRIES", 2)
    for name, content, line in (
        ("r.csv", "title\nA\nB\nC\n", 4),
        ("r.ris", "".join(f"TY  - JOUR\nTI  - {title}\nER  - \n" for title in "ABC"), 7),
        ("r.bib", "".join(f"@article{{{key}, title={{{key}}}}}\n" for key in "abc"), 3),
    ):
        with pytest.raises(UnreadableFile, match=rf"{name} .* 2 entries \(line {line}\)"):
            read_references(content.encode(), name)
    monkeypatch.setattr(reference_entries, "MOST_FAULTS", 1)
    with pytest.raises(UnreadableFile, match=r"1 faults \(line 3\)"):
        read_references(b"title,doi\nA,x\nB,y\n", "r.csv")


# --- time that grows with the file --------------------------------------------------------------------------------


LONG = "treatment,outcome,sign,critic,criterion,score"


def wide_table(columns: int) -> str:
    return ",".join(["source", "sink", *(f"c{n}" for n in range(columns))]) + "\na,b" + "," * columns + "\n"


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (wide_table(30_000), "wide.csv"),
        (wide_table(30_000), "wide.jsonl"),
        ("title," + ",".join(f"c{n}" for n in range(30_000)) + "\n", "wide.bib.csv"),
        ("treatment,outcome,sign\n" + "A,B,+\n" * 2, "few.csv"),
        (json.dumps({**ROW, **{f"k{n}": 0 for n in range(20_000)}})[:-1] + ', "k19999": 1}', "twice.jsonl"),
        (json.dumps({**ROW, "score_sum": "1e999999999"}), "exponent.jsonl"),
        (json.dumps(ROW)[:-1] + ', "x": ' + "[" * 900 + "]" * 900 + "}", "deep.jsonl"),
        (f"{LONG}\n" + "".join(f"A,B,+,c{n},sign,1\n" for n in range(9_000)), "long.csv"),
        ("A -> " + "; ".join("B" for _ in range(6_000)) + "\n", "sinks.txt"),
    ],
)
def test_small_files_that_took_minutes_are_read_or_refused(content: str, name: str) -> None:
    """Each of them was read in time that grew with its square or worse, or ended in no sentence at all."""
    for read in (read_bundle, econcausal.read_triplets, read_references):
        try:
            read(content.encode(), name)
        except BadInput as error:
            assert str(error)


def test_a_score_beside_another_of_the_same_critic_and_criterion_is_a_fault_wherever_it_stands() -> None:
    rows = "".join(f"A,B,+,c{n % 3},sign,{n % 4}\n" for n in range(5))
    read = econcausal.read_triplets(f"{LONG}\n{rows}".encode(), "long.csv")
    assert [(one.critic, one.score) for one in read.records[0].critics] == [("c0", 0), ("c1", 1), ("c2", 2)]
    assert [fault.line for fault in read.faults] == [5, 6]


def test_a_heading_that_is_no_csv_and_latex_that_cannot_be_read_are_told() -> None:
    with pytest.raises(UnreadableFile, match=r"j\.csv, line 1: a quote that is closed"):
        jel_table.read_jel(b'"paper"x,jel\n', "j.csv")
    read = read_references(b"@article{a, title={\\verb}}\n@article{b, title={Good}}\n", "r.bib")
    assert [reference.title for reference in read.references] == ["Good"]
    assert str(read.faults[0]) == "r.bib, line 1: found '\\\\verb'; LaTeX that can be read, or plain text"
