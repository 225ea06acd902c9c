"""EconCausal's tables by name: the main one, by true sign, letter, year and domain, on mismatch, calibration."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from core.results.groupings import (
    DOMAIN,
    JEL,
    MOST_PROBABLE,
    SAID,
    SIGN_EXPECTED,
    TASK,
    TASK_AND_DOMAIN,
    YEAR,
    Grouping,
    crossed,
    models,
    task_title,
    with_all,
)
from core.results.items import ResultItem, judged_of
from core.results.metrics import LABELS, METRICS
from core.results.slices import Slice, SliceChoices, choices_of, words_of
from core.results.table import ResultTable, build_table
from core.scoring.calibration import Calibration, calibrate

if TYPE_CHECKING:
    from core.scoring.interval import Resampling


@dataclass(frozen=True, slots=True)
class Shown:
    """`how`: intervals. `models`: the order of rows. `groups`: extra row → the models whose scores it is the mean of
    (proprietary and open ones, as their cards say)."""

    how: Resampling | None = None
    models: Sequence[str] = ()
    groups: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """`tables` of some items; `told`: what they show.

    `own_tasks`: the tasks that the paper's table is of, None for all of them. `adds_up`: items of several tasks or
    variants come into one number, if somebody chooses several; other tables keep them in columns of their own.
    `takes`: the items that it can be about.
    """

    key: str
    title: str
    told: str
    tables: Callable[[Sequence[ResultItem], Shown], tuple[ResultTable, ...]]
    own_tasks: tuple[str, ...] | None = None
    adds_up: bool = False
    takes: Callable[[ResultItem], bool] = lambda item: True

    def choices(self, items: Sequence[ResultItem]) -> SliceChoices:
        """The tasks and variants that its tables can be of."""
        return choices_of(filter(self.takes, items), self.own_tasks)

    def chosen(self, items: Sequence[ResultItem], wanted: Slice) -> list[ResultItem]:
        """The items of a slice; the preset's own where `wanted` names no task, or no variant."""
        own = self.choices(items).own
        tasks = wanted.tasks or own.tasks
        if wanted.variants:
            kept = Slice(tasks, wanted.variants)
        else:  # the own variant is that of the chosen tasks
            kept = Slice(tasks, choices_of((each for each in items if self.takes(each)), tasks).own.variants)
        return [item for item in items if self.takes(item) and kept.holds(item)]

    def sliced(self, items: Sequence[ResultItem], wanted: Slice, shown: Shown) -> tuple[ResultTable, ...]:
        """The tables of a slice, which say what they are of."""
        kept = self.chosen(items, wanted)
        tables = self.tables(kept, shown)
        if not self.adds_up:
            return tables
        of = words_of(kept, adds_up=True)
        return tuple(replace(table, of=of) for table in tables)


def reliability_of(items: Sequence[ResultItem], shown: Shown = Shown()) -> dict[str, Calibration]:
    """By row of the calibration table: its bins for a reliability diagram, and the ids of items left out."""
    rows = models(items, shown.models)
    grouped: dict[str, list[ResultItem]] = {}
    for item in items:
        grouped.setdefault(rows.of(item)[0], []).append(item)
    return {label: calibrate(judged_of(grouped[label]), LABELS) for label in rows.order(list(grouped))}


def _by_model(
    items: Sequence[ResultItem], columns: Grouping, names: Sequence[str], shown: Shown
) -> tuple[ResultTable, ...]:
    """One table a score, models in rows, means of groups below them."""
    rows = models(items, shown.models)
    label_of: dict[str, list[str]] = {}
    for item in items:
        label = rows.of(item)[0]
        known = label_of.setdefault(item.model, [])
        if label not in known:
            known.append(label)
    means = {
        f"mean of {group}": [label for member in members for label in label_of.get(member, ())]
        for group, members in shown.groups.items()
    }
    return tuple(build_table(items, rows, columns, METRICS[name], shown.how, means=means) for name in names)


def _main(items: Sequence[ResultItem], shown: Shown) -> tuple[ResultTable, ...]:
    names = ("accuracy", "macro_f1", "released_accuracy", "released_macro_f1")
    return _by_model(items, TASK_AND_DOMAIN, names, shown)


def _signs(items: Sequence[ResultItem], shown: Shown) -> tuple[ResultTable, ...]:
    return _by_model(items, crossed(TASK, SIGN_EXPECTED), ("accuracy",), shown)


