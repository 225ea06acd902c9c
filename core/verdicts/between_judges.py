"""Judge against judge: scores and labels of the same answers, families of the judged models, and each judge against
itself, asked again and about the same graph in another order (ReCITE, Tables 7 to 9)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from core.estimate import Estimate, undefined
from core.scoring.interval import Resampling
from core.verdicts.agreement import FieldAgreement, Place, field_agreement
from core.verdicts.families import FamilyBias, FamilyDifference, family_bias
from core.verdicts.judged import AnswerVerdict
from core.verdicts.labels import Section
from core.verdicts.pairs import (
    JudgePair,
    ScoredAnswer,
    every_pair,
    judged_by_all,
    mean_of,
    scored_answers,
    shared_answers,
)
from core.verdicts.review import fields_of
from core.verdicts.verdict import SectionVerdict, VerdictItem

SAME_GRAPH: Mapping[str, str] = {"shuffled": "copy", "ordering": "naming"}
"""A control → the one that has the same labels due: numbered otherwise, and without an order to the judge in a text
that names the same nodes."""
NO_FAMILY = "the model card of {judge} names no family"
NO_TWIN = "no sample has whole verdicts of both controls, {} and {}"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedLabels:
    """A section of an answer as one judge labelled it. `sample`: drawn again as a whole."""

    judge: str
    repeat: int
    answer: str
    sample: str
    verdict: SectionVerdict


@dataclass(frozen=True, slots=True)
class FamilyRow:
    """The first judge minus the second over answers of models of one family; population sd in the estimate."""

    first: str
    second: str
    family: str
    difference: Estimate


@dataclass(frozen=True, slots=True)
class OwnFamily:
    """Bias of a judge towards models of its own family, relative to another judge."""

    judge: str
    other: str
    family: str
    bias: FamilyBias


@dataclass(frozen=True, slots=True, kw_only=True)
class RepeatCheck:
    """A judge asked again about the same: each later verdict against the first. `apart`: mean distance of F1, 0–1;
    `equal`: share of equal labels; `items`: of which."""

    judge: str
    answers: int
    apart: Estimate
    items: int
    equal: Estimate


@dataclass(frozen=True, slots=True)
class OrderCheck:
    """F1 of a control minus that of the one that differs from it in nothing that counts: mean, and the largest
    distance. Undefined where no sample has both."""

    judge: str
    control: str
    against: str
    difference: Estimate
    largest: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgesCompared:
    """Judges on answers of one variant. `shared`: pairs on the answers that both judged whole, `by_all` on the
    `answers_by_all` that every judge did; `labels`: (first, second) → fields of the items that both labelled;
    `without_family`: judged models whose card names none."""

    judges: tuple[str, ...]
    shared: tuple[JudgePair, ...]
    by_all: tuple[JudgePair, ...]
    answers_by_all: int
    labels: Mapping[tuple[str, str], Mapping[Place, FieldAgreement]]
    families: tuple[FamilyRow, ...]
    own: tuple[OwnFamily, ...]
    without_family: tuple[str, ...]
    repeats: tuple[RepeatCheck, ...]


def compare_judges(
    answers: Sequence[AnswerVerdict],
    labels: Iterable[JudgedLabels],
    families: Mapping[str, str],
    how: Resampling,
) -> JudgesCompared:
    """All comparisons of the judges of `answers`, which are of one variant. `families`: model, judge or judged → its
    family, empty where it is not known."""
    scored = scored_answers(answers)
    judges = tuple(dict.fromkeys(each.judge for each in answers))
    asked = len({each.answer for each in answers})
    of_all = judged_by_all(scored, judges)
    said = _items(labels)
    return JudgesCompared(
        judges=judges,
        shared=every_pair(scored, judges, how, asked),
        by_all=every_pair(of_all, judges, how, asked),
        answers_by_all=len({each.answer for each in of_all}),
        labels={(one, other): _labels(said, one, other, how) for one, other in combinations(judges, 2)},
        families=tuple(_families(scored, judges, families, how)),
        own=tuple(_own(scored, judges, families, how)),
        without_family=tuple(dict.fromkeys(each.judged for each in scored if not families.get(each.judged))),
        repeats=tuple(_repeats(scored, said, judges, how)),
    )


# --- labels --------------------------------------------------------------------------------------------------------

_Key = tuple[str, Section, int]
_Said = dict[tuple[str, int], dict[_Key, tuple[VerdictItem, str]]]


def _items(labels: Iterable[JudgedLabels]) -> _Said:
    """(judge, repeat) → item → its labels, and its sample."""
    found: _Said = {}
    for each in labels:
        into = found.setdefault((each.judge, each.repeat), {})
        for item in each.verdict.items:
            if item.number is not None:
                into.setdefault((each.answer, each.verdict.section, item.number), (item, each.sample))
    return found


def _labels(said: _Said, one: str, other: str, how: Resampling) -> dict[Place, FieldAgreement]:
    ours, theirs = said.get((one, 0), {}), said.get((other, 0), {})
    shared = [key for key in ours if key in theirs]
    return field_agreement(
        [(ours[key][0], theirs[key][0]) for key in shared],
        [section for _answer, section, _number in shared],
        how,
        [ours[key][1] for key in shared],
    )


# --- families ------------------------------------------------------------------------------------------------------


def _families(
    scored: Sequence[ScoredAnswer], judges: Sequence[str], families: Mapping[str, str], how: Resampling
) -> Iterable[FamilyRow]:
    for one, other in combinations(judges, 2):
        by: dict[str, list[tuple[ScoredAnswer, ScoredAnswer]]] = {}
        for pair in shared_answers(scored, one, other):
            if family := families.get(pair[0].judged):
                by.setdefault(family, []).append(pair)
        for family, pairs in sorted(by.items()):
            apart = np.array([first.f1 - second.f1 for first, second in pairs])
            yield FamilyRow(one, other, family, mean_of(apart, [first.sample for first, _ in pairs], how))


def _own(
    scored: Sequence[ScoredAnswer], judges: Sequence[str], families: Mapping[str, str], how: Resampling
) -> Iterable[OwnFamily]:
    """Each judge against each of another family: of the same family's, both would be partial alike."""
    for judge in judges:
        family = families.get(judge, "")
        for other in judges:
            if other == judge or (family and families.get(other) == family):
                continue
            if not family:
                none = undefined(NO_FAMILY.format(judge=judge))
                yield OwnFamily(judge, other, "", FamilyBias(none, none, none))
                continue
            found = [
                FamilyDifference(first.sample, first.f1 - second.f1, families[first.judged] == family)
                for first, second in shared_answers(scored, judge, other)
                if families.get(first.judged)
            ]
            yield OwnFamily(judge, other, family, family_bias(found, how))


