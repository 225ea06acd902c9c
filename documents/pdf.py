"""Facts and pages of a PDF by PyMuPDF, as plain JSON values. Runs in a child process only.

PyMuPDF gives text, drawings and images in unrotated coordinates; this module returns displayed ones."""

# PyMuPDF says it is typed, yet leaves most of its functions bare.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from core.errors import UnreadableDocument
from core.transcription.proposals import FigureProposals
from documents.child_errors import NO_DOCUMENT
from documents.figures import find_regions
from documents.folding import folded
from documents.hidden_text import is_white, text_findings
from documents.limits import DPI_STEPS, Limits, fitting_dpi, pixels
from documents.pdf_faults import PDF_FAULTS, faults_as
from documents.pdf_library import pymupdf
from documents.pictures import NO_TEXT
from documents.proposals.captions import TextLine
from documents.proposals.clusters import InkShape
from documents.proposals.propose import propose
from documents.proposals.reading import read_outlines, read_tokens
from documents.rects import Rect
from documents.titles import title_of
from documents.turned import turn_of

pymupdf.TOOLS.mupdf_display_errors(False)
pymupdf.TOOLS.mupdf_display_warnings(False)

UNSURE_CHARACTER = "\ufffd"


def open_pdf(content: bytes) -> pymupdf.Document:
    """Open a document. Raises UnreadableDocument: "truncated", "encrypted"."""
    with faults_as("truncated", "Cut off or damaged: no page could be read. Download it again."):
        document = pymupdf.open(stream=content, filetype="pdf")
        is_pdf, locked = document.is_pdf, document.needs_pass
    if not is_pdf:
        raise UnreadableDocument("not a document", NO_DOCUMENT)
    if locked:
        raise UnreadableDocument("encrypted", "Password-protected; upload a copy without a password.")
    return document


def pdf_facts(document: pymupdf.Document, limits: Limits) -> dict[str, Any]:
    """Return page count, title and whether it was read from the first page, whether there is text, and notices.
    Raises UnreadableDocument: "too many pages", "no pages", "truncated"."""
    with faults_as("no pages", "No readable pages."):
        count = document.page_count
    if count > limits.max_pages:
        raise UnreadableDocument(
            "too many pages", f"{count:,} pages; the limit is {limits.max_pages}. Upload the part with the figure."
        )
    readable = _readable_pages(document, count)
    if not readable:
        if document.is_repaired:
            raise UnreadableDocument("truncated", "Cut off or damaged: no page could be read. Download it again.")
        raise UnreadableDocument("no pages", "No readable pages.")
    has_text, hidden_notice = text_findings(document, readable)
    notices = [*_state_notices(document, count, readable), *_size_notices(document, readable, limits)]
    if not has_text:
        notices.append(NO_TEXT)
    if hidden_notice:
        notices.append(hidden_notice)
    try:
        title, is_title_read = title_of(document, readable[0])
    except PDF_FAULTS:
        title, is_title_read = "", False  # a broken page has no title; the rest of the document counts
    return {
        "page_count": count,
        "has_text": has_text,
        "title": title,
        "is_title_read": is_title_read,
        "notices": notices,
    }


def pdf_page(document: pymupdf.Document, number: int) -> dict[str, Any]:
    page = page_of(document, number)
    with faults_as("unreadable page", f"Page {number} cannot be read; the rest of the document may be fine."):
        words = _words(page)
        shapes = [*_paths(page), *_images(page)]
        width, height = page.rect.width, page.rect.height
        # an arrow's head is slanted, so a page of straight shapes has none
        reading = _read_whole(page) if any(shape.slanted for shape in shapes) else None
    regions = find_regions(shapes, _lines(words), width, height, reading)
    return {
        "number": number,
        "width": round(width, 2),
        "height": round(height, 2),
        "words": words,
        "regions": [
            {"box": _rounded(one.box), "kind": one.kind, "label": one.label, "caption": one.caption} for one in regions
        ],
    }


def draw_pdf(document: pymupdf.Document, number: int, dpi: int, box: Rect | None, limits: Limits) -> bytes:
    """Return a PNG of a page, or of a box on it.

    Raises UnreadableDocument: "too large a page", "outside the page", "unreadable page"."""
    page = page_of(document, number)
    area = page.rect if box is None else _on_page(page, number, box)
    if pixels(area.width, area.height, dpi) > limits.max_pixels:
        fits = fitting_dpi(area.width, area.height, dpi, limits)
        remedy = f"choose {fits} dpi" if fits else "text still available; cut out a smaller region"
        inches = f"{area.width / 72:.0f} x {area.height / 72:.0f} inches"
        message = f"Page {number} is too large to draw at {dpi} dpi ({inches}); {remedy}."
        raise UnreadableDocument("too large a page", message)
    with faults_as("unreadable page", f"Page {number} cannot be drawn; its text may still be available."):
        drawn: bytes = page.get_pixmap(dpi=dpi, clip=area, alpha=False).tobytes("png")
    return drawn


