"""One graph to and from a file in any format: recognised, read with every faulty row, written with notice of losses."""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping
from dataclasses import replace
from importlib import import_module
from pathlib import PurePath
from typing import Any

from core.errors import BadInput, BadRow, UnreadableFile
from core.graphs.graph import CausalGraph
from core.graphs.layouts.layout import Point
from core.graphs.lines.parse import parse_lines
from core.graphs.lines.write import format_graph
from exchange.decode import decode_text
from exchange.edge_json import plain_graph, read_json, write_json
from exchange.edge_rows import ImportedGraph, some_notices
from exchange.edge_table import LONGEST_HEADING, has_table_header, read_table, write_table
from exchange.forms import FACTS, GraphFact, GraphForm

__all__ = ["GraphForm", "ImportedGraph", "lost_in", "obstacle", "read_edges", "recognised", "write_graph"]

_TABLES = (GraphForm.CSV, GraphForm.SAFE_CSV, GraphForm.TSV)
_BINARY = (GraphForm.XLSX, GraphForm.KUMU_XLSX)
_PACKED = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
"""First bytes of a workbook; the second is of an old or password-protected one, which its reader refuses by name."""
_XML = (GraphForm.GRAPHML, GraphForm.GEXF, GraphForm.XMILE)
_SNIFFED = (
    GraphForm.VENSIM,
    GraphForm.BIF,
    GraphForm.LOOPY,
    GraphForm.DAGITTY,
    GraphForm.DOT,
    GraphForm.MERMAID,
)
"""Text formats recognised by their first words, in this order."""

_ELEMENT = re.compile(r"<([A-Za-z_][\w.:-]*+)")
_DRAWN = "write its arrows as lines (A -> B), or export it as PDF or PNG and transcribe the figure"
_OTHER_KINDS = {
    "": f"a PlantUML diagram; {_DRAWN}",
    "mxfile": f"a draw.io diagram; {_DRAWN}",
    "mxgraphmodel": f"a draw.io diagram; {_DRAWN}",
    "svg": f"an SVG picture; {_DRAWN}",
    "sbml": "an SBML model",
    "smile": "a GeNIe network",
    "bif": "an XMLBIF network",
    "opml": "an outline (OPML)",
    "map": "a mind map",
    "definitions": "a BPMN model",
}

_XML_ROOTS = {"graphml": GraphForm.GRAPHML, "gexf": GraphForm.GEXF, "xmile": GraphForm.XMILE}

_BY_SUFFIX = {
    suffix: form
    for form in (
        GraphForm.CSV,
        GraphForm.TSV,
        GraphForm.GRAPHML,
        GraphForm.GEXF,
        GraphForm.DOT,
        GraphForm.VENSIM,
        GraphForm.XMILE,
        GraphForm.BIF,
        GraphForm.DAGITTY,
        GraphForm.LOOPY,
        GraphForm.MERMAID,
    )
    for suffix in FACTS[form].suffixes
}
_NOT_READ = {
    ".docx": "a Word document",
    ".gml": "a GML file",
    ".html": "a web page",
    ".net": "a Hugin or Pajek net",
    ".parquet": "a Parquet table",
    ".pdf": "a PDF",
    ".xdsl": "a GeNIe network",
    ".xls": "an old Excel file",
    ".ods": "an OpenDocument sheet",
    ".yaml": "YAML",
    ".yml": "YAML",
    ".vpmx": "a packed Vensim model",
}


