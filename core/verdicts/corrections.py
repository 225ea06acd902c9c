"""Scores of a judge, corrected by labels that people gave blind to a random draw of its items.

The judge scored every item, people some of them: `core.scoring.corrected` gives the score that people would give to
all. A section's score is a ratio, Σ weight × score ÷ Σ weight, since people set the importance of recalled items too;
so its numerator and its denominator are corrected. Intervals resample the samples of the run as wholes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.estimate import Estimate, undefined
from core.scoring.corrected import SAMPLES_NEEDED, corrected_means, labels_missing, moments, no_interval
from core.scoring.interval import Resampling, cluster_numbers, with_interval
from core.verdicts.labels import PRECISION, Section
from core.words import counted

Array = NDArray[np.float64]
NO_WEIGHT = "no item has a weight"
_COLUMNS = 18  # moments of the numerator and of the denominator of a section


class ItemScore(NamedTuple):
    score: float  # 0–1
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedItem:
    """An item as a judge scored it, and people: the mean over those who labelled it, None without a label."""

    section: Section
    sample: str
    judge: ItemScore
    person: ItemScore | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedSection:
    items: int
    labelled: int  # items
    samples: int
    labelled_samples: int  # with a labelled item
    measured: Estimate  # the judge's score, 0–1
    corrected: Estimate  # the score that people would give; without an interval where labels are too few, and why
    labels_missing: Estimate  # further labels for ±0.02

    @property
    def labels_to_draw(self) -> int | None:
        """Further items that bring what is missing; 0 where samples are, None where a draw does not help."""
        if self.labels_missing.value is not None:
            return int(self.labels_missing.value) or None
        return 0 if self.labelled_samples < SAMPLES_NEEDED <= self.samples else None


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedScores:
    """Scores of the answers of a model, or of all, by one judge; F1 pools the items of its sections."""

    measured_f1: Estimate
    corrected_f1: Estimate
    sections: Mapping[Section, CorrectedSection]


def correct_scores(items: Sequence[JudgedItem], how: Resampling) -> CorrectedScores:
    """Correct the section scores and the overall F1 of judged items."""
    by_section = {
        section: [each for each in items if each.section is section]
        for section in Section
        if any(each.section is section for each in items)
    }
    sections = {section: _corrected_section(of_section, how) for section, of_section in by_section.items()}
    return CorrectedScores(**_f1_scores(items, sections, how), sections=sections)


def _corrected_section(items: Sequence[JudgedItem], how: Resampling) -> CorrectedSection:
    judge, person, is_labelled = _columns(items)
    moments_of_items, samples = _moments(items), [each.sample for each in items]
    numbers = cluster_numbers(samples)
    many, labelled_samples = len(set(samples)), len(np.unique(numbers[is_labelled]))
    reason = no_interval(judge[:, 0], person[:, 0], is_labelled, numbers)
    if many < SAMPLES_NEEDED:
        reason = f"{counted(many, 'sample')}; a correction needs {SAMPLES_NEEDED} labelled ones"
    total = moments_of_items.sum(axis=0, keepdims=True)
    value = float(_ratio(total)[0])
    corrected = missing = undefined(reason or NO_WEIGHT, int(is_labelled.sum()))
    if not np.isnan(value):
        corrected = Estimate(value, n=int(is_labelled.sum()), reason=reason)
        if not reason:
            corrected = with_interval(corrected, moments_of_items, _ratio, how, samples)
        if corrected.low is not None and corrected.high is not None:
            # The ratio varies as the mean of weight × (score − ratio) ÷ mean weight does.
            mean_weight = float(corrected_means(total[:, _COLUMNS // 2 :])[0][0])
            of_people, of_judge = (each[:, 1] * (each[:, 0] - value) / mean_weight for each in (person, judge))
            sums = moments(of_people, of_judge, is_labelled).sum(axis=0)
            missing = labels_missing(sums, labelled_samples, (corrected.high - corrected.low) / 2)
    weight = float(judge[:, 1].sum())
    measured = float(judge.prod(axis=1).sum()) / weight if weight else None
    return CorrectedSection(
        items=len(items),
        labelled=int(is_labelled.sum()),
        samples=many,
        labelled_samples=labelled_samples,
        measured=undefined(NO_WEIGHT, len(items)) if measured is None else Estimate(measured, n=len(items)),
        corrected=corrected,
        labels_missing=missing,
    )


def _columns(items: Sequence[JudgedItem]) -> tuple[Array, Array, NDArray[np.bool_]]:
    """Return (score, weight) of each item by the judge, by people or 0, and whether it has a label."""
    judge = np.array([each.judge for each in items], dtype=np.float64)
    person = np.array([each.person or (0.0, 0.0) for each in items], dtype=np.float64)
    return judge, person, np.array([each.person is not None for each in items])


def _moments(items: Sequence[JudgedItem]) -> Array:
    """Items x moments of weighted scores and of weights."""
    judge, person, is_labelled = _columns(items)
    over = moments(person.prod(axis=1), judge.prod(axis=1), is_labelled)
    return np.column_stack([over, moments(person[:, 1], judge[:, 1], is_labelled)])


def _ratio(sums: Array) -> Array:
    (over, _), (under, _) = (corrected_means(part) for part in np.split(sums, 2, axis=1))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(under > 0, np.clip(over / under, 0.0, 1.0), np.nan)


def _f1_scores(
    items: Sequence[JudgedItem], sections: Mapping[Section, CorrectedSection], how: Resampling
) -> dict[str, Estimate]:
    if len(sections) < len(Section) or any(each.measured.value is None for each in sections.values()):
        none = undefined("a section of the run has no score", 0)
        return {"measured_f1": none, "corrected_f1": none}
    scores = np.array([[sections[section].measured.value for section in Section]], dtype=np.float64)
    sizes = np.array([[sections[section].items for section in Section]], dtype=np.float64)
    measured = Estimate(float(_f1(scores, sizes)[0]), n=len(items))
    labelled = sum(each.labelled for each in sections.values())
    open_sections = [each.corrected for each in sections.values() if each.corrected.low is None]
    if open_sections:
        return {"measured_f1": measured, "corrected_f1": undefined(open_sections[0].reason, labelled)}
    columns = np.zeros((len(items), len(Section) * _COLUMNS))
    for place, section in enumerate(Section):
        rows = [number for number, each in enumerate(items) if each.section is section]
        columns[rows, place * _COLUMNS : (place + 1) * _COLUMNS] = _moments([items[number] for number in rows])

    def statistic(sums: Array) -> Array:
        parts = sums.reshape(len(sums), len(Section), _COLUMNS)
        ratios = np.column_stack([_ratio(parts[:, place]) for place in range(len(Section))])
        return _f1(ratios, parts[:, :, 0] + parts[:, :, 6])

    value = Estimate(float(statistic(columns.sum(axis=0, keepdims=True))[0]), n=labelled)
    corrected = with_interval(value, columns, statistic, how, [each.sample for each in items])
    return {"measured_f1": measured, "corrected_f1": corrected}


def _f1(scores: Array, sizes: Array) -> Array:
    """Return overall F1 of section scores, precision and recall each weighted by numbers of items."""
    is_precision = np.array([section in PRECISION for section in Section])
    precision, recall = (
        (scores[:, of] * sizes[:, of]).sum(axis=1) / sizes[:, of].sum(axis=1) for of in (is_precision, ~is_precision)
    )
    return np.where(precision + recall > 0, 2 * precision * recall / np.maximum(precision + recall, 1e-12), 0.0)
