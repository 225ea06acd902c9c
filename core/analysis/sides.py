"""Sides of a comparison: the score they are compared by, their mean scores of each question, and one against others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from core.analysis.columns import ItemColumns, Numbers
from core.analysis.groupings import Grouping, task_name
from core.analysis.items import ResultItem
from core.analysis.metrics import Array, Metric
from core.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

    from core.scoring.paired import Paired

SURE = 0.05
"""A side is better where p, corrected for the number of its comparisons, is below."""
BY_TASK = Grouping("task", "Task", lambda item: [task_name(item.task)])
BY_VARIANT = Grouping("variant", "Variant", lambda item: [item.variant_words])
BY_TASK_AND_VARIANT = Grouping(
    "condition", "Condition", lambda item: [", ".join(filter(None, (task_name(item.task), item.variant_words)))]
)

ALL_QUESTIONS = Grouping("questions", "Questions", lambda item: ["all questions"])

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """A score, higher for better, by which two sides are compared question by question.

    Attributes:
        metric: the mean of this score; it selects the items
        value: returns the score of an item that is in the mean
        apart: models are compared within each of its labels
        whole: before that, they are compared within each of these, over all of `apart`
        within: variants are compared within each of its labels, by each grouping of `varied`
    """

    metric: Metric
    value: Callable[[ResultItem], float]
    apart: Grouping = BY_TASK_AND_VARIANT
    whole: Grouping = ALL_QUESTIONS
    within: Grouping = BY_TASK
    varied: tuple[Grouping, ...] = (BY_VARIANT,)

    def has_sides(self, items: ItemColumns) -> bool:
        """Return whether there may be two sides with a score."""
        inside = [kind for kind in items.kinds if self.metric.covers(kind) and self.metric.is_in(kind)]
        sides = {(kind.run, kind.model, *(tuple(each.of(kind)) for each in self.varied)) for kind in inside}
        return len(sides) > 1 or bool(inside and items.repeats.any())


def answers_of(items: ItemColumns, of: Compared, rows: Grouping) -> pd.DataFrame:
    """Return the answers that a score covers, in their order. Columns: kind (a number), model, repeat, value (NaN
    without a score), unit, question and pair."""
    import pandas as pd

    are_in = of.metric.are_in(items.kinds).tolist()
    values = [of.value(kind) if is_in else np.nan for kind, is_in in zip(items.kinds, are_in, strict=True)]
    return pd.DataFrame(
        {
            "kind": items.numbers,
            "model": items.labels(rows),
            "repeat": items.repeats,
            "value": np.array(values, dtype=np.float64)[items.numbers],
            "unit": items.units,
            "question": items.questions,
            "pair": items.pairs,
        }
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SideMeans:
    """Attributes:
    names: of sides, by number
    side, key: numbers of each answer's side and question
    is_scored: of each answer
    means: sides x questions, NaN without a score
    units: what an interval draws with each question
    """

    names: pd.Index[Any]
    side: Numbers
    key: Numbers
    is_scored: Array
    means: Array
    units: Array

    @classmethod
    def of(cls, answers: pd.DataFrame) -> SideMeans:
        """`answers` have a `side` and a `key`, equal for the same question."""
        import pandas as pd

        side, names = pd.factorize(answers["side"])
        key, _ = pd.factorize(answers["key"])
        value = answers["value"].to_numpy()
        is_scored = ~np.isnan(value)
        shape = len(names), int(key.max()) + 1
        at = (side * shape[1] + key)[is_scored]
        sums, counts = (np.bincount(at, each, np.prod(shape)).reshape(shape) for each in (value[is_scored], None))
        means = np.divide(sums, counts, out=np.full(shape, np.nan), where=counts > 0)
        units = answers["unit"].to_numpy()[np.unique(key, return_index=True)[1]]
        return cls(names=names, side=side, key=key, is_scored=is_scored, means=means, units=units)

    def both(self, pair: Pair) -> tuple[Any, Any, Any]:
        """The scores of both sides of a pair, and their questions."""
        one, two = (self.means[self.names.get_loc(each)] for each in pair)
        both = np.flatnonzero(~np.isnan(one - two))
        return one[both], two[both], both

    def paired(self, pair: Pair) -> Paired | None:
        """None without a question on which both have a score, and without a side."""
        from core.scoring.paired import paired

        if not set(pair) <= set(self.names):
            return None
        first, second, both = self.both(pair)
        return paired(first, second, self.units[both].tolist()) if len(both) else None


def corrected_ps(results: Mapping[str, Paired]) -> dict[str, float]:
    """Return p corrected for all pairs that have one."""
    from core.scoring.paired import holm

    known = {label: p for label, each in results.items() if (p := own_p(each)) is not None}
    return dict(zip(known, holm(list(known.values())), strict=True))


def corrected_p(result: Paired, corrected: float | None) -> Estimate:
    return replace(result.p if corrected is None else Estimate(corrected), n=result.n)


def own_p(result: Paired) -> float | None:
    """Return p of the t distribution, or of the sign test where all differences are equal and have none."""
    return result.sign_p.value if result.p.value is None and result.clusters > 1 else result.p.value
