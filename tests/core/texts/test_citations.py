"""In-line citations by form, and what only looks like one."""

from __future__ import annotations

import pytest

from core.texts.citations import citations_in, citations_in_parts


@pytest.mark.parametrize(
    "citation",
    [
        "[12]",
        "[3–5]",
        "[1, 4-6]",
        "(Smith et al., 2020; Lee, 2021)",
        "(see Smith and Lee 1999)",
        "(Pearl 2009; Harari 2014)",
        "(van den Berg & O’Neil, 2001a, 2001b)",
        "(Kıcıman et al. 2024)",
    ],
)
def test_a_citation_is_found_whole(citation: str) -> None:
    text = f"Lakes fill {citation} and feed towns."
    assert [text[start:end] for start, end in citations_in(text)] == [f" {citation}"]


def test_superscript_numbers_after_a_word_are_citations() -> None:
    text = "Lakes<sup>1,2</sup> fill.<sup>3</sup> And m<sup>2</sup> is an area."
    assert [text[start:end] for start, end in citations_in(text)][:2] == ["<sup>1,2</sup>", "<sup>3</sup>"]


def test_neighbours_are_citations_of_their_own() -> None:
    text = "Lakes [1] [2] fill (Berg, 2001)."
    assert [text[start:end] for start, end in citations_in(text)] == [" [1]", " [2]", " (Berg, 2001)"]


def test_a_citation_cut_in_two_has_its_place_in_both_parts() -> None:
    parts = ["Lakes [1] fill (Berg,", "2001). Towns drink.", "So (it", "", "rains (2001)"]
    found = citations_in_parts(parts)
    assert [[part[start:end] for start, end in each] for part, each in zip(parts, found, strict=True)] == [
        [" [1]", " (Berg,"], ["2001)"], [], [], [],
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text", ["(May 2020)", "[a] and [x + 1]", "(in 2020)", "(the rain of 2019 fell)", "p (n = 12)", "[1234]"]
)
def test_other_brackets_are_left(text: str) -> None:
    assert list(citations_in(text)) == []
