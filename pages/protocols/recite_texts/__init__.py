"""Run form of texts of papers (ReCITE): chosen papers, or all."""

from __future__ import annotations

from collections.abc import Callable, Collection

from pages import BenchmarkPages, SourceForm
from pages.runs import options
from services.protocols.recite_texts import PaperOption
from services.runs.settings import ProtocolOption


def _show(
    offered: Collection[PaperOption], protocol: ProtocolOption, keep: Callable[[], None]
) -> Collection[str] | None:
    """Draw the choice of papers (see `SourceForm`); without a ground truth, a paper is only converted."""
    words = {each.id: each.title for each in offered}
    chosen = options.choose_ids("Papers", words, "papers", keep, "All papers with a file and a located figure")
    has_truth = any(each.has_truth for each in offered if not chosen or each.id in chosen)
    return None if has_truth else [protocol.tasks[0].name]


PAPERS = SourceForm(show=_show, nothing="No paper has a file and a located figure.")
PAGES = BenchmarkPages(
    asks="The text of papers, converted and cleaned as ReCITE does.",
    needs="papers with a file and a located figure",
    get=("Open papers", "papers", {}),
    forms={"papers": PAPERS},
)