def _classes(items: Sequence[ResultItem], shown: Shown) -> tuple[ResultTable, ...]:
    names = [name for name in METRICS if name.partition(":")[0] in ("precision", "recall", "f1")]
    return _by_model(items, TASK, names, shown)


def _against_models(
    rows: Grouping,
) -> Callable[[Sequence[ResultItem], Shown], tuple[ResultTable, ...]]:
    def tables(items: Sequence[ResultItem], shown: Shown) -> tuple[ResultTable, ...]:
        return (build_table(items, rows, models(items, shown.models), METRICS["accuracy"], shown.how),)

    return tables


def _domains(items: Sequence[ResultItem], shown: Shown) -> tuple[ResultTable, ...]:
    return _by_model(items, crossed(TASK, with_all(DOMAIN)), ("accuracy",), shown)


def _has_examples(item: ResultItem) -> bool:
    return bool(item.example_signs)


def _may_abstain(item: ResultItem) -> bool:
    return item.variant.startswith("unknown")


def _mismatch(items: Sequence[ResultItem], shown: Shown) -> tuple[ResultTable, ...]:
    names = [f"{figure}_{which}" for which in ("first", "any") for figure in ("share", "mismatch", "drop")]
    return _by_model([item for item in items if _has_examples(item)], TASK, names, shown)


def _calibration(items: Sequence[ResultItem], shown: Shown) -> tuple[ResultTable, ...]:
    columns = (with_all(DOMAIN), SIGN_EXPECTED, MOST_PROBABLE)
    return tuple(table for each in columns for table in _by_model(items, each, ("ece",), shown))


def _unknown(items: Sequence[ResultItem], shown: Shown) -> tuple[ResultTable, ...]:
    offered = [item for item in items if _may_abstain(item)]
    return _by_model(offered, crossed(TASK, with_all(DOMAIN)), ("share_unknown",), shown)


def _confusions(items: Sequence[ResultItem], shown: Shown) -> tuple[ResultTable, ...]:
    rows = models(items, shown.models)
    grouped: dict[tuple[str, str], list[ResultItem]] = {}
    for item in items:
        grouped.setdefault((rows.of(item)[0], task_title(item)), []).append(item)
    ordered = rows.order(list(dict.fromkeys(label for label, _ in grouped)))
    return tuple(
        build_table(grouped[label, task], SIGN_EXPECTED, SAID, METRICS["count"], title=f"{label}, {task}")
        for label in ordered
        for task in TASK.order([task for one, task in grouped if one == label])
    )


ANALYSES_OF = ("task1",)
"""EconCausal's tables by letter, year and domain and its calibration are of Task 1 alone."""

PRESETS: Mapping[str, Preset] = {
    each.key: each
    for each in (
        Preset(
            key="main",
            title="Main table",
            told="Accuracy and macro-F1 of each model on each task, beside the scores of the released code.",
            tables=_main,
        ),
        Preset(key="sign", title="By true sign", told="Accuracy on each task, by the true sign.", tables=_signs),
        Preset(
            key="classes",
            title="Per sign: precision, recall, F1",
            told="Precision, recall and F1 of each sign on each task.",
            tables=_classes,
        ),
        Preset(
            key="jel",
            title="By JEL letter",
            told="A sample counts once for every distinct letter of its paper.",
            tables=_against_models(JEL),
            own_tasks=ANALYSES_OF,
            adds_up=True,
        ),
        Preset(
            key="year",
            title="By publication year",
            told="Accuracy by publication year of the paper.",
            tables=_against_models(YEAR),
            own_tasks=ANALYSES_OF,
            adds_up=True,
        ),
        Preset(
            key="domain",
            title="By domain",
            told="Accuracy in economics and finance journals, and in others.",
            tables=_domains,
            own_tasks=ANALYSES_OF,
        ),
        Preset(
            key="mismatch",
            title="Sign mismatch",
            told="Accuracy where the examples show another sign than the true one.",
            tables=_mismatch,
            takes=_has_examples,
        ),
        Preset(
            key="calibration",
            title="Calibration",
            told="How close confidence is to accuracy, from log-probabilities.",
            tables=_calibration,
            own_tasks=ANALYSES_OF,
            adds_up=True,
        ),
        Preset(
            key="unknown",
            title="Share of unknown",
            told="How often a model answers “unknown” where it may.",
            tables=_unknown,
            takes=_may_abstain,
        ),
        Preset(
            key="confusion",
            title="Confusion matrix",
            told="Predicted sign by true sign, with every status.",
            tables=_confusions,
        ),
    )
}
