"""A default table as a study keeps it: what is odd is told and kept, and the file is written again as it was."""

from __future__ import annotations

import io
import json
from datetime import date
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.errors import UnreadableFile
from exchange.recite import ReciteRow, write_default
from exchange.sample_table import (
    SampleTable,
    oddity_counts,
    read_sample_table,
    sample_of,
    without_text,
    write_sample_table,
)


def parquet(rows: list[dict[str, Any]], **types: Any) -> bytes:
    names = dict.fromkeys(name for each in rows for name in each)
    table = pa.Table.from_pylist([{name: each.get(name) for name in names} for each in rows])
    for name, kind in types.items():
        at = table.schema.get_field_index(name)
        table = table.set_column(at, name, table.column(name).cast(kind))
    buffer = io.BytesIO()
    pq.write_table(table, buffer)
    return buffer.getvalue()


def row(**said: Any) -> dict[str, Any]:
    edges = [{"source": "A", "target": "B"}]
    return {"id": 1, "nodes": ["A", "B"], "edges": edges, "input_text": "A makes B.", **said}


def words(content: bytes) -> list[str]:
    return [str(each) for each in read_sample_table(content, "x.parquet").oddities]


def again(table: SampleTable) -> bytes:
    return write_sample_table(table.columns, [(each.cells, each.text) for each in table.samples])


def test_each_oddity_is_named_by_row_and_field_and_the_row_is_kept() -> None:
    odd = row(
        num_nodes=5,
        num_edges=9,
        edges=[{"source": "A", "target": "Export"}, {"source": "B", "target": "B"}, {"source": "B", "target": "B"}],
        node_explicitness=[1, 3],
        explicitness=1.0,
    )
    content = parquet([row(id=0), odd])
    read = read_sample_table(content, "x.parquet")
    assert (len(read.samples), read.faults) == (2, ())
    assert words(content) == [
        "Row 2, num_nodes: says 5; the graph has 3 nodes.",
        "Row 2, num_edges: says 9; the graph has 2 edges.",
        "Row 2, edges: “Export” is not among its nodes.",
        "Row 2, edges: 1 edge listed twice.",
        "Row 2, edges: 1 self-loop: “B”.",
        "Row 2, explicitness: says 1; the share of labels 1 and 2 is 0.5.",
    ]
    assert oddity_counts(read.oddities) == {"num_nodes": 1, "num_edges": 1, "edges": 1, "explicitness": 1}


def test_labels_of_another_length_are_told_and_give_no_levels() -> None:
    content = parquet([row(node_explicitness=[1, 2, 3])])
    assert words(content) == ["Row 1, node_explicitness: 3 labels for 2 nodes."]
    (kept,) = read_sample_table(content, "x.parquet").samples
    made = sample_of(kept.cells, "h", 10, origin="T", licence="", subject=("sample", "x"))
    assert made.levels is None


def test_a_share_that_was_rounded_is_not_odd() -> None:
    nodes = ["A", "B", "C"]
    assert words(parquet([row(nodes=nodes, node_explicitness=[1, 2, 3], explicitness=0.67)])) == []


def test_rows_without_a_text_are_counted_with_their_ids() -> None:
    rows = [row(id=each, input_text=None if each in (44, 101, 260) else "T") for each in range(292)]
    read = read_sample_table(parquet(rows), "x.parquet")
    told = "The table has 292 rows; 3 have no text and are left out of runs: ids 44, 101, 260."
    assert without_text(read.rows, read.samples) == told
    assert without_text(1, read.samples[:1]) == ""


def test_a_sample_has_nodes_by_code_points_levels_beside_them_and_each_edge_once() -> None:
    edges = [{"source": "b", "sink": "A"}, {"source": "b", "sink": "A"}]
    (kept,) = read_sample_table(
        parquet([row(nodes=["b", "A", "Z"], edges=edges, node_explicitness=[1, 2, 3])]), "x.parquet"
    ).samples
    made = sample_of(kept.cells, "h", 10, origin="T", licence="CC0", subject=("sample", "x"))
    assert (made.nodes, made.levels) == (("A", "Z", "b"), (2, 3, 1))
    assert (made.edges, made.repeats) == ((("b", "A"),), 1)


@pytest.mark.parametrize(
    "bad",
    [
        row(id=None),
        row(edges=[{"source": "A"}]),
        row(nodes="no list"),
        row(node_explicitness=[1, 4]),
        row(explicitness=float("nan")),
        row(num_nodes=float("inf")),
        row(title="T\x00"),
    ],
    ids=["no id", "no target", "nodes", "label", "share", "count", "nul"],
)
def test_a_faulty_row_is_told_and_the_others_are_read(bad: dict[str, Any]) -> None:
    read = [read_sample_table(parquet([each]), "x.parquet") for each in (bad, row())]
    assert [len(each.faults) for each in read] == [1, 0]
    assert read[0].faults[0].line == 1


def test_an_id_that_stands_twice_is_a_fault() -> None:
    read = read_sample_table(parquet([row(), row()]), "x.parquet")
    (fault,) = read.faults
    assert (fault.line, fault.field, len(read.samples)) == (2, "id", 1)


def test_what_we_write_comes_back_as_the_same_bytes() -> None:
    rows = [
        ReciteRow(id=each, title="Ü", nodes=("A", "B"), edges=(("A", "B"),), input_text="T", explicitness=0.5)
        for each in range(3)
    ]
    content = write_default(rows)
    assert again(read_sample_table(content, "x.parquet")) == content


def test_a_foreign_table_keeps_values_nulls_order_and_column_types() -> None:
    rows: list[dict[str, Any]] = [
        {
            "edges": json.dumps([{"sink": "B", "source": "A"}]),
            "nodes": '["A",  "B"]',
            "id": 3,
            "num_nodes": 2,
            "publication_date": date(2021, 5, 6),
            "input_text": None,
            "explicitness": 0.5,
            "title": None,
        },
        {
            "edges": None,
            "nodes": None,
            "id": 1,
            "num_nodes": None,
            "publication_date": None,
            "input_text": "",
            "explicitness": None,
            "title": "T",
        },
    ]
    content = parquet(rows, id=pa.int32(), explicitness=pa.float32())
    read = read_sample_table(content, "x.parquet")
    assert read.faults == ()
    before, after = (pq.read_table(io.BytesIO(each)) for each in (content, again(read)))
    assert after.schema.remove_metadata() == before.schema.remove_metadata()
    assert after.to_pylist() == before.to_pylist()
    assert again(read_sample_table(again(read), "x.parquet")) == again(read)


def test_a_file_that_is_no_such_table_says_what_it_lacks() -> None:
    with pytest.raises(UnreadableFile, match="no column “edges”"):
        read_sample_table(parquet([{"id": 1}]), "x.parquet")
