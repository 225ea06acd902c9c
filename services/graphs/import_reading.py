"""Preview of graph files before anything is stored: graphs, faulty rows, and open questions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from core.errors import BadInput, BadRow
from core.graphs import bounds
from core.graphs.graph import CausalGraph
from core.graphs.layouts.layout import CELL_X, Point
from core.words import whole
from exchange.edge_rows import ImportedGraph
from exchange.edge_table import table_bytes
from exchange.encodings import EncodingSample
from exchange.file_reading import FileChoices
from exchange.forms import FACTS
from exchange.table_head import TableHead
from services.exchange.file_reading import read_graphs

MOST_BYTES = 50 * 1024 * 1024
LONGEST_TITLE = 300
LONGEST_LICENCE = 200
FAULT_FIELDS = ("file", "line", "field", "value", "expected")


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundGraph:
    """One graph of a file. `obstacle` is why it cannot be imported, "" if it can."""

    title: str
    form: str
    rows: int
    graph: CausalGraph
    places: Mapping[str, Point]
    notices: tuple[str, ...]
    faults: tuple[BadRow, ...]
    obstacle: str = ""

    @property
    def signed(self) -> int:
        return sum(edge.sign is not None for edge in self.graph.edges)

    @property
    def self_loops(self) -> int:
        return sum(edge.is_self_loop for edge in self.graph.edges)

    @property
    def isolated(self) -> int:
        return len(self.graph.isolated)


@dataclass(frozen=True, slots=True)
class FilePreview:
    """Contents of a file, or the reason why it cannot be read (`error`, or the row `fault`)."""

    name: str
    graphs: tuple[FoundGraph, ...] = ()
    error: str = ""
    fault: BadRow | None = None
    encodings: tuple[EncodingSample, ...] = ()  # to choose from if the file's is unknown; then nothing else is set
    head: TableHead | None = None  # top of a table, to identify its columns

    @property
    def faults(self) -> tuple[BadRow, ...]:
        """Every faulty row, including a fault of the whole file that has a position."""
        own = (self.fault,) if self.fault is not None else ()
        return (*own, *(fault for graph in self.graphs for fault in graph.faults))


def preview_file(name: str, content: bytes, answer: FileChoices) -> FilePreview:
    """Read one file as it would be imported. Never raises for its contents: that is the preview's `error`."""
    if len(content) > MOST_BYTES:
        return FilePreview(name, error=f"{name} has {len(content) / 2**20:,.0f} MB; at most 50 MB are read.")
    read = read_graphs(name, content, answer)
    if read.refusal is not None:
        fault = _whole_fault(read.refusal) if isinstance(read.refusal, BadRow) else None
        message = whole(str(read.refusal))
        return FilePreview(name, error=message, fault=fault, encodings=read.encodings, head=read.head)
    return FilePreview(name, tuple(_found_graph(one) for one in read.graphs), head=read.head)


def _found_graph(read: ImportedGraph) -> FoundGraph:
    words = FACTS[read.form].words if read.form is not None else ""
    title = clean_title(read.title.removeprefix("(").removesuffix(")") if read.title.startswith("(") else read.title)
    return FoundGraph(
        title=title,
        form=words,
        rows=read.rows,
        graph=read.graph,
        places=read.places,
        notices=tuple(map(whole, read.notices)),
        faults=tuple(map(_whole_fault, read.faults)),
        obstacle=_obstacle(read.graph),
    )


def _whole_fault(fault: BadRow) -> BadRow:
    """Replace halves of surrogate pairs, which JSON allows but no screen accepts."""
    return replace(fault, field=whole(fault.field), value=whole(fault.value), expected=whole(fault.expected))


def clean_title(title: str) -> str:
    """Return a title on one line, at most 300 whole characters."""
    return " ".join(whole(title).split())[:LONGEST_TITLE]


def clean_licence(licence: str) -> str:
    """Return a licence on one line; empty if unknown. Raises BadInput if it is too long."""
    plain = " ".join(licence.split())
    if len(plain) > LONGEST_LICENCE:
        raise BadInput(f"The licence has {len(plain)} characters; at most {LONGEST_LICENCE} are allowed.")
    return plain


def _obstacle(graph: CausalGraph) -> str:
    if not graph.nodes:
        return "The graph has no edge and no node."
    if len(graph.nodes) > bounds.MOST_NODES:  # edges were counted while they were read
        return f"The graph has {len(graph.nodes):,} nodes; at most {bounds.MOST_NODES:,} are allowed."
    return ""


def fault_table(faults: Iterable[BadRow]) -> bytes:
    """Return faulty rows as a CSV that a spreadsheet opens without running any cell."""
    rows = [[f.file, "" if f.line is None else str(f.line), f.field, f.value, f.expected] for f in faults]
    return table_bytes(FAULT_FIELDS, rows, safe=True)


def in_pixels(places: Mapping[str, Point]) -> dict[str, Point]:
    """Return positions as in the file, or scaled up evenly if labels would overlap (such as a layout within ±1)."""
    across = _extent([point.x for point in places.values()])
    down = _extent([point.y for point in places.values()])
    least_radius = CELL_X * (math.sqrt(len(places)) - 1) / 2
    if not 0 < max(across, down) < least_radius:
        return dict(places)
    scale = 2 * least_radius / max(across, down)
    return {name: Point(round(point.x * scale, 2), round(point.y * scale, 2)) for name, point in places.items()}


def _extent(values: list[float]) -> float:
    return max(values) - min(values) if values else 0.0
