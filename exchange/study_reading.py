"""A study's export read back: graphs with their labels, every faulty row, and changes since the export."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from core.errors import BadRow, UnreadableFile
from core.graphs.bounds import MOST_TOGETHER, refuse_more, too_many
from core.graphs.graph import CausalGraph
from exchange.decode import decode_text
from exchange.edge_json import load_json, read_plain
from exchange.edge_meanings import EdgeRecordRow, add_rows, meanings_of
from exchange.edge_rows import EdgeCollector, ImportedGraph, field_of, not_read
from exchange.edge_table import LONGEST_HEADING, column_places, records, split_heading, unguarded
from exchange.forms import GraphForm
from exchange.study import FORMAT, LABELS, SHORT, STUDY_COLUMNS, VERSION, StudyGraph, graph_hash, study_digest
from exchange.text_lines import first_lines, refuse_more_lines

_NEEDED = frozenset({"paper_id", "figure_label", "annotator"})
"""Columns that distinguish a study's table from an edge list."""
_MOST_NAMED = 5


@dataclass(frozen=True, slots=True)
class ReadStudy:
    """The graphs of a study, and the imported part of the file for each (`read`, in the same order)."""

    graphs: tuple[StudyGraph, ...]
    read: tuple[ImportedGraph, ...]
    notices: tuple[str, ...] = ()  # about the whole file
    loose: tuple[BadRow, ...] = ()  # faults that belong to no graph

    @property
    def faults(self) -> tuple[BadRow, ...]:
        """Every faulty row and entry, ordered by line."""
        every = (*self.loose, *(fault for one in self.read for fault in one.faults))
        return tuple(sorted(every, key=lambda fault: fault.line or 0))


def is_study(text: str) -> bool:
    """Return True if a text is a study's export, JSON or table; cheap, never raises."""
    start = text.lstrip("\ufeff \t\r\n")
    if start.startswith("{"):
        return re.match(r'\{\s*"(?:format"\s*:\s*"' + FORMAT + r'"|graphs"\s*:)', start) is not None
    heading = {cell.casefold() for cell in split_heading(start[:LONGEST_HEADING].splitlines()[:1], "", None)[1]}
    return heading >= _NEEDED and {"source", "sink"} <= {field_of(cell) for cell in heading}


def read_study(content: bytes, filename: str, *, encoding: str = "") -> ReadStudy:
    """Read a study's export in CSV, CSV for spreadsheets, TSV or JSON. Differences from the hashes of a JSON export
    are reported in a notice; broken entries and rows are faults. Raises UnreadableFile if the file cannot be
    decoded, is no study, or is of a newer version; BadRow if it is broken as a whole (see `edge_json.load_json`,
    `edge_table.column_places`)."""
    text, notices = decode_text(content, filename, encoding)
    if not is_study(text):
        expected = f'the columns {", ".join(STUDY_COLUMNS)}, or JSON with "format": "{FORMAT}"'
        raise UnreadableFile(f"{filename} is not a study; a study has {expected}.")
    if text.lstrip().startswith("{"):
        read = _read_json(text, filename)
    else:
        read = _read_table(text, filename, was_marked=content.startswith(codecs.BOM_UTF8))
    return replace(read, notices=notices + read.notices)


def _read_json(text: str, filename: str) -> ReadStudy:
    value = load_json(text, filename)
    version = value.get("version", VERSION)
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise BadRow(filename, None, "version", str(version)[:40], f"a version is a number up to {VERSION}")
    if version > VERSION:
        raise UnreadableFile(
            f"{filename}: made with version {version}; this Edgewise reads version {VERSION}. Update it."
        )
    entries = value.get("graphs")
    if not isinstance(entries, list):
        raise BadRow(filename, None, "graphs", "", 'a study is {"graphs": [{…, "nodes": […], "edges": […]}]}')
    graphs: list[StudyGraph] = []
    read: list[ImportedGraph] = []
    faults: list[BadRow] = []
    elements = 0
    for place, entry in enumerate(entries):
        try:
            named, imported = _entry(entry, f"graphs[{place}]", filename)
        except BadRow as fault:
            faults.append(fault)
            refuse_more(filename, f"graphs[{place}]", faults=len(faults))
            continue
        elements += len(imported.graph.nodes) + len(imported.graph.edges)
        _refuse_more_together(filename, elements, f"graphs[{place}]")
        graphs.append(named)
        read.append(replace(imported, form=GraphForm.JSON))
    return ReadStudy(tuple(graphs), tuple(read), tuple(_changes(value, entries)), tuple(faults))


def _refuse_more_together(filename: str, number: int, where: str | int) -> None:
    if number > MOST_TOGETHER:
        raise too_many(filename, MOST_TOGETHER, "nodes and edges together", where)


