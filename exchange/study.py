"""Every graph of a study in one file: CSV or TSV (exact, or safe for spreadsheets), JSON, or a zip of single files."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
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
"""Files of a zip of graphs that are no graphs: which could not be written and why, and whose each file is."""

_TABLES = {GraphForm.CSV: ",", GraphForm.SAFE_CSV: ",", GraphForm.TSV: "\t"}


@dataclass(frozen=True, slots=True)
class NamedGraph:
    """A graph and whose it is: `annotator` is a pseudonym, `state` the word of its task ("draft", "submitted")."""

    paper_title: str
    paper_id: str
    figure_label: str
    annotator: str
    state: str
    graph: CausalGraph

    @property
    def title(self) -> str:
        """What it is called among others: "paper title · figure label · annotator"."""
        return " · ".join(part for part in (self.paper_title, self.figure_label, self.annotator) if part)


@dataclass(frozen=True, slots=True)
class StudyZip:
    """A zip with one file a graph. `not_written` are the graphs the form cannot hold, each with the reason."""

    content: bytes
    not_written: tuple[str, ...] = ()


LABELS = ("paper_id", "paper_title", "figure_label", "annotator", "state")
STUDY_COLUMNS = (*LABELS, *FIELDS)


def export_study(graphs: Iterable[NamedGraph], form: GraphForm) -> bytes:
    """All graphs, ordered by paper id, figure, annotator and state, whatever order they are given in.

    CSV and TSV: one row an edge; a node without edges is a row with an empty sink, and a graph without nodes one row
    with an empty source and sink, so that no graph is lost. JSON: a head (format, version, digest of all graphs)
    and "graphs", one a line, each with its own hash; `study_reading.read_study` tells by them what was changed.
    Raises BadInput for a form that holds one graph; `export_study_zip` writes those.
    """
    if form is not GraphForm.JSON and form not in _TABLES:
        raise BadInput(
            f"{FACTS[form].words} can store only one graph; export a study as CSV, TSV or JSON, or as a ZIP."
        )
    ordered = _ordered(graphs)
    if form is GraphForm.JSON:
        return _json_bytes(ordered)
    return _table_bytes(ordered, safe=form is GraphForm.SAFE_CSV, separator=_TABLES[form])


def export_study_zip(graphs: Iterable[NamedGraph], form: GraphForm) -> StudyZip:
    """All graphs as a zip with one file of the form for each, and contents.csv, which says whose each file is.

    Files are named by number and title, in the order of `export_study`; the same graphs give the same bytes.
    Graphs the form cannot hold are listed, with the reason, in not-written.txt inside and in the result.
    """
    ordered = _ordered(graphs)
    digits = max(3, len(str(len(ordered))))
    members: list[tuple[str, bytes]] = []
    listed: list[list[str]] = []
    left_out: list[str] = []
    for number, named in enumerate(ordered, start=1):
        name = f"{number:0{digits}}-{_slug(named.title)}{form.suffix}"
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
    """SHA-256 (hex) of one graph's entry in a study's JSON: of its values, whatever the order of keys or the spaces;
    a key `hash` is left out."""
    plain = {key: value for key, value in entry.items() if key != "hash"}
    return hashlib.sha256(_HASHED(plain).encode("utf-8", "surrogatepass")).hexdigest()


def study_digest(hashes: Iterable[str]) -> str:
    """The digest of a whole study: of its graphs' hashes in their order."""
    return "sha256:" + hashlib.sha256("\n".join(hashes).encode("ascii")).hexdigest()


SHORT = 16
"""Characters of a graph's hash that its entry keeps."""

_WRITTEN = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
_HASHED = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode


def _ordered(graphs: Iterable[NamedGraph]) -> list[NamedGraph]:
    """By their labels; only graphs that share all of them need be compared by what they hold."""
    ordered: list[NamedGraph] = []
    for _, twins in groupby(sorted(graphs, key=_labels), key=_labels):
        same = list(twins)
        ordered += sorted(same, key=lambda named: write_json(plain_graph(named.graph))) if len(same) > 1 else same
    return ordered


def _labels(named: NamedGraph) -> list[str]:
    return [named.paper_id, named.paper_title, named.figure_label, named.annotator, named.state]


def _json_bytes(ordered: list[NamedGraph]) -> bytes:
    hashes: list[str] = []
    lines: list[str] = []
    for named in ordered:
        entry = dict(zip(LABELS, _labels(named), strict=True)) | plain_graph(named.graph)
        hashes.append(graph_hash(entry))
        lines.append(_WRITTEN({"hash": hashes[-1][:SHORT]} | entry))
    head = f'"format": "{FORMAT}",\n"version": {VERSION},\n"digest": "{study_digest(hashes)}",\n"graphs": ['
    body = ",\n".join(lines)
    return f"{{\n{head}\n{body}\n]\n}}\n".encode()


def _table_bytes(ordered: list[NamedGraph], *, safe: bool, separator: str) -> bytes:
    """As `edge_table.table_bytes` would write it, the labels of a graph made into text once for all of its rows."""
    cells: list[list[str]] = []
    starts: list[str] = []
    for named in ordered:
        labels = _labels(named)
        start = table_lines([[guarded(label) for label in labels] if safe else labels], separator)[0][:-2] + separator
        before = len(cells)
        cells += _rows(named, safe=safe)
        starts += [start] * (len(cells) - before)
    end = "\r\n" if safe else "\n"
    lines = [start + line[:-2] + end for start, line in zip(starts, table_lines(cells, separator), strict=True)]
    return table_bytes(STUDY_COLUMNS, (), safe=safe, separator=separator) + "".join(lines).encode("utf-8")


def _rows(named: NamedGraph, *, safe: bool) -> Iterator[list[str]]:
    for item in list(in_order(named.graph)) or [""]:
        cells = cells_of(item)
        yield [guarded(cell) for cell in cells] if safe else cells


def _slug(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.casefold()).strip("-")[:80].rstrip("-") or "graph"
