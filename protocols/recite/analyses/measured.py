"""Measures of answers in analyses: overall F1 by a judge, or F1 of edges by exact names; never both in one table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from core.analysis.by import numbers_of
from core.analysis.columns import ItemColumns
from core.analysis.groupings import models
from core.analysis.items import BASELINE, CONTROL, ResultItem
from core.analysis.metrics import COUNT, NUMBER, PROBABILITY, Figure
from core.analysis.presets import Preset, Shown
from core.analysis.tables import ResultTable
from core.estimate import Estimate
from core.scoring.associations import associations
from core.scoring.paired import holm

if TYPE_CHECKING:
    import pandas as pd

JUDGED, EXACT = "score.default.overall_f1", "score.edge_f1"
_COUNTED = ("item", "run", "task", "variant", "status", "flags", "model", "label", "sample", "cluster", "f1")
SAMPLE = ["task", "variant", "sample"]
"""Columns that say which sample an answer is about; two judges' rows are never in one of these tables together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """Rows of the frame that have one measure, in the column `f1`, NaN for one that is in no number; in `label` the
    row of their model in tables, in the order `labels`. A row without a cluster is one by itself.

    Attributes:
        title: the measure in words
        prefix: of the columns of its other scores, such as `score.default.`
        judge: who judged the answers; empty for exact names
        items: the answers that it is of
    """

    title: str
    prefix: str
    judge: str
    items: ItemColumns
    rows: pd.DataFrame
    labels: tuple[str, ...]

    @property
    def by_model(self) -> dict[str, pd.DataFrame]:
        groups = dict(iter(self.rows.groupby("label", sort=False)))
        return {label: groups[label] for label in self.labels}

    def of_models(self, *names: str) -> Measured:
        """The same without baselines, and with the columns that tables count by and these: rows of all are slow."""
        is_model = self.rows["kind"].astype(object) != BASELINE
        known = [name for name in dict.fromkeys((*_COUNTED, *names)) if name in self.rows]
        rows = self.rows[known][is_model]
        labels = set(rows["label"])
        return replace(self, rows=rows, labels=tuple(label for label in self.labels if label in labels))

    @property
    def by_sample(self) -> pd.DataFrame:
        """A row for each sample: its facts, and in `f1` the mean over the models that have a score for it."""
        first = self.rows.drop_duplicates(SAMPLE).set_index(SAMPLE)
        return first.assign(f1=self.rows.groupby(SAMPLE, observed=True)["f1"].mean())


def samples_of(items: ItemColumns) -> pd.DataFrame:
    """Return a row for each sample, once for all of its variants, models and judges."""
    return items.frame.drop_duplicates("pair" if "pair" in items.frame else SAMPLE)


def title_of(judge: str) -> str:
    """Name a measure by its judge; empty: exact names."""
    return f"Overall F1 by {judge}" if judge else "F1 of edges by exact names"


def by_judge(items: ItemColumns) -> Iterator[tuple[str, ItemColumns]]:
    """Yield the answers of each measure that these items have: by each judge, then, with an empty name, those without a
    judge where any has F1 by exact names. Controls are in none."""
    judges = dict.fromkeys(kind.judge for kind in items.kinds if kind.judge and kind.kind != CONTROL)
    for judge in (*judges, ""):
        some = items.where(lambda kind, judge=judge: kind.judge == judge and kind.kind != CONTROL)  # type: ignore[misc]
        if judge or any(EXACT.removeprefix("score.") in kind.measures for kind in some.kinds):
            yield judge, some


def measured(items: ItemColumns, shown: Shown) -> Iterator[Measured]:
    """Yield the rows of each measure of `by_judge`."""
    for judge, some in by_judge(items):
        frame, rows = some.frame, models(some.kinds, shown.models)
        labels = some.labels(rows).astype(object)
        clusters = frame["cluster"].astype(object).where(frame["cluster"].notna(), frame["item"].astype(object))
        scores = numbers_of(frame, JUDGED if judge else EXACT)
        yield Measured(
            title=title_of(judge),
            prefix="score.default." if judge else "score.",
            judge=judge,
            items=some,
            rows=frame.assign(f1=scores, label=labels, cluster=clusters),
            labels=tuple(rows.order(list(dict.fromkeys(labels)))),
        )


def is_of_model(item: ResultItem) -> bool:
    """Return whether it is of a model, neither a baseline nor a control of a judge."""
    return item.kind not in (BASELINE, CONTROL)


def analysis(
    key: str,
    title: str,
    description: str,
    custom: Callable[[ItemColumns, Shown], Iterable[ResultTable]],
    *needs: str,
    **more: Any,
) -> Preset:
    """Build a preset of the whole frame, whose rows of controls of judges it leaves out. `needs` and `more`: see
    `Preset`."""
    usual: dict[str, Any] = {
        "takes": lambda item: item.kind != CONTROL,
        "is_whole": True,
        "needs": needs,
        "fills": bool,
    }
    return Preset(
        key=key,
        title=title,
        told=description,
        custom=lambda items, shown: tuple(custom(items, shown)),
        **usual | more,
    )


CORRELATIONS = (
    Figure(name="pearson", title="r", told="Pearson's r with its 95% interval (Fisher's z).", unit=NUMBER),
    Figure(name="pearson_p", title="p of r", told="Two-sided, of no correlation.", unit=PROBABILITY),
    Figure(
        name="pearson_holm", title="p of r, Holm", told="Corrected for all rows of the table (Holm).", unit=PROBABILITY
    ),
    Figure(name="spearman", title="ρ", told="Spearman's ρ.", unit=NUMBER),
    Figure(name="spearman_p", title="p of ρ", told="Two-sided, of no correlation.", unit=PROBABILITY),
    Figure(
        name="spearman_holm", title="p of ρ, Holm", told="Corrected for all rows of the table (Holm).", unit=PROBABILITY
    ),
    Figure(name="n", title="n", told="Units that have both values.", unit=COUNT),
)
"""Columns of tables of correlations."""


def correlations(pairs: Mapping[str, tuple[pd.Series[float], pd.Series[float]]]) -> dict[str, dict[str, Estimate]]:
    """Return the estimates of `CORRELATIONS` by row, p also corrected for the number of rows that have one."""
    return with_holm({label: associations(one, two) for label, (one, two) in pairs.items()}, "pearson", "spearman")


def with_holm(rows: Mapping[str, Mapping[str, Estimate]], *names: str) -> dict[str, dict[str, Estimate]]:
    """Return the estimates of rows, and for each name the p of all rows corrected for their number, as name_holm."""
    estimates = {label: dict(each) for label, each in rows.items()}
    for name in names:
        known = {label: each[f"{name}_p"].value for label, each in rows.items()}
        defined = {label: p for label, p in known.items() if p is not None}
        corrected = dict(zip(defined, holm(list(defined.values())), strict=True))
        for label, each in estimates.items():
            p = each[f"{name}_p"]
            each[f"{name}_holm"] = Estimate(corrected[label], n=p.n) if label in corrected else p
    return estimates
