"""One screen per file, functions only: read state, call services, place components.

What screens show of one benchmark is a package in `pages/protocols/` under the name of its protocol's, with a `PAGES`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from core.people import Viewer
    from services.runs.settings import ProtocolOption, RunConfig, RunOptions


class SourceForm(Protocol):
    """A source in the form of a new run."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkPages:
    """Attributes:
    item_view: draws what an answer, by the ID of its item, was asked about; nothing for one that it does not know
    forms: sources in the form of a new run, by name; of one that is missing the options are drawn
    preview: draws below a dry run what would be sent
    """

    forms: Mapping[str, SourceForm] = field(default_factory=dict)
    item_view: Callable[[Viewer, str], None] | None = None
    preview: Callable[[Viewer, RunConfig], None] | None = None


def get_pages(protocol: str) -> BenchmarkPages:
    """Return what screens show of a benchmark, imported at its first use; nothing for one that has no such package."""
    from protocols import PROTOCOLS
    from protocols.protocol import package_of

    if protocol not in PROTOCOLS:  # a run of a later Edgewise
        return BenchmarkPages()
    module = f"{__name__}.protocols.{package_of(PROTOCOLS[protocol])}"
    found: BenchmarkPages = import_module(module).PAGES if find_spec(module) else BenchmarkPages()
    return found
