"""Lists of variables in answers: which are named, and what is named that is no variable."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.replies.name_lists import MOST_WRONG, is_folded_apart, read_names

ALARM = ("HR", "BP", "CO", "TPR")
CASES = {
    "in brackets": ("[HR, BP]", ALARM, "HR BP", ""),
    "in the graph's order": ("TPR; CO\nHR", ALARM, "HR CO TPR", ""),
    "case and white space": ("hr,  b\u00a0p ", ("HR", "B P"), "HR|B P", ""),
    "compatible characters": ("\uff28\uff32", ALARM, "HR", ""),
    "marks of a list": ("- HR\n* BP\n• CO", ALARM, "HR BP CO", ""),
    "numbered": ("1. HR\n2) BP\n(3) CO", ALARM, "HR BP CO", ""),
    "emphasis and code": ("**HR**, `BP`, __CO__.", ALARM, "HR BP CO", ""),
    "quotes": ("\"HR\", 'BP', “CO”", ALARM, "HR BP CO", ""),
    "as JSON": ('["HR", "BP"]', ALARM, "HR BP", ""),
    "each in brackets": ("[HR], [BP]", ALARM, "HR BP", ""),
    "in a fence": ("```\n[HR, BP]\n```", ALARM, "HR BP", ""),
    "a full stop": ("HR, BP.", ALARM, "HR BP", ""),
    "numbers": ("1, 2, 30", ("1", "2", "3", "30"), "1 2 30", ""),
    "a number in a numbered list": ("1. 5\n2. 1", ("1", "2", "5"), "1 5", ""),
    "twice": ("HR, hr, HR", ALARM, "HR", ""),
    "a wrong name": ("HR, pulse", ALARM, "HR", "pulse"),
    "a wrong name twice": ("pulse, Pulse, rate", ALARM, "", "pulse|rate"),
    "two in words": ("HR and BP", ALARM, "", "HR and BP"),
    "a name with a comma": ("income, gross, rain", ("income, gross", "rain"), "income, gross|rain", ""),
    "the longest of several": ("a, b, c, a", ("a", "a, b", "a, b, c"), "a|a, b, c", ""),
    "a comma within quotes": ('"income, net", rain', ("rain", "income", "net"), "rain", "income, net"),
    "an apostrophe": ("Parkinson's, it's", ("Parkinson's",), "Parkinson's", "it's"),
    "a quote that is never closed": ('"HR, BP', ALARM, "BP", '"HR'),
    "brackets in a name": ("[X], Y (a, b)", ("[X]", "Y (a, b)"), "[X]|Y (a, b)", ""),
    "Null": ("Null", ALARM, "", ""),
    "None, with a stop": (" none. ", ALARM, "", ""),
    "empty brackets": ("[ ]", ALARM, "", ""),
    "Null in brackets": ("[Null]", ALARM, "", ""),
    "nothing": ("", ALARM, "", ""),
    "Null, a variable": ("Null", ("Null", "HR"), "", ""),
    "Null in brackets, a variable": ("[null]", ("Null", "HR"), "Null", ""),
    "Null among names": ("Null, HR", ALARM, "HR", "Null"),
    "names that case alone tells apart": ("hr, bp", ("HR", "hr", "BP"), "hr", "bp"),
}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_list_is_read(case: str) -> None:
    said, names, found, wrong = CASES[case]
    named = read_names(said, names)
    split = "|" if "|" in found or any(" " in name for name in names) else " "
    assert list(named.names) == [each for each in found.split(split) if each]
    assert list(named.wrong) == [each for each in wrong.split("|") if each]
    assert named.wrong_count == len(named.wrong)


def test_all_wrong_names_are_counted_and_the_first_are_kept() -> None:
    found = read_names(", ".join(f"w{number}" for number in range(250)), ALARM)
    assert (len(found.wrong), found.wrong_count) == (MOST_WRONG, 250)


def test_names_that_folding_would_make_one_are_told() -> None:
    assert is_folded_apart(ALARM)
    assert not is_folded_apart(("HR", "hr"))
    assert not is_folded_apart(("\uff28R", "hr"))


NAMES = st.lists(st.text("ab,;' \"[](1.", min_size=1, max_size=6), min_size=1, max_size=5)


@given(st.text("ab,;'\n \"[](){}1.-*`\\", max_size=40), NAMES)
def test_no_text_raises_or_names_what_is_no_variable(said: str, names: list[str]) -> None:
    found = read_names(said, list(dict.fromkeys(names)))
    assert set(found.names) <= set(names)
    assert found.wrong_count >= len(found.wrong)


@pytest.mark.parametrize("piece", ['"a,', "'a',", "[a,", "1. a\n", "“a", "((((", "a b"])
def test_time_grows_with_the_length_of_an_answer(piece: str) -> None:
    said = piece * (32_768 // len(piece))
    began = process_time()
    read_names(said, ALARM)
    assert process_time() - began < 1
