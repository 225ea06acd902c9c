"""Two sides on the same questions: models and runs, variants, and repeats in pairs, and which model is better."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import TYPE_CHECKING, Any

import numpy as np

from core.analysis.columns import ItemColumns, Numbers
from core.analysis.groupings import MINUS, Grouping, crossed, models, task_name
from core.analysis.items import ResultItem
from core.analysis.metrics import COUNT, NUMBER, POINTS, PROBABILITY, RANK, SHARE, Array, Figure, Metric
from core.analysis.tables import ResultCell, ResultTable, counts_of, described
from core.estimate import Estimate, undefined
from core.runs.answer_counts import AnswerCounts
from core.runs.states import ItemStatus

if TYPE_CHECKING:
    import pandas as pd

    from core.scoring.paired import Paired

SURE = 0.05
"""A side is better where p, corrected for the number of pairs in the table, is below."""
NO_PAIR = "no question has a score of both"
THE_SAME = "the same model"
BY_TASK = Grouping("task", "Task", lambda item: [task_name(item.task)])
BY_VARIANT = Grouping("variant", "Variant", lambda item: [item.variant_words])
BY_TASK_AND_VARIANT = Grouping(
    "condition", "Condition", lambda item: [", ".join(filter(None, (task_name(item.task), item.variant_words)))]
)

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """A score, higher for better, by which two sides are compared question by question.

    Attributes:
        metric: the mean of this score; it selects the items
        value: returns the score of an item that is in the mean
        apart: models are compared within each of its labels
        within: variants are compared within each of its labels, by each grouping of `varied`
    """

    metric: Metric
    value: Callable[[ResultItem], float]
    apart: Grouping = BY_TASK_AND_VARIANT
    within: Grouping = BY_TASK
    varied: tuple[Grouping, ...] = (BY_VARIANT,)

    def has_sides(self, items: ItemColumns) -> bool:
        """Return whether there may be two sides with a score."""
        inside = [kind for kind in items.kinds if self.metric.covers(kind) and self.metric.is_in(kind)]
        sides = {(kind.run, kind.model, *(tuple(each.of(kind)) for each in self.varied)) for kind in inside}
        return len(sides) > 1 or bool(inside and items.repeats.any())


def comparisons(
    items: ItemColumns, of: Compared, order: Sequence[str] = (), by: Grouping | None = None
) -> Iterator[ResultTable]:
    """Yield the tables of a score: models, runs among them, in pairs for each condition, and of three or more which is
    better; then variants, and repeats, in pairs for each model. The same question has the same sample; in two variants
    the same `pair`. Several answers of one side to a question count as their mean. `order`: of the models; `by`: groups
    within which models are compared, in place of variants and repeats."""
    covered = items.where(of.metric.covers)
    if len(covered):
        answers = _Answers(covered, of, models(covered.kinds, order))
        apart = of.apart if by is None else crossed(of.apart, by)
        yield from answers.by_model(apart)
        if by is None:
            for varied in of.varied:
                yield from answers.by_variant(varied)
            yield from answers.by_repeat(apart)


class _Answers:
    """The answers that a score covers, as rows in their order: kind, model, repeat, value, unit, question and pair."""

    def __init__(self, items: ItemColumns, of: Compared, rows: Grouping) -> None:
        import pandas as pd

        self.items, self.of, self.rows = items, of, rows
        self.ids = np.array(items.ids, dtype=object)
        alike: dict[tuple[str, bool, bool], int] = {}  # in what `counts_of` counts
        self.alike = np.array(
            [alike.setdefault((kind.status, kind.is_asked_again, kind.is_empty), len(alike)) for kind in items.kinds]
        )
        self.examples = [items.kinds[place] for place in np.unique(self.alike, return_index=True)[1].tolist()]
        values = [of.value(kind) if of.metric.is_in(kind) else np.nan for kind in items.kinds]
        self.frame = pd.DataFrame(
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

    def by_model(self, apart: Grouping) -> Iterator[ResultTable]:
        for title, some, names in self._inside(apart):
            pairs = {MINUS.join(pair): pair for pair in combinations(names, 2)}
            if pairs:
                table = self._table(some.assign(side=some["model"], key=some["question"]), title, "Models", pairs)
                yield table
                if len(names) > 2:
                    yield _ranked(table, names, pairs)

    def by_variant(self, varied: Grouping) -> Iterator[ResultTable]:
        """Compare variants that differ in one grouping only."""
        kinds = self.items.kinds
        alike = [repr([each.of(kind) for each in self.of.varied if each is not varied]) for kind in kinds]
        alike_of = np.unique(alike, return_inverse=True)[1].astype(np.int64)[self.items.numbers]
        self.frame["variant"] = self.items.labels(varied)
        self.frame["key"] = self.frame["pair"].astype(np.int64) * len(kinds) + alike_of
        for title, some, names in self._inside(self.of.within):
            variants = varied.order(list(some["variant"].unique()))
            if len(variants) > 1:
                title = f"{title}, by {varied.title.lower()}"
                yield self._within_models(some, some["variant"], names, variants, title, varied.title)

    def by_repeat(self, apart: Grouping) -> Iterator[ResultTable]:
        for title, some, names in self._inside(apart):
            repeats = [f"repeat {number + 1}" for number in sorted(some["repeat"].unique())]
            if len(repeats) > 1:
                labels = "repeat " + (some["repeat"] + 1).astype(str)
                of_repeats = some.assign(key=some["question"])
                yield self._within_models(of_repeats, labels, names, repeats, f"{title}, by repeat", "Repeat")

    def _inside(self, grouping: Grouping) -> Iterator[tuple[str, pd.DataFrame, Sequence[str]]]:
        """Each label of a grouping with its answers, and the models that were asked in the order of tables."""
        kinds: dict[str, list[int]] = {}
        for number, kind in enumerate(self.items.kinds):
            for label in grouping.of(kind):
                kinds.setdefault(label, []).append(number)
        excluded = [kind.status == ItemStatus.EXCLUDED.value for kind in self.items.kinds]
        for label in grouping.order(list(kinds)):
            some = self.frame[self.frame["kind"].isin(kinds.get(label, ()))]
            is_asked = ~np.array(excluded)[some["kind"].to_numpy()]
            yield label, some, self.rows.order(list(some.loc[is_asked, "model"].unique()))

    def _within_models(
        self,
        answers: pd.DataFrame,
        labels: pd.Series[Any],
        names: Sequence[str],
        ordered: Sequence[str],
        title: str,
        varied: str,
    ) -> ResultTable:
        sides = answers.assign(side=answers["model"].astype(str) + ": " + labels.astype(str))
        known = set(sides["side"].unique())
        pairs = {
            f"{name}: {one}{MINUS}{two}": (f"{name}: {one}", f"{name}: {two}")
            for name, (one, two) in product(names, combinations(ordered, 2))
            if {f"{name}: {one}", f"{name}: {two}"} <= known
        }
        return self._table(sides, title, f"Model and {varied.lower()}", pairs)

    def _table(self, answers: pd.DataFrame, title: str, row_title: str, pairs: Mapping[str, Pair]) -> ResultTable:
        """A row for each pair of sides. `answers` have a `side` and a `key`, equal for the same question."""
        import pandas as pd

        from core.scoring.paired import are_equal, holm, paired

        side, names = pd.factorize(answers["side"])
        key, _ = pd.factorize(answers["key"])
        value = answers["value"].to_numpy()
        is_scored = ~np.isnan(value)
        shape = len(names), int(key.max()) + 1
        at = (side * shape[1] + key)[is_scored]
        sums, counts = (np.bincount(at, each, np.prod(shape)).reshape(shape) for each in (value[is_scored], None))
        means = np.divide(sums, counts, out=np.full(shape, np.nan), where=counts > 0)
        units = answers["unit"].to_numpy()[np.unique(key, return_index=True)[1]]
        results: dict[str, Paired | None] = {}
        opened: dict[str, Callable[[str, Estimate], ResultCell]] = {}
        for label, pair in pairs.items():
            one, two = (names.get_loc(each) for each in pair)
            both = np.flatnonzero(~np.isnan(means[one] - means[two]))
            first, second = means[one, both], means[two, both]
            results[label] = paired(first, second, units[both].tolist()) if len(both) else None
            signs = np.full(shape[1], np.nan)
            signs[both] = np.where(are_equal(first, second), 0.0, np.sign(first - second))
            rows = np.flatnonzero((side == one) | (side == two))
            of_rows = np.where(is_scored, signs[key], np.nan)[rows]
            opened[label] = self._opened(answers["kind"].to_numpy()[rows], answers.index.to_numpy()[rows], of_rows)
        known = {label: p for label, each in results.items() if each is not None and (p := _p(each)) is not None}
        corrected = dict(zip(known, holm(list(known.values())), strict=True))
        is_binary = all(each.mcnemar_p.value is not None for each in results.values() if each is not None)
        figures = _figures(self.of.metric, is_binary=is_binary)
        kinds = sorted(answers["kind"].unique().tolist())
        of_sides = [np.searchsorted(kinds, each.unique()).tolist() for _, each in answers.groupby("side")["kind"]]
        return ResultTable(
            title=f"{self.of.metric.title}: {title}",
            metric=replace(figures[0], name=f"paired:{self.of.metric.name}", title=self.of.metric.title),
            row_title=row_title,
            column_title="Figure",
            row_labels=tuple(pairs),
            column_labels=tuple(figure.title for figure in figures),
            cells={
                (label, figure.title): opened[label](
                    figure.name, _estimate(figure, results[label], corrected.get(label))
                )
                for label, figure in product(pairs, figures)
            },
            of=described(self.items.taken(kinds), of_sides),
            samples=shape[1],
            figures={figure.title: figure for figure in figures},
            is_of_pairs=True,
        )

    def _opened(self, kinds: Numbers, places: Numbers, signs: Array) -> Callable[[str, Estimate], ResultCell]:
        """Cells of a pair, which open the answers where its sides differ, or those that a number of questions is of.
        `signs`: which side is higher, NaN for an answer without a counterpart or a score; in the order of `places`."""
        is_in = ~np.isnan(signs)
        totals, inside = (np.bincount(self.alike[each], minlength=len(self.examples)) for each in (kinds, kinds[is_in]))
        counts = counts_of(self.examples, totals, inside)
        shown = {"wins": signs == 1, "losses": signs == -1, "ties": signs == 0, "n": is_in}
        ids = {name: tuple(self.ids[places[where]].tolist()) for name, where in shown.items()}
        differ = tuple(self.ids[places[is_in & (signs != 0)]].tolist())

        def cell(name: str, estimate: Estimate) -> ResultCell:
            return ResultCell(estimate=estimate, item_ids=ids.get(name, differ), **counts)

        return cell


def _p(result: Paired) -> float | None:
    """Return p of the t distribution, or of the sign test where all differences are equal and have none."""
    return result.sign_p.value if result.p.value is None and result.clusters > 1 else result.p.value


def _figures(metric: Metric, *, is_binary: bool) -> tuple[Figure, ...]:
    """The columns of a table of pairs. McNemar's test of scores that are 0 or 1 is the sign test."""
    in_points = metric.unit == SHARE
    unit, words = (POINTS, ", in percentage points") if in_points else (NUMBER, "")
    test = (
        ("mcnemar_p", "McNemar p", "Exact, two-sided, of answers that are right on one side only.")
        if is_binary
        else ("sign_p", "Sign test p", "Exact, two-sided, of either side being higher equally often.")
    )
    return (
        Figure(
            name="difference",
            title="Difference",
            told=f"{metric.title}: mean of the first side minus the second over questions on which both have a score"
            f"{words}; 95% interval and p of a t distribution over what intervals draw as wholes. {metric.told}",
            unit=unit,
        ),
        Figure(name="p", title="p", told="Two-sided, of no difference.", unit=PROBABILITY),
        Figure(
            name="holm",
            title="p, Holm",
            told="Corrected for all pairs of the table (Holm); of the sign test where all differences are equal.",
            unit=PROBABILITY,
        ),
        Figure(name="wins", title="First higher", told="Questions on which the first side is higher.", unit=COUNT),
        Figure(name="ties", title="Equal", told="Questions on which both are equal.", unit=COUNT),
        Figure(name="losses", title="Second higher", told="Questions on which the second side is higher.", unit=COUNT),
        Figure(name=test[0], title=test[1], told=test[2], unit=PROBABILITY),
        Figure(
            name="detectable",
            title="Detectable",
            told=f"The smallest difference that this number of questions shows in 80% of cases, at 5%{words}.",
            unit=unit,
        ),
        Figure(
            name="n_needed",
            title="Questions needed",
            told="To show the observed difference in 80% of cases, at 5%.",
            unit=COUNT,
        ),
        Figure(name="n", title="Questions", told="On which both sides have a score.", unit=COUNT),
    )


