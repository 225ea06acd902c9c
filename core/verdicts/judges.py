"""Judge against judge: scores and labels of the same answers, families of the judged models, and each judge against
itself, asked again and about the same graph in another order (ReCITE, Tables 7 to 9).

`Scores` are rows of the frame of results: answers and controls that a judge judged whole, with overall F1 in the form
*default*. Intervals draw the frame's clusters.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations, product
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.estimate import Estimate, undefined
from core.runs.answer_counts import AnswerCounts
from core.scoring.interval import Resampling, mean_estimate, with_interval
from core.verdicts.agreement import FieldAgreement, Place, field_agreement
from core.verdicts.families import OwnFamily, family_bias
from core.verdicts.judged import F1, Judged
from core.verdicts.labels import Section
from core.verdicts.review import fields_of
from core.verdicts.verdict import SectionVerdict, VerdictItem

if TYPE_CHECKING:
    import pandas as pd

Array = NDArray[np.float64]
APART_BY_CHANCE = 1e-12
"""Variances below it are of equal scores, summed with rounding."""
SAME_GRAPH: Mapping[str, str] = {"shuffled": "copy", "ordering": "naming"}
"""A control → the one that has the same labels due: numbered otherwise, and without an order to the judge in a text
that names the same nodes."""
NO_FAMILY = "the model card of {judge} names no family"
NO_TWIN = "no sample has whole verdicts of both controls, {} and {}"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgePair:
    """Two judges on the `n` answers that both judged whole, of those that were `asked`: Pearson's r, and the mean and
    population standard deviation of the first minus the second; intervals over samples."""

    first: str
    second: str
    n: int
    asked: int
    r: Estimate
    difference: Estimate
    sd: float | None

    @property
    def counts(self) -> AnswerCounts:
        """An answer that one of them did not judge whole is left out."""
        return AnswerCounts(asked=self.asked, scored=self.n, left_out=self.asked - self.n)


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


def scores_of(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows of answers and controls that were judged whole and have an F1."""
    if F1 not in frame.columns:
        return frame.iloc[:0].assign(**{F1: []})
    return frame[(frame["judge_status"] == Judged.WHOLE.value) & frame[F1].notna()]


def compare_judges(
    frame: pd.DataFrame,
    labels: Iterable[JudgedLabels],
    families: Mapping[str, str],
    how: Resampling,
) -> JudgesCompared:
    """All comparisons of the judges of answers of one variant, which are rows of the frame of results. `families`:
    model, judge or judged → its family, empty where it is not known."""
    judges = tuple(frame["judge"].unique())
    asked, scores, said = frame["item"].nunique(), scores_of(frame), _items(labels)
    of_all = scores[scores.groupby("item", observed=True)["judge"].transform("nunique") == len(judges)]
    return JudgesCompared(
        judges=judges,
        shared=_every_pair(scores, judges, how, asked),
        by_all=_every_pair(of_all, judges, how, asked),
        answers_by_all=of_all["item"].nunique(),
        labels={(one, other): _labels(said, one, other, how) for one, other in combinations(judges, 2)},
        families=tuple(_families(scores, judges, families, how)),
        own=tuple(_own(scores, judges, families, how)),
        without_family=tuple(model for model in scores["model"].unique() if not families.get(model)),
        repeats=tuple(_repeats(scores, said, judges, how)),
    )


# --- scores --------------------------------------------------------------------------------------------------------


def both_judged(scores: pd.DataFrame, first: str, second: str) -> pd.DataFrame:
    """The answers that both judged whole, in the order of the first judge, with the scores of both and `apart`, that
    of the first less that of the second. Of a judge's repeated verdicts on an answer the first counts."""
    once = scores.sort_values("repeat", kind="stable").drop_duplicates(["judge", "item"]).sort_index()
    one, other = (once.loc[once["judge"] == judge, ["item", "model", "cluster", F1]] for judge in (first, second))
    both = one.merge(other[["item", F1]], on="item", suffixes=("", "_other"))
    return both.assign(apart=both[F1] - both[f"{F1}_other"])


def _every_pair(
    scores: pd.DataFrame, judges: Sequence[str], how: Resampling | None, asked: int
) -> tuple[JudgePair, ...]:
    return tuple(pair_of(scores, one, other, how, asked) for one, other in combinations(judges, 2))


def pair_of(scores: pd.DataFrame, first: str, second: str, how: Resampling | None, asked: int) -> JudgePair:
    """Compare two judges on the answers that both have. `asked`: how many answers there are, judged or not."""
    both = both_judged(scores, first, second)
    if both.empty:
        none = undefined("no answer was judged by both", 0)
        return JudgePair(first=first, second=second, n=0, asked=asked, r=none, difference=none, sd=None)
    pairs = both[[F1, f"{F1}_other"]].to_numpy(dtype=np.float64)
    if len(both) < 3 or np.ptp(pairs[:, 0]) == 0 or np.ptp(pairs[:, 1]) == 0:
        r = undefined("a correlation needs three answers, and scores that differ", len(both))
    else:
        value = float(np.clip(np.corrcoef(pairs.T)[0, 1], -1.0, 1.0))
        r = with_interval(Estimate(value, n=len(both)), _moments(pairs), _pearson, how, both["cluster"].tolist())
    return JudgePair(
        first=first,
        second=second,
        n=len(both),
        asked=asked,
        r=r,
        difference=_mean(both, how),
        sd=float(both["apart"].std(ddof=0)),
    )