def small_pdf(document: pymupdf.Document, number: int, box: Rect, side: int) -> bytes:
    """Return a PNG of a box on a page, its longer side `side` pixels.

    Raises UnreadableDocument: "outside the page", "unreadable page"."""
    page = page_of(document, number)
    area = _on_page(page, number, box)
    scale = side / max(area.width, area.height)
    with faults_as("unreadable page", f"Page {number} cannot be drawn; its text may still be available."):
        matrix = pymupdf.Matrix(scale, scale)
        drawn: bytes = page.get_pixmap(matrix=matrix, clip=area, alpha=False).tobytes("png")
    return drawn


def _on_page(page: pymupdf.Page, number: int, box: Rect) -> pymupdf.Rect:
    area: pymupdf.Rect = page.rect & pymupdf.Rect(box)
    if area.is_empty or area.width < 1 or area.height < 1:
        raise UnreadableDocument("outside the page", f"The region lies outside page {number}; draw it again.")
    return area


def page_of(document: pymupdf.Document, number: int) -> pymupdf.Page:
    """Return page `number`, from 1. Raises UnreadableDocument: "no such page", "unreadable page"."""
    if not 1 <= number <= document.page_count:
        raise UnreadableDocument("no such page", f"There is no page {number}; the document has {document.page_count}.")
    with faults_as("unreadable page", f"Page {number} cannot be read; the rest of the document may be fine."):
        return document[number - 1]


def _readable_pages(document: pymupdf.Document, count: int) -> list[int]:
    readable = []
    for index in range(count):
        try:
            if not document[index].rect.is_empty:
                readable.append(index)
        except PDF_FAULTS:
            continue  # counted by its absence
    return readable


def _state_notices(document: pymupdf.Document, count: int, readable: list[int]) -> Iterator[str]:
    if document.is_repaired:
        pages = "1 page" if len(readable) == 1 else f"{len(readable)} pages"
        yield f"Damaged; repaired, {pages} could be read. Check against the original before use."
    elif len(readable) < count:
        yield f"{count - len(readable)} of {count} pages cannot be read."
    if (document.metadata or {}).get("encryption"):
        yield "Its owner has restricted the use of this file; check that you may work with it."


def _size_notices(document: pymupdf.Document, readable: list[int], limits: Limits) -> Iterator[str]:
    large = [
        index + 1
        for index in readable
        if fitting_dpi(document[index].rect.width, document[index].rect.height, DPI_STEPS[0], limits) is None
    ]
    if large:
        names = ", ".join(str(number) for number in large[:5]) + (" and others" if len(large) > 5 else "")
        yield f"Page too large to draw ({names}); text still available."


def _words(page: pymupdf.Page) -> list[dict[str, Any]]:
    turn = turn_of(page)
    words = []
    for x0, y0, x1, y1, printed, block, line, _ in page.get_text("words"):
        text = folded(printed).strip()
        if text and text != UNSURE_CHARACTER:
            box = _rounded(_tuple(pymupdf.Rect(x0, y0, x1, y1) * turn))
            words.append({"text": text, "printed": printed, "box": box, "block": block, "line": line})
    return words


def _lines(words: list[dict[str, Any]]) -> list[TextLine]:
    groups: dict[tuple[int, int], list[dict[str, Any]]] = {}
    for word in words:
        groups.setdefault((word["block"], word["line"]), []).append(word)
    lines = []
    for (block, _), members in groups.items():
        boxes = [member["box"] for member in members]
        box = (min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes))
        lines.append(TextLine(" ".join(member["text"] for member in members), box, block))
    return lines


def _read_whole(page: pymupdf.Page) -> FigureProposals:
    frame = _tuple(page.rect)
    tokens, vocabulary = read_tokens(page, frame)
    return propose(tokens, read_outlines(page, frame), frame, vocabulary)


def _paths(page: pymupdf.Page) -> Iterator[InkShape]:
    turn = turn_of(page)
    for path in page.get_cdrawings():
        if path["type"] == "f" and is_white(path.get("fill")):
            continue  # white paint hides, it does not draw
        yield InkShape(_tuple(pymupdf.Rect(path["rect"]) * turn), "vector", _is_slanted(path["items"]))


def _is_slanted(items: list[tuple[Any, ...]]) -> bool:
    for item in items:
        if item[0] in ("c", "qu"):
            return True
        if item[0] == "l":
            (x0, y0), (x1, y1) = item[1], item[2]
            if abs(x1 - x0) > 1 and abs(y1 - y0) > 1:
                return True
    return False


def _images(page: pymupdf.Page) -> Iterator[InkShape]:
    turn = turn_of(page)
    for image in page.get_image_info():
        yield InkShape(_tuple(pymupdf.Rect(image["bbox"]) * turn), "raster")


def _tuple(rect: pymupdf.Rect) -> Rect:
    return (rect.x0, rect.y0, rect.x1, rect.y1)


def _rounded(box: Rect) -> list[float]:
    return [round(value, 2) for value in box]
