"""Where a triplet's evidence stands in its paper, when the study holds the paper: pages, characters and boxes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from core.errors import EdgewiseError, UnreadableDocument
from core.papers.pages import PageFacts
from core.people import Viewer
from core.triplets.passages import Match, Passage, PrintedWords
from services.acting import Reading
from services.papers import figures
from store.tables import FileRow, PaperRow

NO_PAPER = "The study has no such paper, so the evidence cannot be found in it."
NO_FILE = "The study has this paper without its file. Add the PDF to find the evidence in it."
NO_TEXT = "The paper's file has no text layer, so the evidence cannot be found in it."
NOT_THERE = "Not found in the paper word for word. Check it in the paper."


@dataclass(frozen=True, slots=True)
class EvidenceView:
    """A paragraph of evidence. `match` is None where there is no text to look in; `flag` says what to be careful of."""

    text: str
    match: Match | None
    passages: tuple[Passage, ...] = ()
    flag: str = ""


@dataclass(frozen=True)
class _Document:
    """A file by its content; whoever asks has been let in to it before."""

    sha256: str
    page_count: int
    paper_id: str = field(compare=False)
    viewer: Viewer = field(compare=False)


@dataclass(frozen=True, slots=True)
class EvidenceFile:
    """The paper's file, or in `note` why there is nothing to look in."""

    document: _Document | None
    note: str = ""


def source_of(r: Reading, paper_id: str | None) -> EvidenceFile:
    """What a paper of the study has to look in, inside a caller's session."""
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
    """Each paragraph with its place, and what is to be said of the search as a whole. Words of a page are read once
    and kept, as for figures; a page that cannot be read is left out and named."""
    plain = tuple(EvidenceView(text, None) for text in evidence)
    if not evidence or source.document is None:
        return plain, source.note if evidence else ""
    try:
        return _found(tuple(evidence), source.document)
    except EdgewiseError as error:
        return plain, f"The paper's file cannot be read: {error}"


@lru_cache(maxsize=256)  # a page draws itself anew at every click
def _found(evidence: tuple[str, ...], document: _Document) -> tuple[tuple[EvidenceView, ...], str]:
    pages: list[PageFacts] = []
    unread = []
    for number in range(1, document.page_count + 1):
        try:
            pages.append(figures.page(document.viewer, document.paper_id, number))
        except UnreadableDocument:
            unread.append(str(number))
    note = f"Not searched, because unreadable: page {', '.join(unread)}." if unread else ""
    printed = PrintedWords(pages)
    return tuple(_view(text, printed) for text in evidence), note


def _view(text: str, printed: PrintedWords) -> EvidenceView:
    found = printed.find(text)
    return EvidenceView(text, found.match, found.passages, NOT_THERE if found.match is Match.NOT_FOUND else "")
