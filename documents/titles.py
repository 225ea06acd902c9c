"""The title of a PDF: its metadata's if the first page prints it, else the largest text of that page.

Runs in a child process only."""

# PyMuPDF says it is typed, yet leaves most of its functions bare.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from documents.folding import folded
from documents.hidden_text import unseen_spans
from documents.pdf_library import pymupdf
from documents.rects import Rect

LONGEST = 300
LEAST_WORDS, LEAST_SIGNS = 2, 4  # of a title in the metadata; signs of a script that sets no spaces
LEAST_READ_WORDS = 3  # a page prints many larger texts of two words: "Open Access", a name, a node of a diagram
PROSE_WORDS = 8  # a line of this number of words is running text
LARGER = 1.1  # times the running text
SUPERSCRIPT = 1  # PyMuPDF's flag of a span

_FILE_NAME = re.compile(
    r"^microsoft (word|powerpoint|excel) - "
    r"|\.(docx?|odt|rtf|wpd|tex|dvi|e?ps|pdf|pptx?|key|xlsx?|indd|qxd|cdr|html?|txt)$",
    re.IGNORECASE,
)
_KIND = re.compile(
    r"((original|research|review|regular|short|full)( research)? )?(article|paper|review|letter|communication)s?"
    r"|case report|editorial|open access",
    re.IGNORECASE,
)
_JOURNAL = re.compile(r"(\w+ ){0,2}(journal|proceedings|transactions|annals) (of|on)\b", re.IGNORECASE)
_JOURNAL_HEAD = re.compile(r"journal homepage", re.IGNORECASE)  # below the journal's name and above the title


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of text on the page as displayed."""

    text: str
    size: float  # of most of its letters, in points
    letters: int
    place: tuple[float, float]  # of the first letter, unrotated
    box: Rect

    def follows(self, last: _Line) -> bool:
        """Return True if it continues where `last` ends: right of it, or on the next line."""
        left, top, right, _ = self.box
        last_left, last_top, last_right, last_bottom = last.box
        if top < (last_top + last_bottom) / 2:
            return 0 <= left - last_right < 1.5 * self.size
        return top - last_bottom < 0.8 * self.size and left < last_right and last_left < right


def title_of(document: pymupdf.Document, index: int) -> tuple[str, bool]:
    """Return (title, whether it was read from page `index`, from 0); "" if neither the metadata nor the page has one.
    A title of the metadata counts if the page prints more than half of its words, or no text at all: templates leave
    titles of other papers behind."""
    stated = " ".join(folded((document.metadata or {}).get("title") or "").split())[:LONGEST]
    page = document[index]
    lines = _lines(page)
    words, printed = _words(stated), {word for line in lines for word in _words(line.text)}
    is_printed = not lines or 2 * sum(word in printed for word in words) > len(words)
    if _is_title(stated, LEAST_WORDS) and is_printed:
        return stated, False
    read = _largest(_seen(page, lines), is_figure=document.page_count == 1)
    return read, bool(read)


def _is_title(text: str, least_words: int) -> bool:
    """Return True for enough words (or signs of a script without spaces), mostly letters, that are no file's name.

    >>> [_is_title(text, 2) for text in ("5", "p020-dutot.dvi", "Microsoft Word - Report.doc", "Why canals failed")]
    [False, False, False, True]
    """
    signs = "".join(text.split())
    if _FILE_NAME.search(text) or "@" in text or 2 * sum(map(str.isalpha, signs)) < len(signs):
        return False
    words = [word for word in text.split() if sum(map(str.isalpha, word)) >= 2]
    return len(words) >= least_words or sum(unicodedata.category(sign) == "Lo" for sign in signs) >= LEAST_SIGNS


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]{2,}", unicodedata.normalize("NFKD", text).casefold())


def _lines(page: pymupdf.Page) -> list[_Line]:
    turn = page.rotation_matrix
    lines = []
    for block in page.get_text("dict", flags=pymupdf.TEXTFLAGS_TEXT)["blocks"]:
        for line in block["lines"]:
            x, y = line["dir"]
            if x * turn.a + y * turn.c < 0.99:
                continue
            sizes, text, places = Counter[float](), "", []
            for span in line["spans"]:
                letters = sum(map(str.isalpha, span["text"]))
                if letters > 1 or not span["flags"] & SUPERSCRIPT:  # else a mark of a footnote
                    sizes[round(span["size"], 1)] += letters
                    text += span["text"]
                if letters:
                    places.append(_place(span["origin"]))
            if sizes.total():
                box = tuple(pymupdf.Rect(line["bbox"]) * turn)
                text = " ".join(folded(text).split())
                lines.append(_Line(text, sizes.most_common(1)[0][0], sizes.total(), places[0], box))
    return sorted(lines, key=lambda line: (line.box[1], line.box[0]))


def _seen(page: pymupdf.Page, lines: list[_Line]) -> list[_Line]:
    """Return the visible lines. The recognised text of a scan counts, all of which is hidden under its picture."""
    trace = page.get_texttrace()
    unseen = unseen_spans(page, trace)
    if len(unseen) == len(trace):
        return lines
    hidden = {_place(sign[2]) for span in unseen for sign in span["chars"]}
    return [line for line in lines if line.place not in hidden]


def _place(point: tuple[float, float]) -> tuple[float, float]:
    return round(point[0], 1), round(point[1], 1)


def _largest(lines: list[_Line], *, is_figure: bool) -> str:
    """Return the largest text that has the form of a title and is larger than the running text; "" if there is none.
    A page with hardly any running text is a title page or, `is_figure`, a diagram, whose largest text names a node."""
    running = Counter[float]()
    for line in lines:
        if len(line.text.split()) >= PROSE_WORDS:
            running[line.size] += line.letters
    if is_figure and 2 * running.total() < sum(line.letters for line in lines):
        return ""
    least = running.most_common(1)[0][0] * LARGER if running else 0.0
    head = max((line.box[3] for line in lines if _JOURNAL_HEAD.search(line.text)), default=0.0)
    of_size: dict[float, list[_Line]] = defaultdict(list)
    for line in lines:
        if line.size >= least and line.box[1] >= head and not _KIND.fullmatch(line.text):
            of_size[line.size].append(line)
    for size in sorted(of_size, reverse=True):
        for text in _texts(of_size[size]):
            if _is_title(text, LEAST_READ_WORDS) and not _JOURNAL.match(text):
                return text
    return ""


def _texts(lines: Iterable[_Line]) -> list[str]:
    """Return the texts of lines of one size, joining lines that follow each other."""
    texts: list[str] = []
    last: _Line | None = None
    for line in lines:
        if last is None or not line.follows(last):
            texts.append(line.text)
        elif len(texts[-1]) < LONGEST:
            texts[-1] += line.text if texts[-1].endswith("-") else f" {line.text}"
        last = line
    return [text[:LONGEST].strip(" *†‡§¶") for text in texts]
