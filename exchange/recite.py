"""The *default* table of the released ReCITE dataset, as Parquet: one row per sample, with its ground truth graph.

Columns: id, title, source, url, domains, num_nodes, num_edges, explicitness, nodes, edges (source and *target*),
node_explicitness, input_text, abstract, publication_date. Lists are written as nested columns, as in the dataset's
card, and read as nested columns or JSON texts. Unknown values are null. The table has no columns for signs, delays and
flags.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from math import isfinite
from typing import Any

from core.errors import BadRow, UnreadableFile
from core.words import quoted, replace_controls

MOST_ROWS = 100_000
MOST_BYTES = 1024**3
"""Limit of the unpacked table, by its own footer, checked before anything is read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReciteRow:
    """A sample. None: not known."""

    id: str | int  # an integer as published
    title: str | None = None
    source: str | None = None
    url: str | None = None
    domains: tuple[str, ...] | None = None
    num_nodes: int | None = None
    num_edges: int | None = None
    explicitness: float | None = None  # share of nodes labelled 1 or 2, 0–1
    nodes: tuple[str, ...] = ()
    edges: tuple[tuple[str, str], ...] = ()  # (source, target)
    node_explicitness: tuple[int, ...] | None = None  # 1, 2 or 3 per node, in the order of nodes
    input_text: str | None = None
    abstract: str | None = None
    publication_date: str | None = None


COLUMNS = tuple(field.name for field in fields(ReciteRow))
_TEXTS = ("title", "source", "url", "input_text", "abstract", "publication_date")


@dataclass(frozen=True, slots=True)
class DefaultTable:
    samples: tuple[ReciteRow, ...]
    faults: tuple[BadRow, ...]


# --- writing ----------------------------------------------------------------------------------------------------


def without_controls(sample: ReciteRow) -> ReciteRow:
    """Return the sample with U+FFFD for control characters. Studies of earlier versions have PDF texts with NUL,
    which neither `exchange.sample_table` nor PostgreSQL accepts."""
    values: dict[str, Any] = {name: getattr(sample, name) for name in _TEXTS}
    texts: dict[str, Any] = {name: replace_controls(text) for name, text in values.items() if text is not None}
    return replace(sample, **texts)


def plain_row(sample: ReciteRow) -> dict[str, Any]:
    row = {name: getattr(sample, name) for name in COLUMNS}
    for name in ("domains", "nodes", "node_explicitness"):
        row[name] = None if row[name] is None else list(row[name])
    row["edges"] = [{"source": source, "target": target} for source, target in sample.edges]
    return row


def write_default(samples: Sequence[ReciteRow]) -> bytes:
    """Return the table as Parquet; the same samples give the same bytes (with one version of pyarrow). Ids are text
    unless all are integers."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    are_numbers = bool(samples) and all(isinstance(sample.id, int) for sample in samples)
    rows = [plain_row(sample) for sample in samples]
    if not are_numbers:
        rows = [{**row, "id": str(row["id"])} for row in rows]
    table = pa.Table.from_pylist(rows, schema=_schema(pa, are_numbers))
    buffer = io.BytesIO()
    pq.write_table(table, buffer, compression="snappy", version="2.6")
    return buffer.getvalue()


def _schema(pa: Any, are_numbers: bool) -> Any:
    edge = pa.struct([("source", pa.string()), ("target", pa.string())])
    types = {
        "id": pa.int64() if are_numbers else pa.string(),
        "domains": pa.list_(pa.string()),
        "num_nodes": pa.int64(),
        "num_edges": pa.int64(),
        "explicitness": pa.float64(),
        "nodes": pa.list_(pa.string()),
        "edges": pa.list_(edge),
        "node_explicitness": pa.list_(pa.int64()),
    }
    return pa.schema([(name, types.get(name, pa.string())) for name in COLUMNS])


# --- reading ----------------------------------------------------------------------------------------------------


def read_default(content: bytes, filename: str) -> DefaultTable:
    """Read the table, with columns in any order, others ignored, lists nested or as JSON text; `sink` is read as
    target. A row without an id or with a malformed graph is a fault. Raises UnreadableFile if it is no Parquet, too
    large, or has no column `id`, `nodes` or `edges`."""
    table = read_columns(content, filename)
    samples: list[ReciteRow] = []
    faults: list[BadRow] = []
    for line, row in enumerate(table.to_pylist(), start=1):
        try:
            samples.append(read_row(row, filename, line))
        except BadRow as fault:
            faults.append(fault)
    return DefaultTable(tuple(samples), tuple(faults))


def read_columns(content: bytes, filename: str) -> Any:
    """Return the known columns as an Arrow table, in the file's order. Raises as `read_default`."""
    listed = f"the default table has the columns {', '.join(COLUMNS)}"
    return read_parquet(content, filename, ("edges", "id"), listed, only=COLUMNS)


