"""Graphs of an uploaded file: one graph, a ZIP of graphs, or a study."""

from __future__ import annotations

import codecs
import csv
import io
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePath, PurePosixPath

from core.errors import BadInput, BadRow, UnreadableFile
from core.graphs.bounds import MOST_FAULTS, MOST_GRAPHS, MOST_TOGETHER, too_many
from core.graphs.graph import CausalGraph
from exchange.archive import MOST_BYTES, ArchiveMember, open_archive
from exchange.decode import decode_text
from exchange.edge_rows import ImportedGraph
from exchange.edge_table import unguarded
from exchange.forms import GraphForm
from exchange.graphs import read_edges
from exchange.study import CONTENTS, LABELS, NOT_WRITTEN, StudyGraph
from exchange.study_reading import is_study, read_study

_ZIPS = (b"PK\x03\x04", b"PK\x05\x06")  # the second: a zip without members
_OFFICE = ("[Content_Types].xml", "mimetype")
_OF_SYSTEMS = ("__macosx", "thumbs.db", "desktop.ini")
_NO_ARROW = (
    'contains no graph in a known format: none of its lines is an arrow ("A" -> "B") and its columns have no names'
)


@dataclass(frozen=True, slots=True)
class _Answers:
    encoding: str = ""
    columns: Mapping[str, str] | None = None
    sheet: str = ""


def read_bundle(
    content: bytes,
    filename: str,
    *,
    encoding: str = "",
    columns: Mapping[str, str] | None = None,
    sheet: str = "",
) -> tuple[ImportedGraph, ...]:
    """Return the graphs of a file, each with its title.

    A file with one graph is titled by itself or by its name. A study's graphs are titled "paper title · figure label ·
    A1"; a graph without nodes carries faults that belong to none. A ZIP gives the graphs of its members; an unreadable
    member is a graph without nodes and one fault. Operating systems' files and a study ZIP's lists are skipped, with a
    notice at the first graph. Faults name the member in `file`: "graphs.zip/one.csv".

    `encoding`, `columns` and `sheet` are a user's answers; in a ZIP, columns and sheet apply to members that cannot be
    read without them.
    Raises as `graphs.read_edges` and `study_reading.read_study` for a whole file, and as `archive.open_archive` for a
    ZIP; UnreadableFile for a ZIP without a graph, and for more than 200,000 variables and edges in total.
    """
    answers = _Answers(encoding, columns, sheet)
    if _is_zip(content, filename):
        return _read_zip(content, filename, answers)
    return _read_file(content, filename, answers)


def _is_zip(content: bytes, filename: str) -> bool:
    """Return True for a ZIP of files, by its name, or because it is packed and no Office document."""
    if not content.startswith(_ZIPS):
        return False
    if PurePath(filename).suffix.lower() == ".zip":
        return True
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return not any(name in archive.namelist() for name in _OFFICE)
    except (zipfile.BadZipFile, zlib.error, OSError, NotImplementedError, ValueError):
        return False  # its reader says what is wrong with it


def _read_file(content: bytes, filename: str, answers: _Answers) -> tuple[ImportedGraph, ...]:
    stem = PurePath(filename).stem
    if _holds_study(content, filename, answers.encoding):
        study = read_study(content, filename, encoding=answers.encoding)
        graphs = list(study.read)
        if len(graphs) > MOST_GRAPHS:
            raise too_many(filename, MOST_GRAPHS, "graphs")
        if study.loose or not graphs:
            graphs.append(ImportedGraph(graph=CausalGraph((), ()), faults=study.loose, title=stem))
        graphs[0] = replace(graphs[0], notices=study.notices + graphs[0].notices)
        return tuple(graphs)
    read = read_edges(
        content, filename, encoding=answers.encoding, columns=answers.columns or None, sheet=answers.sheet
    )
    return (replace(read, title=read.title or stem),)


def _holds_study(content: bytes, filename: str, encoding: str) -> bool:
    if content.startswith(_ZIPS):
        return False
    try:
        return is_study(decode_text(content, filename, encoding)[0])
    except UnreadableFile:
        return False  # not a text, or one whose form says its encoding itself


