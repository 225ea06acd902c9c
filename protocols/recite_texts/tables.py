"""What tables show of the items of these runs: their number. Texts are judged by their guards, not by tables."""

from __future__ import annotations

from core.results.columns import ItemColumns
from core.results.groupings import Grouping
from core.results.metrics import ITEMS
from core.results.presets import Preset, ProtocolTables, Shown, by_model
from core.results.table import ResultTable

TASK = Grouping("task", "Task", lambda item: [item.task])


def _main(items: ItemColumns, shown: Shown) -> tuple[ResultTable, ...]:
    return by_model(items, TASK, [ITEMS], shown)


TABLES = ProtocolTables(
    presets={"main": Preset(key="main", title="By task", told="Items of each task.", tables=_main)},
    told="items by task",
    labels_of=lambda facts: {},
    cluster_of=lambda facts: facts.get("paper"),
    said_in=lambda parsed: None,
)