def _mean(both: pd.DataFrame, how: Resampling | None) -> Estimate:
    """The mean of `apart`."""
    return mean_estimate(both["apart"].to_numpy(dtype=np.float64), both["cluster"].tolist(), how)


def _moments(scores: Array) -> Array:
    """Answers x (1, x, y, xx, yy, xy), with means taken off so that nothing is lost to rounding."""
    x, y = (scores - scores.mean(axis=0)).T
    return np.column_stack([np.ones(len(x)), x, y, x * x, y * y, x * y])


def _pearson(sums: Array) -> Array:
    n, x, y, xx, yy, xy = sums.T
    spread = (xx - x * x / n, yy - y * y / n)
    with np.errstate(invalid="ignore", divide="ignore"):
        r = (xy - x * y / n) / np.sqrt(spread[0] * spread[1])
    return np.where((spread[0] > APART_BY_CHANCE) & (spread[1] > APART_BY_CHANCE), np.clip(r, -1.0, 1.0), np.nan)


# --- families ------------------------------------------------------------------------------------------------------


def _families(
    scores: pd.DataFrame, judges: Sequence[str], families: Mapping[str, str], how: Resampling
) -> Iterator[FamilyRow]:
    for one, other in combinations(judges, 2):
        both = both_judged(scores, one, other)
        for family, rows in both.groupby(both["model"].astype(object).map(lambda model: families.get(model, ""))):
            if family:
                yield FamilyRow(one, other, str(family), _mean(rows, how))


def _own(
    scores: pd.DataFrame, judges: Sequence[str], families: Mapping[str, str], how: Resampling
) -> Iterator[OwnFamily]:
    """Each judge against each of another family: of the same family's, both would be partial alike."""
    for judge, other in permutations(judges, 2):
        family = families.get(judge, "")
        if not family:
            none = undefined(NO_FAMILY.format(judge=judge))
            yield OwnFamily(
                judge=judge, other=other, family="", own=none, others=none, bias=none, p=none, adjusted=none
            )
        elif families.get(other) != family:
            yield family_bias(judge, other, family, both_judged(scores, judge, other), families, how)


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


def _labels(said: _Said, first: str, second: str, how: Resampling) -> dict[Place, FieldAgreement]:
    one, other = said.get((first, 0), {}), said.get((second, 0), {})
    shared = [key for key in one if key in other]
    return field_agreement(
        [(one[key][0], other[key][0]) for key in shared],
        [section for _answer, section, _number in shared],
        how,
        [one[key][1] for key in shared],
    )


# --- a judge against itself ----------------------------------------------------------------------------------------


def _repeats(scores: pd.DataFrame, said: _Said, judges: Sequence[str], how: Resampling) -> Iterator[RepeatCheck]:
    for judge in judges:
        own = scores[scores["judge"] == judge]
        first = own.loc[own["repeat"] == 0, ["item", F1]]
        later = own[own["repeat"] > 0].merge(first, on="item", suffixes=("", "_first"))
        shares, samples, items = list[float](), list[str](), 0
        once = said.get((judge, 0), {})
        again = (pair for (name, repeat), found in said.items() if name == judge and repeat for pair in found.items())
        for key, (item, sample) in again:
            if key in once:
                labels = once[key][0].labels
                fields = [place for place in fields_of(key[1]) if place in labels and place in item.labels]
                shares += [float(labels[place] == item.labels[place]) for place in fields]
                samples += [sample] * len(fields)
                items += 1
        if len(later) or items:
            yield RepeatCheck(
                judge=judge,
                answers=later["item"].nunique(),
                apart=_mean(later.assign(apart=(later[F1] - later[f"{F1}_first"]).abs()), how),
                items=items,
                equal=mean_estimate(np.array(shares), samples, how),
            )


def order_checks(frame: pd.DataFrame, how: Resampling) -> Iterator[OrderCheck]:
    """Each judge against itself, about the same graph in another order: of the controls among rows of the frame, whose
    `sample` is the same for all controls of a graph."""
    scores = scores_of(frame[frame["kind"] == "control"])
    for judge, (control, against) in product(scores["judge"].unique(), SAME_GRAPH.items()):
        one, other = (
            scores[(scores["judge"] == judge) & (scores["fact.control"] == kind)] for kind in (control, against)
        )
        both = one.merge(other[["sample", "repeat", F1]], on=["sample", "repeat"], suffixes=("", "_other"))
        both = both.assign(apart=both[F1] - both[f"{F1}_other"])
        if len(both):
            yield OrderCheck(judge, control, against, _mean(both, how), float(both["apart"].abs().max()))
        elif len(one):
            yield OrderCheck(judge, control, against, undefined(NO_TWIN.format(control, against), 0), None)
