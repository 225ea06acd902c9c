"""Words of cells in the table of groups."""

from __future__ import annotations

import pytest

from core.steps import GroupState
from pages.runs.steps.group_words import cell_words, key_words
from services.runs.steps.lists import GroupCell

DONE, BLOCKED, DECIDING = GroupState.DONE, GroupState.BLOCKED, GroupState.DECIDING


@pytest.mark.parametrize(
    ("states", "words"),
    [
        ([], ""),
        ([DONE], "done"),
        ([DECIDING], "with people"),
        ([BLOCKED, DONE, DONE], "2 done, 1 blocked"),
    ],
)
def test_a_cell_says_the_state_of_its_group_or_counts_several(states: list[GroupState], words: str) -> None:
    cells = [GroupCell(f"p#{number}", state) for number, state in enumerate(states, start=1)]
    assert cell_words(cells) == words


def test_the_empty_key_is_the_whole_run() -> None:
    assert (key_words(""), key_words("p02")) == ("whole run", "p02")
