"""Accuracy by task, and by the digits of a number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.analysis.groupings import Grouping, by_label
from core.analysis.metrics import ACCURACY
from core.analysis.presets import Part, Preset, ProtocolTables

TASK = Grouping("task", "Task", lambda item: [item.task])
DIGITS = by_label("digits", "Digits", "none")


def _labels(facts: Mapping[str, Any]) -> Mapping[str, tuple[str, ...]]:
    return {"digits": tuple(facts["digits"])}


TABLES = ProtocolTables(
    presets={
        "main": Preset(key="main", title="By task", told="Accuracy on each task.", parts=(Part((ACCURACY,), TASK),)),
        "digits": Preset(
            key="digits", title="By digits", told="Accuracy by digits.", parts=(Part((ACCURACY,), DIGITS),)
        ),
    },
    told="accuracy by task and digits",
    labels_of=_labels,
    cluster_of=lambda facts: None,
    said_in=lambda parsed: parsed.get("answer") if isinstance(parsed, Mapping) else None,
)
