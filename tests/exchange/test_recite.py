"""The released dataset's default table: what we write reads back whole, and what others write is read."""

from __future__ import annotations

import io
import json
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import UnreadableFile
from exchange.recite import COLUMNS, ReciteRow, plain_row, read_default, write_default

TEXT = st.text(st.characters(blacklist_categories=["Cs"]), max_size=12)
MAYBE = st.none() | TEXT


@st.composite
def samples(draw: Any) -> ReciteRow:
    nodes = tuple(draw(st.lists(TEXT.filter(bool), unique=True, max_size=4)))
    edges = tuple(draw(st.lists(st.tuples(TEXT, TEXT), max_size=4)))
    labels = draw(st.none() | st.tuples(*(st.sampled_from([1, 2, 3]) for _ in nodes)))
    return ReciteRow(
        id=draw(TEXT.filter(bool)),
        title=draw(MAYBE),
        source=draw(MAYBE),
        url=draw(MAYBE),
        domains=draw(st.none() | st.lists(TEXT, max_size=3).map(tuple)),
        num_nodes=draw(st.none() | st.just(len(nodes))),
        num_edges=len(edges),
        explicitness=draw(st.none() | st.floats(0, 1)),
        nodes=nodes,
        edges=edges,
        node_explicitness=labels,
        input_text=draw(MAYBE),
        abstract=draw(MAYBE),
        publication_date=draw(MAYBE),
    )


@given(st.lists(samples(), max_size=4))
def test_what_is_written_reads_back_whole_and_always_as_the_same_bytes(rows: list[ReciteRow]) -> None:
    content = write_default(rows)
    found = read_default(content, "default.parquet")
    assert (found.samples, found.faults) == (tuple(rows), ())
    assert write_default(rows) == content


def test_whole_numbers_stay_whole_numbers_as_published() -> None:
    rows = (ReciteRow(id=7, nodes=("A", "B"), edges=(("A", "B"),)), ReciteRow(id=8))
    found = read_default(write_default(rows), "default.parquet")
    assert found.samples == rows
    assert pq.read_schema(io.BytesIO(write_default(rows))).field("id").type == pa.int64()


def test_the_columns_stand_in_their_order_with_nested_lists() -> None:
    schema = pq.read_schema(io.BytesIO(write_default([ReciteRow(id="x")])))
    assert schema.names == list(COLUMNS)
    assert schema.field("edges").type == pa.list_(pa.struct([("source", pa.string()), ("target", pa.string())]))
    assert schema.field("nodes").type == pa.list_(pa.string())


def parquet(rows: list[dict[str, Any]]) -> bytes:
    buffer = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), buffer)
    return buffer.getvalue()


def test_lists_as_json_texts_and_answers_that_say_sink_are_read() -> None:
    row = {
        "id": 3,
        "nodes": '["A", "B"]',
        "edges": '[{"source": "A", "sink": "B"}]',
        "domains": "[]",
        "node_explicitness": '{"B": 3, "A": 1}',
        "explicitness": 1,
        "more": "ignored",
    }
    (found,) = read_default(parquet([row]), "x.parquet").samples
    assert (found.nodes, found.edges, found.domains) == (("A", "B"), (("A", "B"),), ())
    assert (found.node_explicitness, found.explicitness) == ((1, 3), 1.0)


def test_nodes_that_no_column_names_come_from_the_edges() -> None:
    (found,) = read_default(parquet([{"id": 1, "edges": '[{"source": "B", "target": "A"}]'}]), "x.parquet").samples
    assert found.nodes == ("B", "A")


@pytest.mark.parametrize(
    ("row", "field"),
    [
        ({"id": None, "edges": "[]"}, "id"),
        ({"id": 1, "edges": "[1]"}, "edges"),
        ({"id": 1, "edges": "no list"}, "edges"),
        ({"id": 1, "edges": "{}"}, "edges"),
        ({"id": 1, "edges": "[]", "nodes": "[1]"}, "nodes"),
        ({"id": 1, "edges": "[]", "num_nodes": 1.5}, "num_nodes"),
        ({"id": 1, "edges": "[]", "node_explicitness": "[4]"}, "node_explicitness"),
        ({"id": 1, "edges": "[]", "node_explicitness": "{"}, "node_explicitness"),
        ({"id": 1, "edges": "[]", "explicitness": "most"}, "explicitness"),
    ],
)
def test_a_faulty_row_is_named_and_the_others_are_read(row: dict[str, Any], field: str) -> None:
    good = {key: (None if key != "id" else 2) for key in row} | {"edges": "[]"}
    found = read_default(parquet([row, good]), "x.parquet")
    assert [sample.id for sample in found.samples] == [2]
    assert [(fault.line, fault.field) for fault in found.faults] == [(1, field)]


@pytest.mark.parametrize("content", [b"", b"PAR1", b"not a table", b"PAR1" + b"\0" * 40 + b"PAR1"])
def test_what_is_no_parquet_is_refused(content: bytes) -> None:
    with pytest.raises(UnreadableFile, match=r"x\.parquet .* Parquet"):
        read_default(content, "x.parquet")


def test_a_table_without_edges_is_refused() -> None:
    with pytest.raises(UnreadableFile, match="no column “edges”"):
        read_default(parquet([{"id": 1}]), "x.parquet")


def test_a_plain_row_is_json() -> None:
    row = plain_row(ReciteRow(id="x", nodes=("A",), edges=(("A", "A"),)))
    assert json.loads(json.dumps(row))["edges"] == [{"source": "A", "target": "A"}]
