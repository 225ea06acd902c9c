"""Accuracy by task, and by the digits of a number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.analysis.columns import ItemColumns
from core.analysis.groupings import Grouping, by_label
from core.analysis.metrics import ACCURACY
from core.analysis.presets import Preset, ProtocolTables, Shown, by_model
from core.analysis.tables import ResultTable

TASK = Grouping("task", "Task", lambda item: [item.task])
DIGITS = by_label("digits", "Digits", "none")


def _main(items: ItemColumns, shown: Shown) -> tuple[ResultTable, ...]:
    return by_model(items, TASK, [ACCURACY], shown)


def _digits(items: ItemColumns, shown: Shown) -> tuple[ResultTable, ...]:
    return by_model(items, DIGITS, [ACCURACY], shown)


def _labels(facts: Mapping[str, Any]) -> Mapping[str, tuple[str, ...]]:
    return {"digits": tuple(facts["digits"])}


TABLES = ProtocolTables(
    presets={
        "main": Preset(key="main", title="By task", told="Accuracy on each task.", tables=_main),
        "digits": Preset(key="digits", title="By digits", told="Accuracy by digits.", tables=_digits),
    },
    told="accuracy by task and digits",
    labels_of=_labels,
    cluster_of=lambda facts: None,
    said_in=lambda parsed: parsed.get("answer") if isinstance(parsed, Mapping) else None,
)
