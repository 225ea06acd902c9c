"""Which tasks and variants a table is of when nobody chooses."""

from __future__ import annotations

from core.analysis.slices import choices_of, words_of
from tests.core.analysis.items import item


def test_a_tables_own_variant_is_the_protocols_first_that_was_asked() -> None:
    terse, wordy, odd = (
        item(number, variant=name, variant_place=place)
        for number, (name, place) in enumerate([("terse", 1), ("wordy", 0), ("an odd one", 2)])
    )
    assert choices_of([odd, terse, wordy], None).variants == ("wordy", "terse", "an odd one")
    assert choices_of([odd, terse, wordy], None).own.variants == ("wordy",)
    assert choices_of([odd, terse], None).own.variants == ("terse",)


def test_numbered_tasks_are_told_by_number_and_others_by_name() -> None:
    numbered = [item(1, task="task1"), item(2, task="task2")]
    assert words_of(numbered, is_pooled=False) == "Tasks 1 and 2, with context"
    assert words_of(numbered[:1], is_pooled=False) == "Task 1, with context"
    of_types = [item(number, task=f"type{number}") for number in (2, 5)]
    assert words_of(of_types, is_pooled=False) == "Types 2 and 5, with context"
    assert words_of([item(1, task="generate", variant_title="names given")], is_pooled=False) == "generate, names given"
