"""The forms of a protocol's sources; a source without a form of its own has its options drawn."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from core.people import Viewer
from pages import SourceForm, get_pages
from pages.runs import options
from services.runs.settings import ProtocolOption, RunConfig, RunOptions


@dataclass(frozen=True, slots=True)
class OptionsForm:
    """A source that has no form of its own: its options, and any task."""

    name: str

    def is_empty(self, found: RunOptions) -> bool:
        return False

    def empty(self, viewer: Viewer) -> None:
        raise AssertionError(f"{self.name} is never empty")

    def show(self, found: RunOptions, protocol: ProtocolOption, keep: Callable[[], None]) -> Collection[str]:
        options.show(protocol.options_of(self.name), keep)
        return [task.name for task in protocol.tasks]

    def missing(self, wanted: RunConfig) -> str:
        return ""


def forms_of(protocol: ProtocolOption) -> list[SourceForm]:
    forms = get_pages(protocol.name).forms
    return [forms.get(name) or OptionsForm(name) for name in protocol.sources]
