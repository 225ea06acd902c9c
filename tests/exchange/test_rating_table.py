"""Tables of ratings: gaps, numbers or words, names of units, scales, and what is refused with its line."""

from __future__ import annotations

import re

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
    assert read_ratings(b"A\tB\n1\t+\ninf\t2\n", "r.csv").rows == (("1", "+"), ("inf", "2"))
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


@pytest.mark.parametrize("said", ["NA", "N/A", "nan", "NaN", "null", "NULL", "#N/A", "<NA>"])
def test_words_of_other_programs_for_a_gap_are_gaps_with_a_notice(said: str) -> None:
    found = read_ratings(f"A,B\nyes,{said}\n{said},no\nyes,yes\n".encode(), "r.csv")
    assert found.rows == (("yes", None), (None, "no"), ("yes", "yes"))
    listed = "If that is a rating, list it in the scale."
    assert found.notices == (f"2 cells read as not rated: {said} (2). {listed}",)
    kept = read_ratings(f"A,B\nyes,{said}\n".encode(), "r.csv", scale=("yes", said))
    assert (kept.rows, kept.notices) == ((("yes", said),), ())


def test_none_and_marks_are_gaps_among_numbers_only() -> None:
    for said in ("None", "-", ".", "?"):
        assert read_ratings(f"A,B\n1,{said}\n2,2\n".encode(), "r.csv").rows == ((1, None), (2, 2))
        assert read_ratings(f"A,B\n+,{said}\n".encode(), "r.csv").rows == (("+", said),)


def test_a_unit_called_na_is_a_unit() -> None:
    found = read_ratings(b"unit,A,B\nna,1,2\nnull,2,2\n", "r.csv")
    assert (found.rows, found.notices) == (((1, 2), (2, 2)), ("The column unit names the units.",))


UNITS = {
    "numbers": "figure,A,B\n1,0,1\n2,1,1\n3,0,0\n",
    "words": "paper,A,B\nBerg 2001,+,-\nDahl 2002,+,+\nEng 2003,-,-\n",
    "identifiers": "key;A;B\nf1;1;2\nf2;2;2\nf3;1;1\n",
    "a question": "Wie heißt die Abbildung?\tA\tB\nx\tja\tja\ny\tnein\tja\nz\tja\tja\n",
}


@pytest.mark.parametrize("table", UNITS.values(), ids=UNITS)
def test_a_first_column_of_different_values_that_others_do_not_give_is_asked_about(table: str) -> None:
    heading = re.split("[,;\t]", table.splitlines()[0])[0]
    with pytest.raises(BadInput, match="Does it name the units") as asked:
        read_ratings(table.encode(), "r.csv")
    assert str(asked.value).startswith(f"r.csv, column {heading} (the first): its values are all different, as “")
    assert read_ratings(table.encode(), "r.csv", units=heading).raters == ("A", "B")
    assert read_ratings(table.encode(), "r.csv", units="none").raters == (heading, "A", "B")


def test_different_values_that_others_give_too_are_told() -> None:
    found = read_ratings(b"A,B\n1,1\n2,3\n3,2\n", "r.csv")
    assert found.raters == ("A", "B")
    assert found.notices == (
        "The values of the first column, A, are all different; it is read as a rater, not as names of units.",
    )
    assert read_ratings(b"rater 1,rater 2\n1,2\n2,2\n3,2\n", "r.csv").notices == ()


def test_units_may_be_named_by_any_column() -> None:
    found = read_ratings(b"A,B,figure\n1,2,x\n2,2,y\n", "r.csv", units="figure")
    assert (found.raters, found.rows) == (("A", "B"), ((1, 2), (2, 2)))
    with pytest.raises(BadInput, match=r"r\.csv has no column “page”; its columns are A, B\."):
        read_ratings(b"A,B\n1,2\n", "r.csv", units="page")


LONG = {
    "rater, unit, value": "rater,unit,value\na,1,x\nb,1,y\na,2,x\nb,3,NA\n",
    "coder, item, label": "item,coder,label\n1,a,x\n1,b,y\n2,a,x\n3,b,nan\n",
    "annotator, figure, rating": "figure;annotator_id;rating\n1;a;x\n1;b;y\n2;a;x\n3;b;\n",
    "with a further column": "date,judge,id,score\n1,a,1,x\n2,b,1,y\n3,a,2,x\n4,b,3,null\n",
}


@pytest.mark.parametrize("table", LONG.values(), ids=LONG)
def test_one_row_a_rating_becomes_one_row_a_unit(table: str) -> None:
    found = read_ratings(table.encode(), "r.csv")
    assert found.raters == ("a", "b")
    assert found.rows == (("x", "y"), ("x", None), (None, None))
    assert found.notices[0].startswith("One row per rating: ")
    assert ("Columns not read: date." in found.notices[0]) == ("date" in table)


def test_a_table_of_one_row_a_rating_says_where_it_is_wrong() -> None:
    with pytest.raises(
        BadRow, match=r"r\.csv, line 3, value: found 'y'; expected one rating of 1 by a, and line 2 has it"
    ):
        read_ratings(b"rater,unit,value\na,1,x\na,1,y\n", "r.csv")
    with pytest.raises(BadRow, match=r"line 3, rater"):
        read_ratings(b"rater,unit,value\na,1,x\n,1,y\n", "r.csv")
    with pytest.raises(BadRow, match=r"line 3, value: found 'y'; expected one of x"):
        read_ratings(b"rater,unit,value\na,1,x\nb,1,y\n", "r.csv", scale=("x",))
    several = b"rater,figure,page,value\na,1,1,x\n"
    with pytest.raises(BadInput, match="Which column names the units: figure, page"):
        read_ratings(several, "r.csv")
    assert read_ratings(several, "r.csv", units="page").rows == (("x",),)
    with pytest.raises(BadInput, match="none of its values is in another column"):
        read_ratings(b"who,what,how\na,1,x\nb,1,y\na,2,x\n", "r.csv")
