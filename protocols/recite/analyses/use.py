"""F1 by what models used: reasoning, what they may have been trained on, and money (ReCITE, appendices B, G and L)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from core.analysis.by import LEAST, numbers_of
from core.analysis.charts import ChartKind, Point, chart_of_points
from core.analysis.columns import ItemColumns
from core.analysis.figure_tables import FigureRow, figure_table, mean_table
from core.analysis.metrics import COUNT, NUMBER, PROBABILITY, RATIO, Figure
from core.analysis.presets import Shown
from core.analysis.printed import shown as printed
from core.analysis.printed import shown_interval
from core.analysis.table_charts import chart_of
from core.analysis.tables import ResultTable
from core.estimate import Estimate, undefined
from core.scoring.interval import mean_estimate
from core.words import counted
from protocols.recite.analyses.measured import (
    CORRELATIONS,
    Measured,
    analysis,
    correlations,
    is_of_model,
    measured,
    with_holm,
)

if TYPE_CHECKING:
    import pandas as pd

QUARTILES = ("Q1, shortest", "Q2", "Q3", "Q4, longest")
BIN = 1_000
"""Tokens of a bin."""
_DATE = re.compile(r"[12]\d{3}(-\d{2}(-\d{2})?)?")
_MEDIAN = Figure(
    name="median",
    title="Median characters",
    told="Characters of reasoning that a reply shows, of the answers that have some and an F1.",
    unit=COUNT,
)


# --- reasoning -----------------------------------------------------------------------------------------------------


def _reasoning(items: ItemColumns, shown: Shown) -> Iterator[ResultTable]:
    for with_baselines in measured(items, shown):
        of = with_baselines.of_models("reasoning_characters", "tokens_reasoning")
        length = numbers_of(of.rows, "reasoning_characters")
        of = replace(of, rows=of.rows.assign(length=length.where(length > 0)))
        if of.labels:
            yield _lengths(of)
            yield from _by_quartile(of, shown)
            yield from _by_tokens(of)


def _lengths(of: Measured) -> ResultTable:
    by_model = of.by_model
    estimates = correlations({label: (answers["length"], answers["f1"]) for label, answers in by_model.items()})
    rows = dict[str, FigureRow]()
    for label, answers in by_model.items():
        used = answers["length"].notna() & answers["f1"].notna()
        n = int(used.sum())
        median = Estimate(float(answers["length"][used].median()), n=n) if n else undefined("no reply shows any", 0)
        rows[label] = FigureRow(answers, {**estimates[label], _MEDIAN.name: median}, used)
    heading = Figure(
        name="reasoning",
        title=f"Length of reasoning and {of.title}",
        told="Correlation over answers of the characters of reasoning with F1.",
        unit=NUMBER,
    )
    table = figure_table(of.items, heading, "Model", (_MEDIAN, *CORRELATIONS), rows)
    points = [
        Point.of(label, "r", estimate, printed(estimate, CORRELATIONS[0]), shown_interval(estimate, CORRELATIONS[0]))
        for label in of.labels
        for estimate in [table.cells[label, "r"].estimate]
    ]
    chart = chart_of_points(
        points,
        kind=ChartKind.DOTS,
        title=f"Correlation of the length of reasoning with {of.title}",
        row_title="Model",
        column_title="Figure",
        value_title="r",
        reference=0.0,
    )
    return replace(table, chart=chart)


def _by_quartile(of: Measured, shown: Shown) -> Iterator[ResultTable]:
    import numpy as np
    import pandas as pd

    parts = []
    known = of.rows[of.rows["length"].notna() & of.rows["f1"].notna()]
    for _, some in known.groupby("label"):
        if len(some) >= LEAST:
            length = some["length"].to_numpy()
            groups = np.searchsorted(np.quantile(length, [0.25, 0.5, 0.75]), length, side="left")
            parts.append(some.assign(column=[QUARTILES[group] for group in groups]))
    if parts:
        frame = pd.concat(parts)
        heading = Figure(
            name="reasoning_quartiles",
            title=f"{of.title} by quartile of the length of reasoning",
            told="Mean over the answers of a model in each of its own quartiles of characters of reasoning.",
            unit=NUMBER,
            is_mean=True,
        )
        rows = "Model", [label for label in of.labels if label in set(frame["label"])]
        columns = "Quartile", QUARTILES
        frame = frame.assign(row=frame["label"], value=frame["f1"])
        table = mean_table(of.items, heading, rows, columns, frame, shown.how)
        yield replace(table, chart=replace(chart_of(table, in_time=QUARTILES), value_title="Mean F1"))


def _by_tokens(of: Measured) -> Iterator[ResultTable]:
    tokens = numbers_of(of.rows, "tokens_reasoning")
    some = of.rows[tokens.notna() & of.rows["f1"].notna()]
    if some.empty:
        return
    numbers = (tokens[some.index] // BIN).astype(int)
    names = {number: f"{number * BIN:,}–{(number + 1) * BIN - 1:,}" for number in sorted(set(numbers))}
    heading = Figure(
        name="reasoning_tokens",
        title=f"{of.title} by tokens of reasoning",
        told=f"Mean over the answers of a model in bins of {BIN:,} tokens of reasoning.",
        unit=NUMBER,
        is_mean=True,
    )
    columns = "Model", [label for label in of.labels if label in set(some["label"])]
    frame = some.assign(row=numbers.map(names), column=some["label"], value=some["f1"])
    table = mean_table(of.items, heading, ("Tokens", list(names.values())), columns, frame)
    points = [
        Point(
            row=row,
            column=column,
            value=float(cell.n_scored),
            text=f"{cell.n_scored:,}",
            interval="" if cell.estimate.value is None else f"mean F1 {printed(cell.estimate, heading)}",
        )
        for (row, column), cell in table.cells.items()
        if cell.n_scored
    ]
    chart = chart_of_points(
        points,
        kind=ChartKind.BARS,
        title=f"Answers by tokens of reasoning, with {of.title}",
        row_title="Tokens",
        column_title="Model",
        value_title="Answers",
    )
    yield replace(table, chart=chart)


# --- knowledge cutoff ----------------------------------------------------------------------------------------------

_BEFORE = Figure(name="before", title="Before", told="Mean F1 of samples from before.", unit=NUMBER, is_mean=True)
_AFTER = Figure(name="after", title="After", told="Mean F1 of samples from after.", unit=NUMBER, is_mean=True)
_SIDES = (
    _BEFORE,
    Figure(name="n_before", title="n before", told="Answers.", unit=COUNT),
    _AFTER,
    Figure(name="n_after", title="n after", told="Answers.", unit=COUNT),
    Figure(name="u", title="U", told="Mann–Whitney U of the answers before.", unit=NUMBER),
    Figure(name="u_p", title="p of U", told="Two-sided, of equal distributions.", unit=PROBABILITY),
    Figure(name="u_holm", title="p, Holm", told="Corrected for all rows of the table (Holm).", unit=PROBABILITY),
    Figure(
        name="undecided",
        title="Undecided",
        told="Answers about samples of which the date does not say whether they are from before or after, such as one "
        "with only a year in the cutoff's own year; in neither mean.",
        unit=COUNT,
    ),
)


def _cutoff(items: ItemColumns, shown: Shown) -> Iterator[ResultTable]:
    for with_baselines in measured(items, shown):
        of = with_baselines.of_models("knowledge_cutoff", "fact.date", "fact.year")
        rows = dict[str, FigureRow]()
        for label, answers in of.by_model.items():
            cutoff = next((str(each) for each in answers.get("knowledge_cutoff", []) if each == each and each), "")
            name = f"{label} (until {cutoff})" if cutoff else f"{label} (no cutoff)"
            rows[name] = _of_model(answers, cutoff, shown)
        if rows:
            yield _sides(of, rows)


def _sides(of: Measured, rows: dict[str, FigureRow]) -> ResultTable:
    corrected = with_holm({label: row.estimates for label, row in rows.items()}, "u")
    heading = Figure(
        name="cutoff",
        title=f"{of.title} before and after the knowledge cutoff",
        told="Answers about samples dated before and after the model's knowledge cutoff, as its card says it. A sample "
        "is in neither where the less precise of the two dates is the same for both.",
        unit=NUMBER,
    )
    final = {label: replace(row, estimates=corrected[label]) for label, row in rows.items()}
    table = figure_table(of.items, heading, "Model", _SIDES, final)
    points = [
        Point.of(label, figure.title, estimate, printed(estimate, figure), shown_interval(estimate, figure))
        for label in table.row_labels
        for figure in (_BEFORE, _AFTER)
        for estimate in [table.cells[label, figure.title].estimate]
    ]
    chart = chart_of_points(
        points,
        kind=ChartKind.DOTS,
        title=heading.title,
        row_title="Model",
        column_title="Sample",
        value_title="Mean F1",
    )
    return replace(table, chart=chart)


def _of_model(answers: pd.DataFrame, cutoff: str, shown: Shown) -> FigureRow:
    scored = answers["f1"].notna()
    if not cutoff:
        why = undefined("its card names no knowledge cutoff", 0)
        return FigureRow(answers, dict.fromkeys((each.name for each in _SIDES), why), scored & False)
    sides = _dates(answers).map(lambda date: side(date, cutoff))
    estimates = dict[str, Estimate]()
    values = {}
    for name in ("before", "after"):
        some = answers[(sides == name) & scored]
        values[name] = some["f1"].to_numpy(dtype=float)
        estimates[name] = mean_estimate(values[name], some["cluster"].tolist(), shown.how)
        estimates[f"n_{name}"] = Estimate(len(some), n=len(some))
    undecided = int((scored & (sides == "")).sum())
    estimates["undecided"] = Estimate(undecided, n=undecided)
    return FigureRow(answers, estimates | _mann_whitney(values["before"], values["after"]), scored & (sides != ""))


def _mann_whitney(before: pd.Series[float], after: pd.Series[float]) -> dict[str, Estimate]:
    from scipy.stats import mannwhitneyu

    n = len(before) + len(after)
    empty = "before" if not len(before) else "after" if not len(after) else ""
    if empty:
        why = f"no scored answer is about a sample from {empty} the cutoff"
    elif min(before.min(), after.min()) == max(before.max(), after.max()):
        why = "F1 is the same in all answers"
    else:
        test = mannwhitneyu(before, after)
        return {"u": Estimate(float(test.statistic), n=n), "u_p": Estimate(float(test.pvalue), n=n)}
    return dict.fromkeys(("u", "u_p"), undefined(why, n))


def _dates(answers: pd.DataFrame) -> pd.Series[str]:
    """The date of each answer's sample, as precise as it is known: 2021, 2021-05, 2021-05-03; empty without one."""
    known = answers["sample"].map(lambda _: "").astype(object)
    for name in ("fact.year", "fact.date"):
        if name in answers:
            dates = answers[name].astype(object).map(lambda value: _date(str(value)))
            known = dates.where(dates != "", known)
    return known


