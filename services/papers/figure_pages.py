"""Pages of a paper that were searched for figures; no further page is searched."""

from __future__ import annotations

from core.errors import Missing
from core.people import Permission, Viewer
from documents.reader import FIGURES_PRODUCER, PRODUCER, PRODUCER_VERSION
from services.acting import consulting
from store import documents as derived
from store.papers import papers as stored
from store.papers.found import found_on
from store.tables import FileRow


def pages_looked_at(viewer: Viewer, paper_id: str) -> dict[int, int]:
    """Return page number → detected figure regions, for the pages searched so far. Raises Missing without a file."""
    with consulting(viewer, Permission.READ_STUDY) as r:
        row = stored.paper(r.session, paper_id)
        file = r.session.get(FileRow, row.file_sha256) if row.file_sha256 else None
        if file is None:
            raise Missing("This paper has no file yet; add its PDF first.")
        pages = found_on(r.session, [file.sha256], FIGURES_PRODUCER, str(PRODUCER_VERSION)).get(file.sha256, [])
        regions_by_page = {page.number: len(page.regions) for page in pages}
        for number in (n for n in range(1, file.page_count + 1) if n not in regions_by_page):
            page_facts = derived.derived(r.session, file.sha256, PRODUCER, str(PRODUCER_VERSION), f"page {number}")
            if page_facts is not None:
                regions_by_page[number] = len(page_facts["regions"])
        return regions_by_page
