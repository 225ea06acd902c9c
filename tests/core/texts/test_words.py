"""What counts as a word, and where it stands."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.texts.words import markdown_words, markdown_words_at, words_at, words_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("A well-known exam-\nple, 3.5 %.", ("a", "well", "known", "example", "3", "5")),
        ("co\u00adop\u00ad\neration", ("cooperation",)),
        ("\ufb01nance \uff21BC Stra\u00dfe", ("finance", "abc", "strasse")),
        ("1990-\n2000", ("1990", "2000")),
        ("snake_case", ("snake", "case")),
        ("broken-\n", ("broken",)),
        ("", ()),
    ],
)
def test_words_are_letters_and_digits_folded_with_broken_ones_joined(text: str, words: tuple[str, ...]) -> None:
    assert words_of(text) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Saklad<sup>1</sup>", ("saklad1",)),
        ("**bold** and _cursive_", ("bold", "and", "cursive")),
        ("one<br>two", ("one", "two")),
        ("[shown](https://example.org/a_(b))", ("shown",)),
        ("rock &amp; roll", ("rock", "roll")),
        ("<!-- page 3 --> text", ("text",)),
        ("p < 0.05 and q > 1", ("p", "0", "05", "and", "q", "1")),
    ],
)
def test_markdown_is_counted_as_a_reader_sees_it(text: str, words: tuple[str, ...]) -> None:
    assert markdown_words(text) == words


@given(st.text())
def test_every_word_stands_where_it_is_said_to_stand(text: str) -> None:
    places = [(each.start, each.end) for each in words_at(text)]
    assert all(0 <= start < end <= len(text) for start, end in places)
    assert places == sorted(places)
    assert tuple(each.word for each in words_at(text)) == words_of(text)


def test_places_are_those_of_the_markdown_not_of_what_is_left_of_it() -> None:
    text = "<b>one</b> &amp; [two](x) three"
    assert [text[each.start : each.end].strip("</b>") for each in markdown_words_at(text)][1:] == ["two", "three"]
