"""Scores of judges corrected by people's labels: by hand, how often the interval holds the truth, and its reasons."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.scoring.interval import Resampling
from core.verdicts.corrections import CorrectedScores, ItemScore, JudgedItem, correct_scores
from core.verdicts.labels import PRECISION, Section
from tests.everything import EVERYTHING

HOW = Resampling(seed=3, draws=400)
ROUNDS = 500 if EVERYTHING else 30
CHANCE = 0.015 if EVERYTHING else 0.05  # of few rounds
WEIGHTS = np.array([1.0, 0.5, 0.25])


def judged(
    draw: np.random.Generator, samples: int, labelled: int, *, per_section: int = 4, generous: float = 0.15
) -> list[JudgedItem]:
    """Items of all sections of many samples, each with its own level. People give two thirds of items a score, and in
    recall a weight that rises with it; a judge gives further items one, and other weights. Blocks of the first samples
    are labelled."""
    items = []
    for sample in range(samples):
        level = draw.beta(6, 3)
        for section in Section:
            for _ in range(draw.integers(per_section - 2, per_section + 3)):
                is_match = draw.random() < level
                score = draw.choice([0.5, 2 / 3, 5 / 6, 1.0]) if is_match else 0.0
                by_judge = score or (draw.choice([0.5, 1.0]) if draw.random() < generous / (1 - 2 / 3) else 0.0)
                weights = (1.0, 1.0)
                if section not in PRECISION:
                    own = draw.choice(WEIGHTS, p=[0.5, 0.3, 0.2] if is_match else [0.2, 0.3, 0.5])
                    weights = own, own if draw.random() < 0.8 else draw.choice(WEIGHTS)
                items.append(
                    JudgedItem(
                        section=section,
                        sample=str(sample),
                        judge=ItemScore(by_judge, weights[1]),
                        person=ItemScore(score, weights[0]) if sample < labelled else None,
                    )
                )
    return items


def test_the_intervals_hold_the_score_that_people_give_all_items() -> None:
    # People's precision: 2/3 · 0.75. Weights of matches are 0.7 on average, of others 0.475.
    precision, recall = 0.5, 2 / 3 * 0.7 * 0.75 / (2 / 3 * 0.7 + 1 / 3 * 0.475)
    truths = [precision, recall, 2 * precision * recall / (precision + recall)]
    draw, covered, intervals = np.random.default_rng(1), np.zeros(3), np.zeros(3)
    for _ in range(ROUNDS):
        scores = correct_scores(judged(draw, 80, 25), HOW)
        assert scores.measured_f1.value is not None and scores.measured_f1.value > truths[2]
        parts = (Section.EDGE_PRECISION, Section.EDGE_RECALL)
        estimates = [*(scores.sections[part].corrected for part in parts), scores.corrected_f1]
        for place, (each, truth) in enumerate(zip(estimates, truths, strict=True)):
            if (
                each.low is not None and each.high is not None
            ):  # else few differences: the judge is right where it is easy
                intervals[place] += 1
                covered[place] += each.low <= truth <= each.high
    assert intervals.min() >= 0.9 * ROUNDS
    assert (covered / intervals).min() >= 0.92 - CHANCE


def one(section: Section, sample: object, judge: tuple[float, float], person: tuple[float, float] | None) -> JudgedItem:
    return JudgedItem(
        section=section,
        sample=str(sample),
        judge=ItemScore(*judge),
        person=None if person is None else ItemScore(*person),
    )


def test_numerator_and_denominator_of_recall_are_corrected() -> None:
    recall = Section.NODE_RECALL
    # All are labelled, so the corrected score is people's ratio: (1 · 1 + 0.5 · 0.5 + 0) ÷ (1 + 0.5 + 0.25).
    every = [((1, 1), (1, 1)), ((1, 1), (0.5, 0.5)), ((0, 1), (0, 0.25))]
    items = [one(recall, n, judge, person) for n in range(30) for judge, person in every]
    section = correct_scores(items, HOW).sections[recall]
    assert section.measured.value == pytest.approx(2 / 3)
    assert section.corrected.value == pytest.approx(1.25 / 1.75)
    assert (section.items, section.labelled, section.samples, section.labelled_samples) == (90, 90, 30, 30)
    assert section.corrected.low is not None


def test_each_model_is_corrected_by_its_own_labels() -> None:
    """A judge that is generous to one model alone moves that model's score."""
    draw = np.random.default_rng(2)
    honest = [replace(each, judge=each.person or each.judge) for each in judged(draw, 60, 60)]
    honest = [replace(each, person=each.person if int(each.sample) < 40 else None) for each in honest]
    generous = judged(draw, 60, 40, generous=0.3)

    def gap(scores: CorrectedScores) -> float:
        section = scores.sections[Section.EDGE_PRECISION]
        assert section.measured.value is not None and section.corrected.value is not None
        return section.measured.value - section.corrected.value

    assert gap(correct_scores(honest, HOW)) == pytest.approx(0, abs=1e-3)
    assert gap(correct_scores(generous, HOW)) > 0.1


@pytest.mark.parametrize(
    ("samples", "labelled", "reason", "to_draw"),
    [
        (60, 16, "label 4 more samples to correct this score", 0),
        (12, 12, "12 samples; a correction needs 20 labelled ones", None),
    ],
)
def test_few_labelled_samples_have_no_interval_and_say_what_is_missing(
    samples: int, labelled: int, reason: str, to_draw: int | None
) -> None:
    scores = correct_scores(judged(np.random.default_rng(3), samples, labelled), HOW)
    for each in scores.sections.values():
        assert each.corrected.value is not None and each.corrected.low is None
        assert (each.corrected.reason, each.labels_missing.reason) == (reason, reason)
        assert each.labels_to_draw == to_draw
    assert (scores.corrected_f1.value, scores.corrected_f1.reason) == (None, reason)
    assert scores.measured_f1.value is not None


def test_without_a_label_nothing_is_corrected() -> None:
    scores = correct_scores(judged(np.random.default_rng(3), 30, 0), HOW)
    for each in scores.sections.values():
        assert (each.corrected.value, each.labels_to_draw) == (None, 0)
        assert each.corrected.reason == "label 20 more samples to correct this score"


def test_the_missing_labels_make_the_interval_as_narrow_as_named() -> None:
    draw = np.random.default_rng(4)
    items = [each for each in judged(draw, 700, 700) if each.section is Section.EDGE_RECALL]

    def section(labelled: int) -> tuple[float, int | None, int]:
        of_some = [replace(each, person=each.person if int(each.sample) < labelled else None) for each in items]
        result = correct_scores(of_some, HOW).sections[Section.EDGE_RECALL]
        assert result.corrected.low is not None and result.corrected.high is not None
        return (result.corrected.high - result.corrected.low) / 2, result.labels_to_draw, result.labelled

    half, missing, labelled = section(40)
    assert half > 0.04 and missing is not None
    assert section(round(40 * (labelled + missing) / labelled))[0] == pytest.approx(0.02, abs=0.004)


def test_a_section_of_a_run_that_has_no_verdict_leaves_f1_undefined() -> None:
    items = [each for each in judged(np.random.default_rng(5), 30, 30) if each.section is not Section.NODE_RECALL]
    scores = correct_scores(items, HOW)
    assert scores.measured_f1.reason == scores.corrected_f1.reason == "a section of the run has no score"
    assert Section.NODE_RECALL not in scores.sections
