"""Answers with the names of the nodes given against those without, and F1 of each sample and model (ReCITE, 4.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from core.analysis.charts import ChartKind
from core.analysis.columns import ItemColumns
from core.analysis.figure_tables import FigureRow, figure_table, mean_table
from core.analysis.frame import unpacked
from core.analysis.metrics import COUNT, NUMBER, PROBABILITY, Figure
from core.analysis.presets import Shown
from core.analysis.slices import words_of
from core.analysis.table_charts import chart_of
from core.analysis.tables import ResultTable
from core.estimate import Estimate, undefined
from core.scoring.associations import associations
from core.scoring.paired import paired
from protocols.recite.analyses.judges import RANKS
from protocols.recite.analyses.measured import Measured, analysis, is_of_model, measured, with_holm
from protocols.recite.judge.tasks import JUDGE
from protocols.recite.tasks import GENERATE, NAMES, STANDARD

if TYPE_CHECKING:
    import pandas as pd

MOST_SHOWN = 40
"""Samples of a heat map; the table has all."""
_DIFFERENCE = Figure(
    name="difference",
    title="Difference",
    told="The first minus the second over the same samples, with its 95% interval by clusters of samples.",
    unit=NUMBER,
)
_CONDITIONS = (
    Figure(name="first", title="Names given", told="Mean F1 with the names given.", unit=NUMBER, is_mean=True),
    Figure(name="second", title="Standard", told="Mean F1 without the names.", unit=NUMBER, is_mean=True),
    _DIFFERENCE,
    Figure(name="difference_p", title="p", told="Two-sided, of no difference.", unit=PROBABILITY),
    Figure(
        name="difference_holm", title="p, Holm", told="Corrected for all rows of the table (Holm).", unit=PROBABILITY
    ),
    Figure(name="n", title="Samples", told="Samples with both scores.", unit=COUNT),
)
_DESCRIPTION = "Mean F1 of a model on the samples that have a score in both conditions, and the difference."


@dataclass(frozen=True, slots=True)
class _Sides:
    """Two conditions of the same answers: of rows with `model`, `pair`, `cluster` and `f1`. `items`: those of both."""

    title: str
    remark: str
    items: ItemColumns
    first: pd.DataFrame
    second: pd.DataFrame


def _conditions(items: ItemColumns, shown: Shown) -> Iterator[ResultTable]:
    """Models are joined by their names: a run may have asked one variant, and another run the other."""
    if "pair" not in items.frame:
        return
    measures = [of.of_models("pair") for of in measured(items, shown)]
    orders = dict[str, FigureRow]()
    for sides in (*_of_measures(measures), *_of_paper(items, measures)):
        rows, orders[sides.title] = _rows(sides, shown.models)
        description = f"{_DESCRIPTION} {sides.remark}".strip()
        heading = Figure(name=_DIFFERENCE.name, title=sides.title, told=description, unit=NUMBER)
        table = _apart(figure_table(sides.items, heading, "Model", _CONDITIONS, rows), sides.items)
        yield replace(table, chart=replace(chart_of(table), reference=0.0))
    if orders:
        corrected = with_holm({title: row.estimates for title, row in orders.items()}, "spearman", "kendall")
        heading = Figure(
            name="orders",
            title="Order of models in both conditions",
            told="Correlation over models of their means in both conditions.",
            unit=NUMBER,
        )
        rows = {title: replace(row, estimates=corrected[title]) for title, row in orders.items()}
        yield _apart(figure_table(items, heading, "Conditions", RANKS, rows), items)


def _apart(table: ResultTable, items: ItemColumns) -> ResultTable:
    """The same without the remark that variants are pooled: rows open answers of both, and no number is of both."""
    return replace(table, of=words_of(items.kinds, is_pooled=False))


def _of_measures(measures: Sequence[Measured]) -> Iterator[_Sides]:
    for of in measures:
        first, second = (of.rows[of.rows["variant"] == variant] for variant in (NAMES, STANDARD))
        if first["f1"].notna().any() and second["f1"].notna().any():
            yield _Sides(f"{of.title}: names given and standard", "", of.items, first, second)


def _of_paper(items: ItemColumns, measures: Sequence[Measured]) -> Iterator[_Sides]:
    """F1 of edges by exact names with the names given, and overall F1 by a judge without them."""
    by_names = next((of for of in measures if not of.judge), None)
    for of in measures:
        if by_names is None or not of.judge:
            continue
        first = by_names.rows[by_names.rows["variant"] == NAMES]
        second = of.rows[of.rows["variant"] == STANDARD]
        if first["f1"].notna().any() and second["f1"].notna().any():
            sides = ("", NAMES), (of.judge, STANDARD)
            yield _Sides(
                f"F1 of edges by exact names, names given, and overall F1 by {of.judge}, standard",
                "The paper's own difference (4.2), of two measures that are not the same: nodes count in the second, "
                "and the paper's values of the first are those as released.",
                items.where(lambda kind, sides=sides: (kind.judge, kind.variant) in sides),  # type: ignore[misc]
                first,
                second,
            )


def _rows(sides: _Sides, order: Sequence[str]) -> tuple[dict[str, FigureRow], FigureRow]:
    """The rows of models, and one of how their means go together."""
    import pandas as pd

    means = [each.groupby(["model", "pair"], observed=True)["f1"].mean() for each in (sides.first, sides.second)]
    both = pd.DataFrame({"first": means[0], "second": means[1]}).dropna()
    rows = pd.concat([sides.first, sides.second], ignore_index=True)
    clusters = rows.drop_duplicates("pair").set_index("pair")["cluster"]
    is_in_both = pd.MultiIndex.from_frame(rows[["model", "pair"]].astype(object)).isin(both.index)
    is_used = rows["f1"].notna() & is_in_both
    with_answers = set(rows["model"])
    by_model = {str(model): some.droplevel(0) for model, some in both.groupby(level=0, observed=True)}
    estimates = {model: _of_model(by_model.get(model), clusters) for model in order if model in with_answers}
    order_of = [(each["first"].value, each["second"].value) for each in estimates.values()]
    known = [(one, two) for one, two in order_of if one is not None and two is not None]
    by_label = {
        model: FigureRow(rows[rows["model"] == model], each, is_used[rows["model"] == model])
        for model, each in with_holm(estimates, "difference").items()
    }
    return by_label, FigureRow(rows, associations([one for one, _ in known], [two for _, two in known]), is_used)


def _of_model(both: pd.DataFrame | None, clusters: pd.Series[str]) -> dict[str, Estimate]:
    """The estimates of a model. `both`: its means in both conditions, by pair; `clusters`: of each pair."""
    if both is None:
        why = undefined("no sample has a score in both conditions", 0)
        return dict.fromkeys(("first", "second", "difference", "difference_p"), why) | {"n": Estimate(0, n=0)}
    result = paired(both["first"].tolist(), both["second"].tolist(), clusters[both.index].tolist())
    sd = both.std(ddof=0)
    return {
        "first": Estimate(result.mean_a, n=result.n, sd=float(sd["first"])),
        "second": Estimate(result.mean_b, n=result.n, sd=float(sd["second"])),
        "difference": result.difference,
        "difference_p": result.p,
        "n": Estimate(result.n, n=result.n),
    }


# --- samples -------------------------------------------------------------------------------------------------------


def _samples(items: ItemColumns, shown: Shown) -> Iterator[ResultTable]:
    for with_baselines in measured(items, shown):
        of = with_baselines.of_models("fact.paper", "fact.title")
        if of.labels:
            yield _hardest_first(of)


def _hardest_first(of: Measured) -> ResultTable:
    names = _names(of.rows)
    hardest = of.rows.groupby(names)["f1"].mean().sort_values(kind="stable", na_position="last").index.tolist()
    heading = Figure(
        name="f1",
        title=f"{of.title} of each sample",
        told="The sample with the lowest mean over models comes first.",
        unit=NUMBER,
    )
    frame = of.rows.assign(row=names, column=of.rows["label"], value=of.rows["f1"])
    table = mean_table(of.items, heading, ("Sample", hardest), ("Model", of.labels), frame)
    first = replace(table, row_labels=table.row_labels[:MOST_SHOWN])
    chart = chart_of(first, ChartKind.HEAT)
    if len(hardest) > MOST_SHOWN:
        chart = replace(chart, title=f"{chart.title}; the {MOST_SHOWN} hardest of {len(hardest):,}")
    return replace(table, chart=chart)


def _names(rows: pd.DataFrame) -> pd.Series[str]:
    """The title of each row's sample, or its paper, or its key; with the key where two have the same."""
    keys = rows["sample"].map(lambda sample: str(sample).rpartition("/")[2]).astype(object)
    names = keys
    for fact in ("fact.paper", "fact.title"):
        if fact in rows:
            values = rows[fact].map(lambda value: ", ".join(unpacked(value))).astype(object)
            names = values.where(values.notna() & (values != ""), names)
    several = rows["sample"].astype(object).groupby(names).transform("nunique") > 1
    return names.where(~several, names + " (" + keys + ")")


PRESETS = (
    analysis(
        "conditions",
        "Names given and standard",
        "F1 with the names of the nodes given against F1 without, on the same samples (ReCITE, 4.2).",
        _conditions,
        own_tasks=(JUDGE, GENERATE),
        all_variants=True,
        takes=is_of_model,
        is_of_judges=True,
        fills=lambda kinds: {NAMES, STANDARD} <= {kind.variant for kind in kinds},
        nothing="These runs have no answers both with and without the names given. Ask both variants.",
    ),
    analysis(
        "samples",
        "Samples",
        "F1 of each model on each sample, the hardest sample first.",
        _samples,
        takes=is_of_model,
        is_of_judges=True,
    ),
)
