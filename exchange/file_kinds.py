"""The kind of an uploaded file, found before it is parsed: triplets, JEL codes, samples, questions, abstracts,
responses, evaluations, or graphs."""

from __future__ import annotations

import re
from enum import StrEnum

from core.errors import BadInput, UnknownEncoding
from exchange.jel_table import COLUMNS as JEL_COLUMNS
from exchange.recite_responses import kind_of_columns
from exchange.triplet_cells import fields_of
from exchange.triplet_rows import RowReader, TripletForm, form_of

HEAD = 1 << 20
"""Bytes in which the first row of a text file must name its columns."""
ANY_ENCODING = "cp1252"
"""Encoding in which headings of any file are legible; the real encoding is requested later."""

ABSTRACT_COLUMNS = frozenset({"title", "abstract"})
_ENTRY = re.compile(
    rb"\s*+(?:TY {1,2}- |@(?:article|book|inproceedings|misc|techreport|unpublished|incollection)\s*+[{(])", re.I
)
QUESTION_KEYS = ("type", "asked", "answer", "given")
"""Keys of a question set that no file of graphs has."""


class FileKind(StrEnum):
    TRIPLETS = "triplets"
    JEL = "JEL codes"
    SAMPLES = "samples"
    QUESTIONS = "questions"
    ABSTRACTS = "abstracts"
    RESPONSES = "responses"
    EVALUATIONS = "evaluations"
    GRAPHS = "graphs"


def may_have_columns(content: bytes) -> bool:
    """Return True if the content contains the words that make it triplets or JEL codes; nothing is parsed."""
    head = content[:HEAD].replace(b"\x00", b"").lower()
    has_triplets = b"treatment" in head and b"outcome" in head
    has_columns = has_triplets or b"jel" in head or (b"title" in head and b"abstract" in head)
    return head.startswith(b"par1") or has_columns or _may_be_questions(head) or _is_of_references(content)


def _is_of_references(content: bytes) -> bool:
    """Return True for entries of RIS or BibTeX, with or without abstracts."""
    return _ENTRY.match(content[:HEAD].removeprefix(b"\xef\xbb\xbf")) is not None


def _may_be_questions(head: bytes) -> bool:
    return head.lstrip()[:1] in (b"{", b"[") and all(f'"{name}"'.encode() in head for name in QUESTION_KEYS)


def kind_of(name: str, content: bytes) -> FileKind:
    """Return the kind by headings, never by name: treatment and outcome: triplets; paper and jel: a JEL table; JSON
    with given, asked and answer: questions; title and abstract, RIS or BibTeX: abstracts; Parquet with id and edges:
    samples; ReCITE's two other tables: responses and evaluations; anything else: graphs. Never raises for a file's
    content."""
    if not may_have_columns(content):
        return FileKind.GRAPHS
    if _may_be_questions(content[:HEAD].lower()):
        return FileKind.QUESTIONS
    if _is_of_references(content):
        return FileKind.ABSTRACTS
    try:
        columns = _columns(name, content)
    except BadInput:
        return FileKind.GRAPHS
    if {"treatment", "outcome"} <= fields_of(columns).keys():
        return FileKind.TRIPLETS
    if content.startswith(b"PAR1") and {"id", "edges"} <= set(columns):
        return FileKind.SAMPLES
    if content.startswith(b"PAR1") and (public := kind_of_columns(columns)):
        return FileKind(public.value)
    if {each.strip().casefold() for each in columns} >= ABSTRACT_COLUMNS:
        return FileKind.ABSTRACTS
    has_codes = {each.strip().casefold() for each in columns} >= set(JEL_COLUMNS)
    return FileKind.JEL if has_codes and form_of(content, name) is TripletForm.CSV else FileKind.GRAPHS


def _columns(name: str, content: bytes) -> tuple[str, ...]:
    """Return the headings of the first readable row. Raises BadInput if no encoding can read one."""
    try:
        return _first(name, content, "")
    except UnknownEncoding:
        return _first(name, content, ANY_ENCODING)


def _first(name: str, content: bytes, encoding: str) -> tuple[str, ...]:
    reader = RowReader(filename=name, form=form_of(content, name))
    next(reader.rows(content, encoding), None)
    return tuple(reader.columns)
