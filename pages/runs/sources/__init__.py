"""What samples are made of, in the form of a new run: a module a source, by its name in `services/runs/sources/`.

Each has a `FORM`; of a source without a module here the options are drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Protocol, runtime_checkable

from core.people import Viewer
from pages.runs import options
from services.runs.settings import ProtocolOption, RunConfig, RunOptions


class SourceForm(Protocol):
    def is_empty(self, found: RunOptions) -> bool:
        """Whether the study holds nothing of it."""
        ...

    def empty(self, viewer: Viewer) -> None:
        """What is drawn in place of the form where no protocol has anything to ask of."""
        ...

    def show(self, found: RunOptions, protocol: ProtocolOption, keep: Callable[[], None]) -> Collection[str]:
        """Draw it. Returns the tasks that what is chosen can be asked."""
        ...

    def missing(self, wanted: RunConfig) -> str:
        """What is to be chosen first; empty if nothing."""
        ...


@runtime_checkable
class PreviewForm(Protocol):
    """A source that shows, below a dry run, what would be sent."""

    def preview(self, viewer: Viewer, wanted: RunConfig) -> None: ...


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


def form_of(source: str) -> SourceForm:
    module = f"{__name__}.{source}"
    if find_spec(module) is None:
        return OptionsForm(source)
    form: SourceForm = import_module(module).FORM
    return form


def forms_of(protocol: ProtocolOption) -> list[SourceForm]:
    return [form_of(name) for name in protocol.sources]
