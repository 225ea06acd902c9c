"""The top of a table: headings, samples, and which column is likely which; nothing for what is no table."""

from __future__ import annotations

import pytest

from exchange.archive import write_archive
from exchange.graphs import GraphForm, write_graph
from exchange.table_head import TableHead, table_head
from tests.exchange.strategies import TRICKY
from tests.exchange.test_workbook import book


def head(content: bytes | str, filename: str = "a.csv", **options: str) -> TableHead:
    found = table_head(content.encode() if isinstance(content, str) else content, filename, **options)
    assert found is not None
    return found


def test_a_table_shows_its_headings_and_five_rows() -> None:
    rows = "".join(f'Price {n},"Demand, {n}",+,{n}\n' for n in range(9))
    found = head("From,To,Type,weight\n\n" + rows)
    assert found.headings == ("From", "To", "Type", "weight")
    assert found.samples[0] == ("Price 0", "Demand, 0", "+", "0")
    assert (len(found.samples), found.sheets, found.guessed) == (5, (), frozenset())
    assert found.suggested == {"source": "From", "sink": "To", "sign": "Type"}


def test_columns_without_a_name_are_left_out_and_short_rows_filled() -> None:
    found = head("cause,,effect\nA,x,B\nC\n")
    assert (found.headings, found.samples) == (("cause", "effect"), (("A", "B"), ("C", "")))


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("id,Driver,Driven", {"source": "Driver", "sink": "Driven"}),
        ("1,Dependent variable,Independent variable", {"source": "Independent variable", "sink": "Dependent variable"}),
        ("1,left,right", {"source": "left", "sink": "right"}),
        ("1,note,left,right", {"source": "left", "sink": "right", "note": "note"}),
        ("1,left,to", {"source": "left", "sink": "to"}),
        ("cause,1,right", {"source": "cause", "sink": "right"}),
        ("only", {"source": "only"}),
    ],
)
def test_missing_ends_are_guessed_and_marked(heading: str, expected: dict[str, str]) -> None:
    row = ",".join("17" if cell in ("1", "id") else "some text" for cell in heading.split(","))
    found = head(f"{heading}\n{row}\n")
    assert found.suggested == expected
    assert found.guessed == {end for end in ("source", "sink") if expected.get(end) not in (None, "to", "cause")}


def test_a_workbook_shows_the_sheet_that_would_be_read_and_names_all() -> None:
    content = book(
        About=[["Ours"]],
        Links=[["Title"], ["from", "to"], ["A", "B"]],
        Other=[["Driver", "Driven"], ["C", 7]],
        Empty=[],
    )
    found = head(content, "a.xlsx")
    assert found == TableHead(
        ("from", "to"),
        (("A", "B"),),
        {"source": "from", "sink": "to"},
        frozenset(),
        ("About", "Links", "Other"),
        "Links",
    )
    other = head(content, "a.xlsx", sheet="Other")
    assert (other.headings, other.samples, other.sheet) == (("Driver", "Driven"), (("C", "7"),), "Other")
    assert other.suggested == {"source": "Driver", "sink": "Driven"}
    assert other.guessed == {"source", "sink"}
    assert head(content, "a.xlsx", sheet="Gone").sheet == "Links"
    assert head(write_graph(TRICKY, GraphForm.KUMU_XLSX), "k.xlsx").sheets == ("Elements", "Connections")


def test_the_separator_and_the_encoding_are_found_or_said() -> None:
    assert head("sep=;\nfrom;to\nA;B\n").headings == ("from", "to")
    assert head("left\tright\nA\tB\n", "a.txt").headings == ("left", "right")
    assert head("left;right\nÄ;B\n".encode("latin-1"), encoding="cp1252").samples == (("Ä", "B"),)


@pytest.mark.parametrize(
    ("content", "filename"),
    [
        (b"A -> B\nB -> C\n", "a.txt"),
        (b"A, then -> B\nB, then -> C\n", "a.txt"),
        (b"One line, of prose\nAnd another\n", "a.txt"),
        (b"just words\n", "a.txt"),
        (b'{"nodes": [], "edges": []}', "a.json"),
        (b"<graphml></graphml>", "a.graphml"),
        ("left;right\nÄ;B\n".encode("latin-1"), "a.csv"),
        (b"", "a.csv"),
        (b",,\n1,2,3\n", "a.csv"),
        (b"%PDF-1.7", "a.pdf"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a.xls"),
        (b"PK\x03\x04 broken", "a.xlsx"),
        (book(Empty=[]), "a.xlsx"),
        (write_archive([("a.csv", b"source,sink\n")]), "a.zip"),
    ],
)
def test_what_is_no_table_has_no_head(content: bytes, filename: str) -> None:
    assert table_head(content, filename) is None
