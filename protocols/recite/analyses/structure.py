"""Topology of the true graphs, and how it goes with the scores of answers (ReCITE, Tables 12–15, Figure 6)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pandas as pd

from core.analysis.charts import ChartKind, Point, chart_of_points
from core.analysis.columns import ItemColumns
from core.analysis.figure_tables import FigureRow, figure_table
from core.analysis.metrics import COUNT, NUMBER, Figure
from core.analysis.presets import Preset, Shown
from core.analysis.tables import ResultTable
from core.estimate import Estimate, undefined
from protocols.recite.analyses.measured import CORRELATIONS, SAMPLE, correlations, measured

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
_SUMMARY = (
    Figure(name="mean", title="Mean ± sd", told="Population standard deviation.", unit=NUMBER, is_mean=True),
    Figure(name="min", title="Min", told="", unit=NUMBER),
    Figure(name="median", title="Median", told="", unit=NUMBER),
    Figure(name="max", title="Max", told="", unit=NUMBER),
    Figure(name="n", title="Samples", told="Samples of which the measure is defined.", unit=COUNT),
)


def _summaries(items: ItemColumns, shown: Shown) -> tuple[ResultTable, ...]:
    rows = items.frame
    samples = rows.drop_duplicates("pair" if "pair" in rows else SAMPLE)
    capped = int(samples["count.cycles_capped"].sum()) if "count.cycles_capped" in samples else 0
    heading = Figure(
        name="topology",
        title="Topology of the true graphs",
        told="Mean, population standard deviation, least, median and largest value over samples, each once."
        + (f" Of {capped:,} graphs the number of cycles is a lower bound." if capped else ""),
        unit=NUMBER,
    )
    by_measure = {title: _summary(samples, f"count.{name}") for name, title in MEASURES.items()}
    return (figure_table(items, heading, "Measure", _SUMMARY, by_measure),)


def _summary(samples: pd.DataFrame, column: str) -> FigureRow:
    values = samples[column] if column in samples else pd.Series(float("nan"), index=samples.index)
    defined = values.dropna()
    n = len(defined)
    if not n:
        return FigureRow(samples, dict.fromkeys(("mean", "min", "median", "max"), undefined("no graph has it", 0)))
    estimates = {
        "mean": Estimate(float(defined.mean()), n=n, sd=float(defined.std(ddof=0))),
        **{name: Estimate(float(getattr(defined, name)()), n=n) for name in ("min", "median", "max")},
        "n": Estimate(n, n=n),
    }
    return FigureRow(samples, estimates, values.notna())


def _with_f1(items: ItemColumns, shown: Shown) -> Iterator[ResultTable]:
    for of in measured(items, shown):
        samples = of.by_sample
        known = {title: f"count.{name}" for name, title in MEASURES.items() if f"count.{name}" in samples}
        rows = correlations({title: (samples[column], samples["f1"]) for title, column in known.items()})
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


PRESETS = (
    Preset(
        key="topology",
        title="Topology",
        told="Measures of the true graphs over samples (ReCITE, Table 12).",
        custom=_summaries,
        is_whole=True,
        needs=NEEDS,
    ),
    Preset(
        key="topology-f1",
        title="Topology and F1",
        told="Correlation of each measure of the true graph with F1 (ReCITE, Table 13).",
        custom=lambda items, shown: tuple(_with_f1(items, shown)),
        is_whole=True,
        needs=NEEDS,
    ),
)
