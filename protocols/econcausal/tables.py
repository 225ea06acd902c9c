"""EconCausal's tables by name: the main one, by true sign, letter, year and domain, on mismatch, calibration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.analysis.charts import ChartKind
from core.analysis.columns import ItemColumns
from core.analysis.groupings import Grouping, by_label, crossed, in_order, models, occurring, task_name, with_all
from core.analysis.items import ResultItem
from core.analysis.metrics import ACCURACY, ASKED, ITEMS, is_right
from core.analysis.preset_lists import by_key, pairs_preset, preset
from core.analysis.presets import MODELS, Part, ProtocolTables, Shown, reliability_of
from core.analysis.sides import Compared
from core.analysis.tables import ResultTable, build_table
from core.labels import SIGN
from core.triplets.triplet import NO_JEL, NUMERIC_JEL
from protocols.econcausal import metrics, sample_summaries
from protocols.econcausal.tasks import CONTEXT, KEY, TASK1, VARIANT_TITLES


def labels_of(facts: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return the labels that tables group a sample's items by: filter labels of lists, and signs of its examples."""
    return {metrics.EXAMPLE_SIGNS: tuple(facts.get("example_signs", ())), **sample_summaries.labels_of(facts)}


def paper_of(facts: Mapping[str, Any]) -> str | None:
    """The samples of a paper are drawn together: they are not independent."""
    return facts.get("paper")


def pair_of(task: str, key: str, answer: str | None, facts: Mapping[str, Any]) -> str:
    """The triplet that is asked about: the key has a hash of the question in it, which no two variants share."""
    parts = (task, facts["paper"], facts["treatment"], facts["outcome"], answer, facts["example_signs"])
    return "\n".join(map(str, parts))


def label_as_written(parsed: Mapping[str, Any] | None) -> str | None:
    """The word in the answer's label field as it was written: "" for an object without the field, None where it holds
    no text or there was no object."""
    if parsed is None:
        return None
    said = parsed.get(KEY, "")
    return said if isinstance(said, str) else None


NO_LABEL = "no log-probabilities"


def _task_title(item: ResultItem) -> str:
    """Return "Task 1", or "Task 1 (without context)" for other variants than the first."""
    name = task_name(item.task)
    return name if item.variant in ("", CONTEXT) else f"{name} ({item.variant_words})"


def _task_order(labels: Sequence[str]) -> list[str]:
    """Order a task's first variant before its others, sorted by name: links contain these positions."""

    def key(label: str) -> str:
        for name, words in VARIANT_TITLES.items():
            label = label.replace(f"({words})", f"({name})")
        return label.replace(" (", "\uffff(")

    return sorted(labels, key=key)


_NOT_ANSWERED = ("unparsable", "truncated", "refused", "failed", "excluded", "pending")
TASK = Grouping("task", "Task", lambda item: [_task_title(item)], _task_order)
SIGN_EXPECTED = Grouping(
    "sign", "True sign", lambda item: [item.answer or "no true sign"], in_order(*SIGN.classes, shows_all=True)
)
PREDICTED = Grouping(
    "said",
    "Predicted sign",
    lambda item: [item.predicted or item.status],
    in_order(*SIGN.classes, last=_NOT_ANSWERED, shows_all=True),
)
MOST_PROBABLE = Grouping(
    "most-probable", "Most probable sign", lambda item: [item.most_probable or NO_LABEL], in_order(last=[NO_LABEL])
)
JEL = by_label("jel", "JEL letter", NO_JEL, NUMERIC_JEL)
YEAR = by_label("year", "Publication year", "no year")
DOMAIN = by_label("domain", "Domain", "other venues")
TASK_AND_DOMAIN = Grouping(
    "task-domain",
    "Task",
    lambda item: (
        [f"{_task_title(item)}, {domain}" for domain in DOMAIN.of(item)] if item.task == TASK1 else [_task_title(item)]
    ),
    _task_order,
)
DOMAINS = with_all(DOMAIN)


