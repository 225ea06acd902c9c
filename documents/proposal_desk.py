"""Proposals for a place of a PDF page or a picture. Runs in a child process only."""

# PyMuPDF says it is typed, yet leaves most of its functions bare.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pymupdf
from PIL import Image

from core.errors import UnreadableDocument
from core.proposals import FigureProposals
from documents.limits import Limits, fitting_dpi
from documents.ocr import ABSENT, is_installed, recognised
from documents.proposal_reading import read_outlines, read_tokens
from documents.proposal_words import Token
from documents.proposals import propose
from documents.rects import Rect

OCR_DPI = 300


def pdf_proposals(page: pymupdf.Page, box: Rect, limits: Limits) -> Mapping[str, Any]:
    """Names and edges from the page's text and lines; names by OCR if the box holds no words but an image or lines.

    Raises UnreadableDocument: "outside the page".
    """
    area = page.rect & pymupdf.Rect(box)
    if area.is_empty or area.width < 1 or area.height < 1:
        raise UnreadableDocument("outside the page", "The region lies outside the page; draw it again.")
    frame = (area.x0, area.y0, area.x1, area.y1)
    tokens, vocabulary = read_tokens(page, frame)
    outlines = read_outlines(page, frame)
    if tokens:
        return propose(tokens, outlines, frame, vocabulary).as_json()
    if not is_installed():
        return FigureProposals((), (), "ocr", ABSENT).as_json()
    dpi = fitting_dpi(area.width, area.height, OCR_DPI, limits)
    if dpi is None:
        return FigureProposals((), (), "ocr", "Too large to read by Tesseract: place names by click.").as_json()
    drawn = page.get_pixmap(dpi=dpi, clip=area, colorspace=pymupdf.csGRAY, alpha=False)
    picture = Image.frombytes("L", (drawn.width, drawn.height), drawn.samples)
    return _by_ocr(picture, 72 / dpi, frame)


def picture_proposals(picture: Image.Image, box: Rect) -> Mapping[str, Any]:
    """Names of a picture by OCR, in its own pixels.

    Raises UnreadableDocument: "outside the page".
    """
    x0, y0, x1, y1 = max(0, round(box[0])), max(0, round(box[1])), round(box[2]), round(box[3])
    x1, y1 = min(x1, picture.width), min(y1, picture.height)
    if x1 - x0 < 1 or y1 - y0 < 1:
        raise UnreadableDocument("outside the page", "The region lies outside the picture; draw it again.")
    return _by_ocr(picture.crop((x0, y0, x1, y1)), 1.0, (x0, y0, x1, y1))


def _by_ocr(picture: Image.Image, scale: float, frame: Rect) -> Mapping[str, Any]:
    tokens, notice = recognised(picture, scale, (frame[0], frame[1]))
    plausible = [token for token in tokens if _is_plausible(token)]
    found = propose(plausible, (), frame)
    return replace(found, origin="ocr", notice=notice).as_json()


def _is_plausible(token: Token) -> bool:
    """Arrowheads and bits of circles are often read as single letters or dashes and bars."""
    return sum(letter.isalnum() for letter in token.text) >= 0.5 * len(token.text)
