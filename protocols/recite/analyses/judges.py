"""Judges on the same answers, and the order of models in other forms of scores (ReCITE, Tables 7 and 8, appendix D)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

from core.analysis.charts import ChartKind, Point, chart_of_points
from core.analysis.columns import ItemColumns
from core.analysis.figure_tables import FigureRow, figure_table
from core.analysis.groupings import MINUS
from core.analysis.metrics import COUNT, NUMBER, PROBABILITY, Figure
from core.analysis.presets import Shown
from core.analysis.tables import ResultTable
from core.scoring.interval import mean_estimate
from core.verdicts.judged import F1
from core.verdicts.judges import both_judged, scores_of
from protocols.recite.analyses.measured import CORRELATIONS, Measured, analysis, correlations, measured, with_holm
from protocols.recite.judge.tables import NO_VERDICT, is_answer

if TYPE_CHECKING:
    import pandas as pd

_DIFFERENCE = Figure(
    name="difference",
    title="Mean Δ ± sd",
    told="F1 by the first judge minus that by the second; population standard deviation.",
    unit=NUMBER,
    is_mean=True,
)
_DESCRIPTION = (
    "Overall F1 of the same answers by two judges, of those that both judged whole; of a judge's repeated verdicts the "
    "first counts. A positive Δ: the first judge gives more."
)
FORMS = {"unweighted_literal": "Unweighted", "unweighted_strict": "Unweighted, strict"}
RANKS = (
    *(figure for figure in CORRELATIONS if figure.name.startswith("spearman")),
    Figure(name="kendall", title="τ-b", told="Kendall's τ-b over models.", unit=NUMBER),
    Figure(name="kendall_p", title="p of τ-b", told="Two-sided, of no correlation.", unit=PROBABILITY),
    Figure(
        name="kendall_holm",
        title="p of τ-b, Holm",
        told="Corrected for all rows of the table (Holm).",
        unit=PROBABILITY,
    ),
    Figure(name="n", title="Models", told="Models with a mean of both; baselines are left out.", unit=COUNT),
)


def _judges(items: ItemColumns, shown: Shown) -> Iterator[ResultTable]:
    frame = items.frame
    judges = list(dict.fromkeys(frame["judge"].dropna()))
    if len(judges) < 2:
        return
    scores = scores_of(frame)
    yield _pairs(items, shown, "Judges on the answers that both judged", judges, scores)
    if len(judges) > 2:
        by_all = scores.groupby("item", observed=True)["judge"].transform("nunique") == len(judges)
        yield _pairs(items, shown, "Judges on the answers that all judged", judges, scores[by_all])


def _pairs(items: ItemColumns, shown: Shown, title: str, judges: Sequence[str], scores: pd.DataFrame) -> ResultTable:
    frame = items.frame
    both = {(one, other): both_judged(scores, one, other) for one, other in combinations(judges, 2)}
    estimates = correlations({MINUS.join(pair): (each[F1], each[f"{F1}_other"]) for pair, each in both.items()})
    rows = dict[str, FigureRow]()
    for (one, other), each in both.items():
        label = f"{one}{MINUS}{other}"
        about = frame[frame["judge"].isin((one, other))].drop_duplicates("item")
        difference = mean_estimate(each["apart"].to_numpy(dtype=float), each["cluster"].tolist(), shown.how)
        rows[label] = FigureRow(
            about, {**estimates[label], _DIFFERENCE.name: difference}, about["item"].isin(each["item"])
        )
    heading = Figure(name=_DIFFERENCE.name, title=title, told=_DESCRIPTION, unit=NUMBER)
    return figure_table(items, heading, "Judges", (*CORRELATIONS[:-1], _DIFFERENCE, CORRELATIONS[-1]), rows)


def _ranks(items: ItemColumns, shown: Shown) -> Iterator[ResultTable]:
    for of in measured(items, shown):
        if of.judge:
            yield _of_judge(of.of_models(*(f"score.{form}.overall_f1" for form in FORMS)))


def _of_judge(of: Measured) -> ResultTable:
    rows = of.rows
    columns = {title: f"score.{form}.overall_f1" for form, title in FORMS.items()}
    known = {title: column for title, column in columns.items() if column in rows}
    points, pairs, used = list[Point](), {}, {}
    for title, column in known.items():
        used[title] = rows["f1"].notna() & rows[column].notna()
        means = rows[used[title]].groupby("label")[["f1", column]].mean().reindex(of.labels)
        pairs[title] = means["f1"], means[column]
        points += [
            Point(row=title, column="ρ", value=two, x=one, text=f"{label}: {two:.3f} ({one:.3f} weighted)")
            for label, one, two in means.dropna().itertuples()
        ]
    estimates = with_holm(correlations(pairs), "kendall")
    heading = Figure(
        name="ranks",
        title=f"Order of models, weighted and unweighted, by {of.judge}",
        told="Correlation over models of their mean overall F1 in the default form with that in an unweighted form.",
        unit=NUMBER,
    )
    chart = chart_of_points(
        points,
        kind=ChartKind.SCATTER,
        title=f"Mean unweighted F1 by mean weighted F1, a point for each model and form, by {of.judge}",
        row_title="Form",
        column_title="Figure",
        value_title="Unweighted F1",
        x_title="Weighted F1",
    )
    table = figure_table(
        of.items,
        heading,
        "Form",
        RANKS,
        {title: FigureRow(rows, estimates[title], used[title]) for title in known},
    )
    return replace(table, chart=chart if points else None)


PRESETS = (
    analysis(
        "judges",
        "Judges in pairs",
        "Correlation of two judges on the same answers, and how much more the first gives (ReCITE, Tables 7 and "
        "8; the latter prints two triples of values twice). Table 9 is in the run, under Judges.",
        _judges,
        is_whole=False,
        takes=is_answer,
        variant_title="Variant of the answers",
        is_of_judges=True,
        fills=lambda kinds: len({kind.judge for kind in kinds}) > 1,
        nothing="These runs hold no verdicts of two judges. Judge a finished run with two.",
    ),
    analysis(
        "ranks",
        "Order of models",
        "Order of models in the default form against unweighted forms (ReCITE, appendix D).",
        _ranks,
        is_whole=False,
        takes=is_answer,
        variant_title="Variant of the answers",
        is_of_judges=True,
        nothing=NO_VERDICT,
    ),
)
