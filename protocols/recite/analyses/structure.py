"""Topology of the true graphs, and how it goes with the scores of answers (ReCITE, Tables 12–15, Figure 6)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from core.analysis.by import numbers_of
from core.analysis.charts import ChartKind, Point, chart_of_points, doubling
from core.analysis.columns import ItemColumns
from core.analysis.figure_tables import FigureRow, figure_table
from core.analysis.groupings import Grouping
from core.analysis.items import ResultItem
from core.analysis.metrics import COUNT, NUMBER, Figure
from core.analysis.presets import Shown
from core.analysis.tables import ResultTable
from core.estimate import Estimate, undefined
from core.words import counted
from protocols.recite.analyses.grouped import f1_by, measures, number_of
from protocols.recite.analyses.measured import CORRELATIONS, analysis, correlations, measured, samples_of

if TYPE_CHECKING:
    import pandas as pd

MEASURES = {
    "nodes": "Nodes",
    "edges": "Edges",
    "density": "Density, m/(n(n−1))",
    "average_degree": "Average degree, 2m/n",
    "sources": "Sources",
    "sinks": "Sinks",
    "clustering": "Clustering",
    "cycles": "Cycles",
    "percent_in_cycles": "Nodes in cycles, %",
    "sccs": "Strongly connected components",
    "largest_scc": "Largest of them, nodes",
    "mean_path_length": "Mean shortest path",
    "betweenness_variance": "Variance of betweenness",
    "chains": "Chains",
    "forks": "Forks",
    "colliders": "Colliders",
}
"""Measure of a graph (`core.graphs.topology`) → its title; the column of the frame has `count.` before it."""
NEEDS = ("count.edges",)
SUMMARY = (
    Figure(name="mean", title="Mean ± sd", told="Population standard deviation.", unit=NUMBER, is_mean=True),
    Figure(name="min", title="Min", told="", unit=NUMBER),
    Figure(name="median", title="Median", told="", unit=NUMBER),
    Figure(name="max", title="Max", told="", unit=NUMBER),
    Figure(name="n", title="Samples", told="Samples of which the measure is defined.", unit=COUNT),
)
"""Columns of tables of measures of samples."""


WIDTHS = {"density": 0.05, "average_degree": 0.5}
"""Measure → the width of the groups of its histogram."""
GRAPHS = Figure(name="graphs", title="Graphs", told="True graphs in the group, each once.", unit=COUNT)


def _summaries(items: ItemColumns, shown: Shown) -> Iterator[ResultTable]:
    samples = samples_of(items)
    capped = int(samples["count.cycles_capped"].sum()) if "count.cycles_capped" in samples else 0
    bound = f" Of {capped:,} graphs the number of cycles is a lower bound." if capped else ""
    heading = Figure(
        name="topology",
        title="Topology of the true graphs",
        told=f"Mean, population standard deviation, least, median and largest value over samples, each once.{bound}",
        unit=NUMBER,
    )
    by_measure = {title: summary(samples, f"count.{name}") for name, title in MEASURES.items()}
    cycles = samples["count.cycles"].dropna() if "count.cycles" in samples else ()
    chart = chart_of_points(
        doubling("Cycles", "Mean ± sd", cycles, "graph", "cycles"),
        kind=ChartKind.HISTOGRAM,
        title=f"Cycles of the true graphs.{bound}".rstrip("."),
        row_title="Measure",
        column_title="Figure",
        value_title="Graphs",
        x_title="Cycles",
        is_log=True,
    )
    yield figure_table(items, heading, "Measure", SUMMARY, by_measure, chart=chart if chart.points else None)
    for name, width in WIDTHS.items():
        yield from _distribution(items, samples, name, width)


def _distribution(items: ItemColumns, samples: pd.DataFrame, name: str, width: float) -> Iterator[ResultTable]:
    """The number of graphs in each group of a measure; no table without a graph."""
    title, groups = MEASURES[name], np.floor(numbers_of(samples, f"count.{name}").to_numpy() / width + 1e-9)
    known, rows, points = groups[~np.isnan(groups)], dict[str, FigureRow](), list[Point]()
    for group in np.arange(known.min(), known.max() + 1) if len(known) else ():
        some, low, high = samples[groups == group], float(group * width), float((group + 1) * width)
        label, many = f"{low:g} to < {high:g}", len(some)
        rows[label] = FigureRow(some, {GRAPHS.name: Estimate(many, n=many)})
        text = f"{counted(many, 'graph')} from {low:g} to below {high:g}"
        points.append(Point(row=label, column=GRAPHS.title, value=float(many), low=low, high=high, text=text))
    chart = chart_of_points(
        points,
        kind=ChartKind.HISTOGRAM,
        title=f"{title} of the true graphs",
        row_title=title,
        column_title="Figure",
        value_title=GRAPHS.title,
        x_title=title,
    )
    if rows:
        heading = Figure(name=name, title=f"{title.partition(',')[0]} of the true graphs", told=GRAPHS.told, unit=COUNT)
        yield figure_table(items, heading, title, (GRAPHS,), rows, chart=chart)


def summary(samples: pd.DataFrame, column: str) -> FigureRow:
    """Return the figures of `SUMMARY` for a column of samples, which holds numbers if there is any. Raises BadInput as
    `numbers_of`."""
    values = numbers_of(samples, column).to_numpy()
    is_known = samples["sample"].notna() & ~np.isnan(values)
    defined = values[is_known]
    n = len(defined)
    if not n:
        none = dict.fromkeys(("mean", "min", "median", "max"), undefined("no sample has it", 0))
        return FigureRow(samples, {**none, "n": Estimate(0, n=0)}, is_known)
    estimates = {
        "mean": Estimate(float(defined.mean()), n=n, sd=float(defined.std())),
        **{name: Estimate(float(getattr(np, name)(defined)), n=n) for name in ("min", "median", "max")},
        "n": Estimate(n, n=n),
    }
    return FigureRow(samples, estimates, is_known)


def _with_f1(items: ItemColumns, shown: Shown) -> Iterator[ResultTable]:
    for of in measured(items, shown):
        samples = of.by_sample
        samples = samples.reindex(columns=[*(f"count.{name}" for name in MEASURES), "f1"]).astype(float)
        rows = correlations({title: (samples[f"count.{name}"], samples["f1"]) for name, title in MEASURES.items()})
        heading = Figure(
            name="topology_f1",
            title=f"Topology and {of.title}",
            told="Correlation over samples of each measure of the true graph with the sample's mean F1 over models.",
            unit=NUMBER,
        )
        used = of.rows["f1"].notna()
        points = [
            Point(row="Edges", column="r", value=f1, x=edges, text=f"{edges:,.0f} edges, {f1:.3f}")
            for edges, f1 in zip(samples["count.edges"], samples["f1"], strict=True)
            if f1 == f1 and edges == edges
        ]
        chart = chart_of_points(
            points,
            kind=ChartKind.SCATTER,
            title=f"{of.title} by edges of the true graph, a point for each sample",
            row_title="Measure",
            column_title="Figure",
            value_title="Mean F1 over models",
            x_title="Edges",
        )
        table = figure_table(
            of.items,
            heading,
            "Measure",
            CORRELATIONS,
            {title: FigureRow(of.rows, estimates, used) for title, estimates in rows.items()},
        )
        yield replace(table, chart=chart if points else None)


DENSITIES = ("< 0.15", "0.15 to < 0.3", "≥ 0.3")
CYCLES = {"false": "Acyclic", "true": "Cyclic"}


def _density(item: ResultItem) -> list[str]:
    density = number_of(item, "density")
    return ["no density" if density is None else DENSITIES[(density >= 0.15) + (density >= 0.3)]]


def _cyclic(item: ResultItem) -> list[str]:
    return [CYCLES.get(word.casefold(), "not known") for word in item.values("is_cyclic") or ("",)]


def _all_of(*groups: str) -> Callable[[Sequence[str]], Sequence[str]]:
    """Order these first, also those that no sample is in."""
    return lambda labels: [*groups, *(label for label in labels if label not in groups)]


DENSITY = Grouping("density", "Density", _density, _all_of(*DENSITIES))
CYCLICITY = Grouping("is_cyclic", "Cyclicity", _cyclic, _all_of(*CYCLES.values()))

PRESETS = (
    analysis(
        "topology",
        "Topology",
        "Measures of the true graphs over samples (ReCITE, Table 12).",
        _summaries,
        *NEEDS,
    ),
    analysis(
        "topology-f1",
        "Topology and F1",
        "Correlation of each measure of the true graph with F1 (ReCITE, Table 13).",
        _with_f1,
        *NEEDS,
        is_of_judges=True,
    ),
    analysis(
        "density",
        "By density",
        "F1 of each model by the density m/(n(n−1)) of the true graph (ReCITE, Table 14).",
        lambda items, shown: (table for table, _ in f1_by([*measures(items)], shown, DENSITY)),
        "fact.density",
        is_of_judges=True,
    ),
    analysis(
        "cycles",
        "By cycles",
        "F1 of each model by whether the true graph has a cycle (ReCITE, Table 15).",
        lambda items, shown: (table for table, _ in f1_by([*measures(items)], shown, CYCLICITY)),
        "fact.is_cyclic",
        is_of_judges=True,
    ),
)
