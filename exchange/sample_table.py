"""A default table as a study stores it: every cell as released, oddities of rows, and the same file written again.
Nothing is corrected. Wrong statements of a row about itself (its number of nodes, an edge with an unlisted end) are
reported by row and field, and the sample uses the graph of its edges and nodes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.errors import BadRow
from core.graphs.sample import GraphSample, graph_parts, in_order
from core.words import counted, quoted
from exchange.recite import ReciteRow, read_columns, read_row
from exchange.typed_columns import Column, as_json, form_of, write_columns

TEXT = "input_text"
MOST_NAMED = 5
SLACK = 0.005
"""Tolerance between a printed share and that of its levels: it is often rounded to two places."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row: `cells` by column as JSON without its text, its `line` from 1, and its id as text."""

    line: int
    id: str
    cells: Mapping[str, Any]
    text: str | None

    @property
    def has_text(self) -> bool:
        return bool(self.text and self.text.strip())


@dataclass(frozen=True, slots=True)
class Oddity:
    """A wrong statement of a row, stored as released; `words` describe it within a sentence."""

    line: int
    field: str
    words: str

    def __str__(self) -> str:
        return f"Row {self.line:,}, {self.field}: {self.words}."


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleTable:
    """A table. `columns`: in file order; `rows`: number of rows, faulty ones included."""

    name: str
    columns: tuple[Column, ...]
    rows: int
    samples: tuple[TableRow, ...]
    faults: tuple[BadRow, ...]
    oddities: tuple[Oddity, ...]


# --- reading ----------------------------------------------------------------------------------------------------


def read_sample_table(content: bytes, name: str) -> SampleTable:
    """Read a table. A row without an id, with a repeated one, or with a malformed graph is a fault. Raises
    UnreadableFile as `exchange.recite.read_default`."""
    table = read_columns(content, name)
    samples: list[TableRow] = []
    faults: list[BadRow] = []
    oddities: list[Oddity] = []
    lines: dict[str, int] = {}
    for line, values in enumerate(table.to_pylist(), start=1):
        cells = {column: as_json(value) for column, value in values.items()}
        try:
            row = read_row(cells, name, line)
            for column, cell in cells.items():
                if "\x00" in _texts(cell):  # the databases cannot store it
                    raise BadRow(name, line, column, "", "a text without the character U+0000")
            key = str(row.id)
            if lines.setdefault(key, line) != line:
                raise BadRow(name, line, "id", key, f"an id of its own; row {lines[key]:,} has this one")
        except BadRow as fault:
            faults.append(fault)
            continue
        text = cells.pop(TEXT, None)
        samples.append(TableRow(line, key, cells, text))
        oddities += (Oddity(line, field, words) for field, words in _odd(row))
    columns = tuple(Column(field.name, form_of(field.type)) for field in table.schema)
    return SampleTable(
        name=name,
        columns=columns,
        rows=table.num_rows,
        samples=tuple(samples),
        faults=tuple(faults),
        oddities=tuple(oddities),
    )


def _texts(value: Any) -> str:
    if isinstance(value, dict):
        return "".join(map(_texts, value.values()))
    return "".join(map(_texts, value)) if isinstance(value, list) else str(value)


def _odd(row: ReciteRow) -> Iterator[tuple[str, str]]:
    """Yield (field, oddity as part of a sentence)."""
    listed = set(row.nodes)
    once = dict.fromkeys(row.edges)
    ends = dict.fromkeys(name for edge in row.edges for name in edge)
    if row.num_nodes is not None and row.num_nodes != len(listed | set(ends)):
        yield "num_nodes", f"says {row.num_nodes:,}; the graph has {counted(len(listed | set(ends)), 'node')}"
    if row.num_edges is not None and row.num_edges not in (len(row.edges), len(once)):
        yield "num_edges", f"says {row.num_edges:,}; the graph has {counted(len(once), 'edge')}"
    if unlisted := [name for name in ends if name not in listed]:
        are = "is" if len(unlisted) == 1 else "are"
        yield "edges", f"{_named(unlisted)} {are} not among its nodes"
    if len(listed) < len(row.nodes):
        yield "nodes", f"{counted(len(row.nodes) - len(listed), 'node')} listed twice"
    if len(once) < len(row.edges):
        yield "edges", f"{counted(len(row.edges) - len(once), 'edge')} listed twice"
    if loops := [source for source, target in once if source == target]:
        yield "edges", f"{counted(len(loops), 'self-loop')}: {_named(loops)}"
    levels = row.node_explicitness
    if levels is not None and len(levels) != len(row.nodes):
        yield "node_explicitness", f"{counted(len(levels), 'label')} for {counted(len(row.nodes), 'node')}"
    elif levels and row.explicitness is not None:
        share = sum(level < 3 for level in levels) / len(levels)
        if abs(share - row.explicitness) > SLACK:
            yield "explicitness", f"says {row.explicitness:g}; the share of labels 1 and 2 is {share:.3g}"


def _named(names: Sequence[str]) -> str:
    more = f" and {len(names) - MOST_NAMED:,} more" if len(names) > MOST_NAMED else ""
    return ", ".join(map(quoted, names[:MOST_NAMED])) + more


def without_text(rows: int, samples: Iterable[TableRow]) -> str:
    """Return the sentence on rows without a text; empty if there is none."""
    ids = [each.id for each in samples if not each.has_text]
    if not ids:
        return ""
    has = "has" if len(ids) == 1 else "have"
    are = "is" if len(ids) == 1 else "are"
    listed = ", ".join(ids[:20]) + (f" and {len(ids) - 20:,} more" if len(ids) > 20 else "")
    which = "id" if len(ids) == 1 else "ids"
    left_out = f"{len(ids):,} {has} no text and {are} left out of runs: {which} {listed}"
    return f"The table has {counted(rows, 'row')}; {left_out}."


def oddity_counts(oddities: Iterable[Oddity]) -> dict[str, int]:
    """Return field → number of rows with an oddity in it."""
    return dict(Counter(field for _line, field in dict.fromkeys((each.line, each.field) for each in oddities)))


# --- samples ----------------------------------------------------------------------------------------------------


def sample_of(
    cells: Mapping[str, Any], text: str, characters: int, *, origin: str, licence: str, subject: tuple[str, str]
) -> GraphSample:
    """Return the sample of a stored row. `text`: the hash of its text, `characters`: the text's length."""
    row = read_row(cells, origin, 0)
    nodes, edges, repeats = graph_parts(row.nodes, row.edges)
    labels = row.node_explicitness or ()
    levels = dict(zip(row.nodes, labels, strict=True)) if len(labels) == len(row.nodes) else {}
    return GraphSample(
        id=str(row.id),
        origin=origin,
        nodes=nodes,
        edges=edges,
        text=text,
        characters=characters,
        repeats=repeats,
        title=row.title or "",
        source=row.source or "",
        url=row.url or "",
        domains=row.domains or (),
        levels=in_order(levels, nodes),
        abstract=row.abstract or "",
        publication_date=row.publication_date or "",
        licence=licence,
        subject=subject,
    )


# --- writing ----------------------------------------------------------------------------------------------------


def write_sample_table(columns: Sequence[Column], rows: Iterable[tuple[Mapping[str, Any], str | None]]) -> bytes:
    """Return the table as Parquet, with columns, types, nulls and order as read, from (cells, text) of each row. The
    same rows give the same bytes (with one version of pyarrow)."""
    return write_columns(columns, [{**cells, TEXT: text} for cells, text in rows])
