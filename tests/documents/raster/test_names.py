"""Read words against the paper's own."""

from __future__ import annotations

from documents.proposals.words import PrintedWord
from documents.raster.names import matched

PAPER = {
    "landings",
    "recruitment",
    "income",
    "incomes",
    "coral",
    *(f"word{chr(97 + k)}{chr(97 + k)}" for k in range(26)),
}
PAPER |= {a + b + "stuff" for a in "bcdfg" for b in "hklmnprst"}


def read(*texts: str) -> tuple[list[str], list[str]]:
    found = matched([PrintedWord(text, (0, 0, 10, 10), 10) for text in texts], PAPER)
    return [word.text for word in found.words], [word.text for word in found.unmatched]


def test_a_misread_word_is_taken_for_the_papers_nearest_one_in_its_own_case() -> None:
    assert read("Landiņigs", "RECRUITMNT", "reruitment") == (["Landings", "RECRUITMENT", "recruitment"], [])


def test_a_word_of_the_paper_stays_and_one_it_does_not_hold_is_doubtful() -> None:
    assert read("Income", "Coral", "Zooplankton") == (["Income", "Coral", "Zooplankton"], ["Zooplankton"])


def test_a_word_as_near_to_two_of_the_papers_words_is_doubtful() -> None:
    assert read("incomez") == (["incomez"], ["incomez"])


def test_short_words_signs_and_papers_of_few_words_say_nothing() -> None:
    assert read("+", "co") == (["+", "co"], [])
    word = PrintedWord("Landiņigs", (0, 0, 10, 10), 10)
    assert matched([word], {"landings"}).words == [word]