def read_parquet(
    content: bytes, filename: str, needed: Sequence[str], listed: str, only: Sequence[str] | None = None
) -> Any:
    """Return a Parquet file as an Arrow table, with all columns or `only` these. Raises UnreadableFile if it is no
    Parquet, too large, or lacks a `needed` column; `listed` then names the expected ones."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(io.BytesIO(content))
        facts = file.metadata
        size = sum(facts.row_group(n).total_byte_size for n in range(facts.num_row_groups))
        if facts.num_rows > MOST_ROWS or size > MOST_BYTES:
            raise UnreadableFile(
                f"{filename} has {facts.num_rows:,} rows and {size:,} bytes unpacked; at most {MOST_ROWS:,} rows and "
                f"{MOST_BYTES:,} bytes are read. Split it."
            )
        present = file.schema_arrow.names
        if missing := [name for name in needed if name not in present]:
            raise UnreadableFile(f"{filename} has no column {quoted(missing[0])}; {listed}.")
        return file.read(columns=[name for name in present if only is None or name in only])
    except UnreadableFile:
        raise
    except (pa.ArrowException, OSError, ValueError) as error:
        raise UnreadableFile(f"{filename} cannot be read as Parquet: {str(error).splitlines()[0]}") from None


def read_row(row: Mapping[str, Any], file: str, line: int) -> ReciteRow:
    """Return a row of Arrow or JSON values. Raises BadRow without an id, or with a malformed graph."""
    key = row.get("id")
    if not isinstance(key, str | int) or isinstance(key, bool) or key == "":
        raise BadRow(file, line, "id", _shown(key), "a sample needs an id: a text or a whole number")
    edges = tuple(_edge(each, file, line) for each in _listed(row.get("edges"), "edges", file, line) or ())
    nodes = _names(row.get("nodes"), "nodes", file, line)
    if nodes is None:
        nodes = tuple(dict.fromkeys(name for edge in edges for name in edge))
    texts = {name: None if row.get(name) is None else str(row[name]) for name in _TEXTS}
    return ReciteRow(
        id=key,
        domains=_names(row.get("domains"), "domains", file, line),
        num_nodes=_whole(row.get("num_nodes"), "num_nodes", file, line),
        num_edges=_whole(row.get("num_edges"), "num_edges", file, line),
        explicitness=_share(row.get("explicitness"), file, line),
        nodes=nodes,
        edges=edges,
        node_explicitness=_labels(row.get("node_explicitness"), nodes, file, line),
        **texts,
    )


def _listed(value: Any, field: str, file: str, line: int) -> list[Any] | None:
    if isinstance(value, str):
        try:
            value = json.loads(value) if value.strip() else None
        except ValueError:
            raise BadRow(file, line, field, _shown(value), "a list, or a JSON text of one") from None
    if value is not None and not isinstance(value, list):
        raise BadRow(file, line, field, _shown(value), "a list, or a JSON text of one")
    return value


def _names(value: Any, field: str, file: str, line: int) -> tuple[str, ...] | None:
    listed = _listed(value, field, file, line)
    if listed is not None and not all(isinstance(name, str) for name in listed):
        raise BadRow(file, line, field, _shown(listed), "a list of texts")
    return None if listed is None else tuple(listed)


def _edge(value: Any, file: str, line: int) -> tuple[str, str]:
    ends = (value.get("source"), value.get("target", value.get("sink"))) if isinstance(value, dict) else (None, None)
    if not (isinstance(ends[0], str) and isinstance(ends[1], str)):
        raise BadRow(file, line, "edges", _shown(value), 'an edge is {"source": …, "target": …}')
    return ends[0], ends[1]


def _labels(value: Any, nodes: Iterable[str], file: str, line: int) -> tuple[int, ...] | None:
    """Return 1, 2 or 3 for every node, from a list in their order or a mapping from names."""
    if isinstance(value, str):
        try:
            value = json.loads(value) if value.strip() else None
        except ValueError:
            raise BadRow(file, line, "node_explicitness", _shown(value), "1, 2 or 3 for every node") from None
    if isinstance(value, dict):
        value = [value.get(name) for name in nodes]
    if value is None:
        return None
    if not isinstance(value, list) or not all(label in (1, 2, 3) and not isinstance(label, bool) for label in value):
        raise BadRow(file, line, "node_explicitness", _shown(value), "1, 2 or 3 for every node")
    return tuple(int(label) for label in value)


def _share(value: Any, file: str, line: int) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
    if value is not None and not is_number:
        raise BadRow(file, line, "explicitness", _shown(value), "a number from 0 to 1")
    return None if value is None else float(value)


def _whole(value: Any, field: str, file: str, line: int) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value) or value != int(value):
        raise BadRow(file, line, field, _shown(value), "a whole number")
    return int(value)


def _shown(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else f"{shown[:59]}…"
