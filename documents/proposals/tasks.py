"""Proposals for a place of a PDF page or a picture. Runs in a child process only."""

# PyMuPDF says it is typed, yet leaves most of its functions bare.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from PIL import Image

from core.errors import UnreadableDocument
from core.transcription.proposals import FigureProposals
from core.transcription.voting import vote
from documents.pdf_library import pymupdf
from documents.proposals.axes import has_axes
from documents.proposals.propose import propose
from documents.proposals.reading import read_outlines, read_tokens, words_of
from documents.proposals.shapes import Outline, centre, holds
from documents.proposals.words import PrintedWord
from documents.raster.letters import without_halos
from documents.raster.outlined import WRITTEN, letter_like, without_letters
from documents.rects import Rect, area, meet
from documents.turned import turn_of

if TYPE_CHECKING:  # numpy loads with the first picture
    from documents.raster.doubts import Seam
    from documents.raster.engine import Pixels
    from documents.raster.letter_words import LetterWords
    from documents.raster.names import MatchedWords
    from documents.raster.words import InkWord

log = logging.getLogger(__name__)
T = TypeVar("T")

FINEST_DPI, COARSEST_DPI = 300, 50
LONGEST_SIDE = 2_000  # pixels; RapidOCR accepts at most this
LEAST_CONTRAST = 16  # of 255, between a picture's darkest and lightest: paper alone, or a scan of it, has less
LEAST_PICTURE = 0.5  # share of the region that pictures cover
MOST_PAGES = 60  # of a paper, whose words misread names are compared with
MOST_WORDS_ON_PICTURE = 5  # a panel's letter, a stray label
MOST_LINES_ON_PICTURE = 8  # a frame of four lines, a stray rule; an axis alone has more ticks
LEAST_JOINED = 0.5  # share of the names that the arrows of a diagram join
LEAST_UNDERSTOOD = 0.6  # share of arrowheads and of lines that become edges in figures that are read well

READ = "Names and arrows were read from the picture; arrows may be missing. Check each."
ARROWS_READ = "Arrows were read from the figure's pixels too; some may be missing. Check each."
NAMES_READ = "Names were read from the picture; check each against it."
NONE_READ = "Nothing was read from the picture: click to place names."
NOT_IN_TEXT = "The paper's text does not contain this name; check its letters."
CHART = "No edges are proposed: the picture has two axes with numbers, so it is a chart."
TOO_LARGE = "The picture is too large to read: click to place names."
LINES_FAILED = "Reading the figure's drawn lines failed."
LETTERS_FAILED = "Reading the figure's outlined letters failed."
WORDS_FAILED = "Reading the words in the figure's pixels failed."
PIXELS_FAILED = "Reading the figure's pixels failed."


@dataclass(frozen=True, slots=True, kw_only=True)
class FigurePicture:
    """A figure's pixels and what the page says about them."""

    pixels: Pixels | None  # blue, green, red; None if it is too large to draw
    scale: float  # points per pixel
    frame: Rect
    printed: Sequence[PrintedWord] = ()  # words of the page's text
    by_text: FigureProposals | None = None  # proposals from them and the lines
    vocabulary: frozenset[str] = frozenset()  # the paper's words in lower case
    outlines: Sequence[Outline] = ()  # the page's lines, if it is no picture or they write words
    white: Sequence[Outline] = ()  # outlines that it paints white
    is_picture: bool = False  # pictures cover most of it
    has_unread_words: bool = True  # its pixels show words that the text does not contain
    has_failed: bool = False  # the reader of the page's text and lines


def pdf_proposals(page: pymupdf.Page, box: Rect) -> tuple[FigureProposals, bool]:
    """Propose names and edges from the page's text and lines; return also whether the pixels show more. That is so for
    a picture with few lines drawn over it (a line of the caption inside the box does not count), a figure whose letters
    are outlines, or one whose lines were not understood. Raises UnreadableDocument: "outside the page"."""
    frame = _frame(page, box)
    proposals, read = _by_text(page, frame)
    if read.has_failed or not _is_understood(proposals):
        return proposals, True
    if _is_picture(page, frame):
        return proposals, _is_bare_picture(proposals, read)
    return proposals, not proposals.edges and _has_unread_words(read)


def _is_understood(proposals: FigureProposals) -> bool:
    """Return True if most lines became edges, or the figure has too few arrows to decide."""
    return proposals.fit is None or (
        bool(proposals.edges) and min(proposals.fit.ends, proposals.fit.ink) >= LEAST_UNDERSTOOD
    )


