"""Which tasks and variants a table is of when nobody chooses."""

from __future__ import annotations

from core.results.slices import choices_of
from tests.core.results.items import item


def test_a_tables_own_variant_is_the_protocols_first_that_was_asked() -> None:
    terse, wordy, odd = (
        item(number, variant=name, variant_place=place)
        for number, (name, place) in enumerate([("terse", 1), ("wordy", 0), ("an odd one", 2)])
    )
    assert choices_of([odd, terse, wordy], None).variants == ("wordy", "terse", "an odd one")
    assert choices_of([odd, terse, wordy], None).own.variants == ("wordy",)
    assert choices_of([odd, terse], None).own.variants == ("terse",)