def _confusions(items: ItemColumns, shown: Shown) -> tuple[ResultTable, ...]:
    """A matrix for each model and task."""
    matrix = occurring(crossed(models(items.kinds, shown.models), TASK))
    grouped: dict[str, list[int]] = {}
    for number, kind in enumerate(items.kinds):
        grouped.setdefault(matrix.of(kind)[0], []).append(number)
    titles = {label: ", ".join(label.rsplit(" · ", 1)) for label in matrix.order(list(grouped))}
    return tuple(
        build_table(items.taken(grouped[label]), SIGN_EXPECTED, PREDICTED, ITEMS, title=title)
        for label, title in titles.items()
    )


OF_TASK1 = (TASK1,)
"""EconCausal's tables by letter, year and domain and its calibration are of Task 1 alone."""

PRESETS = by_key(
    preset(
        "main",
        "Main table",
        "Accuracy and macro-F1 of each model on each task, beside the scores of the released code (Table 3).",
        Part((ACCURACY, metrics.MACRO_F1, *metrics.AS_RELEASED), TASK_AND_DOMAIN),
    ),
    pairs_preset(Compared(metric=ACCURACY, value=is_right, apart=TASK)),
    preset(
        "sign",
        "By true sign",
        "Accuracy on each task, by the true sign (Table 5).",
        Part((ACCURACY,), crossed(TASK, SIGN_EXPECTED)),
    ),
    preset(
        "classes",
        "Per sign: precision, recall, F1",
        "Precision, recall and F1 of each sign on each task.",
        Part(metrics.OF_SIGNS, TASK),
    ),
    preset(
        "jel",
        "By JEL letter",
        "Accuracy; a sample counts once for every distinct letter of its paper (Table 6).",
        Part((ACCURACY,), MODELS, rows=JEL),
        own_tasks=OF_TASK1,
    ),
    preset(
        "year",
        "By publication year",
        "Accuracy by publication year of the paper (Table 7).",
        Part((ACCURACY,), MODELS, rows=YEAR),
        own_tasks=OF_TASK1,
    ),
    preset(
        "domain",
        "By domain",
        "Accuracy in economics and finance journals, and in others.",
        Part((ACCURACY,), crossed(TASK, DOMAINS)),
        own_tasks=OF_TASK1,
    ),
    preset(
        "mismatch",
        "Sign mismatch",
        "Accuracy where the examples' signs differ from the true one.",
        Part(metrics.ON_MISMATCH, TASK),
        takes=lambda item: bool(item.values(metrics.EXAMPLE_SIGNS)),
        nothing="No item of these runs shows examples. Items of tasks 2 and 3 do.",
    ),
    preset(
        "calibration",
        "Calibration",
        "How close confidence is to accuracy, from log-probabilities.",
        *(Part((metrics.ECE,), columns) for columns in (DOMAINS, SIGN_EXPECTED, MOST_PROBABLE)),
        own_tasks=OF_TASK1,
    ),
    preset(
        "unknown",
        "Share of unknown",
        "How often a model answers “unknown” where it may.",
        Part((metrics.SHARE_UNKNOWN,), crossed(TASK, DOMAINS)),
        takes=lambda item: item.variant.startswith("unknown"),
        nothing="No item of these runs allows the answer “unknown”. Two variants of task 1 allow it.",
    ),
    preset(
        "confusion",
        "Confusion matrix",
        "Predicted sign by true sign, with every status.",
        custom=_confusions,
        chart=ChartKind.HEAT,
    ),
    preset(
        "samples",
        "Samples",
        "Questions asked, by true sign, JEL letter and domain (Figure 4, of the questions).",
        *(Part((ASKED,), SIGN_EXPECTED, rows=with_all(rows)) for rows in (JEL, DOMAIN)),
        chart=ChartKind.BARS,
        own_tasks=OF_TASK1,
    ),
)

TABLES = ProtocolTables(
    presets=PRESETS,
    told="accuracy by sign, JEL letter, year and domain, sign mismatch and calibration",
    labels_of=labels_of,
    cluster_of=paper_of,
    said_in=label_as_written,
    pair_of=pair_of,
    reliability=lambda items, shown: reliability_of(items, metrics.LABELS, shown),
    notes=("A sample counts once in every row or column it belongs to: with two JEL letters, in both.",),
)
