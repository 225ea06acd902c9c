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
class FormFacts:
    words: str  # name for users
    suffixes: tuple[str, ...]  # the first is written
    media_type: str
    carries: frozenset[GraphFact]  # in addition to edges
    module: str = ""  # of `exchange`; "": `exchange.graphs`


FACTS: dict[GraphForm, FormFacts] = {
    GraphForm.STANDARD: FormFacts("ReCITE edge list", (".txt",), "text/plain", frozenset()),
    GraphForm.ARROWS: FormFacts("Signed edge list", (".txt",), "text/plain", _SIGNED),
    GraphForm.CSV: FormFacts("CSV", (".csv",), "text/csv", _ALL),
    GraphForm.SAFE_CSV: FormFacts("CSV for spreadsheets", (".csv",), "text/csv", _ALL),
    GraphForm.TSV: FormFacts("TSV", (".tsv",), "text/tab-separated-values", _ALL),
    GraphForm.XLSX: FormFacts(
        "Excel",
        (".xlsx",),
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        _ALL | {GraphFact.PLACES},
        "workbook",
    ),
    GraphForm.JSON: FormFacts("JSON", (".json",), "application/json", _ALL | {GraphFact.PLACES}),
    GraphForm.RELATIONSHIPS: FormFacts("JSON of a ReCITE answer", (".json",), "application/json", frozenset()),
    GraphForm.KUMU_JSON: FormFacts("Kumu JSON", (".json",), "application/json", _ALL | {GraphFact.PLACES}, "kumu"),
    GraphForm.KUMU_XLSX: FormFacts(
        "Kumu sheets",
        (".xlsx",),
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        _ALL,
        "kumu_sheets",
    ),
    GraphForm.GRAPHML: FormFacts("GraphML", (".graphml",), "application/xml", _ALL | {GraphFact.PLACES}, "graphml"),
    GraphForm.GEXF: FormFacts("GEXF", (".gexf",), "application/xml", _ALL | {GraphFact.PLACES}, "gexf"),
    GraphForm.DOT: FormFacts("DOT (Graphviz)", (".dot", ".gv"), "text/vnd.graphviz", _ALL | {GraphFact.PLACES}, "dot"),
    GraphForm.VENSIM: FormFacts(
        "Vensim sketch",
        (".mdl",),
        "text/plain",
        _SIGNED | {GraphFact.PLACES, GraphFact.DELAYS},
        "vensim",
    ),
    GraphForm.XMILE: FormFacts(
        "XMILE (Stella)",
        (".stmx", ".xmile", ".itmx"),
        "application/xml",
        _SIGNED | {GraphFact.PLACES, GraphFact.DELAYS},
        "xmile",
    ),
    GraphForm.BIF: FormFacts(
        "BIF (structure only)",
        (".bif",),
        "text/plain",
        frozenset({GraphFact.ISOLATED, GraphFact.PLACES}),
        "bif",
    ),
    GraphForm.DAGITTY: FormFacts(
        "DAGitty",
        (".dagitty",),
        "text/plain",
        _ALL - {GraphFact.CONFLICTING} | {GraphFact.PLACES},
        "dagitty",
    ),
    GraphForm.LOOPY: FormFacts(
        "Loopy link",
        (".loopy",),
        "text/plain",
        _SIGNED | {GraphFact.PLACES},
        "loopy",
    ),
    GraphForm.MERMAID: FormFacts("Mermaid flowchart", (".mmd", ".mermaid"), "text/vnd.mermaid", _SIGNED, "mermaid"),
}
