"""Responses and evaluations: read in any dress, and written again with equal values, nulls, order and types."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.errors import UnreadableFile
from exchange.file_kinds import FileKind, kind_of
from exchange.file_reading import PublicRead, public_of
from exchange.recite_responses import NAMES, STANDARD, PublicKind, read_public_table, write_public_table
from exchange.wire import from_lines, to_lines


def parquet(rows: list[dict[str, Any]], schema: pa.Schema | None = None) -> bytes:
    buffer = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows, schema=schema), buffer)
    return buffer.getvalue()


def response(**said: Any) -> dict[str, Any]:
    return {
        "response_answer": '{"relationships": []}',
        "valid_format": True,
        "id": 1,
        "sample_id": 7,
        "model": "m",
        "task_type": STANDARD,
        **said,
    }


def evaluation(**said: Any) -> dict[str, Any]:
    usual = {"id": "e1", "response_id": 1, "evaluator_type": "fine_grained", "score": 0.5, "evaluation_answer": "{}"}
    return {**usual, **said}


def test_the_tables_are_known_by_their_columns_in_any_order() -> None:
    assert kind_of("x.parquet", parquet([response()])) is FileKind.RESPONSES
    assert kind_of("x.parquet", parquet([evaluation()])) is FileKind.EVALUATIONS


def test_a_foreign_file_is_written_again_with_equal_values_nulls_order_and_types() -> None:
    moment = datetime(2025, 5, 24, 12, 30, 1, 250_000, UTC)
    schema = pa.schema(
        [
            ("task_type", pa.large_string()),
            ("response_date", pa.timestamp("us", tz="UTC")),
            ("id", pa.int32()),
            ("sample_id", pa.int64()),
            ("corrected_answer", pa.list_(pa.struct([("source", pa.string()), ("sink", pa.string())]))),
            ("valid_format", pa.bool_()),
            ("model", pa.string()),
            ("response_answer", pa.string()),
            ("cost", pa.float32()),
        ]
    )
    rows = [
        response(id=9, task_type=NAMES, response_date=moment, corrected_answer=[{"source": "A", "sink": "ü"}]),
        response(id=2, valid_format=None, response_answer=None, cost=0.25),
    ]
    content = parquet(rows, schema)
    read = read_public_table(content, "x.parquet", PublicKind.RESPONSES)
    written = write_public_table(read.columns, [each.cells for each in read.kept])
    before, after = (pq.read_table(io.BytesIO(each)) for each in (content, written))
    assert after.schema == before.schema
    assert after.to_pylist() == before.to_pylist()
    assert read.kept[0].text("corrected_answer") == '[{"source": "A", "sink": "ü"}]'
    again = read_public_table(written, "x.parquet", PublicKind.RESPONSES)
    assert write_public_table(again.columns, [each.cells for each in again.kept]) == written


@pytest.mark.parametrize(
    ("kind", "said", "field"),
    [
        (PublicKind.RESPONSES, {"id": None}, "id"),
        (PublicKind.RESPONSES, {"sample_id": None}, "sample_id"),
        (PublicKind.RESPONSES, {"model": " "}, "model"),
        (PublicKind.RESPONSES, {"task_type": "other"}, "task_type"),
        (PublicKind.RESPONSES, {"response_answer": "a\x00"}, "response_answer"),
        (PublicKind.EVALUATIONS, {"response_id": None}, "response_id"),
        (PublicKind.EVALUATIONS, {"evaluator_type": None}, "evaluator_type"),
    ],
)
def test_a_faulty_row_is_named_by_line_and_field_and_the_others_are_read(
    kind: PublicKind, said: dict[str, Any], field: str
) -> None:
    row = response if kind is PublicKind.RESPONSES else evaluation
    read = read_public_table(parquet([row(id=1), row(**{"id": 2, **said})]), "x.parquet", kind)
    (fault,) = read.faults
    assert (fault.line, fault.field, len(read.kept)) == (2, field, 1)


def test_an_id_that_stands_above_is_a_fault() -> None:
    read = read_public_table(parquet([response(), response()]), "x.parquet", PublicKind.RESPONSES)
    [fault] = read.faults
    assert (len(read.kept), fault.line, fault.field) == (1, 2, "id")
    assert "row 1" in fault.expected


def test_a_score_that_is_no_number_is_told_and_nan_is_none() -> None:
    content = parquet([evaluation(id="a", score=float("nan")), evaluation(id="b", score=None)])
    read = read_public_table(content, "x.parquet", PublicKind.EVALUATIONS)
    assert [each.score for each in read.kept] == [None, None]
    worded = parquet([evaluation(score="0.5")])
    assert read_public_table(worded, "x.parquet", PublicKind.EVALUATIONS).faults[0].field == "score"


def test_a_missing_column_and_another_file_are_refused_in_one_sentence() -> None:
    with pytest.raises(UnreadableFile, match="no column “task_type”"):
        read_public_table(parquet([{"id": 1, "sample_id": 1, "model": "m"}]), "x.parquet", PublicKind.RESPONSES)
    with pytest.raises(UnreadableFile, match=r"x\.parquet .* Parquet"):
        read_public_table(b"PAR1 no", "x.parquet", PublicKind.EVALUATIONS)


def test_what_is_read_in_the_child_comes_back_as_it_was() -> None:
    found = public_of("x.parquet", parquet([response(), response(task_type="?")]), PublicKind.RESPONSES)
    assert from_lines(PublicRead, to_lines(PublicRead, found)) == found
