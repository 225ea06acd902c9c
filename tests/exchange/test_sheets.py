"""What is no workbook is refused by what it is; what is one is read whatever its header says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadInput, UnreadableFile
from exchange import sheets
from exchange.archive import open_archive, write_archive
from exchange.graphs import GraphForm, read_edges, write_graph
from tests.exchange.strategies import TRICKY
from tests.exchange.test_workbook import book

PIECES = [
    b"",
    b"0",
    b"-1",
    b"999999999",
    b"<f/>",
    b"</row>",
    b't="s"',
    b't="e"',
    b't="d"',
    b"\xff",
    b'r="XFD9"',
    b'<mergeCell ref="A1:B3"/>',
    b"&lt;",
    b"xl/x.xml",
    b'"',
]


def _with_password() -> bytes:
    return sheets.OLE + bytes(500) + "EncryptedPackage".encode("utf-16-le") + bytes(500)


def _entities() -> bytes:
    bomb = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa">]><x>&a;</x>'
    parts = open_archive(book(Edges=[["source", "sink"], ["A", "B"]]), "x")
    return write_archive((p.name, bomb if p.name == "xl/worksheets/sheet1.xml" else p.content) for p in parts)


@pytest.mark.parametrize(
    ("content", "name", "expected"),
    [
        (sheets.OLE + bytes(900), "old.xls", "old.xls is an old Excel file (.xls) or another old Office file; save it"),
        (_with_password(), "a.xlsx", "a.xlsx is protected by a password; save it without one."),
        (book(Edges=[["source", "sink"]])[:-30], "a.xlsx", "a.xlsx is damaged: it cannot be opened as a ZIP"),
        (_entities(), "a.xlsx", "a.xlsx is not an Excel workbook, or is damaged (EntitiesForbidden"),
        (book(Edges=[]), "a.xlsx", "a.xlsx: the workbook is empty."),
    ],
)
def test_what_is_no_readable_workbook_says_what_it_is(content: bytes, name: str, expected: str) -> None:
    with pytest.raises(UnreadableFile) as caught:
        read_edges(content, name)
    assert str(caught.value).startswith(expected)


@pytest.mark.parametrize(
    ("member", "expected"),
    [
        ("word/document.xml", "a.docx is a Word document; save the table as an Excel workbook (.xlsx) or as CSV."),
        ("content.xml", "a.docx is an OpenDocument file; save the table"),
        ("xl/workbook.bin", "a.docx is a binary Excel file (.xlsb); save the table"),
        ("readme.txt", "a.docx is not an Excel workbook, or is damaged ("),
        ("../evil.xml", "a.docx: the member “../evil.xml” leads out of the folder"),
    ],
)
def test_other_packed_files_are_named(member: str, expected: str) -> None:
    with pytest.raises(UnreadableFile) as caught:
        read_edges(write_archive([(member, b"<x/>")]), "a.docx")
    assert str(caught.value).startswith(expected)


def test_rows_and_sheets_without_end_are_refused() -> None:
    parts = {part.name: part.content for part in open_archive(book(Edges=[["source", "sink"], ["A", "B"]]), "x")}
    sheet = parts["xl/worksheets/sheet1.xml"]
    assert b'<row r="2">' in sheet
    parts["xl/worksheets/sheet1.xml"] = sheet.replace(b'<row r="2">', b'<row r="999999999">')
    with pytest.raises(UnreadableFile, match=r"damaged \(Edges: a row beyond 1,048,576, the last of Excel\)"):
        read_edges(write_archive(parts.items()), "a.xlsx")
    many = book(**{f"Sheet{number}": [["source", "sink"]] for number in range(101)})
    with pytest.raises(UnreadableFile, match=r"damaged \(101 sheets; at most 100 are read\)"):
        read_edges(many, "a.xlsx")


@given(st.data())
def test_a_damaged_workbook_is_read_or_refused_but_breaks_nothing(data: st.DataObject) -> None:
    form = data.draw(st.sampled_from([GraphForm.XLSX, GraphForm.KUMU_XLSX]))
    parts = {part.name: part.content for part in open_archive(write_graph(TRICKY, form), "x")}
    name = data.draw(st.sampled_from(sorted(parts)))
    for _ in range(data.draw(st.integers(1, 4))):
        content = parts[name]
        start = data.draw(st.integers(0, len(content)))
        end = start + data.draw(st.integers(0, 30))
        parts[name] = content[:start] + data.draw(st.sampled_from(PIECES)) + content[end:]
    try:
        read_edges(write_archive(parts.items()), "a.xlsx")
    except BadInput as error:
        assert "a.xlsx" in str(error)
