"""Tables of ratings: gaps, numbers or words, names of units, scales, and what is refused with its line."""

from __future__ import annotations

import pytest

from core.errors import BadInput, BadRow, UnreadableFile
from exchange.rating_table import read_ratings


def test_every_column_is_a_rater_and_an_empty_cell_a_gap() -> None:
    found = read_ratings(b"A,B,C\n1,2,\n,,\n1.5,2, 3 \n\n", "r.csv")
    assert found.raters == ("A", "B", "C")
    assert found.rows == ((1, 2, None), (None, None, None), (1.5, 2, 3))
    assert (found.scale, found.notices) == ((), ())


@pytest.mark.parametrize("heading", ["unit", "Item", "id"])
def test_a_first_column_may_name_the_units(heading: str) -> None:
    found = read_ratings(f"{heading};A;B\nx;1;2\ny;2;2\n".encode(), "r.csv")
    assert (found.raters, found.rows) == (("A", "B"), ((1, 2), (2, 2)))
    assert found.notices == (f"The column {heading} names the units.",)
    assert read_ratings(b",A,B\n0,1,2\n", "r.csv").rows == ((1, 2),)


def test_values_are_words_if_one_of_them_is_none_of_a_number() -> None:
    assert read_ratings(b"A\tB\n1\t+\nNaN\t2\n", "r.csv").rows == (("1", "+"), ("NaN", "2"))
    assert read_ratings("A,B\n−,+\n".encode(), "r.csv").rows == (("−", "+"),)


def test_a_scale_gives_the_order_and_what_may_stand() -> None:
    found = read_ratings(b"A,B\nlow,high\n", "r.csv", scale=("low", "mid", "high"))
    assert found.scale == ("low", "mid", "high")
    assert read_ratings(b"A,B\n1.0,3\n", "r.csv", scale=("1", "2", "3")).scale == (1, 2, 3)
    with pytest.raises(BadRow, match=r"r\.csv, line 2, B: found '4'; expected one of 1, 2, 3"):
        read_ratings(b"A,B\n1,4\n", "r.csv", scale=("1", "2", "3"))
    with pytest.raises(BadInput, match="lists a value twice"):
        read_ratings(b"A,B\n1,1\n", "r.csv", scale=("1", "1.0"))


def test_what_is_no_table_says_where_and_what_was_expected() -> None:
    with pytest.raises(BadRow, match=r"line 3.*3 cells, expected 2"):
        read_ratings(b"A,B\n1,2\n1,2,3\n", "r.csv")
    with pytest.raises(UnreadableFile):
        read_ratings(b"", "r.csv")
