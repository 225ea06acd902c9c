"""Hidden text of a PDF: whether there is text, and whether some of it is invisible. Runs in a child process only."""

# PyMuPDF says it is typed, yet leaves most of its functions bare.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

from typing import Any

from documents.pdf_faults import PDF_FAULTS
from documents.pdf_library import pymupdf
from documents.turned import turn_of

TINY_POINTS = 2.0
INVISIBLE_MODE = 3  # PDF text rendering mode: neither filled nor stroked
WHITE = 0.98


def text_findings(document: pymupdf.Document, readable: list[int]) -> tuple[bool, str]:
    """Return whether there is text to read, and the notice on invisible text."""
    has_text, hidden, pages, recognised = False, 0, [], 0
    for index in readable:
        try:
            page = document[index]
            spans = page.get_texttrace()
        except PDF_FAULTS:
            continue  # a broken page has no text; the rest of the document counts
        has_text = has_text or any(chr(char[0]).strip() for span in spans for char in span["chars"])
        unseen = _characters(unseen_spans(page, spans))
        if unseen and unseen == _characters(spans) and _is_scan(page):
            recognised += 1
        elif unseen:
            hidden += unseen
            pages.append(index + 1)
    if hidden:
        where = f"page {pages[0]}" if len(pages) == 1 else f"{len(pages)} pages, first page {pages[0]}"
        return has_text, (
            f"Contains invisible text ({hidden:,} characters, {where}). "
            "It can mislead a language model that is given this document."
        )
    if recognised:
        return has_text, "Its text was recognised from page images; check names against the image."
    return has_text, ""


def _characters(spans: list[dict[str, Any]]) -> int:
    return sum(bool(chr(char[0]).strip()) for span in spans for char in span["chars"])


def unseen_spans(page: pymupdf.Page, spans: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the spans of a page's text trace that are in invisible mode, transparent, under 2 points, off the page, or
    white on no darker ground."""
    sheet = page.rect * ~turn_of(page)
    unseen = [span for span in spans if _is_unseen(span, sheet)]
    white = [span for span in spans if span not in unseen and is_white(span.get("color"))] if spans else []
    if white:
        painted = [
            pymupdf.Rect(path["rect"])
            for path in page.get_cdrawings()
            if path.get("fill") is not None and not is_white(path["fill"])
        ]
        dark = painted + [pymupdf.Rect(image["bbox"]) for image in page.get_image_info()]
        for span in white:
            x0, y0, x1, y1 = span["bbox"]
            centre = pymupdf.Point((x0 + x1) / 2, (y0 + y1) / 2)
            if not any(centre in ground for ground in dark):
                unseen.append(span)
    return unseen


def _is_unseen(span: dict[str, Any], sheet: pymupdf.Rect) -> bool:
    box = pymupdf.Rect(span["bbox"])
    return (
        span["type"] == INVISIBLE_MODE
        or span.get("opacity", 1) < 0.02
        or 0 < span["size"] < TINY_POINTS
        or not box.intersects(sheet)
    )


def is_white(colour: object) -> bool:
    if isinstance(colour, (int, float)):
        return colour >= WHITE
    return isinstance(colour, (tuple, list)) and len(colour) in (1, 3) and min(colour) >= WHITE


def _is_scan(page: pymupdf.Page) -> bool:
    sheet = page.rect * ~turn_of(page)
    return any(
        abs((pymupdf.Rect(image["bbox"]) & sheet).get_area()) > 0.8 * abs(sheet.get_area())
        for image in page.get_image_info()
    )