def _estimate(figure: Figure, result: Paired | None, corrected: float | None) -> Estimate:
    if result is None:
        return undefined(NO_PAIR, 0)
    if figure.name == "holm":
        return replace(result.p if corrected is None else Estimate(corrected), n=result.n)
    value: Estimate | int = getattr(result, figure.name)
    if isinstance(value, int):
        return Estimate(value, n=result.n)
    if figure.unit == POINTS:
        low, high = (None if end is None else 100 * end for end in (value.low, value.high))
        value = replace(value, value=None if value.value is None else 100 * value.value, low=low, high=high)
    return replace(value, n=result.n)


def _ranked(table: ResultTable, names: Sequence[str], pairs: Mapping[str, Pair]) -> ResultTable:
    """Return which model is better than which: the sign of a difference whose corrected p is below 0.05."""
    cells: dict[tuple[str, str], ResultCell] = {}
    for label, (first, second) in pairs.items():
        cell, p = table.cells[label, "Difference"], table.cells[label, "p, Holm"].estimate
        for row, column, way in ((first, second, 1), (second, first, -1)):
            estimate = p
            if p.value is not None and cell.estimate.value is not None:
                apart = way * cell.estimate.value
                why = f"difference {apart:.3g}, p {p.value:.2g} after Holm's correction"
                estimate = Estimate(float(np.sign(apart)) if p.value < SURE else 0.0, n=p.n, reason=why)
            cells[row, column] = replace(cell, estimate=estimate)
    for name in names:
        cells[name, name] = ResultCell(estimate=undefined(THE_SAME, 0), counts=AnswerCounts(), statuses={}, item_ids=())
    title = f"{table.title}: which is better"
    figure = Figure(
        name=f"{table.metric.name}:rank",
        title=title,
        told="Better or worse than the model of the column on the same questions, where p is below 0.05 after Holm's "
        "correction for all pairs; 1, −1 and 0 in files.",
        unit=RANK,
    )
    return replace(
        table,
        title=title,
        metric=figure,
        row_title="Model",
        column_title="Than",
        row_labels=tuple(names),
        column_labels=tuple(names),
        cells=cells,
        figures={},
    )
