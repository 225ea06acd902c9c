"""Tables of judged answers, from tallies alone: scores of models, how judges agree, and how far each can be believed.

A row is of one model, one variant of its answers and one judge. Its counts say how many answers were asked for and what
each counts for: unparsable and empty answers score 0, and so do refused, truncated and failed ones; an answer that was
not judged whole has no score.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from core.estimate import Estimate, undefined
from core.runs.answer_counts import AnswerCounts
from core.scoring.interval import Resampling, resampled_sums, with_interval
from core.verdicts.judged import (
    COLUMNS,
    AnswerVariant,
    AnswerVerdict,
    JudgedSection,
    by_variant,
    counts_of,
    values_of,
)
from core.verdicts.labels import Section
from core.verdicts.pairs import JudgePair, pairs_of
from core.words import counted

Array = NDArray[np.float64]
NOT_CHECKED = "not checked"


@dataclass(frozen=True, slots=True)
class Patterns:
    """Error analysis of predicted edges, shares of all of them and of those that the graph matches (ReCITE, Table 23
    prints the former and its caption says the latter). `edges`, `matched`: how many there are."""

    edges: int
    matched: int
    graph_match: Estimate
    of_all: Mapping[str, Estimate]
    of_matched: Mapping[str, Estimate]


@dataclass(frozen=True, slots=True)
class ModelScores:
    """One model's answers of one variant before one judge: means over the answers that count, by (form, figure)."""

    variant: AnswerVariant
    judge: str
    judged: str
    counts: AnswerCounts
    means: Mapping[tuple[str, str], Estimate]
    patterns: Patterns

    @property
    def key(self) -> tuple[AnswerVariant, str, str]:
        return self.variant, self.judge, self.judged


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlScores:
    """One control of one judge. `counts`: of its answers; `planted`: labels that it is about; `errors`: the share of
    these that are wrong, with an interval over samples; `pairs`: (expected, given) → how often, of all labels."""

    judge: str
    control: str
    counts: AnswerCounts
    planted: int
    errors: Estimate
    pairs: Mapping[tuple[str, str], int]


@dataclass(frozen=True, slots=True)
class JudgeCheck:
    """Result of a judge's controls.

    Attributes:
        worst: the largest share of wrong labels in a control, 0–1; None where no control was asked
        control: the control with that share
    """

    judge: str
    worst: float | None = None
    control: str = ""

    def words(self, limit: float) -> str:
        """Return the words shown with each score of the judge. `limit`: a larger share counts as failed.

        >>> JudgeCheck("a").words(0.1), JudgeCheck("a", 0.25, "turned").words(0.1)
        ('not checked', '25% wrong in control “turned”')
        >>> JudgeCheck("a", 0.02, "copy").words(0.1), JudgeCheck("a", 0.0, "copy").words(0.1)
        ('checked: at most 2% wrong', 'checked: no label wrong')
        """
        if self.worst is None:
            return NOT_CHECKED
        if self.worst > limit:
            return f"{self.worst:.0%} wrong in control “{self.control}”"
        return f"checked: at most {self.worst:.0%} wrong" if self.worst else "checked: no label wrong"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeTables:
    models: tuple[ModelScores, ...]
    controls: tuple[ControlScores, ...]
    checks: Mapping[str, JudgeCheck]
    pairs: Mapping[AnswerVariant, tuple[JudgePair, ...]]
    sections: Mapping[str, int] = field(default_factory=dict)
    """Status → how many sections, of answers and controls."""


def judge_tables(found: Sequence[JudgedSection], answers: Sequence[AnswerVerdict], how: Resampling) -> JudgeTables:
    """All tables. `answers`: those of `found` (`answers_of`), and those that no judge is asked about."""
    real = by_variant([each for each in answers if not each.control], lambda each: each.variant)
    by_model: dict[tuple[AnswerVariant, str, str], list[AnswerVerdict]] = {}
    for variant, of_variant in real.items():
        for each in of_variant:
            by_model.setdefault((variant, each.judge, each.judged), []).append(each)
    controls = _controls([each for each in answers if each.control], how)
    judges = tuple(dict.fromkeys(each.judge for each in answers))
    return JudgeTables(
        models=tuple(_model(*key, of_model, how) for key, of_model in by_model.items()),
        controls=controls,
        checks={judge: _check(judge, controls) for judge in judges},
        pairs={variant: pairs_of(of_variant, judges, how) for variant, of_variant in real.items()},
        sections=dict(Counter(each.status.value for each in found)),
    )


# --- models --------------------------------------------------------------------------------------------------------


