"""F1 by explicitness and by size of texts and graphs (ReCITE, Figures 2, 11, 12 and 15, Table 5)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from core.analysis.by import Bins, distinct_numbers, numbers_of, quartiles
from core.analysis.charts import Chart, ChartKind, Point, chart_of_points
from core.analysis.columns import ItemColumns
from core.analysis.figure_tables import FigureRow, figure_table
from core.analysis.groupings import Grouping, in_order
from core.analysis.items import ResultItem
from core.analysis.metrics import COUNT, NUMBER, Figure, Measured, Metric
from core.analysis.presets import FIGURES, Part, Shown, tables_of
from core.analysis.printed import shown as printed
from core.analysis.printed import shown_interval
from core.analysis.tables import ResultTable
from core.errors import BadInput
from core.estimate import Estimate, undefined
from core.runs.answer_counts import AnswerCounts
from protocols.recite.analyses.grouped import f1_by, measures, number_of
from protocols.recite.analyses.measured import CORRELATIONS, analysis, correlations, samples_of

if TYPE_CHECKING:
    import pandas as pd

EXPLICITNESS = {"explicitness": "explicitness, lenient", "strict": "explicitness, strict"}
"""Fact → its definition: share of nodes that the text names or implies, or that it names."""
SIZES = {"characters": "Characters", "edges": "Edges", "nodes": "Nodes"}
R2 = Figure(name="r2", title="R²", told="Of a straight line: the square of r.", unit=NUMBER)


def _quartiles(items: ItemColumns, fact: str) -> tuple[Bins | None, str]:
    """Return the quartiles of a fact of samples, or the reason why there are none. Raises BadInput for texts."""
    samples = samples_of(items)
    values = distinct_numbers(samples, f"fact.{fact}")
    try:
        return quartiles(values), ""
    except BadInput as error:
        reason = str(error).rstrip(".")
        return None, f"{reason[:1].lower()}{reason[1:]}"


def _by_explicitness(items: ItemColumns, shown: Shown) -> Iterator[ResultTable]:
    of = [*measures(items)]
    for fact, words in EXPLICITNESS.items():
        bins, reason = _quartiles(items, fact)
        for table, _ in f1_by(of, shown, _grouping(fact, words, bins)):
            if bins is not None:
                yield table
                continue
            none = undefined(reason)
            cells = {
                place: replace(cell, estimate=none, counts=_left_out(cell.counts))
                for place, cell in table.cells.items()
            }
            yield replace(table, cells=cells)


def _left_out(counts: AnswerCounts) -> AnswerCounts:
    return replace(counts, scored=0, empty=0, as_zero=0, left_out=counts.left_out + counts.in_number)


def _grouping(fact: str, words: str, bins: Bins | None) -> Grouping:
    """Group by quartiles; without these all samples together."""
    labels, missing = ("quartiles",) if bins is None else bins.labels, f"no {words}"
    groups: dict[tuple[str, ...], list[str]] = {}  # judged answers are mostly kinds of their own, their samples few

    def group(item: ResultItem) -> list[str]:
        known = item.values(fact)
        if known not in groups:
            value = number_of(item, fact)
            groups[known] = [
                missing if value is None else labels[0 if bins is None else bisect_left(bins.edges, value)]
            ]
        return groups[known]

    return Grouping(fact, words.capitalize(), group, in_order(*labels, missing))


def _on_size(items: ItemColumns, shown: Shown) -> Iterator[ResultTable]:
    samples = samples_of(items)
    sizes = {title: numbers_of(samples, f"fact.{fact}") for fact, title in SIZES.items()}
    logs = {title: np.log10(size.where(size > 0)) for title, size in sizes.items()}
    for fact, words in EXPLICITNESS.items():
        explicit = numbers_of(samples, f"fact.{fact}")
        rows = correlations({f"{title}, log10": (log, explicit) for title, log in logs.items()})
        heading = Figure(
            name=f"size:{fact}",
            title=f"R² of {words}",
            told="Of a straight line on the decimal logarithm, over samples, each once.",
            unit=NUMBER,
        )
        yield figure_table(
            items,
            heading,
            "Size",
            (R2, *CORRELATIONS),
            {
                label: FigureRow(samples, {**each, "r2": _squared(each["pearson"])}, log.notna() & explicit.notna())
                for (label, each), log in zip(rows.items(), logs.values(), strict=True)
            },
            chart=_scatter(logs, explicit, words),
        )


def _squared(r: Estimate) -> Estimate:
    return r if r.value is None else Estimate(r.value**2, n=r.n)


def _scatter(logs: Mapping[str, pd.Series[Any]], explicit: pd.Series[Any], words: str) -> Chart | None:
    points = [
        Point(
            row=f"{title}, log10",
            column=R2.title,
            value=share,
            x=log,
            text=f"{share:.3f}, {10**log:,.0f} {title.lower()}",
        )
        for title, of_samples in logs.items()
        for log, share in zip(of_samples, explicit, strict=True)
        if log == log and share == share
    ]
    chart = chart_of_points(
        points,
        kind=ChartKind.SCATTER,
        title=f"{words} by size, a point for each sample and size".capitalize(),
        row_title="Size",
        column_title="Figure",
        value_title=words.capitalize(),
        x_title="Size, log10",
    )
    return chart if points else None


@dataclass(frozen=True, slots=True)
class Ends:
    """The samples in the lowest and in the highest quartile of a fact; without quartiles `reason` says why."""

    fact: str
    bins: Bins | None
    reason: str
    _sides: dict[tuple[str, ...], int] = field(default_factory=dict)

    def side(self, item: ResultItem) -> int:
        """Return 1 in the highest, −1 in the lowest, 0 in neither."""
        known = item.values(self.fact)
        if known not in self._sides:
            value, edges = number_of(item, self.fact), self.bins.edges if self.bins is not None else ()
            self._sides[known] = (value > edges[-1]) - (value <= edges[0]) if value is not None and edges else 0
        return self._sides[known]

    def is_outer(self, item: ResultItem) -> bool:
        return self.side(item) != 0


def _size_tables(items: ItemColumns, shown: Shown) -> Iterator[ResultTable]:
    ends = {title: Ends(fact, *_quartiles(items, fact)) for fact, title in SIZES.items()}
    edges = [
        f"{title.lower()} ≤ {each.bins.edges[0]:,.10g} and > {each.bins.edges[-1]:,.10g}"
        for title, each in ends.items()
        if each.bins is not None
    ]
    method = (
        "Mean F1 of answers about samples in the highest quartile minus that in the lowest, and their pooled "
        "population standard deviation, √((Σ(x − mean of the highest)² + Σ(x − mean of the lowest)²) ÷ n). Positive: "
        "better on larger ones. Quartile edges come from distinct samples; a value on one belongs to the lower group."
        + (f" Here: {'; '.join(edges)}." if edges else "")
    )
    for inside, metric in measures(items):
        columns = list[Metric]()
        for title, each in ends.items():
            usual: dict[str, Any] = {"told": method, "measured": metric.measured}
            difference = partial(_difference, each, metric.measured)
            columns.append(
                Metric(
                    name=f"difference:{each.fact}",
                    title=title,
                    measure=difference,
                    covers=each.is_outer,
                    unit=NUMBER,
                    is_mean=True,
                    **usual,
                )
            )
            columns += [
                Metric(
                    name=f"{words}:{each.fact}",
                    title=f"{title}, n of {words}",
                    measure=partial(_number, each, side, metric.measured),
                    covers=partial(_is_at, each, side),
                    unit=COUNT,
                    **usual,
                )
                for words, side in (("highest", 1), ("lowest", -1))
            ]
        heading = replace(columns[0], title=f"{metric.title}: highest minus lowest quartile of size")
        figures = {column.title: column for column in columns}
        for table in tables_of(inside, Part(tuple(columns), FIGURES, heading=heading), replace(shown, groups={})):
            yield replace(table, figures=figures, chart=_dots(table, figures))


def _is_at(ends: Ends, side: int, item: ResultItem) -> bool:
    return ends.side(item) == side


def _difference(ends: Ends, measure: str, items: ItemColumns, again: bool) -> Measured:
    outer = items.where(lambda item: ends.is_outer(item) and measure in item.measures)
    if ends.bins is None:
        return undefined(ends.reason, 0), None
    values = np.array([kind.measures[measure] for kind in outer.kinds], dtype=np.float64)
    sides = np.array([ends.side(kind) for kind in outer.kinds], dtype=np.int64)
    counts = np.array(outer.counts, dtype=np.int64)
    high, low = (np.repeat(values, np.where(sides == side, counts, 0)) for side in (1, -1))
    if not len(high) or not len(low):
        return undefined(
            f"no answer about the {'lowest' if len(high) else 'highest'} quartile is scored", len(outer)
        ), None
    spread = np.sqrt((len(high) * high.var() + len(low) * low.var()) / (len(high) + len(low)))
    estimate = Estimate(float(high.mean() - low.mean()), n=len(outer), sd=float(spread))
    at = np.column_stack([sides == 1, sides == -1]).astype(np.float64)
    columns = np.column_stack([values[:, None] * at, at])
    return estimate, outer.tally(columns, _apart) if again else None


def _apart(sums: np.ndarray[Any, np.dtype[np.float64]]) -> np.ndarray[Any, np.dtype[np.float64]]:
    with np.errstate(invalid="ignore"):
        means = sums[:, :2] / sums[:, 2:]
    return np.asarray(means[:, 0] - means[:, 1])


def _number(ends: Ends, side: int, measure: str, items: ItemColumns, again: bool) -> Measured:
    if ends.bins is None:
        return undefined(ends.reason, 0), None
    many = len(items.where(lambda item: ends.side(item) == side and measure in item.measures))
    return Estimate(many, n=many), None


def _dots(table: ResultTable, figures: Mapping[str, Figure]) -> Chart:
    """The differences of all sizes, without the numbers of samples."""
    points = [
        Point.of(row, title, estimate, printed(estimate, figure), shown_interval(estimate, figure))
        for row in table.row_labels
        for title in SIZES.values()
        for figure in [figures[title]]
        for estimate in [table.cells[row, title].estimate]
    ]
    return chart_of_points(
        points,
        kind=ChartKind.DOTS,
        title=table.title,
        row_title=table.row_title,
        column_title="Size",
        value_title="Difference of F1",
        reference=0.0,
    )


PRESETS = (
    analysis(
        "explicitness",
        "By explicitness",
        "F1 of each model by quartile of explicitness, lenient and strict (ReCITE, Figures 2 and 15).",
        _by_explicitness,
        "fact.explicitness",
        chart=ChartKind.HEAT,
        is_of_judges=True,
    ),
    analysis(
        "explicit-size",
        "Explicitness and size",
        "R² of explicitness on the logarithm of characters, edges and nodes (ReCITE, Figures 11 and 12).",
        _on_size,
        "fact.explicitness",
    ),
    analysis(
        "size",
        "By size",
        "F1 of each model on the largest texts and graphs minus that on the smallest (ReCITE, Table 5).",
        _size_tables,
        "fact.characters",
        is_of_judges=True,
    ),
)
