"""Proposals for a place of a PDF page or a picture. Runs in a child process only."""

# PyMuPDF says it is typed, yet leaves most of its functions bare.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pymupdf
from PIL import Image

from core.errors import UnreadableDocument
from core.transcription.proposals import FigureProposals
from documents.limits import Limits, fitting_dpi
from documents.ocr import ABSENT, READ, is_installed, recognised
from documents.proposals.propose import propose
from documents.proposals.reading import read_outlines, read_tokens
from documents.proposals.shapes import centre, holds
from documents.proposals.words import PrintedWord
from documents.rects import Rect, meet
from documents.rects import area as rect_area

OCR_DPI = 300
LEAST_PICTURE = 0.5  # share of the region that pictures cover
MOST_WORDS_ON_PICTURE = 5  # a panel's letter, a stray label; a text layer over a scan holds all its words


def pdf_proposals(page: pymupdf.Page, box: Rect, limits: Limits) -> Mapping[str, Any]:
    """Names and edges from the page's text and lines; names by OCR where the box holds no words, or a picture whose
    words the page's text does not hold: a line of the caption inside the box says nothing about the picture.

    Raises UnreadableDocument: "outside the page".
    """
    area = page.rect & pymupdf.Rect(box)
    if area.is_empty or area.width < 1 or area.height < 1:
        raise UnreadableDocument("outside the page", "The region lies outside the page; draw it again.")
    frame = (area.x0, area.y0, area.x1, area.y1)
    tokens, vocabulary = read_tokens(page, frame)
    outlines = read_outlines(page, frame)
    by_text = propose(tokens, outlines, frame, vocabulary)
    pictures = _pictures(page, frame)
    on_picture = [token for token in tokens if _is_on(token, pictures)]
    is_picture = sum(map(rect_area, pictures)) >= LEAST_PICTURE * rect_area(frame)
    if tokens and (not is_picture or by_text.edges or len(on_picture) > MOST_WORDS_ON_PICTURE):
        return by_text.as_json()
    if not is_installed():
        return FigureProposals((), (), "ocr", ABSENT).as_json()
    dpi = fitting_dpi(area.width, area.height, OCR_DPI, limits)
    if dpi is None:
        return FigureProposals((), (), "ocr", "Too large to read by Tesseract: click to place names.").as_json()
    drawn = page.get_pixmap(dpi=dpi, clip=area, colorspace=pymupdf.csGRAY, alpha=False)
    picture = Image.frombytes("L", (drawn.width, drawn.height), drawn.samples)
    return _by_ocr(picture, 72 / dpi, frame, tokens, by_text, len(on_picture))


def _pictures(page: pymupdf.Page, frame: Rect) -> list[Rect]:
    """What the frame shows of the page's pictures; one may be stored in strips."""
    boxes = [pymupdf.Rect(one["bbox"]) * page.rotation_matrix for one in page.get_image_info()]
    return [meet((box.x0, box.y0, box.x1, box.y1), frame) for box in boxes if box.intersects(pymupdf.Rect(frame))]


def _is_on(token: PrintedWord, places: Iterable[Rect]) -> bool:
    return any(holds(place, centre(token.box)) for place in places)


def picture_proposals(picture: Image.Image, box: Rect) -> Mapping[str, Any]:
    """Names of a picture by OCR, in its own pixels.

    Raises UnreadableDocument: "outside the page".
    """
    x0, y0, x1, y1 = max(0, round(box[0])), max(0, round(box[1])), round(box[2]), round(box[3])
    x1, y1 = min(x1, picture.width), min(y1, picture.height)
    if x1 - x0 < 1 or y1 - y0 < 1:
        raise UnreadableDocument("outside the page", "The region lies outside the picture; draw it again.")
    return _by_ocr(picture.crop((x0, y0, x1, y1)), 1.0, (x0, y0, x1, y1))


def _by_ocr(
    picture: Image.Image,
    scale: float,
    frame: Rect,
    printed: Sequence[PrintedWord] = (),
    by_text: FigureProposals | None = None,
    on_picture: int = 0,
) -> Mapping[str, Any]:
    """Names of a picture, beside the words that the page's text holds (`printed`). `by_text` is what those words and
    the lines give: it stands if the picture holds hardly more words than lie on it as text (`on_picture`)."""
    tokens, notice = recognised(picture, scale, (frame[0], frame[1]))
    known = [token.box for token in printed]
    fresh = [token for token in tokens if _is_plausible(token) and not _is_on(token, known)]
    if by_text is not None and printed and notice == READ and len(fresh) <= on_picture:
        return by_text.as_json()
    found = propose([*printed, *fresh], (), frame) if notice == READ else FigureProposals((), (), "ocr")
    return replace(found, origin="ocr", notice=notice).as_json()


def _is_plausible(token: PrintedWord) -> bool:
    """Arrowheads and bits of circles are often read as single letters or dashes and bars."""
    return sum(letter.isalnum() for letter in token.text) >= 0.5 * len(token.text)
