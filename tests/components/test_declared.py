"""A declared type that differs from what is given is told, wherever in it the difference lies."""

from __future__ import annotations

from typing import Any

import pytest

from tests.components import declared

EDGE: dict[str, Any] = {"id": "e1", "sign": "+", "path": [[1, 2.5]], "note": "n", "class": {"a": 1}, "box": [0, True]}


@pytest.fixture(autouse=True)
def room(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(declared, "COMPONENTS", tmp_path)
    for name, text in {
        "first": "/** A place. */\nexport type Point = [number, number];\n",
        "second": """import type { Point } from "../first/types.d.ts";

export type Sign = "+" | "-" | "";
/** An edge. */
export type EdgeData = Named & {
  sign: Sign; // as printed
  path: Point[] | null;
  note?: string;
  class: Record<string, number>;
  box: [number, boolean];
};
export type Named = { id: string };
export type Odd = { call(): void };
""",
    }.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "types.d.ts").write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({}, []),
        ({"id": 1}, ["EdgeData.id: 1 is not string"]),
        ({"sign": "*"}, ['EdgeData.sign: \'*\' is not "+" | "-" | ""']),
        ({"path": [[1, "2"]]}, ["EdgeData.path[][1]: '2' is not number"]),
        ({"path": [[1, 2, 3]]}, ["EdgeData.path[]: [1, 2, 3] is not row"]),
        ({"path": None}, ["EdgeData.path: always empty"]),
        ({"path": []}, ["EdgeData.path: always empty"]),
        ({"class": {"a": None}}, ["EdgeData.class[]: None is not number"]),
        ({"box": [True, True]}, ["EdgeData.box[0]: True is not number"]),
        ({"weight": 1}, ["EdgeData.weight: not declared"]),
    ],
)
def test_a_difference_is_told(change: dict[str, Any], told: list[str]) -> None:
    assert declared.unlike("second", "EdgeData", EDGE | change) == told


def test_a_field_that_is_not_given_is_told() -> None:
    without = {name: value for name, value in EDGE.items() if name not in ("id", "note")}
    assert declared.unlike("second", "EdgeData", without) == [
        "EdgeData.id: declared and not given",
        "EdgeData.note: always empty",
    ]
    assert declared.unlike("second", "EdgeData", without | {"id": "e2"}, EDGE) == []


def test_what_cannot_be_read_is_refused_and_not_passed_over() -> None:
    with pytest.raises(AssertionError, match="is no field that is read here"):
        declared.declared("second", "Odd")
    with pytest.raises(AssertionError, match="declares no Even"):
        declared.declared("second", "Even")
