"""Sets made papers as PDFs: `python -m tests.documents.typeset_papers FOLDER SEED…` writes SEED.pdf each; a seed may be
followed by characters and nodes (`7:9000:12`). Run as a program: the tests' own process never imports the PDF library.

Two columns (or one), a running head and a page number on every page, the figure across both columns at the top of a
page, words broken at line ends, tables with rules, raised citation numbers.
"""

# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.texts.sections import BlockKind
from documents.demo_papers import DemoEdge, DemoNode, DemoPaper
from documents.draw import FONTS, draw_diagram
from documents.pdf_library import pymupdf
from tests.documents.long_papers import CITATION, LongPaper, Part, long_paper

WIDTH, HEIGHT = 595.0, 842.0  # A4
MARGIN, TOP, BOTTOM, GUTTER = 50.0, 78.0, 780.0, 18.0
BREAKS = re.compile(r"(?<=[aeiouyäöü])(?=[bcdfgklmnprstvz][aeiouyäöü])")
"""Where a word may be broken: before a consonant between two vowels."""
Run = tuple[str, bool]  # text, raised


@dataclass(frozen=True, slots=True)
class Type:
    """Font and size of a kind of part, the line's height and the space above, in points."""

    font: str
    size: float
    leading: float
    above: float


BODY = Type("tiro", 9.6, 11.6, 3)
TYPES = {
    BlockKind.HEADING: Type("tibo", 11.5, 14.0, 10),
    BlockKind.AUTHORS: Type("tiit", 9.6, 12.0, 3),
    BlockKind.REFERENCE: Type("tiro", 8.0, 9.6, 2),
    BlockKind.TABLE: Type("helv", 8.0, 11.0, 8),
}
TITLE = Type("tibo", 17.0, 20.0, 4)
CAPTION = Type("tiro", 8.4, 10.2, 4)


class Sheet:
    """A document being set column by column."""

    def __init__(self, paper: LongPaper) -> None:
        self.paper = paper
        self.document = pymupdf.open()
        self.figure_waits = False
        self.columns = 1
        self._next_page()

    @property
    def column_width(self) -> float:
        return (WIDTH - 2 * MARGIN - GUTTER * (self.columns - 1)) / self.columns

    @property
    def left(self) -> float:
        return MARGIN + self.column * (self.column_width + GUTTER)

    def _next_page(self) -> None:
        self.page = self.document.new_page(width=WIDTH, height=HEIGHT)
        self.column, self.top = 0, TOP
        number = str(len(self.document))
        small = Type("helv", 7.5, 9, 0)
        self._write(MARGIN, 46, [(self.paper.running_head, False)], small)
        self._write((WIDTH - FONTS["helv"].text_length(number, 7.5)) / 2, HEIGHT - 34, [(number, False)], small)
        if self.figure_waits:
            self._set_figure()
        self.y = self.top

    def room(self, points: float) -> None:
        """Go on in the next column or page unless so much is left."""
        if self.y + points <= BOTTOM:
            return
        if self.column + 1 < self.columns:
            self.column, self.y = self.column + 1, self.top
        else:
            self._next_page()

    def into_columns(self) -> None:
        """From here on in the paper's columns."""
        self.columns = self.paper.columns
        self.column, self.top = 0, self.y + 8
        self.y = self.top

    def set_part(self, part: Part, style: Type) -> None:
        if part.rows:
            self._set_table(part.rows, style)
            return
        self.y += style.above
        indent = 10.0 if part.is_item else 0.0
        lines = list(_lines(_runs(part.text), style, self.column_width - indent))
        if part.kind is BlockKind.HEADING or part.is_title:
            self.room(style.leading * len(lines) + 3 * BODY.leading)
        for number, line in enumerate(lines):
            self.room(style.leading)
            is_last = number == len(lines) - 1
            stretch = self.paper.is_justified and part.kind is BlockKind.BODY and not is_last and not part.is_item
            self._write(self.left + indent, self.y + style.size, line, style, self.column_width if stretch else 0)
            self.y += style.leading

    def _set_table(self, rows: Sequence[Sequence[str]], style: Type) -> None:
        """Ruled above and below, its cells wrapped; not cut by a page."""
        wide = self.column_width / len(rows[0])
        cells = [[list(_lines([(cell, False)], style, wide - 8)) for cell in row] for row in rows]
        heights = [max(len(cell) for cell in row) * style.leading + 3 for row in cells]
        self.y += style.above
        self.room(sum(heights) + 4)
        for number, (row, height) in enumerate(zip(cells, heights, strict=True)):
            for at, cell in enumerate(row):
                for line_number, line in enumerate(cell):
                    y = self.y + style.size + line_number * style.leading + 1
                    self._write(self.left + at * wide + 4, y, line, style)
            if number < 2:
                self._rule()
            self.y += height
        self._rule()
        self.y += style.above

    def _rule(self) -> None:
        self.page.draw_line((self.left, self.y), (self.left + self.column_width, self.y), width=0.6)

    def _write(self, x: float, baseline: float, line: Sequence[Run], style: Type, stretched_to: float = 0) -> None:
        font = FONTS[style.font]
        writer = pymupdf.TextWriter(self.page.rect)
        if not stretched_to:
            for text, is_raised in line:
                x = _append(writer, x, baseline, text, font, style.size, is_raised)
        else:
            words = [(word, is_raised) for text, is_raised in line for word in re.findall(r"\S+|\s+", text)]
            blanks = sum(word.isspace() for word, _ in words)
            natural = sum(_length(word, font, style.size, is_raised) for word, is_raised in words if not word.isspace())
            gap = (stretched_to - natural) / blanks if blanks else 0
            for word, is_raised in words:
                if word.isspace():
                    x += gap
                else:
                    x = _append(writer, x, baseline, word, font, style.size, is_raised)
        writer.write_text(self.page)

    def offer_figure(self) -> None:
        self.figure_waits = True

    def _set_figure(self) -> None:
        """The graph on a grid across the page, and its caption."""
        self.figure_waits = False
        drawing = drawing_of(self.paper)
        wide, high = drawing.size
        draw_diagram(self.page, drawing, (WIDTH - wide) / 2, TOP)
        y = TOP + high + 14
        for line in _lines([(self.paper.caption, False)], CAPTION, WIDTH - 2 * MARGIN):
            self._write(MARGIN, y, line, CAPTION)
            y += CAPTION.leading
        self.top = y + 12

    def finish(self) -> bytes:
        if self.figure_waits:
            self._next_page()
        self.document.subset_fonts()
        content: bytes = self.document.tobytes(garbage=3, deflate=True, no_new_id=True)
        return content


