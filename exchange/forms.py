"""Formats of graphs: what each can express, and their modules. A format's module (`graphml`, `vensim` …) has up to
four functions: `read(content, filename)` → ImportedGraph, `write(graph, places)` → bytes, `obstacle(graph)` → why
this graph cannot be written ("" if it can), and `is_mine(text)` → True if a text without a known file ending has
this format."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class GraphForm(StrEnum):
    STANDARD = "standard"
    ARROWS = "arrows"
    CSV = "csv"
    SAFE_CSV = "safe csv"
    TSV = "tsv"
    XLSX = "xlsx"
    JSON = "json"
    RELATIONSHIPS = "relationships"
    KUMU_JSON = "kumu json"
    KUMU_XLSX = "kumu xlsx"
    GRAPHML = "graphml"
    GEXF = "gexf"
    DOT = "dot"
    VENSIM = "vensim"
    XMILE = "xmile"
    BIF = "bif"
    DAGITTY = "dagitty"
    LOOPY = "loopy"
    MERMAID = "mermaid"

    @property
    def suffix(self) -> str:
        return FACTS[self].suffixes[0]


class GraphFact(StrEnum):
    """A content of a graph in addition to its edges, as named to users."""

    ISOLATED = "isolated nodes"
    SIGNS = "signs"
    CONFLICTING = "edges that differ only in their sign"
    DELAYS = "delays"
    FLAGS = "flags"
    NOTES = "notes"
    PLACES = "node positions"


_MARKS = frozenset({GraphFact.DELAYS, GraphFact.FLAGS, GraphFact.NOTES})
_SIGNED = frozenset({GraphFact.ISOLATED, GraphFact.SIGNS, GraphFact.CONFLICTING})
_ALL = _SIGNED | _MARKS


@dataclass(frozen=True, slots=True)
class Facts:
    words: str  # name for users
    suffixes: tuple[str, ...]  # the first is written
    media_type: str
    carries: frozenset[GraphFact]  # in addition to edges
    module: str = ""  # of `exchange`; "": `exchange.graphs`


FACTS: dict[GraphForm, Facts] = {
    GraphForm.STANDARD: Facts("ReCITE edge list", (".txt",), "text/plain", frozenset()),
    GraphForm.ARROWS: Facts("Signed edge list", (".txt",), "text/plain", _SIGNED),
    GraphForm.CSV: Facts("CSV", (".csv",), "text/csv", _ALL),
    GraphForm.SAFE_CSV: Facts("CSV for spreadsheets", (".csv",), "text/csv", _ALL),
    GraphForm.TSV: Facts("TSV", (".tsv",), "text/tab-separated-values", _ALL),
    GraphForm.XLSX: Facts(
        "Excel",
        (".xlsx",),
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        _ALL | {GraphFact.PLACES},
        "workbook",
    ),
    GraphForm.JSON: Facts("JSON", (".json",), "application/json", _ALL | {GraphFact.PLACES}),
    GraphForm.RELATIONSHIPS: Facts("JSON of a ReCITE answer", (".json",), "application/json", frozenset()),
    GraphForm.KUMU_JSON: Facts("Kumu JSON", (".json",), "application/json", _ALL | {GraphFact.PLACES}, "kumu"),
    GraphForm.KUMU_XLSX: Facts(
        "Kumu sheets",
        (".xlsx",),
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        _ALL,
        "kumu_sheets",
    ),
    GraphForm.GRAPHML: Facts("GraphML", (".graphml",), "application/xml", _ALL | {GraphFact.PLACES}, "graphml"),
    GraphForm.GEXF: Facts("GEXF", (".gexf",), "application/xml", _ALL | {GraphFact.PLACES}, "gexf"),
    GraphForm.DOT: Facts("DOT (Graphviz)", (".dot", ".gv"), "text/vnd.graphviz", _ALL | {GraphFact.PLACES}, "dot"),
    GraphForm.VENSIM: Facts(
        "Vensim sketch",
        (".mdl",),
        "text/plain",
        _SIGNED | {GraphFact.PLACES, GraphFact.DELAYS},
        "vensim",
    ),
    GraphForm.XMILE: Facts(
        "XMILE (Stella)",
        (".stmx", ".xmile", ".itmx"),
        "application/xml",
        _SIGNED | {GraphFact.PLACES, GraphFact.DELAYS},
        "xmile",
    ),
    GraphForm.BIF: Facts(
        "BIF (structure only)",
        (".bif",),
        "text/plain",
        frozenset({GraphFact.ISOLATED, GraphFact.PLACES}),
        "bif",
    ),
    GraphForm.DAGITTY: Facts(
        "DAGitty",
        (".dagitty",),
        "text/plain",
        _ALL - {GraphFact.CONFLICTING} | {GraphFact.PLACES},
        "dagitty",
    ),
    GraphForm.LOOPY: Facts(
        "Loopy link",
        (".loopy",),
        "text/plain",
        _SIGNED | {GraphFact.PLACES},
        "loopy",
    ),
    GraphForm.MERMAID: Facts("Mermaid flowchart", (".mmd", ".mermaid"), "text/vnd.mermaid", _SIGNED, "mermaid"),
}
