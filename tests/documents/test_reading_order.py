"""Two columns are read one after the other; any other page keeps the order that layout analysis gave."""

from __future__ import annotations

from typing import Any

from documents.reading_order import in_columns


def row(name: str, x0: float, y0: float, x1: float, seen: str | None = "text") -> dict[str, Any]:
    return {"name": name, "box": [x0, y0, x1, y0 + 40], "seen": seen}


def names(rows: list[dict[str, Any]]) -> str:
    return " ".join(each["name"] for each in in_columns(rows))


def test_the_left_column_comes_before_the_right_one_between_wide_blocks() -> None:
    page = [
        row("head", 50, 20, 545, "page-header"),
        row("title", 50, 60, 545),
        row("b1", 310, 120, 545),
        row("a1", 50, 120, 290),
        row("a2", 50, 170, 290),
        row("figure", 60, 300, 530, "picture"),
        row("d1", 310, 400, 545),
        row("c1", 50, 400, 290),
        row("b2", 310, 170, 545),
        row("loose", 50, 700, 60, None),
        row("foot", 290, 800, 300, "page-footer"),
    ]
    assert names(page) == "head title a1 a2 b1 b2 figure c1 d1 loose foot"


def test_a_block_seen_over_both_columns_with_another_beside_it_stands_in_the_left_one() -> None:
    page = [row("a1", 50, 100, 290), row("b1", 310, 100, 545), row("table", 50, 200, 540, "table")]
    page += [row("a2", 50, 300, 290), row("b2", 310, 210, 545)]
    assert names(page) == "a1 table a2 b1 b2"


def test_one_column_and_three_columns_stay_as_they_are() -> None:
    one = [row("b", 50, 300, 545), row("a", 50, 100, 545), row("c", 50, 400, 545), row("d", 50, 500, 300)]
    assert names(one) == "b a c d"
    three = [row(f"{at}{y}", 50 + 170 * at, y, 200 + 170 * at) for y in (100, 200) for at in (0, 1, 2)]
    assert names(three) == "0100 1100 2100 0200 1200 2200"