def _read_zip(content: bytes, filename: str, answers: _Answers) -> tuple[ImportedGraph, ...]:
    members = open_archive(content, filename)
    titles = _titles(members)
    lists = () if titles is None else (CONTENTS, NOT_WRITTEN)
    skipped = [member.name for member in members if _is_of_system(member.name) or member.name in lists]
    left = MOST_BYTES - sum(len(member.content) for member in members)
    graphs: list[ImportedGraph] = []
    total = _Total(filename)
    for member in members:
        if member.name in skipped:
            continue
        place = f"{filename}/{member.name}"
        try:
            if member.content.startswith(_ZIPS):  # a workbook: what it unpacks to counts too
                left -= sum(len(part.content) for part in open_archive(member.content, place, allowance=left))
            read = _read_member(member, place, answers)
        except BadInput as error:
            read = (_unread(place, error),)
        total.add(read, place)
        title = (titles or {}).get(member.name, "")
        graphs += (replace(one, title=title) for one in read) if title and len(read) == 1 else read
    if not graphs:
        raise UnreadableFile(f"{filename} contains no graph: {_listed(skipped) or 'it is empty'}.")
    if skipped:
        graphs[0] = replace(graphs[0], notices=(f"Not read from {filename}: {_listed(skipped)}.", *graphs[0].notices))
    return tuple(graphs)


class _Total:
    """Totals over the graphs of one file. Raises UnreadableFile beyond the limits of an import."""

    def __init__(self, filename: str) -> None:
        self._file = filename
        self._graphs = self._elements = self._rows = self._faults = 0

    def add(self, graphs: Iterable[ImportedGraph], place: str) -> None:
        for one in graphs:
            self._graphs += 1
            self._elements += len(one.graph.nodes) + len(one.graph.edges)
            self._rows += one.rows
            self._faults += len(one.faults)
        if self._graphs > MOST_GRAPHS:
            raise too_many(self._file, MOST_GRAPHS, "graphs", place)
        if self._elements > MOST_TOGETHER:
            raise too_many(self._file, MOST_TOGETHER, "nodes and edges together", place)
        if self._rows > 2 * MOST_TOGETHER:
            raise too_many(self._file, 2 * MOST_TOGETHER, "rows together", place)
        if self._faults > MOST_FAULTS:
            raise too_many(self._file, MOST_FAULTS, "faulty rows together", place)


def _read_member(member: ArchiveMember, place: str, answers: _Answers) -> tuple[ImportedGraph, ...]:
    try:
        read = _read_file(member.content, place, replace(answers, columns=None, sheet=""))
    except BadRow:
        if not answers.columns and not answers.sheet:
            raise
        read = _read_file(member.content, place, answers)
    only = read[0]
    if only.form is GraphForm.ARROWS and only.faults and not only.graph.nodes:
        raise BadRow(place, None, "", "", _NO_ARROW)
    return read


def _unread(place: str, error: BadInput) -> ImportedGraph:
    if isinstance(error, BadRow):
        fault = error
    else:
        message = str(error).removeprefix(place).lstrip(":, ")
        fault = BadRow(place, None, "", "", message)
    return ImportedGraph(graph=CausalGraph((), ()), faults=(fault,), title=PurePosixPath(place).stem)


def _is_of_system(name: str) -> bool:
    """Return True for a hidden file, or one that an operating system adds to folders."""
    return any(part.startswith(".") or part.casefold() in _OF_SYSTEMS for part in PurePosixPath(name).parts)


def _titles(members: Iterable[ArchiveMember]) -> dict[str, str] | None:
    """Return the titles from a study ZIP's list; None if there is no list, or it is not Edgewise's."""
    listed = next((member.content for member in members if member.name == CONTENTS), b"")
    rows = list(csv.reader(io.StringIO(listed.decode("utf-8-sig", errors="replace"), newline="")))
    if listed.startswith(codecs.BOM_UTF8):  # earlier lists were written exactly
        rows = [[unguarded(cell) for cell in row] for row in rows]
    if not rows or rows[0] != ["file", *LABELS]:
        return None
    return {
        row[0]: StudyGraph(graph=CausalGraph((), ()), **dict(zip(LABELS, row[1:], strict=True))).title
        for row in rows[1:]
        if len(row) == 1 + len(LABELS)
    }


def _listed(names: list[str]) -> str:
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
