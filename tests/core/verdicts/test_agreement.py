"""Two who labelled the same items: fields by hand arithmetic, shared items alone, and differences of scores."""

from __future__ import annotations

from typing import Any

import pytest
from sklearn.metrics import cohen_kappa_score

from core.verdicts.agreement import PLACES, agreement_of, format_left_out
from core.verdicts.labels import ABSTRACTION, IMPORTANCE, LEGAL, PRESENCE, SEMANTIC, LabelBlock, Section
from core.verdicts.verdict import read_verdict

STRONG, WEAK, NONE = LEGAL[Section.NODE_RECALL, LabelBlock.ITEM][PRESENCE]


def recall(*presence: str, importance: str = "IMPORTANCE_CORE", start: int = 1) -> dict[str, Any]:
    return {
        "node_recall_evaluations": [
            {
                "node_number": number,
                "importance_label": importance,
                "presence_label": label,
                "semantic_label": "SEMANTIC_NA" if label == NONE else "SEMANTIC_COMPLETE",
                "abstraction_label": "ABSTRACTION_NA" if label == NONE else "ABSTRACTION_ALIGNED",
            }
            for number, label in enumerate(presence, start)
        ]
    }


JUDGE = recall(STRONG, STRONG, WEAK, NONE, NONE, NONE)
PERSON = recall(STRONG, WEAK, WEAK, NONE, NONE, STRONG)
PRESENCE_OF = (Section.NODE_RECALL, LabelBlock.ITEM, PRESENCE)


def test_presence_is_compared_by_the_distance_of_its_places() -> None:
    found = agreement_of(read_verdict(JUDGE), read_verdict(PERSON)).per_field[PRESENCE_OF]
    # Observed distance: one of 1 and one of 2, 3 in all. Expected: the margins are 2, 1, 3 and 2, 2, 2, of 6 items:
    # (2·2·1 + 2·2·2 + 1·2·1 + 1·2·1 + 3·2·2 + 3·2·1) / 6 = 34 / 6. κ = 1 − 3 / (34 / 6) = 16 / 34.
    assert found.n == 6
    assert found.raw.value == pytest.approx(4 / 6)
    assert found.kappa.value == pytest.approx(16 / 34)
    places = {STRONG: 0, WEAK: 1, NONE: 2}
    codes = [[places[item["presence_label"]] for item in said["node_recall_evaluations"]] for said in (JUDGE, PERSON)]
    assert found.kappa.value == pytest.approx(cohen_kappa_score(*codes, weights="linear"))
    assert found.confusion == {STRONG: {STRONG: 1, WEAK: 1}, WEAK: {WEAK: 1}, NONE: {STRONG: 1, NONE: 2}}


def test_abstraction_has_no_order_and_a_field_that_never_varies_says_why_it_has_no_kappa() -> None:
    found = agreement_of(read_verdict(JUDGE), read_verdict(PERSON)).per_field
    # ALIGNED and NA: 3 and 2 said alike, one apart; chance (3·4 + 3·2) / 36 = 1 / 2, so κ = (5/6 − 1/2) / (1/2).
    assert found[Section.NODE_RECALL, LabelBlock.ITEM, ABSTRACTION].kappa.value == pytest.approx(2 / 3)
    importance = found[Section.NODE_RECALL, LabelBlock.ITEM, IMPORTANCE]
    assert (importance.raw.value, importance.kappa.value) == (1, None)
    assert "IMPORTANCE_CORE" in importance.kappa.reason
    assert importance.ac1.value == 1


def test_abstraction_of_recall_under_the_earlier_wording_is_left_out_and_counted() -> None:
    earlier, now = read_verdict(JUDGE, wording=1), read_verdict(PERSON)
    assert earlier.sections[Section.NODE_RECALL].items[0].wording == 1
    for one, other in ((earlier, now), (now, earlier), (earlier, earlier)):
        found = agreement_of(one, other).per_field
        abstraction = found[Section.NODE_RECALL, LabelBlock.ITEM, ABSTRACTION]
        assert (abstraction.n, abstraction.left_out, abstraction.kappa.value, abstraction.confusion) == (0, 6, None, {})
        assert {(each.n, each.left_out) for place, each in found.items() if place[2] != ABSTRACTION} == {(6, 0)}
        assert format_left_out("Both", found).startswith(
            "Both: abstraction leaves out 6 items of Nodes, recall, labelled"
        )
    broader = {ABSTRACTION: "ABSTRACTION_BROADER"}
    item = {"node_number": 1, "graph_evaluation": broader, "text_evaluation": broader}
    precision = {"node_precision_evaluations": [item]}
    found = agreement_of(read_verdict(precision, wording=1), read_verdict(precision)).per_field
    assert found[Section.NODE_PRECISION, LabelBlock.TEXT, ABSTRACTION].n == 1
    assert format_left_out("Both", found) == ""
    # The score is of the labels as they are: either counts as a half.
    assert agreement_of(earlier, now).first == agreement_of(read_verdict(JUDGE), now).first


def test_scores_are_of_the_items_that_both_list_and_the_others_are_named() -> None:
    more = recall(STRONG, WEAK, start=6)["node_recall_evaluations"][1:]
    person = {"node_recall_evaluations": [*PERSON["node_recall_evaluations"][1:], *more]}
    found = agreement_of(read_verdict(JUDGE), read_verdict(person))
    assert found.only_first == ((Section.NODE_RECALL, 1),)
    assert found.only_second == ((Section.NODE_RECALL, 7),)
    # Items 2 to 6: the judge 1, 2.5/3, 0, 0, 0; the person 2.5/3, 2.5/3, 0, 0, 1.
    assert found.first.node_recall.value == pytest.approx((1 + 2.5 / 3) / 5)
    assert found.second.node_recall.value == pytest.approx((2 * 2.5 / 3 + 1) / 5)
    assert found.difference.node_recall.value == pytest.approx((1 + 2.5 / 3 - 2 * 2.5 / 3 - 1) / 5)
    assert found.per_field[PRESENCE_OF].n == 5


def test_a_label_that_is_missing_takes_no_part_in_its_field_alone() -> None:
    gap = recall(STRONG, STRONG, WEAK, NONE, NONE, NONE)
    del gap["node_recall_evaluations"][0]["semantic_label"]
    found = agreement_of(read_verdict(gap), read_verdict(PERSON))
    assert found.per_field[Section.NODE_RECALL, LabelBlock.ITEM, SEMANTIC].n == 5
    assert found.per_field[PRESENCE_OF].n == 6
    assert found.difference.node_recall.value is None
    assert "1 of 6" in found.difference.node_recall.reason


def test_every_field_of_the_form_has_a_place_and_sections_that_nobody_labelled_have_none() -> None:
    assert len(PLACES) == 20
    found = agreement_of(read_verdict(JUDGE), read_verdict({})).per_field
    assert found == {}