def _date(text: str) -> str:
    match = _DATE.match(text)
    return match.group() if match else ""


def side(date: str, cutoff: str) -> str:
    """Return on which side of a cutoff a date is: before, after, or "" where they are equal as far as both are known.

    >>> side("2021-05-03", "2021-06"), side("2022", "2021-06"), side("2021", "2021-06"), side("", "2021")
    ('before', 'after', '', '')
    """
    known = min(len(date), len(cutoff))
    one, other = date[:known], cutoff[:known]
    return "" if one == other else "before" if one < other else "after"


# --- cost ----------------------------------------------------------------------------------------------------------

_COSTS = {
    "cost_usd": Figure(name="cost", title="US dollars", told="Of all requests for its answers.", unit=NUMBER),
    "per_thousand": Figure(
        name="per_thousand",
        title="US dollars per 1,000 answers",
        told="Of the answers whose cost is known.",
        unit=RATIO,
    ),
    "tokens_in": Figure(name="tokens_in", title="Tokens in", told="Of all requests for its answers.", unit=COUNT),
    "tokens_out": Figure(name="tokens_out", title="Tokens out", told="Of all replies for its answers.", unit=COUNT),
    "cached": Figure(
        name="cached", title="Cached", told="Share of the tokens in that the provider had cached, where it says it."
    ),
}
_F1 = Figure(name="f1", title="F1", told="Mean over answers.", unit=NUMBER, is_mean=True)


