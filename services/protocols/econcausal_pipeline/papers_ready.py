"""Making papers ready for a run: every page's words, read once and kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.errors import UnreadableDocument
from core.people import May, Viewer
from services.acting import consulting
from services.papers import figures
from services.protocols.econcausal_pipeline import pipeline_papers
from store.files import sha256_of
from store.papers import papers as stored

Progress = Callable[[int, int], bool]
"""Called with the pages read and all that are to be; False stops."""


@dataclass(frozen=True, slots=True)
class ReadyPapers:
    """`read`: pages that were read now; `unreadable`: a sentence for each page that cannot be; `is_stopped`."""

    read: int
    unreadable: tuple[str, ...] = ()
    is_stopped: bool = False


def papers_with_files(viewer: Viewer, contents: Sequence[bytes]) -> tuple[str | None, ...]:
    """The paper that each file is, None for one that the study does not have."""
    with consulting(viewer, May.READ_STUDY) as r:
        found = [stored.paper_with_file(r.session, sha256_of(each)) for each in contents]
        return tuple(None if each is None else each.id for each in found)


def make_ready(viewer: Viewer, papers: str = "", progress: Progress | None = None) -> ReadyPapers:
    """Read every page of these papers (ids or file names with commas; "" for all) that nobody has read; what was read
    stays when it is stopped. A page that cannot be read is told, and has no words. Raises Missing for a paper that
    there is not, BadInput for one without text."""
    with consulting(viewer, May.RUN) as r:
        ids = pipeline_papers.wanted_ids(r.session, papers, is_pdf=True)
        unread = pipeline_papers.unread_pages(r.session, ids)
    done, faults = 0, list[str]()
    for paper_id, number in unread:
        if progress is not None and not progress(done, len(unread)):
            return ReadyPapers(done, tuple(faults), is_stopped=True)
        try:
            figures.page(viewer, paper_id, number)
        except UnreadableDocument as error:
            faults.append(f"page {number}: {error}")
        done += 1
    return ReadyPapers(done, tuple(faults))
