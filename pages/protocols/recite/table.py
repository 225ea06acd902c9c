"""Imported tables of samples: chosen in one list with releases, which that form draws."""

from __future__ import annotations

from collections.abc import Callable, Collection

from core.people import Viewer
from services.runs.settings import ProtocolOption, RunConfig, RunOptions


class TableForm:
    def is_empty(self, found: RunOptions) -> bool:
        return not found.offers["table"]

    def empty(self, viewer: Viewer) -> None:
        """Said by the form of releases."""

    def show(self, found: RunOptions, protocol: ProtocolOption, keep: Callable[[], None]) -> Collection[str]:
        return [task.name for task in protocol.tasks]

    def missing(self, wanted: RunConfig) -> str:
        return ""


FORM = TableForm()
