"""Pages of a paper as blocks with Markdown, computed once in the reader's child processes and cached."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlmodel import Session

from core.errors import BadInput, Missing
from core.papers.pages import Box
from core.texts.markdown import PageBlock, PageText
from core.texts.sections import LayoutRole, TextBlock
from services.acting import ReadContext
from services.study import current_study
from store import assignments
from store import documents as derived
from store.papers import papers as stored
from store.tables import FileRow

PRODUCER = "pymupdf4llm"
PRODUCER_VERSION = "4"
"""Raise it whenever the blocks of the same page may differ.

An existing text is still checked against the pages it was made from; a text made again reads them again."""

NO_TEXT = "This file has no text layer; its text cannot be made. Attach the PDF of the publisher."

Progress = Callable[[int, int], None]
"""Called with the number of pages done and of all pages."""


@dataclass(frozen=True, slots=True)
class PaperFile:
    sha256: str
    path: Path
    pages: int


def paper_file(r: ReadContext, figure_id: str) -> PaperFile:
    """Return the PDF of a figure's paper. Raises Missing if there is no such figure or no file, BadInput for a picture
    and for a PDF without a text layer."""
    figure = assignments.study_figure(r.session, figure_id)
    paper = stored.paper(r.session, figure.paper_id)
    if paper.file_sha256 is None:
        raise Missing("This paper has no file yet; add its PDF first.")
    file = r.session.get(FileRow, paper.file_sha256)
    assert file is not None, "a paper's file has its row"
    if file.media_type != "application/pdf" or not file.has_text:
        raise BadInput(NO_TEXT)
    return PaperFile(file.sha256, r.study.shelf.path(r.session, file.sha256), file.page_count)


def page_texts(file: PaperFile, progress: Progress | None = None) -> tuple[PageText, ...]:
    """Return every page of a file. Unread pages take about half a second of processor time each, and are cached one by
    one. Raises UnreadableDocument for a page that cannot be read within the reader's limits."""
    study = current_study()
    with study.store.reading() as session:
        stored_pages = derived.derived_of(session, [file.sha256], PRODUCER, PRODUCER_VERSION)
    texts = list[PageText]()
    for number in range(1, file.pages + 1):
        known = stored_pages.get((file.sha256, part(number)))
        if known is not None:
            texts.append(_from_json(known, number))
        else:
            page = study.reader.markdown(file.path, file.sha256, number)
            with study.store.writing() as session:
                plain = as_json(page)
                derived.keep_derived(
                    session, file.sha256, PRODUCER, PRODUCER_VERSION, part(number), plain, study.clock()
                )
            texts.append(page)
        if progress is not None:
            progress(number, file.pages)
    return tuple(texts)


def is_read(session: Session, sha256: str, pages: int) -> bool:
    """Return whether every page was read, by this version or an earlier one."""
    known = derived.parts_of(session, sha256, PRODUCER)
    return all(part(number) in known for number in range(1, pages + 1))


def blocks_of(session: Session, sha256: str, pages: int) -> tuple[PageBlock, ...]:
    """Return the blocks of all pages of a file whose text was made, each page in its newest version."""
    known = derived.newest_of(session, sha256, PRODUCER)
    stored_pages = ((number, known.get(part(number))) for number in range(1, pages + 1))
    return tuple(
        block for number, page in stored_pages if page is not None for block in _from_json(page, number).blocks
    )


def part(number: int) -> str:
    """Return the name under which a page is cached."""
    return f"markdown of page {number}"


def as_json(page: PageText) -> dict[str, Any]:
    blocks = [
        [
            each.block.seen.value if each.block.seen else None,
            [each.block.box.x0, each.block.box.y0, each.block.box.x1, each.block.box.y1] if each.block.box else None,
            each.block.text,
            each.markdown,
        ]
        for each in page.blocks
    ]
    return {"blocks": blocks, "unseen": page.unseen}


def _from_json(stored_page: dict[str, Any], number: int) -> PageText:
    blocks = (
        PageBlock(TextBlock(number, text, LayoutRole(seen) if seen else None, Box(*box) if box else None), markdown)
        for seen, box, text, markdown in stored_page["blocks"]
    )
    return PageText(tuple(blocks), stored_page["unseen"])
