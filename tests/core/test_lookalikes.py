"""Skeletons and scripts by UTS 39, from the pinned package's data."""

from __future__ import annotations

import pytest

from core import lookalikes
from core.lookalikes import script_of, skeleton


# Lines of Unicode's confusables.txt; the first two are the standard's own examples.
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("paypal", "раураl"),
        ("scope", "ѕсоре"),
        ("Bern", "Bem"),
        ("Al", "AI"),
        ("annotator 1", "annotator l"),
        ("O", "0"),
        ("rn", "m"),
        ("Jean\u2010Luc", "Jean-Luc"),
        ("D’Angelo", "D'Angelo"),
        ("ы", "ьı"),
        ("محمد ١", "محمد l"),  # the data keep Arabic digits between direction marks
        ("ҋ", "\u0438\u0326\u0306"),  # a prototype that has one itself once it is decomposed
    ],
)
def test_texts_that_look_alike_have_one_skeleton(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ágnes", "Agnes"), ("Lan", "Ian"), ("i", "l"), ("Strauß", "Strauss"), ("李雷", "李磊"), ("Bob", "B0b")],
)
def test_texts_that_do_not_look_alike_have_two(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


def test_a_skeleton_is_its_own_and_no_line_of_the_data_is_lost() -> None:
    prototypes = lookalikes._prototypes()
    assert len(prototypes) == 6307  # of Unicode 15.1, as release 3.3.1 of the package read them
    assert {len(character) for character in prototypes} == {1}
    assert [each for each in prototypes if skeleton(skeleton(each)) != skeleton(each)] == []


def test_composed_and_decomposed_letters_have_one_skeleton() -> None:
    assert skeleton("Zo\u00eb") == skeleton("Zoe\u0308")


@pytest.mark.parametrize(
    ("character", "script"),
    [
        ("é", "LATIN"),
        ("я", "CYRILLIC"),
        ("ά", "GREEK"),
        ("李", "HAN"),
        ("𰻝", "HAN"),
        ("や", "HIRAGANA"),
        ("ヤ", "KATAKANA"),
        ("김", "HANGUL"),
        ("ㄅ", "BOPOMOFO"),
        ("ー", "COMMON"),
        ("7", "COMMON"),
        ("\u0301", "INHERITED"),
        ("\u0378", None),
        ("\ue000", None),
        ("\udcff", None),
    ],
)
def test_the_script_of_a_character(character: str, script: str | None) -> None:
    assert script_of(character) == script
