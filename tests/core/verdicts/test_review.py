"""What a person's labels do to a verdict: what presence settles, and a verdict with labels in the place of others."""

from __future__ import annotations

import pytest

from core.verdicts.labels import LabelBlock, Section
from core.verdicts.review import LabelChange, after_presence, differing, fields_of, is_legal, patched, warnings_of
from core.verdicts.verdict import VerdictItem

PRECISION = Section.EDGE_PRECISION


@pytest.mark.parametrize(("section", "many"), [*zip(Section, (6, 4, 6, 4), strict=True)])
def test_fields_are_asked_in_the_order_of_the_form(section: Section, many: int) -> None:
    fields = fields_of(section)
    assert len(fields) == many
    assert fields[0][1] == ("importance_label" if section.value.endswith("recall") else "presence_label")


def test_without_a_match_nothing_is_left_to_compare_but_importance_stays_to_be_said() -> None:
    assert after_presence(PRECISION, LabelBlock.TEXT, "PRESENCE_NO_MATCH") == {
        (LabelBlock.TEXT, "inference_label"): "INFERENCE_NA",
        (LabelBlock.TEXT, "abstraction_label"): "ABSTRACTION_NA",
    }
    recall = after_presence(Section.EDGE_RECALL, LabelBlock.ITEM, "PRESENCE_NO_MATCH")
    assert recall[LabelBlock.ITEM, "directionality_label"] == "DIRECTION_MISSING"
    assert (LabelBlock.ITEM, "importance_label") not in recall
    assert after_presence(PRECISION, LabelBlock.TEXT, "PRESENCE_IMPLIED") == {}


def test_every_label_that_presence_settles_is_legal_there() -> None:
    for section in Section:
        for block in section.blocks:
            for (place, field), label in after_presence(section, block, "PRESENCE_NO_MATCH").items():
                assert is_legal(section, place, field, label)


def test_a_patched_verdict_has_the_new_labels_and_the_old_one_is_as_it_was() -> None:
    item = {"edge_number": 2, "graph_evaluation": {"presence_label": "PRESENCE_NO_MATCH"}, "text_evaluation": None}
    changes = [
        LabelChange(2, LabelBlock.GRAPH, "presence_label", "PRESENCE_NO_MATCH", "PRESENCE_WEAK_MATCH"),
        LabelChange(2, LabelBlock.TEXT, "presence_label", "", "PRESENCE_IMPLIED"),
    ]
    (found,) = patched(PRECISION, [item], changes)
    assert found["graph_evaluation"] == {"presence_label": "PRESENCE_WEAK_MATCH"}
    assert found["text_evaluation"] == {"presence_label": "PRESENCE_IMPLIED"}
    assert item["text_evaluation"] is None
    back = [LabelChange(each.number, each.block, each.field, each.after, each.before) for each in changes]
    assert patched(PRECISION, [found], back)[0]["graph_evaluation"] == item["graph_evaluation"]


def test_a_label_that_one_of_the_two_lacks_differs() -> None:
    own = {(LabelBlock.GRAPH, "presence_label"): "PRESENCE_STRONG_MATCH"}
    theirs = VerdictItem(
        1, {(LabelBlock.GRAPH, "presence_label"): "PRESENCE_STRONG_MATCH", (LabelBlock.TEXT, "presence_label"): "x"}
    )
    assert differing(PRECISION, own, theirs) == ((LabelBlock.TEXT, "presence_label"),)


def test_na_beside_a_match_and_a_label_beside_none_are_warned_of_and_nothing_else_is() -> None:
    presence, meaning = (LabelBlock.GRAPH, "presence_label"), (LabelBlock.GRAPH, "semantic_label")
    nodes = Section.NODE_PRECISION
    (said,) = warnings_of(nodes, {presence: "PRESENCE_STRONG_MATCH", meaning: "SEMANTIC_NA"})
    assert said == (
        "“SEMANTIC_NA” is legal only with PRESENCE_NO_MATCH or where nothing can be compared; "
        "choose again or change presence."
    )
    (said,) = warnings_of(nodes, {presence: "PRESENCE_NO_MATCH", meaning: "SEMANTIC_WEAK"})
    assert said.startswith("“SEMANTIC_WEAK” is beside PRESENCE_NO_MATCH, where “SEMANTIC_NA” is due")
    assert warnings_of(nodes, {meaning: "SEMANTIC_NA"}) == ()
    # In the text nothing is to compare where the true graph has the edge.
    text = {
        (LabelBlock.TEXT, "presence_label"): "PRESENCE_GRAPH_ONLY",
        (LabelBlock.TEXT, "inference_label"): "INFERENCE_NA",
    }
    assert warnings_of(PRECISION, text) == ()
    for section in Section:
        for block in section.blocks:
            settled = {(block, "presence_label"): "PRESENCE_NO_MATCH"}
            assert warnings_of(section, settled | after_presence(section, block, "PRESENCE_NO_MATCH")) == ()
