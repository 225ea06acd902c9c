"""Levels of nodes: read without forgiving a node that is missing, extra or named twice."""

from __future__ import annotations

import pytest

from core.texts.explicitness import ExplicitnessLevel, explicitness, levels_document, read_levels, trivial_levels


def test_explicitness_counts_named_and_implied_and_strict_only_named() -> None:
    found = explicitness(
        [ExplicitnessLevel.EXPLICIT, ExplicitnessLevel.EXPLICIT, ExplicitnessLevel.IMPLICIT, ExplicitnessLevel.ABSENT]
    )
    assert (found.share, found.strict) == (0.75, 0.5)
    assert [found.counts[level] for level in ExplicitnessLevel] == [2, 1, 1]
    assert explicitness([]).share is None


@pytest.mark.parametrize(
    ("scores", "faults"),
    [
        ('{"A": 1, "B": 3}', ()),
        ('{"A": 1}', ("1 of 2 nodes have no level: “B”.",)),
        ('{"A": 1, "A": 2, "B": 3}', ("“A” has two levels.",)),
        ('{"A": 1, "B": 3, "a": 1}', ("“a”: no such node in the graph.",)),
        (
            '{"A": 4, "B": true}',
            ("“A” has the level 4; expected 1, 2 or 3.", "“B” has the level true; expected 1, 2 or 3."),
        ),
        ("[]", ('There are no scores; expected {"scores": {"name of a node": 1, 2 or 3}}.',)),
    ],
)
def test_every_node_needs_one_level_by_its_very_name(scores: str, faults: tuple[str, ...]) -> None:
    levels, found = read_levels(levels_document(f'{{"scores": {scores}}}'), ["A", "B"])
    assert found == faults
    if not faults:
        assert levels == {"A": ExplicitnessLevel.EXPLICIT, "B": ExplicitnessLevel.ABSENT}


def test_the_trivial_labeller_knows_a_name_only_by_its_folded_words() -> None:
    names = ["Birth rate", "Rate", "Births", "Work–life balance"]
    text = "The **birth\nrate** falls with work-life balance."
    assert [level.value for level in trivial_levels(names, text).values()] == [1, 1, 3, 1]