def _model(
    variant: AnswerVariant, judge: str, judged: str, answers: Sequence[AnswerVerdict], how: Resampling
) -> ModelScores:
    scored = [(each, values_of(each.scores)) for each in answers if each.scores is not None]
    rows = np.array([row for _each, row in scored], dtype=np.float64).reshape(len(scored), len(COLUMNS))
    means = dict(zip(COLUMNS, _means(rows, [each.paper for each, _row in scored], how), strict=True))
    patterns = _patterns([each for each, _row in scored])
    return ModelScores(variant, judge, judged, counts_of(answers), means, patterns)


def _means(rows: Array, papers: Sequence[str], how: Resampling) -> list[Estimate]:
    """Return the mean of each column over the rows where it is defined, with its interval over papers. NaN marks an
    undefined value, within this module only."""
    there = ~np.isnan(rows)
    many = there.sum(axis=0)
    sums = np.where(there, rows, 0.0)
    number: dict[str, int] = {}
    places = [number.setdefault(paper, len(number)) for paper in papers]
    clusters = np.zeros((len(number), 2 * rows.shape[1]))
    np.add.at(clusters, places, np.hstack([sums, there.astype(np.float64)]))
    bounds = _bounds(clusters, rows.shape[1], how) if len(number) > 1 else None
    found = []
    for column, n in enumerate(many.tolist()):
        if not n:
            why = "no answer was judged whole" if not len(rows) else "it is defined in no answer"
            found.append(undefined(why, 0))
            continue
        left = len(rows) - n
        note = f"undefined in {counted(left, 'answer')}" if left else ""
        low, high = bounds[column] if bounds is not None else (None, None)
        value = float(sums[:, column].sum() / n)
        found.append(Estimate(value, low=low, high=high, n=n, reason=note))
    return found


def _bounds(clusters: Array, columns: int, how: Resampling) -> list[tuple[float | None, float | None]]:
    drawn = resampled_sums(clusters, how)
    with np.errstate(invalid="ignore", divide="ignore"):
        ratios = drawn[:, :columns] / drawn[:, columns:]
    tail = (1 - how.share) / 2
    bounds = np.full((2, columns), np.nan)
    fit = ~np.isnan(ratios).any(axis=0)
    if fit.any():
        bounds[:, fit] = np.quantile(ratios[:, fit], [tail, 1 - tail], axis=0)
    return [
        (None, None) if np.isnan(low) else (float(low), float(high))
        for low, high in zip(bounds[0].tolist(), bounds[1].tolist(), strict=True)
    ]


def _patterns(answers: Sequence[AnswerVerdict]) -> Patterns:
    tallies = [each.tallies[Section.EDGE_PRECISION] for each in answers if Section.EDGE_PRECISION in each.tallies]
    edges, matched = sum(each.listed for each in tallies), sum(each.matched for each in tallies)

    def share(name: str, of: int) -> Estimate:
        if not of:
            return undefined("there is no such edge", 0)
        return Estimate(sum(getattr(each.patterns, name) for each in tallies) / of, n=of)

    names = ("correct", "reversed", "supported")
    return Patterns(
        edges,
        matched,
        Estimate(matched / edges, n=edges) if edges else undefined("no edge was judged", 0),
        {name: share(name, edges) for name in names},
        {name: share(f"matched_{name}", matched) for name in names},
    )


# --- judges --------------------------------------------------------------------------------------------------------


def _controls(answers: Sequence[AnswerVerdict], how: Resampling) -> tuple[ControlScores, ...]:
    grouped: dict[tuple[str, str], list[AnswerVerdict]] = {}
    for each in answers:
        grouped.setdefault((each.judge, each.control), []).append(each)
    return tuple(_control(judge, kind, those, how) for (judge, kind), those in grouped.items())


def _control(judge: str, kind: str, answers: Sequence[AnswerVerdict], how: Resampling) -> ControlScores:
    """Sections that were read whole count, also of answers that were not judged whole."""
    pairs: Counter[tuple[str, str]] = Counter()
    rows, papers = [], []
    for answer in answers:
        for section in answer.sections.values():
            pairs.update(section.pairs)
            if section.planted:
                rows.append((float(section.wrong), float(section.planted)))
                papers.append(section.paper)
    sums = np.array(rows, dtype=np.float64).reshape(len(rows), 2)
    wrong, planted = sums.sum(axis=0).tolist()
    errors = (
        with_interval(Estimate(wrong / planted, n=int(planted)), sums, _ratio, how, papers)
        if planted
        else undefined("no label was read", 0)
    )
    return ControlScores(
        judge=judge, control=kind, counts=counts_of(answers), planted=int(planted), errors=errors, pairs=dict(pairs)
    )


def _ratio(sums: Array) -> Array:
    return sums[:, 0] / sums[:, 1]


def _check(judge: str, controls: Sequence[ControlScores]) -> JudgeCheck:
    read = [each for each in controls if each.judge == judge and each.errors.value is not None]
    if not read:
        return JudgeCheck(judge)
    worst = max(read, key=lambda each: each.errors.value or 0.0)
    return JudgeCheck(judge, worst.errors.value, worst.control)
