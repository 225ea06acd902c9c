"""Accuracy of a judge, from labels that people gave before they saw the judge's own.

Every number is over items that were drawn at random, with an interval by resampling whole samples: items of one text
are alike. Scores are compared as ratios of sums, Σ weight × score ÷ Σ weight, of the same items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.estimate import Estimate, undefined
from core.scoring.interval import Resampling, Statistic, with_interval
from core.verdicts.agreement import FieldAgreement, Place, field_agreement
from core.verdicts.labels import Section
from core.verdicts.review import fields_of
from core.verdicts.tallies import is_match, item_score, weight_of
from core.verdicts.verdict import VerdictItem

Array = NDArray[np.float64]
UNATTENDED = 0.6  # minimum κ of presence for using a judge unattended: a common rule of thumb
NOTHING = "no item was labelled before the judge's labels were shown"
NO_SHEET = "no sheet of this section is labelled whole"


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditedItem:
    """A verdict item with all labels of a judge and of a person."""

    section: Section
    sample: str  # resampled as a whole
    key: str  # the same for everyone who labelled this item
    rater: str
    judge: VerdictItem
    person: VerdictItem
    answer: str = ""  # the answer that it is an item of
    is_on_whole_sheet: bool = True  # the person's sheet omits nothing that can be judged


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionAudit:
    """Audit of one section. Scores are over items of completely labelled sheets, since an annotator who stops in the
    middle chooses what is scored."""

    section: Section
    n: int
    judge: Estimate  # the section's score, 0–1
    person: Estimate  # the section's score by people, 0–1
    bias: Estimate  # judge minus person
    sensitivity: Estimate  # share of people's matches with the graph that the judge calls a match
    specificity: Estimate  # share of people's non-matches that the judge calls none


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeAudit:
    n: int  # items
    samples: int  # with these items
    fields: Mapping[Place, FieldAgreement]
    sections: Mapping[Section, SectionAudit]

    @property
    def presence(self) -> Estimate:
        """The lowest κ of a field of presence that has one."""
        kappas = [each.kappa for place, each in self.fields.items() if place[2] == "presence_label"]
        defined = [each for each in kappas if each.value is not None]
        if defined:
            return min(defined, key=lambda each: each.value or 0.0)
        return next((each for each in kappas if each.n), undefined(NOTHING, 0))

    @property
    def is_fit_unattended(self) -> bool | None:
        return None if self.presence.value is None else self.presence.value >= UNATTENDED


def audit(items: Sequence[AuditedItem], how: Resampling | None) -> JudgeAudit:
    """Audit a judge with people's labels."""
    sections = [each.section for each in items]
    clusters = [each.sample for each in items]
    agreement = field_agreement([(each.judge, each.person) for each in items], sections, how, clusters)
    return JudgeAudit(
        n=len(items),
        samples=len(set(clusters)),
        fields=agreement,
        sections={
            section: _section(section, [each for each in items if each.section is section], how)
            for section in Section
            if section in sections
        },
    )


def people_against_people(items: Sequence[AuditedItem], how: Resampling | None) -> dict[Place, FieldAgreement]:
    """Return the agreement among people on items that two or more labelled: the upper limit for a judge."""
    by_item: dict[tuple[Section, str], dict[str, AuditedItem]] = {}
    for audited in items:
        by_item.setdefault((audited.section, audited.key), {})[audited.rater] = audited
    pairs, sections, clusters = [], [], []
    for (section, _key), raters in sorted(by_item.items()):
        first, *others = [raters[name] for name in sorted(raters)]
        for other in others:
            pairs.append((first.person, other.person))
            sections.append(section)
            clusters.append(first.sample)
    return field_agreement(pairs, sections, how, clusters)


# --- sections ----------------------------------------------------------------------------------------------------


def _section(section: Section, items: Sequence[AuditedItem], how: Resampling | None) -> SectionAudit:
    whole = [each for each in items if each.is_on_whole_sheet]
    return SectionAudit(section=section, n=len(items), **_scores(whole, how), **_matches(items, how))


def _scores(items: Sequence[AuditedItem], how: Resampling | None) -> dict[str, Estimate]:
    if not items:
        return dict.fromkeys(("judge", "person", "bias"), undefined(NO_SHEET, 0))
    clusters, sums = [each.sample for each in items], np.array([_sums(each) for each in items])
    total = sums.sum(axis=0)
    scores = {
        name: with_interval(_value(total, of, "no item has a weight", n=len(items)), sums, _of(of), how, clusters)
        for name, of in (("judge", (0, 1)), ("person", (2, 3)))
    }
    judge, person = scores["judge"].value, scores["person"].value
    bias = (
        undefined("no item has a weight", len(items))
        if judge is None or person is None
        else with_interval(Estimate(judge - person, n=len(items)), sums, _bias, how, clusters)
    )
    return scores | {"bias": bias}


def _matches(items: Sequence[AuditedItem], how: Resampling | None) -> dict[str, Estimate]:
    clusters, sums = [each.sample for each in items], np.array([_sums(each) for each in items])
    total = sums.sum(axis=0)
    columns = {
        "sensitivity": ((4, 5), "people call no item a match"),
        "specificity": ((6, 7), "people call every item a match"),
    }
    return {
        name: with_interval(_value(total, of, why, n=int(total[of[1]])), sums, _of(of), how, clusters)
        for name, (of, why) in columns.items()
    }


def _sums(each: AuditedItem) -> list[float]:
    """Return weighted score and weight by the judge, the same by the person; matches of both and of the person,
    likewise non-matches."""
    section = each.section
    weights = weight_of(section, each.judge), weight_of(section, each.person)
    judge, person = is_match(section, each.judge), is_match(section, each.person)
    return [
        weights[0] * item_score(section, each.judge),
        weights[0],
        weights[1] * item_score(section, each.person),
        weights[1],
        float(judge and person),
        float(person),
        float(not judge and not person),
        float(not person),
    ]


def _value(total: Array, of: tuple[int, int], why: str, *, n: int) -> Estimate:
    over, under = total[of[0]], total[of[1]]
    return Estimate(float(over / under), n=n) if under else undefined(why, n)


def _of(of: tuple[int, int]) -> Statistic:
    def statistic(sums: Array) -> Array:
        return _divided(sums[:, of[0]], sums[:, of[1]])

    return statistic


def _bias(sums: Array) -> Array:
    return _divided(sums[:, 0], sums[:, 1]) - _divided(sums[:, 2], sums[:, 3])


def _divided(over: Array, under: Array) -> Array:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(under > 0, over / under, np.nan)


def is_whole(section: Section, item: VerdictItem) -> bool:
    return all(place in item.labels for place in fields_of(section))
