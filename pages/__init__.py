"""One screen per file, functions only: read state, call services, place components.

What screens show of one benchmark is a package in `pages/protocols/` under the name of its protocol's, with a `PAGES`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from core.people import Viewer
    from services.runs.settings import ProtocolOption, RunConfig

Show = Callable[[Any, "ProtocolOption", Callable[[], None]], Collection[str] | None]
"""Draw a source: what the study holds of it (`Source.offered`), the chosen protocol, and what keeps the form. Returns
the tasks that what is chosen can be asked, None for all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceForm:
    """A source in the form of a new run.

    Attributes:
        show: draws it; without it the options of the source are drawn
        is_empty: True where the study holds nothing of it
        nothing: what is drawn in its place then; without it `show` is drawn all the same
        missing: what is to be chosen first; empty if nothing
    """

    show: Show | None = None
    is_empty: Callable[[Any], bool] = lambda offered: not offered
    nothing: str = ""
    missing: Callable[[RunConfig], str] = lambda wanted: ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkPages:
    """Attributes:
    forms: sources in the form of a new run, by name; of one that is missing the options are drawn
    item_view: draws what an answer, by the ID of its item, was asked about; nothing for one that it does not know
    preview: draws below a dry run what would be sent
    """

    forms: Mapping[str, SourceForm] = field(default_factory=dict)
    item_view: Callable[[Viewer, str], None] | None = None
    preview: Callable[[Viewer, RunConfig], None] | None = None


def get_pages(protocol: str) -> BenchmarkPages:
    """Return what screens show of a benchmark, imported at its first use; nothing for one that has no such package."""
    from services.runs.benchmarks import find_package

    package = find_package(f"{__name__}.protocols", protocol)
    found: BenchmarkPages = package.PAGES if package else BenchmarkPages()
    return found
