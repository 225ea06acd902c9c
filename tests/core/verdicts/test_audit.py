"""A judge's audit finds what was planted in it, a κ and a sensitivity: each inside the printed interval in at
least 90 of 100 seeds (four of five in a usual run)."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from core.scoring.interval import Resampling
from core.verdicts.audit import AuditedItem, audit, people_against_people
from core.verdicts.labels import ABSTRACTION, DIRECTION, IMPORTANCE, INFERENCE, PRESENCE, SEMANTIC, LabelBlock, Section
from core.verdicts.verdict import VerdictItem
from tests.everything import EVERYTHING

SEEDS = range(100) if EVERYTHING else range(5)
MOST_MISSED = 10 if EVERYTHING else 1
HOW = Resampling(seed=3, draws=400)
SAMPLES, PER_SECTION = 60, 3


def item(section: Section, is_match: bool, importance: str = "") -> VerdictItem:
    """Of full score or none: then a section's score is the share of matches."""
    labels = {}
    for block in section.blocks:
        none = block is LabelBlock.TEXT or not is_match
        labels[block, PRESENCE] = "PRESENCE_NO_MATCH" if none else "PRESENCE_STRONG_MATCH"
        labels[block, ABSTRACTION] = "ABSTRACTION_NA" if none else "ABSTRACTION_ALIGNED"
        if section in (Section.NODE_PRECISION, Section.NODE_RECALL):
            full = "SEMANTIC_COMPLETE" if section is Section.NODE_RECALL else "SEMANTIC_STRONG"
            labels[block, SEMANTIC] = "SEMANTIC_NA" if none else full
        elif block is LabelBlock.TEXT:
            labels[block, INFERENCE] = "INFERENCE_NA"
        else:
            na = "DIRECTION_MISSING" if section is Section.EDGE_RECALL else "DIRECTION_NA"
            labels[block, DIRECTION] = na if none else "DIRECTION_CORRECT"
    if LabelBlock.ITEM in section.blocks:
        word = "CORE" if section is Section.NODE_RECALL else "CENTRAL"
        labels[LabelBlock.ITEM, IMPORTANCE] = importance or f"IMPORTANCE_{word}"
    return VerdictItem(1, labels)


def audited(
    draw: random.Random, true_share: float, miss: float, invent: float, noise: float = 0.0
) -> list[AuditedItem]:
    """Items of every section of many samples. A judge misses the share `miss` of true matches and invents `invent` of
    the others; a person errs in `noise` of both."""
    found = []
    for sample in range(SAMPLES):
        own_share = min(1.0, max(0.0, draw.gauss(true_share, 0.1)))  # samples differ: items of one are alike
        for section in Section:
            for number in range(PER_SECTION):
                is_true = draw.random() < own_share
                judge = draw.random() >= miss if is_true else draw.random() < invent
                person = is_true != (draw.random() < noise)
                found.append(
                    AuditedItem(
                        section=section,
                        sample=str(sample),
                        key=f"{sample}/{number}",
                        rater="a",
                        judge=item(section, judge),
                        person=item(section, person),
                    )
                )
    return found


def test_a_judge_of_kappa_55_has_it_inside_its_interval_and_is_not_fit_unattended() -> None:
    # Of halves, 22.5 % wrong on either side: raw 0.775, chance 0.5, κ = 0.275 ÷ 0.5 = 0.55.
    missed, unfit = 0, 0
    for seed in SEEDS:
        found = audit(audited(random.Random(seed), 0.5, 0.225, 0.225), HOW)
        kappa = found.fields[Section.EDGE_RECALL, LabelBlock.ITEM, DIRECTION].kappa
        assert kappa.low is not None and kappa.high is not None
        missed += not kappa.low <= 0.55 <= kappa.high
        unfit += found.is_fit_unattended is False
    assert missed <= MOST_MISSED
    assert unfit >= 0.8 * len(SEEDS)


def test_ten_per_cent_of_label_noise_lowers_sensitivity_to_what_it_must_be() -> None:
    # A perfect judge against people who err in 10 % of halves: of what they call a match 90 % is one.
    missed = 0
    for seed in SEEDS:
        found = audit(audited(random.Random(seed), 0.5, 0.0, 0.0, noise=0.1), HOW)
        share = found.sections[Section.NODE_RECALL].sensitivity
        assert share.low is not None and share.high is not None
        missed += not share.low <= 0.9 <= share.high
    assert missed <= MOST_MISSED


def test_a_hand_counted_section() -> None:
    recall = Section.EDGE_RECALL
    rows = [(True, True), (True, True), (True, False), (False, True), (False, False)]  # judge, person
    items = [
        AuditedItem(
            section=recall, sample=str(n), key=str(n), rater="a", judge=item(recall, judge), person=item(recall, person)
        )
        for n, (judge, person) in enumerate(rows)
    ]
    # The missed one is only half as important to the person.
    items[3] = replace(items[3], person=item(recall, True, "IMPORTANCE_CONNECTING"))
    found = audit(items, None).sections[recall]
    assert found.judge.value == pytest.approx(3 / 5)
    assert found.person.value == pytest.approx(2.5 / 4.5)
    assert found.bias.value == pytest.approx(3 / 5 - 2.5 / 4.5)
    assert (found.sensitivity.value, found.sensitivity.n) == pytest.approx((2 / 3, 3))
    assert (found.specificity.value, found.specificity.n) == pytest.approx((1 / 2, 2))


def test_a_sheet_that_was_left_in_the_middle_says_how_labels_agree_and_nothing_of_scores() -> None:
    recall = Section.EDGE_RECALL
    first = AuditedItem(
        section=recall, sample="s", key="1", rater="a", judge=item(recall, True), person=item(recall, True)
    )
    left = replace(first, key="2", person=item(recall, False), is_on_whole_sheet=False)
    found = audit([first, left], None)
    section = found.sections[recall]
    assert found.fields[recall, LabelBlock.ITEM, PRESENCE].raw.value == 0.5
    assert (section.n, section.specificity.value, section.bias.value, section.bias.n) == (2, 0.0, 0.0, 1)
    alone = audit([left], None)
    assert (alone.sections[recall].bias.value, alone.sections[recall].bias.n) == (None, 0)
    assert alone.sections[recall].bias.reason == "no sheet of this section is labelled whole"


def test_people_are_held_against_each_other_on_items_that_two_labelled() -> None:
    precision = Section.NODE_PRECISION
    base = AuditedItem(
        section=precision, sample="s", key="1", rater="a", judge=item(precision, True), person=item(precision, True)
    )
    items = [base, replace(base, rater="b", person=item(precision, False)), replace(base, key="2")]
    found = people_against_people(items, None)[precision, LabelBlock.GRAPH, PRESENCE]
    assert (found.n, found.raw.value) == (1, 0.0)
    assert people_against_people(items[2:], None) == {}


def test_without_items_nothing_is_defined() -> None:
    found = audit([], HOW)
    assert (found.n, found.presence.value, found.is_fit_unattended) == (0, None, None)
