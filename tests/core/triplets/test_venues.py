"""Venues: two spellings of one journal are one; others keep a name of their own."""

from __future__ import annotations

import pytest

from core.triplets.venues import JOURNALS, domain_of, folded_venue, venue_name


@pytest.mark.parametrize("name", sorted(JOURNALS))
def test_a_journal_has_one_name_in_snake_case_title_case_and_with_an_article(name: str) -> None:
    snake = name.lower().replace(" ", "_")
    assert {venue_name(each) for each in (name, snake, f"The {name}", f"  {name.upper()} ")} == {name}
    assert domain_of(snake) == JOURNALS[name]


def test_five_journals_are_economics_and_three_finance() -> None:
    assert sorted(JOURNALS.values()) == ["economics"] * 5 + ["finance"] * 3


def test_an_unknown_venue_keeps_its_folded_form_and_has_no_domain() -> None:
    assert venue_name("Journal_of  Law & Trees") == "journal of law and trees"
    assert domain_of("Journal of Trees") == ""
    assert folded_venue("") == venue_name("") == domain_of("") == ""
