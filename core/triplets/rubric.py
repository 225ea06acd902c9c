"""Acceptance of triplets by their critics' scores, computed in whole numbers, because means of thirds do not add up.
Three critics' means summed as floats give 14.999999999999998 or 15.000000000000002 for 15, and verdicts flip."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from core.errors import BadInput
from core.triplets.criteria import HIGHEST, Criterion, words_of
from core.words import quoted

LEAST_MEAN = 2  # of every criterion, over critics
LEAST_TOTAL = 15  # of the sum of the six means

Scores = Mapping[str, int | None]  # by criterion; None or absent = not given


class Boundary(StrEnum):
    """Treatment of a total of exactly 15: the paper keeps it, the released README removes it."""

    GE = "ge"
    GT = "gt"


class Floor(StrEnum):
    """Requirement of 2 per criterion: for the critics' mean (the paper), or for every critic's score."""

    MEAN = "mean"
    ANY_CRITIC = "any-critic"


@dataclass(frozen=True, slots=True)
class FilterRule:
    """`critics`: the configured number; with fewer a triplet is not decided. Raises ValueError for none."""

    boundary: Boundary = Boundary.GE
    floor: Floor = Floor.MEAN
    critics: int = 3

    def __post_init__(self) -> None:
        if self.critics < 1:
            raise ValueError("at least one critic is needed")


@dataclass(frozen=True, slots=True)
class Gap:
    """A missing score: by whom, on what. `critic` is empty for a missing critic."""

    critic: str
    criterion: Criterion | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RubricDecision:
    retained: bool | None  # None, like `total`, while a score is missing
    total: Fraction | None  # the sum of the means, 0–18, exact
    means: Mapping[Criterion, Fraction | None]  # 0–3, exact; None if some critic did not score the criterion
    missing: tuple[Gap, ...]
    failing: tuple[Criterion, ...]  # criteria below 2
    is_on_boundary: bool  # the total is exactly 15
    reason: str  # the verdict in a sentence


def decide(critics: Mapping[str, Scores | None], rule: FilterRule | None = None) -> RubricDecision:
    """Accept or reject a triplet by the scores of its critics (name → criterion → 0–3; None = no answer at all).

    Accepted if every criterion's sum is at least 2 x critics (or every score at least 2: `Floor.ANY_CRITIC`) and all
    scores together are at least 15 x critics (`Boundary.GT`: more). EconCausal, appendix B.4. More critics than
    configured all count. Raises BadInput for an unknown criterion and for a score that is not 0, 1, 2 or 3.

    >>> two = dict.fromkeys(Criterion, 2)
    >>> decide({"a": two, "b": two, "c": two}).reason
    'rejected: the total 12 is below 15'
    """
    rule = rule or FilterRule()
    _check(critics)
    gaps = (
        Gap(critic, criterion)
        for critic, scores in critics.items()
        for criterion in Criterion
        if (scores or {}).get(criterion) is None
    )
    missing = (*gaps, *[Gap("")] * max(0, rule.critics - len(critics)))
    columns = {criterion: [(scores or {}).get(criterion) for scores in critics.values()] for criterion in Criterion}
    is_full = len(critics) >= rule.critics
    means = {criterion: _mean(column) if is_full else None for criterion, column in columns.items()}
    if missing:
        return RubricDecision(
            retained=None,
            total=None,
            means=means,
            missing=missing,
            failing=(),
            is_on_boundary=False,
            reason=f"incomplete: {_words_of(missing, rule.critics)}",
        )
    points = {criterion: [score or 0 for score in column] for criterion, column in columns.items()}
    return _decided(points, means, len(critics), rule)


def expert_decision(scores: Scores, boundary: Boundary = Boundary.GE) -> RubricDecision:
    """Return an expert's accept or reject, derived from their own six scores by the same rule with one rater."""
    return decide({"the expert": scores}, FilterRule(boundary, critics=1))