def write_graph(graph: CausalGraph, form: GraphForm, places: Mapping[str, Point] | None = None) -> bytes:
    """Return the graph as a file; the same graph gives the same bytes. `places` (y downwards) are written if the
    format supports them. What `lost_in` names is dropped. ReCITE's edge list has no nodes without edges; of a graph
    without any edge it is the list of nodes, so that the file is not empty. Raises BadInput with the text of
    `obstacle` if the format cannot express the graph."""
    if why := obstacle(graph, form):
        raise BadInput(why)
    places = {name: point for name, point in (places or {}).items() if name in set(graph.nodes)}
    if module := FACTS[form].module:
        written: bytes = _module(module).write(graph, places)
        return written
    if form in (GraphForm.STANDARD, GraphForm.ARROWS):
        is_full = form is GraphForm.ARROWS
        return format_graph(graph, signs=is_full, isolated=is_full or not graph.edges).encode("utf-8")
    if form is GraphForm.JSON:
        return write_json(plain_graph(graph, places))
    if form is GraphForm.RELATIONSHIPS:
        pairs = dict.fromkeys(edge.pair for edge in graph.edges)
        return write_json({"relationships": [{"source": source, "sink": sink} for source, sink in pairs]})
    return write_table(graph, safe=form is GraphForm.SAFE_CSV, separator="\t" if form is GraphForm.TSV else ",")


def lost_in(graph: CausalGraph, form: GraphForm, places: Mapping[str, Point] | None = None) -> tuple[str, ...]:
    """Return what of this graph the format drops, as text: isolated nodes, signs, delays, flags, notes, places."""
    pairs = [edge.pair for edge in graph.edges]
    present = {
        GraphFact.ISOLATED: bool(graph.isolated) and bool(graph.edges or form is not GraphForm.STANDARD),
        GraphFact.SIGNS: any(edge.sign is not None for edge in graph.edges),
        GraphFact.CONFLICTING: len(set(pairs)) < len(pairs),
        GraphFact.DELAYS: any(edge.delay for edge in graph.edges),
        GraphFact.FLAGS: any(edge.flag is not None for edge in graph.edges),
        GraphFact.NOTES: any(edge.note for edge in graph.edges),
        GraphFact.PLACES: bool(places),
    }
    carries = FACTS[form].carries
    return tuple(part.value for part, is_held in present.items() if is_held and part not in carries)


def obstacle(graph: CausalGraph, form: GraphForm) -> str:
    """Return the reason why the format cannot express this graph, with a remedy; "" if it can."""
    if form in (GraphForm.STANDARD, GraphForm.ARROWS) and not graph.nodes:
        return "A list of edges cannot be empty, and the graph has no node. Choose CSV or JSON, or add a node."
    module = FACTS[form].module
    check = getattr(_module(module), "obstacle", None) if module else None
    return check(graph) if check else ""


def read_edges(
    content: bytes,
    filename: str,
    *,
    encoding: str = "",
    columns: Mapping[str, str] | None = None,
    sheet: str = "",
) -> ImportedGraph:
    """Read one graph from a file of any known format, recognised by name or content.

    `encoding`, `columns` (Edgewise's field → the file's heading) and `sheet` are a user's answers to the questions
    asked by earlier refusals. Good rows make the graph, every faulty one is in `faults` with its line.
    Raises UnreadableFile or BadRow if the file as a whole cannot be read: empty, of an unknown form, in an unknown
    encoding, without source and sink columns, broken.

    >>> read_edges(b"from,to\\nPrice,Demand\\n", "edges.csv").graph.edges[0].pair
    ('Price', 'Demand')
    """
    form, text, notices = _recognised(content, filename, encoding)
    read = _read_as(form, content, text, filename, columns, sheet)
    return replace(read, form=form, notices=notices + read.notices)


def recognised(content: bytes, filename: str, *, encoding: str = "") -> GraphForm:
    """Return the format of a file. Raises UnreadableFile if it is not supported."""
    return _recognised(content, filename, encoding)[0]


