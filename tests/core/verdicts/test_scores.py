"""Scores of verdicts: by hand where they are few, by a second implementation where they are many, and by their laws."""

from __future__ import annotations

import random
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.estimate import Estimate
from core.verdicts.labels import LEGAL, NO_MATCH, PRESENCE, LabelBlock, Section, number_of
from core.verdicts.scores import FIGURES, NineFigures, VerdictScores, score_verdict
from core.verdicts.verdict import read_verdict
from tests.core.verdicts import slow_reference
from tests.core.verdicts.made import drawn, perfect, spoilt
from tests.everything import EVERYTHING

FORMS = ("default", "as_released", "importance_pooled", "unweighted_literal", "unweighted_strict")
SETS = 400 if EVERYTHING else 80


def score(said: dict[str, Any], gold_nodes: int | None = None) -> VerdictScores:
    sizes = None if gold_nodes is None else {Section.NODE_RECALL: gold_nodes}
    return score_verdict(read_verdict(said, sizes), gold_nodes)


def values(figures: NineFigures) -> dict[str, float | None]:
    return {each.name: getattr(figures, each.name).value for each in fields(figures)}


def item(section: Section, **labels: str) -> dict[str, Any]:
    return {section.number_key: 1, **labels}


# --- by hand ------------------------------------------------------------------------------------------------------


def test_a_perfect_verdict_scores_one_in_every_form() -> None:
    found = score(perfect(3, 5))
    for form in FORMS:
        assert set(values(getattr(found, form)).values()) == {1.0}, form
    assert (found.shd.total, found.shd.normalised) == (0, 0.0)


def test_precision_takes_the_larger_block_and_nothing_of_one_without_a_match() -> None:
    block = {
        "presence_label": NO_MATCH,
        "semantic_label": "SEMANTIC_STRONG",
        "abstraction_label": "ABSTRACTION_ALIGNED",
    }
    weak = {
        "presence_label": "PRESENCE_WEAK_MATCH",
        "semantic_label": "SEMANTIC_WEAK",
        "abstraction_label": "ABSTRACTION_NA",
    }
    said = {"node_precision_evaluations": [{"node_number": 1, "graph_evaluation": block, "text_evaluation": weak}]}
    found = score(said)
    # (0.5 + 0.25 + 0) / 3; the released program lets (0 + 1 + 1) / 3 through.
    assert found.default.node_precision.value == pytest.approx(0.25)
    assert found.as_released.node_precision.value == pytest.approx(2 / 3)
    # Without a match on either side both are 0.
    said["node_precision_evaluations"][0]["text_evaluation"] = dict(block)
    assert (score(said).default.node_precision.value, score(said).as_released.node_precision.value) == (0.0, 0.0)


def test_recall_is_weighed_by_importance() -> None:
    said = perfect(2, 1)
    said["node_recall_evaluations"][0] |= {"importance_label": "IMPORTANCE_PERIPHERAL"}
    said["node_recall_evaluations"][1] |= {"presence_label": NO_MATCH, "semantic_label": "SEMANTIC_NA"}
    found = score(said)
    assert found.default.node_recall.value == pytest.approx(0.25 / 1.25)
    # Pooled with the one edge, which is whole and central: (0.25 + 1) / (1.25 + 1).
    assert found.importance_pooled.overall_recall.value == pytest.approx(1.25 / 2.25)
    assert found.default.overall_recall.value == pytest.approx((2 * 0.2 + 1 * 1) / 3)


def test_a_reversed_edge_with_all_else_right_counts_three_quarters() -> None:
    said = perfect(2, 1)
    said["edge_precision_evaluations"][0]["graph_evaluation"]["directionality_label"] = "DIRECTION_REVERSED"
    said["edge_precision_evaluations"][0]["text_evaluation"]["presence_label"] = NO_MATCH
    found = score(said)
    assert found.default.edge_precision.value == pytest.approx(0.75)
    assert (found.unweighted_literal.edge_precision.value, found.unweighted_strict.edge_precision.value) == (1.0, 0.0)
    assert (found.shd.reversed, found.shd.total, found.shd.normalised) == (1, 1, 0.5)


def test_an_incomplete_section_has_no_default_and_says_why() -> None:
    said = perfect(3, 2)
    del said["node_recall_evaluations"][1]["semantic_label"]
    found = score(said)
    assert found.default.node_recall.value is None
    assert found.default.node_recall.reason == "1 of 3 items are missing or have a fault"
    assert found.default.overall_recall.value is None
    assert found.default.edge_recall.value == 1.0
    assert found.as_released.node_recall.value == pytest.approx((1 + 2 / 3 + 1) / 3)


