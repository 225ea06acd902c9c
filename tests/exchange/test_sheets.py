"""What is no workbook is refused by what it is; what is one is read whatever its header says."""

from __future__ import annotations

import pytest

from core.errors import UnreadableFile
from exchange import sheets
from exchange.archive import open_archive, write_archive
from exchange.graphs import read_edges
from tests.exchange.test_workbook import book


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
        (book(Edges=[["source", "sink"]])[:-30], "a.xlsx", "a.xlsx is damaged: it cannot be opened as a zip"),
        (_entities(), "a.xlsx", "a.xlsx is no Excel workbook, or damaged (EntitiesForbidden"),
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
        ("readme.txt", "a.docx is no Excel workbook, or damaged ("),
        ("../evil.xml", "a.docx: the member '../evil.xml' leads out of the folder"),
    ],
)
def test_other_packed_files_are_named(member: str, expected: str) -> None:
    with pytest.raises(UnreadableFile) as caught:
        read_edges(write_archive([(member, b"<x/>")]), "a.docx")
    assert str(caught.value).startswith(expected)
