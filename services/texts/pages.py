"""The pages of a paper as blocks with Markdown: worked out once in the reader's child processes, then kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlmodel import Session

from core.errors import BadInput, Missing
from core.papers.pages import Box
from core.texts.markdown import PageBlock, PageText
from core.texts.sections import Block, Seen
from services.acting import Reading
from services.study import Study, current_study
from store import assignments
from store import documents as derived
from store.papers import papers as stored
from store.tables import FileRow

PRODUCER = "pymupdf4llm"
PRODUCER_VERSION = "3"
"""Raise it whenever the blocks of the same page may come out differently. A text that was made before is still checked
against the pages it was made of; one made again reads them anew."""

NO_TEXT = "This file has no text layer; its text cannot be made. Attach the PDF of the publisher."

Progress = Callable[[int, int], None]
"""Called with the pages done and all pages."""


@dataclass(frozen=True, slots=True)
class PaperFile:
    """A paper's PDF, ready to be read."""

    sha256: str
    path: Path
    pages: int


def paper_file(r: Reading, figure_id: str) -> PaperFile:
    """The file of the paper that a figure is in.

    Raises Missing if there is no such figure or no file, BadInput for a picture and for a PDF without a text layer.
    """
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
    """Every page of a file; those that nobody asked for before take about half a second of processor time each, and
    are kept one by one.

    Raises UnreadableDocument for a page that cannot be read within the reader's limits.
    """
    study = current_study()
    with study.store.reading() as session:
        kept = derived.derived_of(session, [file.sha256], PRODUCER, PRODUCER_VERSION)
    found = list[PageText]()
    for number in range(1, file.pages + 1):
        known = kept.get((file.sha256, part(number)))
        found.append(_asked(study, file, number) if known is None else _from_json(known, number))
        if progress is not None:
            progress(number, file.pages)
    return tuple(found)


def is_read(session: Session, sha256: str, pages: int) -> bool:
    """Whether every page was worked out before, by this version or an earlier one."""
    known = derived.parts_of(session, sha256, PRODUCER)
    return all(part(number) in known for number in range(1, pages + 1))


def blocks_of(session: Session, sha256: str, pages: int) -> tuple[PageBlock, ...]:
    """The blocks of all pages, of a file whose text was made; each page as it was last worked out."""
    known = derived.newest_of(session, sha256, PRODUCER)
    found = ((number, known.get(part(number))) for number in range(1, pages + 1))
    return tuple(block for number, kept in found if kept is not None for block in _from_json(kept, number).blocks)


def _asked(study: Study, file: PaperFile, number: int) -> PageText:
    page = study.reader.markdown(file.path, file.sha256, number)
    with study.store.writing() as session:
        plain = as_json(page)
        derived.keep_derived(session, file.sha256, PRODUCER, PRODUCER_VERSION, part(number), plain, study.clock())
    return page


def part(number: int) -> str:
    """Under which word a page is kept."""
    return f"markdown of page {number}"


def as_json(page: PageText) -> dict[str, Any]:
    """A page as it is kept."""
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


def _from_json(kept: dict[str, Any], number: int) -> PageText:
    blocks = (
        PageBlock(Block(number, text, Seen(seen) if seen else None, Box(*box) if box else None), markdown)
        for seen, box, text, markdown in kept["blocks"]
    )
    return PageText(tuple(blocks), kept["unseen"])
