"""Two judges on the same answers: how their scores go together, and by how much one is above the other (ReCITE, Tables
7 and 8)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from core.estimate import Estimate, undefined
from core.runs.answer_counts import AnswerCounts
from core.scoring.interval import Resampling, with_interval
from core.verdicts.judged import HEADLINE, AnswerVerdict, Judged

Array = NDArray[np.float64]
APART_BY_CHANCE = 1e-12
"""Variances below it are of equal scores, summed with rounding."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredAnswer:
    """The overall F1 in the form *default* of an answer that a judge judged whole. `sample`: drawn again as a whole."""

    judge: str
    judged: str
    sample: str
    answer: str
    f1: float
    repeat: int = 0


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


def scored_answers(answers: Iterable[AnswerVerdict]) -> list[ScoredAnswer]:
    """Answers that were judged whole and have an F1; none that counts as 0 without a judge."""
    found = []
    for each in answers:
        value = None if each.scores is None else getattr(getattr(each.scores, HEADLINE[0]), HEADLINE[1]).value
        if value is not None and each.state is Judged.WHOLE:
            found.append(
                ScoredAnswer(
                    judge=each.judge,
                    judged=each.judged,
                    sample=each.paper,
                    answer=each.answer,
                    f1=value,
                    repeat=each.repeat,
                )
            )
    return found


def pairs_of(answers: Sequence[AnswerVerdict], judges: Sequence[str], how: Resampling | None) -> tuple[JudgePair, ...]:
    """Every two of `judges` on answers of one variant."""
    return every_pair(scored_answers(answers), judges, how, len({each.answer for each in answers}))


def every_pair(
    scored: Sequence[ScoredAnswer], judges: Sequence[str], how: Resampling | None, asked: int
) -> tuple[JudgePair, ...]:
    """Every two of `judges`, in their order. `asked`: how many answers there are, judged or not."""
    return tuple(pair_of(scored, one, other, how, asked) for one, other in combinations(judges, 2))


def judged_by_all(scored: Sequence[ScoredAnswer], judges: Sequence[str]) -> list[ScoredAnswer]:
    """Return the answers that all of `judges` judged whole."""
    by: dict[str, set[str]] = {}
    for each in scored:
        by.setdefault(each.answer, set()).add(each.judge)
    return [each for each in scored if by[each.answer] >= set(judges)]


def shared_answers(scored: Iterable[ScoredAnswer], first: str, second: str) -> list[tuple[ScoredAnswer, ScoredAnswer]]:
    """Answers that both judged whole; of a judge's repeated verdicts on one the first counts."""
    of: dict[str, dict[str, ScoredAnswer]] = {first: {}, second: {}}
    for each in scored:
        if each.judge in of:
            kept = of[each.judge].setdefault(each.answer, each)
            if each.repeat < kept.repeat:
                of[each.judge][each.answer] = each
    return [(each, of[second][answer]) for answer, each in of[first].items() if answer in of[second]]


def pair_of(scored: Sequence[ScoredAnswer], first: str, second: str, how: Resampling | None, asked: int) -> JudgePair:
    """Compare two judges on the answers that both have."""
    shared = shared_answers(scored, first, second)
    if not shared:
        none = undefined("no answer was judged by both", 0)
        return JudgePair(first=first, second=second, n=0, asked=asked, r=none, difference=none, sd=None)
    scores = np.array([(one.f1, other.f1) for one, other in shared])
    samples = [one.sample for one, _other in shared]
    apart = scores[:, 0] - scores[:, 1]
    if len(shared) < 3 or np.ptp(scores[:, 0]) == 0 or np.ptp(scores[:, 1]) == 0:
        r = undefined("a correlation needs three answers, and scores that differ", len(shared))
    else:
        value = float(np.clip(np.corrcoef(scores.T)[0, 1], -1.0, 1.0))
        r = with_interval(Estimate(value, n=len(shared)), _moments(scores), _pearson, how, samples)
    return JudgePair(
        first=first,
        second=second,
        n=len(shared),
        asked=asked,
        r=r,
        difference=mean_of(apart, samples, how),
        sd=float(apart.std()),
    )


def mean_of(values: Array, samples: Sequence[str], how: Resampling | None) -> Estimate:
    """A mean with its interval over samples; undefined without a value."""
    if not len(values):
        return undefined("there is no such answer", 0)
    sums = np.column_stack([values, np.ones(len(values))])
    found = Estimate(float(values.mean()), n=len(values), sd=float(values.std()))
    return with_interval(found, sums, lambda drawn: drawn[:, 0] / drawn[:, 1], how, samples)


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
