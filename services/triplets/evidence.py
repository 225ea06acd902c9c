"""Location of a triplet's evidence in its paper, if the study has the paper: pages, characters and boxes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from core.errors import EdgewiseError, UnreadableDocument
from core.papers.pages import PageFacts
from core.people import Viewer
from core.triplets.passages import Match, Passage, PrintedWords
from services.acting import ReadContext
from services.papers import figures
from store.tables import FileRow, PaperRow

NO_PAPER = "The study has no such paper, so the evidence cannot be found in it."
NO_FILE = "The study has this paper without its file. Add the PDF to find the evidence in it."
NO_TEXT = "The paper's file has no text layer, so the evidence cannot be found in it."
NOT_THERE = "Not found in the paper word for word. Check it in the paper."


@dataclass(frozen=True, slots=True)
class EvidenceView:
    """A paragraph of evidence. `match` is None without a text to search; `flag` is a warning about the match."""

    text: str
    match: Match | None
    passages: tuple[Passage, ...] = ()
    flag: str = ""


@dataclass(frozen=True)
class _Document:
    """A file as a cache key: equal by content. Its creator has checked the viewer's access."""

    sha256: str
    page_count: int
    paper_id: str = field(compare=False)
    viewer: Viewer = field(compare=False)


@dataclass(frozen=True, slots=True)
class EvidenceFile:
    """The paper's file, or a note on why it cannot be searched."""

    document: _Document | None
    note: str = ""


def source_of(r: ReadContext, paper_id: str | None) -> EvidenceFile:
    paper = r.session.get(PaperRow, paper_id) if paper_id is not None else None
    if paper is None:
        return EvidenceFile(None, NO_PAPER)
    file = r.session.get(FileRow, paper.file_sha256) if paper.file_sha256 is not None else None
    if file is None:
        return EvidenceFile(None, NO_FILE)
    if not file.has_text:
        return EvidenceFile(None, NO_TEXT)
    return EvidenceFile(_Document(file.sha256, file.page_count, paper.id, r.viewer))


def located(evidence: Sequence[str], source: EvidenceFile) -> tuple[tuple[EvidenceView, ...], str]:
    """Return each paragraph with its location, and a note on the search as a whole.

    The words of a page are read once and stored, as for figures; unreadable pages are skipped and named in the note.
    """
    plain = tuple(EvidenceView(text, None) for text in evidence)
    if not evidence or source.document is None:
        return plain, source.note if evidence else ""
    try:
        return _locate(tuple(evidence), source.document)
    except EdgewiseError as error:
        return plain, f"The paper's file cannot be read: {error}"


@lru_cache(maxsize=256)  # a page reruns at every click
def _locate(evidence: tuple[str, ...], document: _Document) -> tuple[tuple[EvidenceView, ...], str]:
    pages: list[PageFacts] = []
    unread = []
    for number in range(1, document.page_count + 1):
        try:
            pages.append(figures.page(document.viewer, document.paper_id, number))
        except UnreadableDocument:
            unread.append(str(number))
    note = f"Not searched, because unreadable: page {', '.join(unread)}." if unread else ""
    printed = PrintedWords(pages)
    places = ((text, printed.find(text)) for text in evidence)
    return tuple(
        EvidenceView(text, place.match, place.passages, NOT_THERE if place.match is Match.NOT_FOUND else "")
        for text, place in places
    ), note
