"""Which pages of a paper have been looked at for figures, without looking at any more of them."""

from __future__ import annotations

from core.errors import Missing
from core.people import May, Viewer
from documents.reader import FIGURES_PRODUCER, PRODUCER, PRODUCER_VERSION
from services.acting import consulting
from store import documents as derived
from store.papers import papers as stored
from store.papers.found import found_on
from store.tables import FileRow


def pages_looked_at(viewer: Viewer, paper_id: str) -> dict[int, int]:
    """Page number -> figure regions found on it, for the pages looked at before, by a person or for all papers.

    Raises Missing if the paper has no file.
    """
    with consulting(viewer, May.READ_STUDY) as r:
        row = stored.paper(r.session, paper_id)
        file = r.session.get(FileRow, row.file_sha256) if row.file_sha256 else None
        if file is None:
            raise Missing("This paper has no file yet; add its PDF first.")
        pages = found_on(r.session, [file.sha256], FIGURES_PRODUCER, str(PRODUCER_VERSION)).get(file.sha256, [])
        found = {page.number: len(page.regions) for page in pages}
        for number in (n for n in range(1, file.page_count + 1) if n not in found):
            kept = derived.derived(r.session, file.sha256, PRODUCER, str(PRODUCER_VERSION), f"page {number}")
            if kept is not None:
                found[number] = len(kept["regions"])
        return found
