"""Two sides on the same questions: models and runs, variants, and repeats in pairs, and which model is better."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, compress, product
from typing import TYPE_CHECKING, Any

import numpy as np

from core.analysis.columns import ItemColumns, Numbers
from core.analysis.groupings import MINUS, Grouping, crossed, models
from core.analysis.items import BASELINE
from core.analysis.metrics import COUNT, NUMBER, POINTS, PROBABILITY, RANK, SHARE, Array, Figure, Metric
from core.analysis.sides import ALL_QUESTIONS, SURE, Compared, Pair, SideMeans, answers_of, corrected_p, corrected_ps
from core.analysis.tables import ResultCell, ResultTable, counts_of, described, only_label
from core.estimate import Estimate, undefined
from core.runs.answer_counts import AnswerCounts
from core.runs.states import ItemStatus

if TYPE_CHECKING:
    import pandas as pd

    from core.scoring.paired import Paired

NO_PAIR = "no question has a score of both"
THE_SAME = "the same model"


def comparisons(
    items: ItemColumns, of: Compared, order: Sequence[str] = (), by: Grouping | None = None
) -> Iterator[ResultTable]:
    """Yield the tables of a score: models, runs among them, in pairs over all conditions that may be pooled, then for
    each condition; of three or more which is better; after them the pairs with baselines. Then variants, and repeats,
    in pairs for each model. The same question has the same sample; in two variants the same `pair`. Several answers of
    one side to a question count as their mean. `order`: of the models; `by`: groups within which models are compared,
    in place of variants and repeats."""
    covered = items.where(of.metric.covers)
    if len(covered):
        answers = _Answers(covered, of, models(covered.kinds, order))
        whole, apart = (each if by is None else crossed(each, by) for each in (of.whole, of.apart))
        yield from answers.by_model(whole, apart)
        if by is None:
            for varied in of.varied:
                yield from answers.by_variant(varied)
            yield from answers.by_repeat(apart)


class _Answers:
    """The answers that a score covers, as rows in their order: kind, model, repeat, value, unit, question and pair."""

    def __init__(self, items: ItemColumns, of: Compared, rows: Grouping) -> None:
        self.items, self.of, self.rows = items, of, rows
        self.ids = np.array(items.ids, dtype=object)
        alike: dict[tuple[str, bool, bool], int] = {}  # in what `counts_of` counts
        self.alike = np.array(
            [alike.setdefault((kind.status, kind.is_asked_again, kind.is_empty), len(alike)) for kind in items.kinds]
        )
        self.examples = items.kinds.taken(np.unique(self.alike, return_index=True)[1])
        self.frame = answers_of(items, of, rows)

    def by_model(self, whole: Grouping, apart: Grouping) -> Iterator[ResultTable]:
        """In the whole, unless it is of no more than one condition."""
        together, conditions = (
            [each for each in self._inside(grouping) if len(each[2]) > 1] for grouping in (whole, apart)
        )
        if len(together) < len(conditions):
            is_one = self.of.whole is ALL_QUESTIONS
            note = "" if is_one else f"; {self.of.whole.title.lower()}s are not pooled"
            for each in together:
                for table in self._of_models(*each):
                    yield replace(table, of=f"{table.of}{note}")
        for each in conditions:
            yield from self._of_models(*each)

    def _of_models(self, title: str, some: pd.DataFrame, names: Sequence[str]) -> Iterator[ResultTable]:
        """Models in pairs, and of three or more which is better; then the pairs with baselines. These stay with the
        models where there are no two."""
        baselines = {label for kind in self.items.kinds if kind.kind == BASELINE for label in self.rows.of(kind)}
        answering = [name for name in names if name not in baselines]
        first = answering if len(answering) > 1 else names
        pairs = {MINUS.join(pair): pair for pair in combinations(names, 2)}
        inside = {label: pair for label, pair in pairs.items() if set(pair) <= set(first)}
        answers = some.assign(side=some["model"], key=some["question"])
        table = self._table(answers, title, "Models", inside)
        yield table
        if len(first) > 2:
            yield _ranked(table, first, inside)
        if others := {label: pair for label, pair in pairs.items() if label not in inside}:
            yield self._table(answers, f"{title}, with baselines", "Models", others)

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
        from core.scoring.paired import are_equal

        means = SideMeans.of(answers)
        results: dict[str, Paired | None] = {}
        opened: dict[str, Callable[[str, Estimate], ResultCell]] = {}
        for label, pair in pairs.items():
            first, second, both = means.both(pair)
            results[label] = means.paired(pair)
            signs = np.full(means.means.shape[1], np.nan)
            signs[both] = np.where(are_equal(first, second), 0.0, np.sign(first - second))
            one, two = (means.names.get_loc(each) for each in pair)
            rows = np.flatnonzero((means.side == one) | (means.side == two))
            rows = rows[np.lexsort((means.side[rows] == two, means.key[rows]))]
            places = list(zip(means.key[rows].tolist(), (means.side[rows] == two).astype(int).tolist(), strict=True))
            of_rows = np.where(means.is_scored, signs[means.key], np.nan)[rows]
            positions = answers.index.to_numpy()[rows]
            opened[label] = self._opened(pair, answers["kind"].to_numpy()[rows], positions, places, of_rows)
        corrected = corrected_ps({label: each for label, each in results.items() if each is not None})
        is_binary = all(each.mcnemar_p.value is not None for each in results.values() if each is not None)
        figures = _figures(self.of.metric, is_binary=is_binary)
        sides = {each for pair in pairs.values() for each in pair}
        shown = answers[answers["side"].isin(sides)]
        kinds = sorted(shown["kind"].unique().tolist())
        of_sides = [
            np.searchsorted(kinds, each.unique()).tolist() for _, each in shown.groupby("side", observed=True)["kind"]
        ]
        columns = tuple(figure.title for figure in figures)
        return ResultTable(
            title=f"{self.of.metric.title}: {title}",
            metric=replace(figures[0], name=f"paired:{self.of.metric.name}", title=self.of.metric.title),
            row_title=row_title,
            column_title="Figure",
            row_labels=tuple(pairs),
            column_labels=columns,
            cells={
                (label, figure.title): opened[label](
                    figure.name, _estimate(figure, results[label], corrected.get(label))
                )
                for label, figure in product(pairs, figures)
            },
            of=described(self.items.taken(kinds), of_sides),
            samples=int(shown["key"].nunique()),
            figures={figure.title: figure for figure in figures},
            is_of_pairs=True,
            only_labels=dict.fromkeys(columns, only) if (only := only_label(self.items.taken(kinds).kinds)) else {},
        )

    def _opened(
        self, pair: Pair, kinds: Numbers, positions: Numbers, places: Sequence[tuple[int, int]], signs: Array
    ) -> Callable[[str, Estimate], ResultCell]:
        """Cells of a pair, which open the answers where its sides differ, or those that a number of questions is of.
        `places`: question and side of each answer; `signs`: which side is higher, NaN for an answer without a
        counterpart or a score; in the order of `positions`."""
        is_in = ~np.isnan(signs)
        totals, inside = (np.bincount(self.alike[each], minlength=len(self.examples)) for each in (kinds, kinds[is_in]))
        counts = counts_of(self.examples, totals, inside)
        differ = is_in & (signs != 0)
        shown = {"": differ, "wins": signs == 1, "losses": signs == -1, "ties": signs == 0, "n": is_in}
        opened = {
            name: (tuple(self.ids[positions[where]].tolist()), tuple(compress(places, where.tolist())))
            for name, where in shown.items()
        }

        def cell(name: str, estimate: Estimate) -> ResultCell:
            ids, of_ids = opened.get(name, opened[""])
            return ResultCell(estimate=estimate, item_ids=ids, sides=pair, places=of_ids, **counts)

        return cell


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
        return corrected_p(result, corrected)
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
