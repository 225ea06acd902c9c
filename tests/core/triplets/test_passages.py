"""Evidence in a paper: found word for word, or but for typography, or flagged; over lines and pages, with boxes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.papers.pages import Box, PageFacts, Word
from core.triplets.passages import Match, find, joined


def page(number: int, *lines: str) -> PageFacts:
    """A page of lines, a word every 10 points, a line every 12."""
    words = [
        Word(word, word, Box(10.0 * place, 12.0 * line, 10.0 * place + 9, 12.0 * line + 10), 0, line)
        for line, text in enumerate(lines)
        for place, word in enumerate(text.split())
    ]
    return PageFacts(number, 612, 792, tuple(words), ())


PAPER = [page(1, "Wages rose in 1987", "and then fell."), page(2, "Prices were ﬂexi-", "ble – “often”.")]


def test_a_paragraph_over_two_lines_is_found_word_for_word_with_a_box_around_each_line() -> None:
    found = find("in 1987\n and   then", PAPER)
    assert found.match is Match.VERBATIM
    (passage,) = found.passages
    assert joined(PAPER[0].words)[passage.start : passage.end] == "in 1987 and then"
    assert passage.boxes == (Box(20, 0, 39, 10), Box(0, 12, 19, 22))


def test_a_paragraph_over_a_page_break_has_a_passage_on_each_page() -> None:
    found = find("then fell. Prices were", PAPER)
    assert [(passage.page, passage.start, passage.end) for passage in found.passages] == [(1, 23, 33), (2, 0, 11)]


def test_a_broken_word_a_ligature_dashes_and_quotes_are_typography() -> None:
    found = find('flexible - "often".', PAPER)
    assert found.match is Match.TYPOGRAPHY
    assert joined(PAPER[1].words)[found.passages[0].start : found.passages[0].end] == "ﬂexi- ble – “often”."


def test_other_words_are_not_found_and_neither_is_nothing() -> None:
    for text in ("Wages fell in 1987", "", " \n ", "—", "wages rose"):
        assert find(text, PAPER).match is Match.NOT_FOUND
    assert find("Wages", []).match is Match.NOT_FOUND


@given(st.data())
def test_every_run_of_printed_words_is_found_where_it_first_stands(data: st.DataObject) -> None:
    text = data.draw(st.lists(st.sampled_from(["a", "bb", "ccc", "d.", "é–f"]), min_size=1, max_size=12))
    paper = [page(1, " ".join(text[: len(text) // 2])), page(2, " ".join(text[len(text) // 2 :]))]
    first = data.draw(st.integers(0, len(text) - 1))
    last = data.draw(st.integers(first, len(text) - 1))
    found = find(" ".join(text[first : last + 1]), paper)
    assert found.match is Match.VERBATIM
    seen = [joined(paper[p.page - 1].words)[p.start : p.end] for p in found.passages]
    assert " ".join(text[first : last + 1]) in " ".join(seen)
