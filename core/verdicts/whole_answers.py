"""Completely labelled answers: their F1 by a judge and by people. F1 of a partly labelled answer would depend on which
items were labelled; so only answers count of which every item of all four sections was labelled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.estimate import Estimate
from core.scoring.interval import Resampling, mean_estimate
from core.verdicts.audit import AuditedItem
from core.verdicts.labels import Section
from core.verdicts.review import LabelChange, patched
from core.verdicts.scores import score_verdict
from core.verdicts.verdict import VerdictItem, read_verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeAnswers:
    """Scores of completely labelled answers, with intervals over samples; undefined without an answer."""

    n: int  # answers
    judge: Estimate  # mean overall F1 in the form *default*, 0–1, like `person`
    person: Estimate
    bias: Estimate  # judge minus person


def whole_answers(
    items: Sequence[AuditedItem], sizes: Mapping[tuple[str, Section], int], how: Resampling | None
) -> WholeAnswers:
    """Return the scores. `sizes`: number of items of each section of an answer. Of an item that several people
    labelled, the labels of the first person, in the order of ids, count."""
    by_answer: dict[str, dict[Section, dict[int, AuditedItem]]] = {}
    for first in sorted(items, key=lambda each: each.rater):
        if first.judge.number is not None:
            by_section = by_answer.setdefault(first.answer, {})
            by_section.setdefault(first.section, {}).setdefault(first.judge.number, first)
    scores: list[tuple[float, float]] = []
    samples: list[str] = []
    for answer, sections in sorted(by_answer.items()):
        if all(len(sections.get(section, ())) == sizes.get((answer, section)) for section in Section):
            every = {
                section: [by_number[number] for number in sorted(by_number)] for section, by_number in sections.items()
            }
            judge = _f1({section: [each.judge for each in audited] for section, audited in every.items()})
            person = _f1({section: [each.person for each in audited] for section, audited in every.items()})
            if judge is not None and person is not None:
                scores.append((judge, person))
                samples.append(next(iter(every.values()))[0].sample)
    both = np.array(scores, dtype=float).reshape(-1, 2)
    return WholeAnswers(
        n=len(scores),
        judge=mean_estimate(both[:, 0], samples, how),
        person=mean_estimate(both[:, 1], samples, how),
        bias=mean_estimate(both[:, 0] - both[:, 1], samples, how),
    )


def _f1(sections: Mapping[Section, Sequence[VerdictItem]]) -> float | None:
    values = {
        section.key: patched(
            section,
            [{section.number_key: each.number} for each in items],
            [
                LabelChange(each.number or 0, block, field, "", label)
                for each in items
                for (block, field), label in each.labels.items()
            ],
        )
        for section, items in sections.items()
    }
    return score_verdict(read_verdict(values)).default.overall_f1.value