# --- a judge against itself ----------------------------------------------------------------------------------------


def _repeats(
    scored: Sequence[ScoredAnswer], said: _Said, judges: Sequence[str], how: Resampling
) -> Iterable[RepeatCheck]:
    for judge in judges:
        first = {each.answer: each for each in scored if each.judge == judge and not each.repeat}
        later = [each for each in scored if each.judge == judge and each.repeat and each.answer in first]
        shares, samples, items = [], [], 0
        for (name, repeat), found in said.items():
            if name != judge or not repeat:
                continue
            for key, (item, sample) in found.items():
                if key in said.get((judge, 0), {}):
                    once = said[judge, 0][key][0]
                    fields = [place for place in fields_of(key[1]) if place in once.labels and place in item.labels]
                    shares += [float(once.labels[place] == item.labels[place]) for place in fields]
                    samples += [sample] * len(fields)
                    items += 1
        if later or items:
            apart = np.array([abs(each.f1 - first[each.answer].f1) for each in later])
            yield RepeatCheck(
                judge=judge,
                answers=len({each.answer for each in later}),
                apart=mean_of(apart, [each.sample for each in later], how),
                items=items,
                equal=mean_of(np.array(shares), samples, how),
            )


def order_checks(answers: Sequence[AnswerVerdict], how: Resampling) -> Iterator[OrderCheck]:
    """Each judge against itself, about the same graph in another order; of the controls among `answers`."""
    judges = dict.fromkeys(each.judge for each in answers)
    by: dict[tuple[str, str], dict[tuple[str, int], ScoredAnswer]] = {}
    for answer in answers:
        for each in scored_answers([answer]) if answer.control else ():
            about = each.answer.replace(answer.control, "", 1)  # a control's key begins with its kind
            by.setdefault((each.judge, answer.control), {})[about, each.repeat] = each
    for judge in judges:
        for control, against in SAME_GRAPH.items():
            ours, theirs = by.get((judge, control), {}), by.get((judge, against), {})
            shared = [key for key in ours if key in theirs]
            if shared:
                apart = np.array([ours[key].f1 - theirs[key].f1 for key in shared])
                mean = mean_of(apart, [ours[key].sample for key in shared], how)
                yield OrderCheck(judge, control, against, mean, float(np.abs(apart).max()))
            elif ours:
                yield OrderCheck(judge, control, against, undefined(NO_TWIN.format(control, against), 0), None)