def _entry(entry: object, place: str, filename: str) -> tuple[StudyGraph, ImportedGraph]:
    """Return one graph of the JSON. Raises BadRow, with its place, if it is invalid."""
    if not isinstance(entry, dict):
        raise BadRow(
            filename, None, place, str(entry)[:60], 'a graph is {"paper_title": …, "nodes": […], "edges": […]}'
        )
    labels: dict[str, str] = {}
    for label in LABELS:
        text = entry.get(label, "")
        if not isinstance(text, str):
            raise BadRow(filename, None, f"{place}.{label}", str(text)[:60], "a text was expected here")
        labels[label] = text
    plain = {key: entry[key] for key in ("nodes", "edges") if key in entry}
    try:
        imported = read_plain(plain, filename)
    except BadRow as fault:
        raise replace(fault, field=f"{place}.{fault.field}".rstrip("."), line=None) from None
    faults = tuple(replace(fault, field=f"{place}.{fault.field}") for fault in imported.faults)
    named = StudyGraph(graph=imported.graph, **labels)
    return named, replace(imported, faults=faults, title=named.title)


def _changes(value: Mapping[str, Any], entries: list[Any]) -> Iterator[str]:
    """Yield differences from the hashes of the export. Editing a graph by hand leaves its hash unchanged."""
    if "digest" not in value:
        yield "The file has no digest, so changes since its export cannot be detected."
        return
    hashes = [graph_hash(entry) if isinstance(entry, dict) else "" for entry in entries]
    if value["digest"] == study_digest(hashes):
        return
    stored = [entry.get("hash") if isinstance(entry, dict) else None for entry in entries]
    changed = [
        _title(entry)
        for entry, was, computed in zip(entries, stored, hashes, strict=True)
        if was != computed[:SHORT] or not was
    ]
    if changed:
        more = f" and {len(changed) - _MOST_NAMED} more" if len(changed) > _MOST_NAMED else ""
        number = "1 graph differs" if len(changed) == 1 else f"{len(changed)} graphs differ"
        yield f"Changed since export: {number}: {'; '.join(changed[:_MOST_NAMED])}{more}."
    else:
        yield "Changed since export: graphs were added, removed or reordered."


def _title(entry: object) -> str:
    labels = {label: str(entry.get(label, "")) for label in LABELS} if isinstance(entry, dict) else {}
    return StudyGraph(graph=CausalGraph((), ()), **labels).title if labels else "an entry that is not a graph"


def _read_table(text: str, filename: str, *, was_marked: bool) -> ReadStudy:
    """Read a table: rows with the same labels are one graph, in any order, since a user may have sorted the table."""
    lines = first_lines(text)
    start = next(place for place, line in enumerate(lines) if line.strip())
    separator, heading = split_heading(lines[start : start + 1], "", None)
    places = column_places(heading, filename, start + 1, None)
    names = [cell.casefold() for cell in heading]
    labelled = [names.index(label) if label in names else None for label in LABELS]
    is_ours_safe = was_marked and tuple(heading) == STUDY_COLUMNS
    groups: dict[tuple[str, ...], list[EdgeRecordRow]] = {}
    faults: list[BadRow] = []
    rows = 0
    for line, record in records(lines, start + 1, separator):
        if isinstance(record, str):
            faults.append(BadRow(filename, line, "", "", record))
            refuse_more(filename, line, faults=len(faults))
        elif any(cell.strip() for cell in record) and len(record) != len(heading):
            expected = f"{len(record)} fields, expected {len(heading)}"
            faults.append(BadRow(filename, line, "", separator.join(record)[:120], expected))
            refuse_more(filename, line, faults=len(faults))
        elif any(cell.strip() for cell in record):
            rows += 1
            _refuse_more_together(filename, rows, line)
            cells = [unguarded(cell) for cell in record] if is_ours_safe else record
            labels = tuple("" if place is None else cells[place] for place in labelled)
            group = groups.setdefault(labels, [])
            fields = {name: cells[place] for name, place in places.items()}
            if any(text.strip() for text in fields.values()):
                group.append(EdgeRecordRow(fields, line))
    unread = [
        cell
        for place, cell in enumerate(heading)
        if cell and place not in places.values() and cell.casefold() not in LABELS
    ]
    refuse_more_lines(text, lines, filename)
    form = GraphForm.TSV if separator == "\t" else GraphForm.CSV
    graphs, read = _grouped(groups, filename, form)
    return ReadStudy(graphs, read, not_read("Columns", unread), tuple(faults))


def _grouped(
    groups: Mapping[tuple[str, ...], list[EdgeRecordRow]], filename: str, form: GraphForm
) -> tuple[tuple[StudyGraph, ...], tuple[ImportedGraph, ...]]:
    graphs: list[StudyGraph] = []
    read: list[ImportedGraph] = []
    meanings = meanings_of([row for rows in groups.values() for row in rows])
    for labels, rows in groups.items():
        collector = EdgeCollector(filename)
        add_rows(collector, rows, meanings)
        imported = collector.result()
        named = StudyGraph(graph=imported.graph, **dict(zip(LABELS, labels, strict=True)))
        graphs.append(named)
        read.append(replace(imported, title=named.title, form=form))
    return tuple(graphs), tuple(read)