def on_boundary(decisions: Iterable[RubricDecision]) -> int:
    """Return the number of triplets with a total of exactly 15, which `Boundary` decides or could decide."""
    return sum(decision.is_on_boundary for decision in decisions)


def _decided(
    points: Mapping[Criterion, list[int]], means: Mapping[Criterion, Fraction | None], n: int, rule: FilterRule
) -> RubricDecision:
    everyone = rule.floor is Floor.ANY_CRITIC
    failing = tuple(
        criterion
        for criterion, column in points.items()
        if (min(column) < LEAST_MEAN if everyone else sum(column) < LEAST_MEAN * n)
    )
    reached, needed = sum(map(sum, points.values())), LEAST_TOTAL * n
    is_enough = reached > needed if rule.boundary is Boundary.GT else reached >= needed
    total = Fraction(reached, n)
    if failing or not is_enough:
        why = [_failing_in_words(criterion, points[criterion], everyone) for criterion in failing]
        if not is_enough:
            why.append(f"the total {_decimal(total)} is {'not above' if reached == needed else 'below'} {LEAST_TOTAL}")
        reason = f"rejected: {'; '.join(why)}"
    else:
        reason = f"accepted: every criterion reaches {LEAST_MEAN}, and the total is {_decimal(total)}"
    return RubricDecision(
        retained=not failing and is_enough,
        total=total,
        means=means,
        missing=(),
        failing=failing,
        is_on_boundary=reached == needed,
        reason=reason,
    )


def _check(critics: Mapping[str, Scores | None]) -> None:
    known = set(Criterion)
    for critic, scores in critics.items():
        for criterion, score in (scores or {}).items():
            if criterion not in known:
                raise BadInput(
                    f"Critic {critic}: {quoted(criterion)} is not a criterion; they are {', '.join(Criterion)}."
                )
            if score is not None and (type(score) is not int or not 0 <= score <= HIGHEST):
                raise BadInput(
                    f"Critic {critic}, {criterion}: found {score!r}; expected a whole number from 0 to {HIGHEST}."
                )


def _mean(column: list[int | None]) -> Fraction | None:
    scores = [score for score in column if score is not None]
    return Fraction(sum(scores), len(scores)) if scores and len(scores) == len(column) else None


def _words_of(missing: tuple[Gap, ...], configured: int) -> str:
    absent = sum(not gap.critic for gap in missing)
    sentences = [f"{absent} of {configured} critics {'is' if absent == 1 else 'are'} missing"] if absent else []
    by_critic: dict[str, list[str]] = {}
    for gap in missing:
        if gap.criterion is not None:
            by_critic.setdefault(gap.critic, []).append(gap.criterion)
    for critic, criteria in by_critic.items():
        what = "any criterion" if len(criteria) == len(Criterion) else ", ".join(map(words_of, criteria))
        sentences.append(f"{critic} did not score {what}")
    return "; ".join(sentences)


def _failing_in_words(criterion: Criterion, column: list[int], everyone: bool) -> str:
    if everyone:
        low = sum(score < LEAST_MEAN for score in column)
        return f"{criterion.words} has {low} of {len(column)} scores below {LEAST_MEAN}"
    if len(column) == 1:
        return f"{criterion.words} has {column[0]}, below {LEAST_MEAN}"
    return f"{criterion.words} has a mean of {_decimal(Fraction(sum(column), len(column)))}, below {LEAST_MEAN}"


def _decimal(number: Fraction) -> str:
    """Format whole numbers as they are; others to two decimals, cut where rounding would make them whole: 14.999 is
    14.99.

    >>> _decimal(Fraction(5, 3)), _decimal(Fraction(14999, 1000))
    ('1.67', '14.99')
    """
    if number.denominator == 1:
        return str(number.numerator)
    cents = (number.numerator * 200 + number.denominator) // (2 * number.denominator)
    if cents % 100 == 0:
        cents = number.numerator * 100 // number.denominator
    return f"{cents // 100}.{cents % 100:02d}"
