"""One screen per file. Functions read state, call services and place components.
The screens of a benchmark are in `pages/protocols/<protocol name>/`, which defines `PAGES`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from core.people import Viewer
    from services.runs.settings import ProtocolOption, RunConfig

# Draw a source from what the study has of it (`Source.offered`), the protocol, and a callback that stores the form.
# Return the tasks that the chosen source supports, None for all.
Show = Callable[[Any, "ProtocolOption", Callable[[], None]], Collection[str] | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceForm:
    """A source in the form of a new run.

    Attributes:
        show: draws the source; without it, the options of the source are drawn
        is_empty: True if the study has nothing of it
        nothing: text to show if it is empty; without it, `show` is called all the same
        missing: what is to be chosen first; empty if nothing
    """

    show: Show | None = None
    is_empty: Callable[[Any], bool] = lambda offered: not offered
    nothing: str = ""
    missing: Callable[[RunConfig], str] = lambda wanted: ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkPages:
    """Screens of a benchmark.

    Attributes:
        asks: one line on what a run asks, on its card in the form of a new run
        needs: what the study must have for it; empty if nothing
        get: words, page and parameters of the link to where that comes from
        forms: sources in the form of a new run, by name; others are drawn from their options
        item_view: draws the question of an answer by item ID; draws nothing for an unknown ID
        preview: draws the first requests below a dry run
    """

    asks: str = ""
    needs: str = ""
    get: tuple[str, str, Mapping[str, str]] = ("", "", {})
    forms: Mapping[str, SourceForm] = field(default_factory=dict)
    item_view: Callable[[Viewer, str], None] | None = None
    preview: Callable[[Viewer, RunConfig], None] | None = None


def get_pages(protocol: str) -> BenchmarkPages:
    """Import the screens of a benchmark at first use; empty `BenchmarkPages` if it has none."""
    from services.runs.benchmarks import find_package

    package = find_package(f"{__name__}.protocols", protocol)
    pages: BenchmarkPages = package.PAGES if package else BenchmarkPages()
    return pages