@pytest.mark.parametrize(
    ("change", "figure", "why"),
    [
        (lambda said: said.update(node_recall_evaluations=None), "node_recall", "has no list of items"),
        (lambda said: said["node_recall_evaluations"].append("text"), "node_recall", "an item that is no mapping"),
        (
            lambda said: said["node_precision_evaluations"][0].update(text_evaluation=None),
            "node_precision",
            "a block that is null beside a match",
        ),
    ],
)
def test_where_the_released_program_fails_it_has_no_number_and_a_fault(change: Any, figure: str, why: str) -> None:
    said = perfect(2, 2)
    change(said)
    found = read_verdict(said)
    assert found.faults
    released = getattr(score_verdict(found).as_released, figure)
    assert released.value is None
    assert released.reason.startswith("the released code fails on")
    assert why in released.reason


def test_an_empty_verdict_is_zero_as_released_and_undefined_else() -> None:
    found = score({})
    assert set(values(found.as_released).values()) == {0.0}
    for form in ("default", "importance_pooled", "unweighted_literal", "unweighted_strict"):
        assert set(values(getattr(found, form)).values()) == {None}
    assert (found.shd.total, found.shd.normalised) == (0, 0.0)
    assert found.shd.reason == "without edge_precision_evaluations, edge_recall_evaluations, node_recall_evaluations"


def test_shd_is_normalised_by_the_nodes_of_the_truth_and_may_pass_one() -> None:
    said = perfect(2, 5)
    for each in said["edge_recall_evaluations"]:
        each["presence_label"] = NO_MATCH
    assert score(said).shd.normalised == pytest.approx(5 / 2)
    assert score(said, gold_nodes=6).shd.normalised == pytest.approx(5 / 30)
    assert score(said, gold_nodes=1).shd.normalised == 0.0


# --- by a second implementation -------------------------------------------------------------------------------------


def _same(ours: Estimate, theirs: float | None) -> bool:
    return ours.value is None if theirs is None else ours.value == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize("kind", ["whole", "coherent", "spoilt"])
def test_every_figure_of_every_form_equals_the_slow_reference(kind: str) -> None:
    draw = random.Random(f"verdicts {kind}")
    make = {"whole": drawn, "coherent": lambda d: drawn(d, is_coherent=True), "spoilt": spoilt}[kind]
    for number in range(SETS if kind == "spoilt" else SETS // 4):
        said = make(draw)
        gold = draw.choice([None, None, 0, 1, 4])
        found, expected = score(said, gold), slow_reference.scores(said, gold)
        for form in FORMS:
            figures = getattr(found, form)
            names = [each.name for each in fields(figures)]
            assert set(names) == set(expected[form]), form
            wrong = {
                name: (getattr(figures, name), expected[form][name])
                for name in names
                if not _same(getattr(figures, name), expected[form][name])
            }
            assert not wrong, (number, form, wrong, said)
        shd = expected["shd"]
        for name in ("extra", "missing", "reversed", "total"):
            assert getattr(found.shd, name) == shd[name], (number, name, said)
        assert found.shd.normalised == pytest.approx(shd["normalised"], abs=1e-12)


# --- laws -----------------------------------------------------------------------------------------------------------

SEEDS = st.integers(0, 10**6)


@given(SEEDS)
def test_scores_lie_between_nothing_and_one(seed: int) -> None:
    found = score(spoilt(random.Random(seed)))
    for form in FORMS:
        assert all(value is None or 0 <= value <= 1 for value in values(getattr(found, form)).values())


@given(SEEDS)
def test_the_order_of_items_changes_nothing(seed: int) -> None:
    draw = random.Random(seed)
    said = drawn(draw)
    before = score(said)
    for section in Section:
        draw.shuffle(said[section.key])
    after = score(said)
    for form in FORMS:
        ours, theirs = values(getattr(before, form)), values(getattr(after, form))
        assert ours == pytest.approx(theirs, abs=1e-12)
    assert before.shd == after.shd


@given(SEEDS, st.sampled_from(list(Section)))
def test_a_weak_match_in_place_of_none_never_lowers_a_score(seed: int, section: Section) -> None:
    said = drawn(random.Random(seed))
    before = score(said)
    for each in said[section.key]:
        for block in section.blocks:
            holder = each[block.key] if block.key else each
            if holder[PRESENCE] == NO_MATCH:
                is_text = section is Section.EDGE_PRECISION and block is LabelBlock.TEXT
                holder[PRESENCE] = "PRESENCE_IMPLIED" if is_text else "PRESENCE_WEAK_MATCH"
    after = score(said)
    for form in FORMS:
        for name in FIGURES:
            one, other = getattr(getattr(before, form), name).value, getattr(getattr(after, form), name).value
            assert one is None or other is None or other >= one - 1e-12


def test_every_legal_label_has_its_number() -> None:
    zero = {
        label for fields in LEGAL.values() for f, legal in fields.items() for label in legal if not number_of(f, label)
    }
    assert {label.partition("_")[2] for label in zero} == {"NO_MATCH", "NA", "MISSING"}
