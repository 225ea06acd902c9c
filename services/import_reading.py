"""What a person sees of files before anything is kept: the graphs found, every faulty row, what must be answered."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from core.errors import BadInput, BadRow, UnknownEncoding
from core.graphs import bounds
from core.graphs.graph import CausalGraph
from core.graphs.layout import CELL_X, Point
from exchange.bundle import read_bundle
from exchange.edge_rows import FIELDS as FIELDS
from exchange.edge_rows import ImportedGraph
from exchange.edge_table import table_bytes
from exchange.forms import FACTS
from exchange.table_head import TableHead, table_head

MOST_BYTES = 50 * 1024 * 1024
LONGEST_TITLE = 300
FAULT_FIELDS = ("file", "line", "field", "value", "expected")

ENCODINGS = {
    "cp1252": "Western Europe (Windows-1252, Latin-1)",
    "cp1250": "Central Europe (Windows-1250)",
    "cp1251": "Cyrillic (Windows-1251)",
    "cp1253": "Greek (Windows-1253)",
    "cp1254": "Turkish (Windows-1254)",
    "mac_roman": "Old Macintosh (Mac Roman)",
    "cp437": "Old DOS (code page 437)",
    "shift_jis": "Japanese (Shift JIS)",
    "gb18030": "Chinese (GB 18030)",
    "big5": "Chinese, traditional (Big5)",
    "euc_kr": "Korean (EUC-KR)",
}
_BYTE_PAIRS = ("shift_jis", "gb18030", "big5", "euc_kr")
"""Two bytes a character: offered only where bytes beyond ASCII mostly stand side by side."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a person said about one file: its encoding, our field → its heading, its sheet; empty is unsaid."""

    encoding: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)
    sheet: str = ""


@dataclass(frozen=True, slots=True)
class EncodingSample:
    """An encoding a file can be read in, and three telling lines of it so read."""

    encoding: str
    words: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FoundGraph:
    """One graph of a file. `rows` counts the rows looked at; `obstacle` says why it cannot be kept, "" if it can."""

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
    """What a file holds, or why it cannot be read (`error`, or the row `fault`).

    `encodings` are to be chosen from when the file's is not known; then there is nothing else. `head` is the top of
    a table, to say which column is what.
    """

    name: str
    graphs: tuple[FoundGraph, ...] = ()
    error: str = ""
    fault: BadRow | None = None
    encodings: tuple[EncodingSample, ...] = ()
    head: TableHead | None = None

    @property
    def faults(self) -> tuple[BadRow, ...]:
        """Every faulty row, and what is wrong with the file as a whole if that has a place too."""
        own = (self.fault,) if self.fault is not None else ()
        return (*own, *(fault for graph in self.graphs for fault in graph.faults))


def look_at(name: str, content: bytes, answer: Answer) -> FilePreview:
    """Read one file as it would be imported. Never raises for what the file holds: that is the preview's `error`."""
    if len(content) > MOST_BYTES:
        return FilePreview(name, error=f"{name} has {len(content) / 2**20:,.0f} MB; at most 50 MB are read.")
    try:
        read = read_bundle(content, name, encoding=answer.encoding, columns=answer.columns or None, sheet=answer.sheet)
    except UnknownEncoding as error:
        return FilePreview(name, error=str(error), encodings=encoding_samples(content))
    except BadInput as error:
        fault = error if isinstance(error, BadRow) else None
        return FilePreview(name, error=str(error), fault=fault, head=_head(name, content, answer))
    return FilePreview(name, tuple(_found(one) for one in read), head=_head(name, content, answer))


def _head(name: str, content: bytes, answer: Answer) -> TableHead | None:
    return table_head(content, name, encoding=answer.encoding, sheet=answer.sheet)


def _found(read: ImportedGraph) -> FoundGraph:
    words = FACTS[read.form].words if read.form is not None else ""
    title = clean_title(read.title.removeprefix("(").removesuffix(")") if read.title.startswith("(") else read.title)
    return FoundGraph(
        title, words, read.rows, read.graph, read.places, read.notices, read.faults, _obstacle(read.graph)
    )


def clean_title(title: str) -> str:
    """A title on one line, at most 300 characters."""
    return " ".join(title.split())[:LONGEST_TITLE]


def _obstacle(graph: CausalGraph) -> str:
    if not graph.nodes:
        return "It holds no edge and no variable."
    if len(graph.nodes) > bounds.MOST_NODES:  # edges were counted while they were read
        return f"It has {len(graph.nodes):,} variables; a graph may have at most {bounds.MOST_NODES:,}."
    return ""


def encoding_samples(content: bytes) -> tuple[EncodingSample, ...]:
    """The encodings in which every byte of the file has a meaning, likeliest first, each with three lines.

    The lines shown are the first that hold anything beyond ASCII: only there do encodings differ.
    """
    lines = [line for line in content.splitlines() if not line.isascii()][:3]
    alone = len(re.findall(rb"(?<![\x80-\xff])[\x80-\xff](?![\x80-\xff])", content[:100_000]))
    in_pairs = 2 * alone < len(re.findall(rb"[\x80-\xff]", content[:100_000]))
    samples = []
    for encoding, words in ENCODINGS.items():
        if encoding in _BYTE_PAIRS and not in_pairs:
            continue
        try:
            content.decode(encoding)
            shown = tuple(line.decode(encoding, errors="replace").strip()[:120] for line in lines)
        except UnicodeDecodeError:
            continue
        if not any((ord(mark) < 32 and mark != "\t") or 0x7F <= ord(mark) < 0xA0 for line in shown for mark in line):
            samples.append(EncodingSample(encoding, words, shown))
    return tuple(samples)


def fault_table(faults: Iterable[BadRow]) -> bytes:
    """Faulty rows as a CSV that a spreadsheet opens without running any cell."""
    rows = [[f.file, "" if f.line is None else str(f.line), f.field, f.value, f.expected] for f in faults]
    return table_bytes(FAULT_FIELDS, rows, safe=True)


def in_pixels(places: Mapping[str, Point]) -> dict[str, Point]:
    """Places as the file has them; drawn larger, evenly, if they are in units so large that labels would cover
    each other (a layout within ±1, say)."""
    across = _extent([point.x for point in places.values()])
    down = _extent([point.y for point in places.values()])
    wanted = CELL_X * (math.sqrt(len(places)) - 1) / 2
    if not 0 < max(across, down) < wanted:
        return dict(places)
    scale = 2 * wanted / max(across, down)
    return {name: Point(round(point.x * scale, 2), round(point.y * scale, 2)) for name, point in places.items()}


def _extent(values: list[float]) -> float:
    return max(values) - min(values) if values else 0.0