def _cost(items: ItemColumns, shown: Shown) -> Iterator[ResultTable]:
    for with_baselines in measured(items, shown):
        of = with_baselines.of_models("cost_usd", "tokens_in", "tokens_out", "tokens_cached")
        if of.labels:
            yield _costs(of, shown)


def _costs(of: Measured, shown: Shown) -> ResultTable:
    heading = Figure(
        name="costs",
        title=f"Cost and {of.title}",
        told="What the answers of each model cost and used, refused, truncated and failed ones too, and their mean F1.",
        unit=NUMBER,
    )
    costs, scores = dict[str, FigureRow](), dict[str, FigureRow]()
    for label, answers in of.by_model.items():
        once = answers.drop_duplicates("item")
        scored = answers[answers["f1"].notna()]
        mean = mean_estimate(scored["f1"].to_numpy(dtype=float), scored["cluster"].tolist(), shown.how)
        scores[label] = FigureRow(answers, {_F1.name: mean}, answers["f1"].notna())
        used = numbers_of(once, "cost_usd").notna() | numbers_of(once, "tokens_in").notna()
        costs[label] = FigureRow(once, _used(once), used, failed_as="scored")
    table = figure_table(of.items, heading, "Model", tuple(_COSTS.values()), costs)
    f1 = figure_table(of.items, heading, "Model", (_F1,), scores)
    title = _COSTS["per_thousand"].title
    points = [
        Point(
            row=label,
            column=_F1.title,
            value=scores[label].estimates[_F1.name].value,
            x=cost,
            text=f"{printed(scores[label].estimates[_F1.name], _F1)} for {cost:.2f} US dollars per 1,000 answers",
        )
        for label in of.labels
        if (cost := costs[label].estimates["per_thousand"].value) is not None
    ]
    chart = chart_of_points(
        points,
        kind=ChartKind.SCATTER,
        title=f"{of.title} by cost, a point for each model; those are joined that no other beats in both",
        row_title="Model",
        column_title="Figure",
        value_title="Mean F1",
        x_title=title,
        has_front=True,
    )
    return replace(
        table,
        column_labels=(*table.column_labels, *f1.column_labels),
        cells={**table.cells, **f1.cells},
        figures={**table.figures, **f1.figures},
        chart=chart if chart.points else None,
    )