def _read_as(
    form: GraphForm, content: bytes, text: str, filename: str, columns: Mapping[str, str] | None, sheet: str
) -> ImportedGraph:
    module = FACTS[form].module
    if form is GraphForm.XLSX:
        workbook: ImportedGraph = _module(module).read(content, filename, columns=columns, sheet=sheet)
        return workbook
    if module:
        read: ImportedGraph = _module(module).read(content if form in _BINARY + _XML else text, filename)
        return read
    if form in (GraphForm.JSON, GraphForm.RELATIONSHIPS):
        return read_json(text, filename)
    if form in _TABLES:
        return read_table(text, filename, columns=columns, was_marked=content.startswith(codecs.BOM_UTF8))
    parsed = parse_lines(text, of_file=filename)
    faults: list[BadRow] = []
    for fault in parsed.faults:
        has_more = fault.offer and fault.offer not in fault.message
        message = f"{fault.message} Write {fault.offer}" if has_more else fault.message
        faults.append(BadRow(filename, fault.line, "", fault.text.strip()[:120], message))
    notices = some_notices([f"line {n.line}: {n.message}" for n in parsed.notices])
    rows = sum(1 for line in text.splitlines() if line.strip())
    return ImportedGraph(graph=parsed.graph, notices=notices, faults=tuple(faults), rows=rows)


def _recognised(content: bytes, filename: str, encoding: str) -> tuple[GraphForm, str, tuple[str, ...]]:
    suffix = PurePath(filename).suffix.lower()
    if content.startswith(_PACKED) and suffix != ".zip":
        return (GraphForm.KUMU_XLSX if _module("kumu_sheets").is_mine(content) else GraphForm.XLSX), "", ()
    if (xml := _xml_form(content, suffix)) is not None:
        return xml, "", ()
    if suffix in _NOT_READ:
        raise UnreadableFile(f"{filename} is {_NOT_READ[suffix]}; these are read: {_known_suffixes()}.")
    text, notices = decode_text(content, filename, encoding)
    if suffix in _BY_SUFFIX and _BY_SUFFIX[suffix] not in _XML:
        return _BY_SUFFIX[suffix], text, notices
    if (root := _root_of(text)).lower() in _XML_ROOTS:
        return _XML_ROOTS[root.lower()], "", ()
    if root or text.lstrip()[:6].lower() == "@start":
        kind = _OTHER_KINDS.get(root.rpartition(":")[2].lower(), f"XML of a kind that is not read, <{root[:60]}>")
        raise UnreadableFile(f"{filename} is {kind}. These are read: {_known_suffixes()}.")
    return _form_of_text(text, suffix), text, notices


def _root_of(text: str) -> str:
    """Return the name of the first XML element, "" for other text, whose lines may start with a name in angle
    brackets, as those of shadow variables do."""
    start = text.lstrip()
    element = _ELEMENT.search(start)
    if element is None:
        return ""
    begins = start.startswith(("<?xml", "<!--"))
    is_closed = f"</{element.group(1)}" in start or start.startswith("/>", element.end())
    return element.group(1) if begins or (element.start() == 0 and is_closed) else ""


def _known_suffixes() -> str:
    return ", ".join(sorted({ending for facts in FACTS.values() for ending in facts.suffixes}))


def _form_of_text(text: str, suffix: str) -> GraphForm:
    start = text.lstrip()
    if suffix == ".json" or start.startswith(("{", "[")):
        if suffix != ".json" and _module("loopy").is_mine(text):
            return GraphForm.LOOPY
        if _module("vensim").is_mine(text):
            return GraphForm.VENSIM  # begins with {UTF-8}
        return GraphForm.KUMU_JSON if _module("kumu").is_mine(text) else GraphForm.JSON
    for form in _SNIFFED:
        if _module(FACTS[form].module).is_mine(text):
            return form
    first = start[:LONGEST_HEADING].splitlines()[0]
    if has_table_header(first):
        return GraphForm.TSV if "\t" in first else GraphForm.CSV
    return GraphForm.ARROWS


def _xml_form(content: bytes, suffix: str) -> GraphForm | None:
    """Return the XML format by the first element; by the file ending if the element comes too late."""
    head = content[:4000].replace(b"\x00", b"").lower()
    if head.lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n").startswith(b"<") and b"<html" not in head[:400]:
        for root, form in _XML_ROOTS.items():
            if b"<" + root.encode() in head:
                return form
    form_of_suffix = _BY_SUFFIX.get(suffix)
    return form_of_suffix if form_of_suffix in _XML else None


def _module(name: str) -> Any:
    """Return a format's module, imported when first needed, so that the command line starts quickly."""
    return import_module(f"exchange.{name}")