def _is_bare_picture(proposals: FigureProposals, read: _PageText) -> bool:
    """Return True if a picture's arrows are in its pixels: almost nothing is drawn or printed over it, or what is drawn
    joins few of its names."""
    if proposals.arrows:
        joined = {end for edge in proposals.edges for end in (edge.source, edge.sink)}
        return len(joined) < LEAST_JOINED * len(proposals.names)
    return len(read.outlines or ()) <= MOST_LINES_ON_PICTURE or read.on_picture <= MOST_WORDS_ON_PICTURE


def _has_unread_words(read: _PageText) -> bool:
    return not read.tokens or letter_like(read.outlines or (), read.tokens) > WRITTEN


def drawn(page: pymupdf.Page, box: Rect) -> FigurePicture:
    """Return a place of a page as pixels. Raises as `pdf_proposals`."""
    frame = _frame(page, box)
    proposals, read = _by_text(page, frame)
    longest = max(frame[2] - frame[0], frame[3] - frame[1])
    dpi = min(FINEST_DPI, int(72 * LONGEST_SIDE / longest))
    is_picture = _is_picture(page, frame)
    is_unread = is_picture or _has_unread_words(read)
    is_lettered = not is_picture or letter_like(read.outlines or (), read.tokens) > WRITTEN
    white = read_outlines(page, frame, white=True) if is_unread and is_lettered else None
    pixels = None
    if dpi >= COARSEST_DPI:
        pixmap = page.get_pixmap(dpi=dpi, clip=pymupdf.Rect(frame), colorspace=pymupdf.csRGB, alpha=False)
        pixels = _bgr(Image.frombytes("RGB", (pixmap.width, pixmap.height), pixmap.samples))
    return FigurePicture(
        pixels=pixels,
        scale=72 / max(dpi, 1),
        frame=frame,
        printed=read.tokens,
        by_text=proposals,
        vocabulary=frozenset(read.vocabulary | words_of(page.parent, MOST_PAGES)),
        outlines=tuple(read.outlines or ()) if is_lettered else (),
        white=tuple(white or ()),
        is_picture=is_picture,
        has_unread_words=is_unread,
        has_failed=read.has_failed,
    )


def picture_of(picture: Image.Image, box: Rect) -> FigurePicture:
    """Return a place of a picture, in its own pixels. Raises UnreadableDocument: "outside the page"."""
    x0, y0, x1, y1 = max(0, round(box[0])), max(0, round(box[1])), round(box[2]), round(box[3])
    x1, y1 = min(x1, picture.width), min(y1, picture.height)
    if x1 - x0 < 1 or y1 - y0 < 1:
        raise UnreadableDocument("outside the page", "The region lies outside the picture; draw it again.")
    pixels = _bgr(picture.crop((x0, y0, x1, y1)).convert("RGB"))
    return FigurePicture(pixels=pixels, scale=1.0, frame=(x0, y0, x1, y1))


def read_picture(figure: FigurePicture, longest_px: int | None = None) -> FigureProposals:
    """Propose names and edges of a picture; words of the page's text win over those read from pixels.

    `longest_px`: the longer side of the pixels that are read; None: as they are.

    The result of words and lines and that of the pixels are two readings, which are voted on. If one of them fails, the
    other is the result, and its notice says so."""
    by_text = figure.by_text or FigureProposals(names=(), edges=(), origin="raster")
    nothing = _saying(by_text if by_text.names else FigureProposals(names=(), edges=(), origin="raster"), TOO_LARGE)
    if figure.pixels is None:
        return nothing
    # skip the networks if there is nothing to see
    if int(figure.pixels.max()) - int(figure.pixels.min()) < LEAST_CONTRAST:
        return _saying(by_text, NONE_READ)
    # This loads 0.2 GB, which pages with text do not need.
    from documents.raster.ink import on_light, resized
    from documents.raster.words import ink_words

    zoom = longest_px / max(figure.pixels.shape[:2]) if longest_px else 1.0
    pixels = on_light(resized(figure.pixels, zoom) if longest_px else figure.pixels)
    figure = replace(figure, pixels=pixels, scale=figure.scale / zoom)
    failures = dict.fromkeys([LINES_FAILED] if figure.has_failed else [])
    outlined: FigureProposals | None = None
    fresh: list[InkWord] = []
    try:
        written = _attempted(lambda: _letter_words(figure), LETTERS_FAILED, failures)
        if written is not None:
            fresh, letters = _unprinted(written.words, figure), written.letters
            outlined = _attempted(lambda: _outlined(fresh, figure, letters), LINES_FAILED, failures)
        if figure.has_unread_words and (outlined is None or figure.is_picture or not outlined.edges):
            words = _attempted(lambda: _unprinted(ink_words(pixels), figure), WORDS_FAILED, failures)
            fresh = fresh if words is None else words
            if written is None and figure.outlines and fresh and not figure.is_picture:
                outlined = _attempted(lambda: _outlined(fresh, figure), LINES_FAILED, failures)
        if outlined is not None and outlined.edges:
            by_text = outlined
        if by_text is outlined and _is_understood(by_text):
            return _saying(by_text, *failures)
        by_pixels = _attempted(lambda: _from_pixels(fresh, figure), PIXELS_FAILED, failures)
    except MemoryError:
        return nothing
    reading = by_text if by_pixels is None else vote([by_text, by_pixels]) if by_text.arrows else by_pixels
    return _saying(reading, *failures)


