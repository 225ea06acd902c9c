"""How verdicts look on a picture: four states, by two sets of labels."""

from __future__ import annotations

import pytest

from core.verdicts.labels import DIRECTION, PRESENCE, LabelBlock, Section
from core.verdicts.overlay import match_state, states_of
from core.verdicts.verdict import VerdictItem

REVERSED = "DIRECTION_REVERSED"


@pytest.mark.parametrize(
    ("section", "presence", "direction", "state"),
    [
        (Section.EDGE_PRECISION, "PRESENCE_STRONG_MATCH", "DIRECTION_CORRECT", "matched"),
        (Section.EDGE_PRECISION, "PRESENCE_WEAK_MATCH", REVERSED, "reversed"),
        (Section.EDGE_PRECISION, "PRESENCE_NO_MATCH", REVERSED, "spurious"),
        (Section.EDGE_RECALL, "PRESENCE_WEAK_MATCH", "DIRECTION_UNCLEAR", "matched"),
        (Section.EDGE_RECALL, "PRESENCE_NO_MATCH", "DIRECTION_MISSING", "missed"),
        (Section.NODE_RECALL, "PRESENCE_NO_MATCH", "", "missed"),
        (Section.NODE_PRECISION, "PRESENCE_NO_MATCH", "", "spurious"),
    ],
)
def test_a_state_follows_from_presence_and_direction(
    section: Section, presence: str, direction: str, state: str
) -> None:
    block = section.blocks[0]
    found = match_state(section, {(block, PRESENCE): presence, (block, DIRECTION): direction})
    assert found is not None and found.value == state


def test_labels_against_the_text_change_no_state() -> None:
    assert match_state(Section.NODE_PRECISION, {(LabelBlock.TEXT, PRESENCE): "PRESENCE_STRONG_MATCH"}) is None


def test_of_a_number_that_is_there_twice_the_first_counts() -> None:
    key = (LabelBlock.ITEM, PRESENCE)
    items = [
        VerdictItem(1, {key: "PRESENCE_NO_MATCH"}),
        VerdictItem(1, {key: "PRESENCE_STRONG_MATCH"}),
        VerdictItem(2, {}),
        VerdictItem(None, {key: "PRESENCE_NO_MATCH"}),
    ]
    assert {number: state.value for number, state in states_of(Section.NODE_RECALL, items).items()} == {1: "missed"}
