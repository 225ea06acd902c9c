"""Which entries are one paper, and which papers a run leaves out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from core.triplets.corpus import CorpusPaper, LeftOut, left_out, once


def paper(title: str = "Minimum wages and jobs", **given: Any) -> CorpusPaper:
    made = CorpusPaper(title=title, abstract="We find.", year=2001, journal="Econometrica")
    return replace(made, **given)


def test_the_same_doi_or_the_same_folded_title_and_year_is_one_paper() -> None:
    entries = [
        paper(doi="10.1/a"),
        paper("Another title", doi="10.1/a"),  # the DOI decides
        paper("MINIMUM wages, and jobs!"),  # without a DOI, title and year do
        paper(doi="10.1/b"),  # two DOIs are two papers
        paper(year=2002),
        paper("Other"),
        paper("Other", doi="10.1/c"),  # the one without takes the DOI of the other
        paper("Other", doi="10.1/d"),
    ]
    found, repeats = once(entries)
    assert [(each.title, each.year, each.doi) for each in found] == [
        ("Minimum wages and jobs", 2001, "10.1/a"),
        ("Minimum wages and jobs", 2001, "10.1/b"),
        ("Minimum wages and jobs", 2002, ""),
        ("Other", 2001, "10.1/c"),
        ("Other", 2001, "10.1/d"),
    ]
    assert repeats == 3


def test_the_entry_with_an_abstract_stands_for_the_paper() -> None:
    (found,), repeats = once([paper(abstract=" "), paper(abstract="We find more.")])
    assert (found.abstract, repeats) == ("We find more.", 1)


@pytest.mark.parametrize(
    ("abstract", "journal", "year", "why"),
    [
        ("We find.", "The Quarterly Journal of Economics", 2000, None),
        ("We find.", "review_of_financial_studies", 2025, None),
        (" ", "Nature", 1980, LeftOut.NO_ABSTRACT),
        ("We find.", "Nature", 2001, LeftOut.OTHER_JOURNAL),
        ("We find.", "Econometrica", 1999, LeftOut.OTHER_YEAR),
        ("We find.", "Econometrica", None, LeftOut.OTHER_YEAR),
    ],
)
def test_a_run_leaves_out_what_has_no_abstract_or_is_of_another_journal_or_year(
    abstract: str, journal: str, year: int | None, why: LeftOut | None
) -> None:
    assert left_out(abstract, journal, year) is why