def _used(answers: pd.DataFrame) -> dict[str, Estimate]:
    sums = {name: _sum(numbers_of(answers, name), name) for name in ("cost_usd", "tokens_in", "tokens_out")}
    cost, n = sums["cost_usd"].value, sums["cost_usd"].n or 0
    per = sums["cost_usd"] if cost is None else Estimate(1_000 * cost / n, n=n)
    known = answers.assign(all=numbers_of(answers, "tokens_in"), cached=numbers_of(answers, "tokens_cached"))
    known = known[known["all"].notna() & known["cached"].notna()]
    total = float(known["all"].sum())
    cached = Estimate(float(known["cached"].sum()) / total, n=len(known)) if total else None
    return {
        "cost": sums["cost_usd"],
        "per_thousand": per,
        "tokens_in": sums["tokens_in"],
        "tokens_out": sums["tokens_out"],
        "cached": cached or undefined("no reply says how many tokens were cached", 0),
    }


def _sum(values: pd.Series[float], name: str) -> Estimate:
    known, what = values.dropna(), "costs" if name == "cost_usd" else "used"
    if known.empty:
        return undefined(f"it is not known what any answer {what}", 0)
    missing = len(values) - len(known)
    note = f"of {counted(missing, 'answer')} it is not known" if missing else ""
    return Estimate(float(known.sum()), n=len(known), reason=note)


PRESETS = (
    analysis(
        "reasoning",
        "Length of reasoning",
        "F1 by the length of reasoning (ReCITE, Table 19, Figures 8 to 10).",
        _reasoning,
        takes=is_of_model,
        is_of_judges=True,
    ),
    analysis(
        "cutoff",
        "Knowledge cutoff",
        "F1 before and after the knowledge cutoff of each model (ReCITE, appendix B).",
        _cutoff,
        takes=is_of_model,
        is_of_judges=True,
    ),
    analysis(
        "cost",
        "Cost",
        "What answers cost and used, and F1 by cost (ReCITE, appendix L).",
        _cost,
        takes=is_of_model,
        is_of_judges=True,
    ),
)
