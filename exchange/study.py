"""Every graph of a study in one file: CSV or TSV (exact, or safe for spreadsheets), JSON, or a ZIP of single files."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from core.errors import BadInput
from core.graphs.graph import CausalGraph
from exchange.archive import write_archive
from exchange.edge_json import plain_graph, write_json
from exchange.edge_rows import FIELDS, in_order
from exchange.edge_table import cells_of, guarded, table_bytes, table_lines
from exchange.forms import FACTS, GraphForm
from exchange.graphs import obstacle, write_graph

FORMAT, VERSION = "edgewise study", 1
NOT_WRITTEN, CONTENTS = "not-written.txt", "contents.csv"
"""Files of a ZIP that are no graphs: reasons for graphs that were not written, and the labels of each file."""

_TABLES = {GraphForm.CSV: ",", GraphForm.SAFE_CSV: ",", GraphForm.TSV: "\t"}


@dataclass(frozen=True, slots=True)
class StudyGraph:
    """A graph with its labels: `annotator` is a pseudonym, `state` that of its assignment ("draft", "submitted")."""

    paper_title: str
    paper_id: str
    figure_label: str
    annotator: str
    state: str
    graph: CausalGraph

    @property
    def title(self) -> str:
        """Title among others: "paper title · figure label · annotator"."""
        return " · ".join(part for part in (self.paper_title, self.figure_label, self.annotator) if part)


@dataclass(frozen=True, slots=True)
class StudyZip:
    """A ZIP with one file per graph. `not_written`: graphs that the format cannot express, with the reason."""

    content: bytes
    not_written: tuple[str, ...] = ()


LABELS = ("paper_id", "paper_title", "figure_label", "annotator", "state")
STUDY_COLUMNS = (*LABELS, *FIELDS)


def export_study(graphs: Iterable[StudyGraph], form: GraphForm) -> bytes:
    """Return all graphs, ordered by paper id, figure, annotator and state. CSV and TSV: one row per edge; a node
    without edges is a row with an empty sink, and a graph without nodes one row with an empty source and sink, so
    that no graph is lost. JSON: a header (format, version, digest of all graphs) and "graphs", one per line, each
    with its hash; with these, `study_reading.read_study` detects changes. Raises BadInput for a format of single
    graphs; use `export_study_zip`."""
    if form is not GraphForm.JSON and form not in _TABLES:
        raise BadInput(
            f"{FACTS[form].words} can store only one graph; export a study as CSV, TSV or JSON, or as a ZIP."
        )
    ordered = _ordered(graphs)
    if form is GraphForm.JSON:
        hashes: list[str] = []
        lines: list[str] = []
        for named in ordered:
            entry = dict(zip(LABELS, _labels(named), strict=True)) | plain_graph(named.graph)
            hashes.append(graph_hash(entry))
            lines.append(_WRITTEN({"hash": hashes[-1][:SHORT]} | entry))
        head = f'"format": "{FORMAT}",\n"version": {VERSION},\n"digest": "{study_digest(hashes)}",\n"graphs": ['
        body = ",\n".join(lines)
        return f"{{\n{head}\n{body}\n]\n}}\n".encode()
    return _table_bytes(ordered, safe=form is GraphForm.SAFE_CSV, separator=_TABLES[form])


def export_study_zip(graphs: Iterable[StudyGraph], form: GraphForm) -> StudyZip:
    """Return all graphs as a ZIP with one file each, and contents.csv with their labels. Files are named by number
    and title, in the order of `export_study`; the same graphs give the same bytes. Graphs that the format cannot
    express are listed with the reason in not-written.txt and in the result."""
    ordered = _ordered(graphs)
    digits = max(3, len(str(len(ordered))))
    members: list[tuple[str, bytes]] = []
    listed: list[list[str]] = []
    left_out: list[str] = []
    for number, named in enumerate(ordered, start=1):
        slug = re.sub(r"[^a-z0-9]+", "-", named.title.casefold()).strip("-")[:80].rstrip("-") or "graph"
        name = f"{number:0{digits}}-{slug}{form.suffix}"
        if why := obstacle(named.graph, form):
            left_out.append(f"{name}: {named.title}: {why}")
        else:
            members.append((name, write_graph(named.graph, form)))
            listed.append([name, *_labels(named)])
    members.append((CONTENTS, table_bytes(("file", *LABELS), listed, safe=True)))
    if left_out:
        members.append((NOT_WRITTEN, "".join(f"{line}\n" for line in left_out).encode("utf-8")))
    return StudyZip(write_archive(members), tuple(left_out))


def graph_hash(entry: Mapping[str, Any]) -> str:
    """Return the SHA-256 (hex) of the values of a graph's entry in a study's JSON, independent of key order and
    spaces, without its key `hash`."""
    plain = {key: value for key, value in entry.items() if key != "hash"}
    return hashlib.sha256(_HASHED(plain).encode("utf-8", "surrogatepass")).hexdigest()


def study_digest(hashes: Iterable[str]) -> str:
    return "sha256:" + hashlib.sha256("\n".join(hashes).encode("ascii")).hexdigest()


SHORT = 16
"""Characters of a graph's hash that its entry stores."""

_WRITTEN = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
_HASHED = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode


def _ordered(graphs: Iterable[StudyGraph]) -> list[StudyGraph]:
    """Sort graphs by their labels; only graphs with equal labels are compared by content."""
    ordered: list[StudyGraph] = []
    for _, twins in groupby(sorted(graphs, key=_labels), key=_labels):
        same = list(twins)
        ordered += sorted(same, key=lambda named: write_json(plain_graph(named.graph))) if len(same) > 1 else same
    return ordered


def _labels(named: StudyGraph) -> list[str]:
    return [named.paper_id, named.paper_title, named.figure_label, named.annotator, named.state]


def _table_bytes(ordered: list[StudyGraph], *, safe: bool, separator: str) -> bytes:
    """Return the table of `edge_table.table_bytes`, converting the labels of a graph once for all of its rows."""
    cells: list[list[str]] = []
    starts: list[str] = []
    for named in ordered:
        labels = _labels(named)
        start = table_lines([[guarded(label) for label in labels] if safe else labels], separator)[0][:-2] + separator
        before = len(cells)
        for item in list(in_order(named.graph)) or [""]:
            row = cells_of(item)
            cells.append([guarded(cell) for cell in row] if safe else row)
        starts += [start] * (len(cells) - before)
    end = "\r\n" if safe else "\n"
    lines = [start + line[:-2] + end for start, line in zip(starts, table_lines(cells, separator), strict=True)]
    return table_bytes(STUDY_COLUMNS, (), safe=safe, separator=separator) + "".join(lines).encode("utf-8")
