"""Papers whose pages lie in the store as the reader gives them, so that no PDF is opened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from hashlib import sha256

from core.papers.pages import Box, PageFacts, Word
from documents.reader import PRODUCER, PRODUCER_VERSION
from services.study import Study
from store import documents as derived
from store.tables import FileRow, PaperRow


def page_of(number: int, text: str) -> PageFacts:
    """A page with a line for each line of the text."""
    words = [
        Word(word, word, Box(72 + 40 * at, 72 + 14 * line, 108 + 40 * at, 84 + 14 * line), 0, line)
        for line, said in enumerate(text.split("\n"))
        for at, word in enumerate(said.split())
    ]
    return PageFacts(number, 595, 842, tuple(words), ())


def lay_papers(study: Study, person_id: str, papers: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """File's stem → the paper's id."""
    found, now = {}, study.clock()
    with study.store.writing() as session:
        for key, pages in papers.items():
            written = repr(list(pages)).encode()
            content = sha256(written).hexdigest()
            file = FileRow(
                sha256=content,
                media_type="application/pdf",
                size_bytes=len(written),
                original_name=f"{key}.pdf",
                page_count=len(pages),
                created_at=now,
            )
            study.shelf.put(session, file, written)
            session.flush()
            row = PaperRow(title=f"About {key}", file_sha256=content, created_by=person_id, created_at=now)
            row.publication_date, row.source = "2019-05", "Journal of Planting"
            session.add(row)
            session.flush()
            found[key] = row.id
            for number, text in enumerate(pages, 1):
                facts = asdict(page_of(number, text))
                part = f"page {number}"
                derived.keep_derived(session, content, PRODUCER, str(PRODUCER_VERSION), part, facts, now)
    return found