def _attempted(read: Callable[[], T], failure: str, failures: dict[str, None]) -> T | None:
    """Return what a reader gives; None, with its sentence in `failures`, if it fails: the figure is then left to the
    next reader, after any fault. Raises MemoryError."""
    try:
        return read()
    except MemoryError:
        raise
    except Exception:
        log.warning("a reader of figures failed", exc_info=True)
        failures[failure] = None
        return None


def box_pixels(page: pymupdf.Page, box: Rect) -> FigurePicture:
    """Return a small place of a page as pixels, for `read_box`. Raises UnreadableDocument: "outside the page"."""
    frame = _frame(page, box)
    longest = max(frame[2] - frame[0], frame[3] - frame[1])
    dpi = max(COARSEST_DPI, min(FINEST_DPI, int(72 * LONGEST_SIDE / longest)))
    pixmap = page.get_pixmap(dpi=dpi, clip=pymupdf.Rect(frame), colorspace=pymupdf.csRGB, alpha=False)
    pixels = _bgr(Image.frombytes("RGB", (pixmap.width, pixmap.height), pixmap.samples))
    return FigurePicture(pixels=pixels, scale=72 / dpi, frame=frame)


def read_box(figure: FigurePicture) -> str:
    """Read the words of a small place from the pixels alone, in their lines; "" if there are none."""
    assert figure.pixels is not None
    if int(figure.pixels.max()) - int(figure.pixels.min()) < LEAST_CONTRAST:
        return ""
    from documents.raster.engine import read_pieces
    from documents.raster.words import ink_words

    try:
        rows: list[list[InkWord]] = []
        for word in sorted(ink_words(figure.pixels), key=lambda each: centre(each.box)[1]):
            row = next((row for row in rows if row[0].box[1] <= centre(word.box)[1] <= row[0].box[3]), None)
            rows.append([word]) if row is None else row.append(word)
        if not rows:  # too short for a line to be found
            return " ".join(text for text, _score in read_pieces([figure.pixels])).strip()
    except MemoryError:
        return ""
    return " ".join(word.text for row in rows for word in sorted(row, key=lambda each: each.box[0]))


def _letter_words(figure: FigurePicture) -> LetterWords | None:
    """Return the words that outlines write; None if few outlines are letters. Raises MemoryError."""
    from documents.raster.letter_words import letter_words

    outlines = (*figure.outlines, *without_halos(figure.white, figure.outlines))
    if not figure.has_unread_words or letter_like(outlines, figure.printed) <= WRITTEN:
        return None
    return letter_words(outlines, figure.scale, (figure.frame[0], figure.frame[1]))


def _from_pixels(fresh: Sequence[InkWord], figure: FigurePicture) -> FigureProposals:
    """Propose from the pixels, with the page's words and those read. Raises MemoryError."""
    from documents.raster.doubts import doubted
    from documents.raster.figure import read_figure
    from documents.raster.names import matched

    assert figure.pixels is not None
    origin = (figure.frame[0], figure.frame[1])
    ink = read_figure(figure.pixels, [*fresh, *_as_ink(figure)], figure.scale, origin)
    known = [word.box for word in figure.printed]
    read = matched((word for word in ink.words if not _is_on(word, known)), figure.vocabulary)
    proposed = propose([*figure.printed, *read.words], ink.outlines, figure.frame, figure.vocabulary, is_picture=True)
    seams = [*ink.seams, *_unmatched_seams(read)]
    weighed = doubted(proposed, seams, ink.general, ink.letter)
    if weighed.edges and has_axes([*figure.printed, *read.words]):
        weighed = _saying(replace(weighed, edges=(), kind="chart"), CHART)
    if not figure.has_unread_words:
        return _saying(weighed, ARROWS_READ)
    return _saying(weighed, READ if weighed.edges else NAMES_READ if weighed.names else NONE_READ)


