"""Which reader a dropped file goes to: by its headings, not by its name."""

from __future__ import annotations

import io
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from exchange.file_kinds import FileKind, kind_of

ROW = {"treatment": "Free bus pass", "outcome": "Employment", "sign": "+"}


def parquet(**columns: list[str]) -> bytes:
    buffer = io.BytesIO()
    pq.write_table(pa.table(columns), buffer)
    return buffer.getvalue()


@pytest.mark.parametrize(
    "content",
    [
        json.dumps(ROW).encode() + b"\n",
        b"\xef\xbb\xbf" + json.dumps({"question": "q" * 9000, **ROW}).encode(),
        b"Treatment,Outcome,Sign\nTax,Sales,-\n",
        b"treatment,outcome\nTax,Sales\n",
        "treatment,outcome,sign\nKäufer,Öl,+\n".encode("cp1252"),
        "treatment,outcome,sign\nTax,Sales,+\n".encode("utf-16"),
        parquet(treatment=["Tax"], outcome=["Sales"], sign=["-"]),
        b'{not JSON, "treatment", "outcome"\n' + json.dumps(ROW).encode(),
    ],
    ids=["jsonl", "long row", "csv", "no sign", "cp1252", "utf-16", "parquet", "first row broken"],
)
def test_treatment_and_outcome_make_triplets(content: bytes) -> None:
    assert kind_of("whatever.txt", content) is FileKind.TRIPLETS


def test_paper_and_jel_make_a_table_of_codes() -> None:
    assert kind_of("metadata.csv", b"paper,jel\nw0022,H\n") is FileKind.JEL


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"PAR1 broken",
        b"source,sink\ntreatment,outcome\n",
        b'"treatment" -> "outcome"\n',
        b"{",
        b'{"nodes": ["treatment", "outcome", "jel"], "edges": []}',
        b"%PDF-1.7 treatment outcome",
        parquet(source=["a"], sink=["b"]),
    ],
    ids=["empty", "broken parquet", "edge list", "arrows", "brace", "graph", "pdf", "parquet of edges"],
)
def test_anything_else_is_left_to_the_readers_of_graphs(content: bytes) -> None:
    assert kind_of("triplets.jsonl", content) is FileKind.GRAPHS
