"""One graph to and from a file: the standard edge text, CSV (exact, or safe for spreadsheets) and plain JSON."""

from __future__ import annotations

import codecs
from collections.abc import Mapping
from enum import StrEnum
from pathlib import PurePath

from core.errors import BadRow, UnreadableFile
from core.graphs.graph import CausalGraph
from core.graphs.parse import format_graph, parse_lines
from exchange.decode import decode_text
from exchange.edge_json import plain_graph, read_json, write_json
from exchange.edge_rows import ImportedGraph
from exchange.edge_table import has_table_header, read_table, write_table

__all__ = ["GraphForm", "ImportedGraph", "lost_in", "read_edges", "write_graph"]


_NOT_READ = frozenset(
    {".bif", ".docx", ".dot", ".gexf", ".gml", ".graphml", ".gv", ".html", ".mdl", ".net", ".parquet", ".stmx"}
    | {".xdsl", ".xls", ".xlsx", ".xmile", ".xml", ".yaml", ".yml"}
)


class GraphForm(StrEnum):
    """How a graph is written."""

    STANDARD = "standard"
    CSV = "csv"
    SAFE_CSV = "safe csv"
    JSON = "json"

    @property
    def suffix(self) -> str:
        """The file name's ending, with its dot."""
        return {"standard": ".txt", "json": ".json"}.get(self.value, ".csv")


def write_graph(graph: CausalGraph, form: GraphForm) -> bytes:
    """The graph as a file in UTF-8; the same graph always gives the same bytes.

    CSV and JSON are read back exactly. The standard edge text leaves out what `lost_in` names; the safe CSV
    guards cells against being run as formulas.
    """
    if form is GraphForm.STANDARD:
        return format_graph(graph).encode("utf-8")
    if form is GraphForm.JSON:
        return write_json(plain_graph(graph))
    return write_table(graph, safe=form is GraphForm.SAFE_CSV)


def lost_in(graph: CausalGraph, form: GraphForm) -> tuple[str, ...]:
    """What of this graph the form cannot carry: of isolated nodes, signs, delays, flags, notes."""
    if form is not GraphForm.STANDARD:
        return ()
    held = {
        "isolated nodes": bool(graph.isolated),
        "signs": any(edge.sign is not None for edge in graph.edges),
        "delays": any(edge.delay for edge in graph.edges),
        "flags": any(edge.flag is not None for edge in graph.edges),
        "notes": any(edge.note for edge in graph.edges),
    }
    return tuple(part for part, is_held in held.items() if is_held)


def read_edges(
    content: bytes, filename: str, *, encoding: str = "", columns: Mapping[str, str] | None = None
) -> ImportedGraph:
    """Read a graph from edge text, CSV (or TSV) or JSON; the content decides where the name does not.

    `encoding` and `columns` are a person's answers to the questions asked by earlier refusals. Good rows make
    the graph, every faulty one is in `faults` with its line. Raises UnreadableFile or BadRow if the file as a
    whole cannot be read: empty, not text, unknown encoding, no source and sink columns, not JSON.

    >>> read_edges(b"from,to\\nPrice,Demand\\n", "edges.csv").graph.edges[0].pair
    ('Price', 'Demand')
    """
    text, notices = decode_text(content, filename, encoding)
    kind = _kind(text, filename)
    if kind == "json":
        read = read_json(text, filename)
    elif kind == "table":
        marked = content.startswith(codecs.BOM_UTF8)
        read = read_table(text, filename, columns=columns, was_marked=marked)
    else:
        read = _read_lines(text, filename)
    return ImportedGraph(read.graph, notices + read.notices, read.faults)


def _kind(text: str, filename: str) -> str:
    suffix = PurePath(filename).suffix.lower()
    if suffix == ".json" or (suffix not in (".csv", ".tsv") and text.lstrip().startswith(("{", "["))):
        return "json"
    if suffix in (".csv", ".tsv"):
        return "table"
    if suffix in _NOT_READ:
        raise UnreadableFile(f"{filename}: {suffix} files are not read here; give .csv, .tsv, .json or .txt.")
    first = next(line for line in text.splitlines() if line.strip())
    return "table" if has_table_header(first) else "lines"


def _read_lines(text: str, filename: str) -> ImportedGraph:
    parsed = parse_lines(text)
    faults = tuple(
        BadRow(filename, fault.line, "", fault.text.strip()[:120], _with_offer(fault.message, fault.offer))
        for fault in parsed.faults
    )
    return ImportedGraph(parsed.graph, tuple(f"line {n.line}: {n.message}" for n in parsed.notices), faults)


def _with_offer(message: str, offer: str) -> str:
    return f"{message} Write {offer}" if offer and offer not in message else message
