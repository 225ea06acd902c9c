"""EconCausal's tables by name: the main one, by true sign, letter, year and domain, on mismatch, calibration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.analysis.columns import ItemColumns
from core.analysis.groupings import crossed, models, with_all
from core.analysis.items import ResultItem
from core.analysis.metrics import Metric
from core.analysis.presets import MODELS, Part, Preset, ProtocolTables, Shown, reliability_of
from core.analysis.tables import ResultTable, build_table
from core.scoring.calibration import Calibration
from protocols.econcausal import sample_summaries
from protocols.econcausal.groupings import (
    DOMAIN,
    JEL,
    MOST_PROBABLE,
    PREDICTED,
    SIGN_EXPECTED,
    TASK,
    TASK_AND_DOMAIN,
    YEAR,
    task_title,
)
from protocols.econcausal.metrics import EXAMPLE_SIGNS, LABELS, METRICS
from protocols.econcausal.tasks import KEY, TASK1


def labels_of(facts: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return the labels that tables group a sample's items by: filter labels of lists, and signs of its examples."""
    return {EXAMPLE_SIGNS: tuple(facts.get("example_signs", ())), **sample_summaries.labels_of(facts)}


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


def _reliability(items: ItemColumns, shown: Shown) -> Mapping[str, Calibration]:
    return reliability_of(items, LABELS, shown)


def _has_examples(item: ResultItem) -> bool:
    return bool(item.values(EXAMPLE_SIGNS))


def _may_abstain(item: ResultItem) -> bool:
    return item.variant.startswith("unknown")


def _of(*names: str) -> tuple[Metric, ...]:
    return tuple(METRICS[name] for name in names)


ACCURACY = _of("accuracy")
OF_SIGNS = _of(*(name for name in METRICS if name.partition(":")[0] in ("precision", "recall", "f1")))
ON_MISMATCH = _of(*(f"{figure}_{which}" for which in ("first", "any") for figure in ("share", "mismatch", "drop")))
DOMAINS = with_all(DOMAIN)


def _confusions(items: ItemColumns, shown: Shown) -> tuple[ResultTable, ...]:
    rows = models(items.kinds, shown.models)
    grouped: dict[tuple[str, str], list[int]] = {}
    for number, kind in enumerate(items.kinds):
        grouped.setdefault((rows.of(kind)[0], task_title(kind)), []).append(number)
    ordered = rows.order(list(dict.fromkeys(label for label, _ in grouped)))
    return tuple(
        build_table(
            items.taken(grouped[label, task]), SIGN_EXPECTED, PREDICTED, METRICS["count"], title=f"{label}, {task}"
        )
        for label in ordered
        for task in TASK.order([task for one, task in grouped if one == label])
    )


ANALYSES_OF = (TASK1,)
"""EconCausal's tables by letter, year and domain and its calibration are of Task 1 alone."""

PRESETS: Mapping[str, Preset] = {
    each.key: each
    for each in (
        Preset(
            key="main",
            title="Main table",
            told="Accuracy and macro-F1 of each model on each task, beside the scores of the released code.",
            parts=(Part(_of("accuracy", "macro_f1", "released_accuracy", "released_macro_f1"), TASK_AND_DOMAIN),),
        ),
        Preset(
            key="sign",
            title="By true sign",
            told="Accuracy on each task, by the true sign.",
            parts=(Part(ACCURACY, crossed(TASK, SIGN_EXPECTED)),),
        ),
        Preset(
            key="classes",
            title="Per sign: precision, recall, F1",
            told="Precision, recall and F1 of each sign on each task.",
            parts=(Part(OF_SIGNS, TASK),),
        ),
        Preset(
            key="jel",
            title="By JEL letter",
            told="A sample counts once for every distinct letter of its paper.",
            parts=(Part(ACCURACY, MODELS, rows=JEL),),
            own_tasks=ANALYSES_OF,
        ),
        Preset(
            key="year",
            title="By publication year",
            told="Accuracy by publication year of the paper.",
            parts=(Part(ACCURACY, MODELS, rows=YEAR),),
            own_tasks=ANALYSES_OF,
        ),
        Preset(
            key="domain",
            title="By domain",
            told="Accuracy in economics and finance journals, and in others.",
            parts=(Part(ACCURACY, crossed(TASK, DOMAINS)),),
            own_tasks=ANALYSES_OF,
        ),
        Preset(
            key="mismatch",
            title="Sign mismatch",
            told="Accuracy where the examples' signs differ from the true one.",
            parts=(Part(ON_MISMATCH, TASK),),
            takes=_has_examples,
            nothing="No item of these runs shows examples. Items of tasks 2 and 3 do.",
        ),
        Preset(
            key="calibration",
            title="Calibration",
            told="How close confidence is to accuracy, from log-probabilities.",
            parts=tuple(Part(_of("ece"), columns) for columns in (DOMAINS, SIGN_EXPECTED, MOST_PROBABLE)),
            own_tasks=ANALYSES_OF,
        ),
        Preset(
            key="unknown",
            title="Share of unknown",
            told="How often a model answers “unknown” where it may.",
            parts=(Part(_of("share_unknown"), crossed(TASK, DOMAINS)),),
            takes=_may_abstain,
            nothing="No item of these runs allows the answer “unknown”. Two variants of task 1 allow it.",
        ),
        Preset(
            key="confusion",
            title="Confusion matrix",
            told="Predicted sign by true sign, with every status.",
            custom=_confusions,
        ),
    )
}

TABLES = ProtocolTables(
    presets=PRESETS,
    told="accuracy by sign, JEL letter, year and domain, sign mismatch and calibration",
    labels_of=labels_of,
    cluster_of=paper_of,
    said_in=label_as_written,
    pair_of=pair_of,
    reliability=_reliability,
    notes=("A sample counts once in every row or column it belongs to: with two JEL letters, in both.",),
)
