"""Papers whose files are not opened: what opening finds is tested with the documents, here it is said."""

from __future__ import annotations

from types import SimpleNamespace

from core.errors import UnreadableDocument
from core.papers.pages import DocumentFacts
from documents.reader import Reader
from services.papers import importing, papers
from services.papers.papers import PaperView
from store.files import sha256_of
from store.tables import new_id

PDF = b"%PDF-1.7 not opened in these tests"


def inspect(_reader: Reader, content: bytes, filename: str) -> DocumentFacts:
    """In place of Reader.inspect."""
    if not content.startswith(b"%PDF-"):
        raise UnreadableDocument("not a document", f"{filename}: Neither a PDF nor a picture.")
    title = content.partition(b"title=")[2].decode()
    is_title_read = b"read title=" in content
    return DocumentFacts(
        sha256=sha256_of(content),
        media_type="application/pdf",
        size_bytes=len(content),
        page_count=12,
        has_text=True,
        title=title,
        is_title_read=is_title_read,
        notices=("It was mended.",),
    )


def bring(people: SimpleNamespace, content: bytes = PDF, name: str = "folder/a paper.pdf") -> importing.FileOutcome:
    return importing.import_file(people.researcher, name, content, act_id=new_id())


def look(people: SimpleNamespace, paper_id: str) -> PaperView:
    return papers.paper(people.expert, paper_id)
