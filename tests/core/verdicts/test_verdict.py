"""What a verdict is held against: every item once, legal labels in their places, contradictions counted."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest

from core.verdicts.labels import LEGAL, LabelBlock, Section
from core.verdicts.verdict import MOST_ITEMS, InconsistencyReason, VerdictFault, VerdictOddity, read_verdict
from tests.core.verdicts.made import ALL_LABELS, drawn, perfect, spoilt


def faults(said: dict[str, Any], **sizes: int) -> list[VerdictFault]:
    return list(read_verdict(said, {Section(name): n for name, n in sizes.items()} or None).faults)


def test_a_whole_verdict_has_no_fault_and_is_complete() -> None:
    found = read_verdict(perfect(3, 4))
    assert found.is_complete
    assert (found.faults, found.inconsistencies, found.others) == ((), (), ())
    assert [found.sections[section].n for section in Section] == [3, 3, 4, 4]


def test_three_sections_are_not_complete_and_an_empty_verdict_has_no_fault() -> None:
    said = perfect(2, 2)
    del said["edge_recall_evaluations"]
    assert not read_verdict(said).is_complete
    assert read_verdict({}).faults == ()
    assert not read_verdict({}).is_complete


@pytest.mark.parametrize(
    ("change", "why", "place"),
    [
        (lambda items: items.pop(1), InconsistencyReason.MISSING_ITEM, (2, None, None)),
        (lambda items: items.append(dict(items[0])), InconsistencyReason.REPEATED_ITEM, (1, None, None)),
        (lambda items: items[0].update(node_number=9), InconsistencyReason.OUT_OF_RANGE, (9, None, None)),
        (
            lambda items: items[0].update(node_number="nine"),
            InconsistencyReason.NOT_AN_ITEM,
            (None, None, "node_number"),
        ),
        (lambda items: items.append("a text"), InconsistencyReason.NOT_AN_ITEM, (None, None, None)),
        (lambda items: items[2].pop("text_evaluation"), InconsistencyReason.MISSING_BLOCK, (3, "text", None)),
        (lambda items: items[2].update(text_evaluation=None), InconsistencyReason.MISSING_BLOCK, (3, "text", None)),
        (
            lambda items: items[2]["graph_evaluation"].pop("semantic_label"),
            InconsistencyReason.MISSING_LABEL,
            (3, "graph", "semantic_label"),
        ),
        (
            lambda items: items[2]["graph_evaluation"].update(semantic_label="SEMANTIC_COMPLETE"),
            InconsistencyReason.ILLEGAL_LABEL,
            (3, "graph", "semantic_label"),
        ),
    ],
)
def test_each_fault_is_told_with_its_place(change: Any, why: InconsistencyReason, place: tuple[Any, ...]) -> None:
    said = perfect(3, 1)
    change(said["node_precision_evaluations"])
    found = faults(said, node_precision=3)
    assert (why, *place) in [(each.why, each.item, each.block, each.field) for each in found]


def test_a_label_is_legal_only_in_its_own_place_and_spelling() -> None:
    said = perfect(1, 1)
    said["node_recall_evaluations"][0] |= {"importance_label": "IMPORTANCE_CENTRAL", "presence_label": "STRONG_MATCH"}
    said["edge_precision_evaluations"][0]["text_evaluation"]["presence_label"] = "PRESENCE_WEAK_MATCH"
    found = [str(each) for each in faults(said)]
    assert found[-1] == (
        "edge_precision_evaluations, item 1, text_evaluation, presence_label: found 'PRESENCE_WEAK_MATCH'; "
        "expected PRESENCE_GRAPH_ONLY, PRESENCE_EXPLICIT, PRESENCE_IMPLIED or PRESENCE_NO_MATCH."
    )
    assert len(found) == 3


def test_a_section_that_is_no_list_is_unreadable_and_has_no_items() -> None:
    unreadable: tuple[object, ...] = (None, {}, "none", 7)
    for value in unreadable:
        found = read_verdict({"node_recall_evaluations": value}).sections[Section.NODE_RECALL]
        assert [fault.why for fault in found.faults] == [InconsistencyReason.UNREADABLE]
        assert found.items == ()


def test_a_number_beyond_all_reason_makes_no_missing_items() -> None:
    said = perfect(2, 1)
    said["node_recall_evaluations"][1]["node_number"] = 10**8
    found = faults(said)
    assert {(each.why, each.item) for each in found} == {
        (InconsistencyReason.OUT_OF_RANGE, 10**8),
        (InconsistencyReason.MISSING_ITEM, 2),
    }
    said["node_recall_evaluations"][1]["node_number"] = MOST_ITEMS
    assert len(faults(said)) == MOST_ITEMS - 2


def test_keys_that_are_no_section_are_kept_apart() -> None:
    assert read_verdict({"notes": "fine", **perfect(1, 1)}).others == ("notes",)


ODD = [
    (Section.EDGE_PRECISION, ("graph", "presence_label"), "PRESENCE_NO_MATCH", VerdictOddity.GRAPH_ONLY_WITHOUT_MATCH),
    (Section.EDGE_PRECISION, ("text", "presence_label"), "PRESENCE_IMPLIED", VerdictOddity.TEXT_LABEL_WITH_MATCH),
    (Section.EDGE_PRECISION, ("text", "presence_label"), "PRESENCE_NO_MATCH", VerdictOddity.TEXT_LABEL_WITH_MATCH),
    (Section.NODE_PRECISION, ("text", "presence_label"), "PRESENCE_NO_MATCH", VerdictOddity.LABEL_WITHOUT_MATCH),
    (Section.NODE_RECALL, ("item", "presence_label"), "PRESENCE_NO_MATCH", VerdictOddity.LABEL_WITHOUT_MATCH),
    (Section.EDGE_RECALL, ("item", "presence_label"), "PRESENCE_NO_MATCH", VerdictOddity.DIRECTION_WITHOUT_MATCH),
]


@pytest.mark.parametrize(("section", "place", "label", "kind"), ODD)
def test_labels_that_contradict_each_other_are_counted_and_no_fault(
    section: Section, place: tuple[str, str], label: str, kind: VerdictOddity
) -> None:
    said = perfect(2, 2)
    item = said[section.key][1]
    (item if place[0] == "item" else item[LabelBlock(place[0]).key])[place[1]] = label
    found = read_verdict(said)
    assert found.is_complete
    assert (section, 2, kind) in [(odd.section, odd.item, odd.kind) for odd in found.inconsistencies]


def test_coherent_verdicts_have_no_contradiction_but_in_what_the_text_says() -> None:
    draw = random.Random(3)
    for _ in range(50):
        found = read_verdict(drawn(draw, is_coherent=True))
        assert found.is_complete
        assert {odd.kind for odd in found.inconsistencies} <= {
            VerdictOddity.GRAPH_ONLY_WITHOUT_MATCH,
            VerdictOddity.TEXT_LABEL_WITH_MATCH,
        }


def test_every_legal_label_is_legal_and_every_other_is_not() -> None:
    for (section, block), fields in LEGAL.items():
        for field, legal in fields.items():
            for label in ALL_LABELS:
                said = perfect(1, 1)
                item = said[section.key][0]
                (item[block.key] if block.key else item)[field] = label
                assert (not faults(said)) == (label in legal), (section, block, field, label)


def test_nothing_that_is_read_raises_or_is_changed() -> None:
    draw = random.Random(11)
    for _ in range(300):
        said = spoilt(draw)
        before = copy.deepcopy(said)
        found = read_verdict(said)
        assert said == before
        listed = [each for each in said.values() if isinstance(each, list)]
        assert sum(len(each.items) for each in found.sections.values()) == sum(map(len, listed))