def _saying(proposals: FigureProposals, *notices: str) -> FigureProposals:
    """Add sentences to the notice, each once."""
    more = (notice for notice in notices if notice not in proposals.notice)
    return replace(proposals, notice=" ".join(filter(None, (proposals.notice, *more))))


def _outlined(words: Sequence[InkWord], figure: FigurePicture, letters: Sequence[Outline] = ()) -> FigureProposals:
    """Propose from read words and the page's own lines. `letters`: the outlines of these words, if any."""
    from documents.raster.doubts import doubted
    from documents.raster.names import matched
    from documents.raster.words import placed

    read = [placed(word, figure.scale, (figure.frame[0], figure.frame[1])) for word in words]
    lines, signs = without_letters(figure.outlines, read, letters)
    names = matched(read, figure.vocabulary)
    proposals = propose([*figure.printed, *names.words, *signs], lines, figure.frame, figure.vocabulary)
    return _saying(replace(doubted(proposals, _unmatched_seams(names), (), 1.0), origin="ocr"), NAMES_READ)


def _unmatched_seams(read: MatchedWords) -> list[Seam]:
    from documents.raster.doubts import Seam

    return [Seam(centre(word.box), NOT_IN_TEXT) for word in read.unmatched]


def _unprinted(words: Sequence[InkWord], figure: FigurePicture) -> list[InkWord]:
    x, y = figure.frame[:2]
    known = [word.box for word in figure.printed]
    middles = [(word, centre(word.box)) for word in words]
    places = [(word, (x + mx * figure.scale, y + my * figure.scale)) for word, (mx, my) in middles]
    return [word for word, place in places if not any(holds(box, place) for box in known)]


def _as_ink(figure: FigurePicture) -> list[InkWord]:
    from documents.raster.words import InkWord

    x, y = figure.frame[:2]
    words = []
    for word in figure.printed:
        x0, y0, x1, y1 = word.box
        box = ((x0 - x) / figure.scale, (y0 - y) / figure.scale, (x1 - x) / figure.scale, (y1 - y) / figure.scale)
        words.append(InkWord(word.text, box, word.size / figure.scale, word.turn or 0))
    return words


def _frame(page: pymupdf.Page, box: Rect) -> Rect:
    inside = page.rect & pymupdf.Rect(box)
    if inside.is_empty or inside.width < 1 or inside.height < 1:
        raise UnreadableDocument("outside the page", "The region lies outside the page; draw it again.")
    return (inside.x0, inside.y0, inside.x1, inside.y1)


@dataclass(frozen=True, slots=True)
class _PageText:
    tokens: list[PrintedWord]  # words in the place
    on_picture: int  # how many of them lie on a picture
    vocabulary: set[str]  # all words of the page
    outlines: list[Outline] | None
    has_failed: bool  # its reader


def _by_text(page: pymupdf.Page, frame: Rect) -> tuple[FigureProposals, _PageText]:
    tokens, vocabulary = read_tokens(page, frame)
    pictures = _pictures(page, frame)
    on_picture = sum(_is_on(token, pictures) for token in tokens)
    outlines = read_outlines(page, frame)
    failures: dict[str, None] = {}
    proposals = _attempted(lambda: propose(tokens, outlines, frame, vocabulary), LINES_FAILED, failures)
    if proposals is None:
        proposals = FigureProposals(names=(), edges=(), origin="vector", notice=LINES_FAILED)
    return proposals, _PageText(tokens, on_picture, vocabulary, outlines, bool(failures))


def _is_picture(page: pymupdf.Page, frame: Rect) -> bool:
    return sum(map(area, _pictures(page, frame))) >= LEAST_PICTURE * area(frame)


def _pictures(page: pymupdf.Page, frame: Rect) -> list[Rect]:
    """Return the parts of the page's pictures in the frame; one may be stored in strips."""
    boxes = [pymupdf.Rect(one["bbox"]) * turn_of(page) for one in page.get_image_info()]
    return [meet((box.x0, box.y0, box.x1, box.y1), frame) for box in boxes if box.intersects(pymupdf.Rect(frame))]


def _is_on(token: PrintedWord, places: Iterable[Rect]) -> bool:
    return any(holds(place, centre(token.box)) for place in places)


def _bgr(picture: Image.Image) -> Pixels:
    import numpy as np

    return np.ascontiguousarray(np.asarray(picture)[:, :, ::-1])