def typeset(paper: LongPaper) -> bytes:
    """The PDF of a paper."""
    sheet = Sheet(paper)
    for number, part in enumerate(paper.parts):
        if number == 5:
            sheet.into_columns()
        if number == paper.figure_after:
            sheet.offer_figure()
        style = TYPES[BlockKind.HEADING] if part.is_title else TYPES.get(part.kind, BODY)
        sheet.set_part(part, TITLE if number == 0 else style)
    return sheet.finish()


def drawing_of(paper: LongPaper) -> DemoPaper:
    """The figure: its nodes on a grid, its edges bent past what stands between."""
    names = paper.graph.nodes
    across = min(5, math.ceil(math.sqrt(len(names))))
    down = math.ceil(len(names) / across)
    step_x, step_y = 480 / across, min(62.0, 600 / down)
    nodes = tuple(
        DemoNode(_label(name), (at % across + 0.5) * step_x, (at // across + 0.5) * step_y)
        for at, name in enumerate(names)
    )
    at = {name: number for number, name in enumerate(names)}
    edges = tuple(
        DemoEdge(source=at[edge.source], sink=at[edge.sink], sign="+" if number % 3 else "-", bend=0.12)
        for number, edge in enumerate(paper.graph.edges)
    )
    return DemoPaper(
        slug="made", title="", year=2025, abstract="", sections=(), caption=paper.caption, look="plain",
        size=(480, step_y * down), nodes=nodes, edges=edges, figure_after=0,
    )  # fmt: skip


def _label(name: str) -> tuple[str, ...]:
    words, lines = name.split(), [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + len(word) > 16:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return tuple(lines[:2]) if len(lines) < 3 else (" ".join(lines[:-1])[:40], lines[-1])


def _runs(text: str) -> list[Run]:
    """The text cut at its citations; a raised one begins with a caret."""
    runs, done = list[Run](), 0
    for match in CITATION.finditer(text):
        mark = match[1]
        is_raised = mark.startswith("^")
        runs += [(text[done : match.start()] + ("" if is_raised else " "), False), (mark.lstrip("^"), is_raised)]
        done = match.end()
    return [run for run in [*runs, (text[done:], False)] if run[0]]


def _lines(runs: Sequence[Run], style: Type, width: float) -> Iterator[list[Run]]:
    """Lines as full as they go; a word that does not fit is broken where it may be."""
    font, line, used = FONTS[style.font], list[Run](), 0.0
    for text, is_raised in runs:
        for word in re.findall(r"\s+|\S+", text):
            long = _length(word, font, style.size, is_raised)
            if used + long <= width or word.isspace() or (is_raised and line):
                if not word.isspace() or line:
                    line.append((" " if word.isspace() else word, is_raised))
                    used += long
                continue
            head, tail = _broken(word, font, style.size, width - used) if not is_raised else ("", word)
            if head:
                line.append((f"{head}-", False))
            while line and line[-1][0].isspace():
                line.pop()
            if line:
                yield _merged(line)
            line, used = [(tail, is_raised)], _length(tail, font, style.size, is_raised)
    if line:
        yield _merged(line)


def _broken(word: str, font: pymupdf.Font, size: float, room: float) -> tuple[str, str]:
    if not re.fullmatch(r"[^\W\d_]{7,}[.,;:]?", word):
        return "", word
    for match in reversed(list(BREAKS.finditer(word))):
        head = word[: match.start()]
        if 3 <= len(head) <= len(word) - 3 and font.text_length(f"{head}-", size) <= room:
            return head, word[match.start() :]
    return "", word


def _merged(line: Sequence[Run]) -> list[Run]:
    merged = list[Run]()
    for text, is_raised in line:
        if merged and merged[-1][1] == is_raised:
            merged[-1] = (merged[-1][0] + text, is_raised)
        else:
            merged.append((text, is_raised))
    return merged


def _length(text: str, font: pymupdf.Font, size: float, is_raised: bool) -> float:
    return float(font.text_length(text, size * (0.62 if is_raised else 1)))


def _append(
    writer: pymupdf.TextWriter, x: float, baseline: float, text: str, font: pymupdf.Font, size: float, is_raised: bool
) -> float:
    small = size * 0.62 if is_raised else size
    writer.append((x, baseline - (0.36 * size if is_raised else 0)), text, font=font, fontsize=small)
    return x + float(font.text_length(text, small))


def main(folder: Path, seeds: Sequence[str]) -> None:
    for each in seeds:
        seed, *sizes = (int(part) for part in each.split(":"))
        paper = long_paper(seed, characters=sizes[0], nodes=sizes[1]) if sizes else long_paper(seed)
        (folder / f"{seed}.pdf").write_bytes(typeset(paper))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
