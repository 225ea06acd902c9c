"""Draw the demonstration papers: `python -m documents.draw FOLDER` writes three PDFs and papers.json.

The same program draws the same bytes every time: dates and ids are fixed, and fonts come from the PDF library.
Runs as a program of its own, since it needs PyMuPDF."""

# PyMuPDF says it is typed, yet leaves most of its functions bare.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import hashlib
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from documents.demo_papers import LICENCE, PAPERS, DemoEdge, DemoPaper
from documents.pdf_library import pymupdf
from documents.proposals.diagrams import DrawnArrow, arrow_between
from documents.rects import Rect

WIDTH, HEIGHT = 595.0, 842.0  # A4
LEFT, RIGHT, TOP, BOTTOM = 84.0, 511.0, 84.0, 762.0
FIXED_DATE = "D:20250101000000Z"
INK, GREY = (0.1, 0.1, 0.12), (0.42, 0.42, 0.45)
BODY, BODY_LEADING = 10.4, 14.2
LABEL, LABEL_LEADING = 9.2, 10.8
SCAN_DPI = 170
DISCLAIMER = "A demonstration paper of Edgewise. The system it describes is invented."
FONTS = {name: pymupdf.Font(name) for name in ("tiro", "tibo", "tiit", "helv", "hebo")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """Typesetting of a run of lines; sizes in points."""

    font: str
    size: float
    leading: float
    left: float = LEFT
    right: float = RIGHT
    justified: bool = True
    colour: tuple[float, float, float] = INK


TITLE = Style(font="tibo", size=17.5, leading=21.5, justified=False)
NOTE = Style(font="tiit", size=9.6, leading=13.0, justified=False, colour=GREY)
ABSTRACT = Style(font="tiro", size=9.7, leading=13.0, left=LEFT + 24, right=RIGHT - 24)
HEADING = Style(font="tibo", size=12.0, leading=16.0, justified=False)
PARAGRAPH = Style(font="tiro", size=BODY, leading=BODY_LEADING)
CAPTION = Style(font="tiro", size=9.2, leading=12.0, left=LEFT + 10, right=RIGHT - 10, justified=False)


class PageDrawing:
    """A document being set from top to bottom; `y` is the top of the next line."""

    def __init__(self, paper: DemoPaper) -> None:
        self.document = pymupdf.open()
        self.paper = paper
        self.figure: tuple[int, Rect] | None = None
        self.figure_waits = False
        self.next_page()

    def next_page(self) -> None:
        self.page = self.document.new_page(width=WIDTH, height=HEIGHT)
        self.y = TOP
        number = str(len(self.document))
        foot = Style(font="helv", size=7.6, leading=10, colour=GREY)
        self._write(LEFT, HEIGHT - 44, f"Edgewise demonstration papers, {self.paper.year} · CC0 1.0", foot)
        self._write(RIGHT - FONTS["helv"].text_length(number, 7.6), HEIGHT - 44, number, foot)
        if self.figure_waits:
            self.set_figure()

    def _write(self, x: float, baseline: float, text: str, style: Style) -> None:
        writer = pymupdf.TextWriter(self.page.rect, color=style.colour)
        writer.append((x, baseline), text, font=FONTS[style.font], fontsize=style.size)
        writer.write_text(self.page)

    def space(self, points: float) -> None:
        self.y += points

    def keep_together(self, points: float) -> None:
        """Begin a new page unless `points` of height are left."""
        if self.y + points > BOTTOM:
            self.next_page()

    def rule(self) -> None:
        self.page.draw_line((LEFT, self.y), (RIGHT, self.y), color=GREY, width=0.5)

    def set_text(self, text: str, style: Style, lead: str = "") -> None:
        """Set a paragraph; `lead` is a bold beginning."""
        words = [(word, "tibo") for word in lead.split()] + [(word, style.font) for word in text.split()]
        lines = _broken(words, style)
        for index, line in enumerate(lines):
            # No single line of a paragraph stays alone at the foot of a page.
            self.keep_together(style.leading * (2 if index == 0 and len(lines) > 1 else 1))
            self._set_line(line, style, is_last=index == len(lines) - 1)
            self.y += style.leading

    def _set_line(self, words: list[tuple[str, str]], style: Style, *, is_last: bool) -> None:
        widths = [FONTS[font].text_length(word, style.size) for word, font in words]
        space = FONTS[style.font].text_length(" ", style.size)
        if style.justified and not is_last and len(words) > 1:
            space = (style.right - style.left - sum(widths)) / (len(words) - 1)
        writer = pymupdf.TextWriter(self.page.rect, color=style.colour)
        x, baseline = style.left, self.y + style.size
        for (word, font), width in zip(words, widths, strict=True):
            last = word is words[-1][0]
            writer.append((x, baseline), word if last else word + " ", font=FONTS[font], fontsize=style.size)
            x += width + space
        writer.write_text(self.page)

    def offer_figure(self) -> None:
        """Set the figure here if it fits, else at the top of the next page."""
        if self.figure is not None or self.figure_waits:
            return
        if self.y + self.paper.size[1] + 26 + 3 * CAPTION.leading > BOTTOM:
            self.figure_waits = True
        else:
            self.space(14)
            self.set_figure()

    def set_figure(self) -> None:
        self.figure_waits = False
        wide, high = self.paper.size
        left = (WIDTH - wide) / 2
        box = (left, self.y, left + wide, self.y + high)
        if self.paper.look == "scan":
            self.page.insert_image(pymupdf.Rect(box), stream=_scanned(self.paper))
        else:
            draw_diagram(self.page, self.paper, left, self.y)
        self.figure = (len(self.document), box)
        self.y += high + 12
        label, text = self.paper.caption.split(". ", 1)
        self.set_text(text, CAPTION, lead=f"{label}.")
        self.space(14)


def draw_paper(paper: DemoPaper) -> tuple[bytes, dict[str, Any]]:
    sheet = PageDrawing(paper)
    sheet.set_text(paper.title, TITLE)
    sheet.space(5)
    sheet.set_text(DISCLAIMER, NOTE)
    sheet.space(9)
    sheet.rule()
    sheet.space(11)
    sheet.set_text(paper.abstract, ABSTRACT, lead="Abstract.")
    sheet.space(11)
    sheet.rule()
    _set_sections(sheet)
    assert sheet.figure is not None
    sheet.document.set_metadata(
        {"title": paper.title, "producer": "Edgewise", "creationDate": FIXED_DATE, "modDate": FIXED_DATE}
    )
    sheet.document.subset_fonts()
    content: bytes = sheet.document.tobytes(garbage=4, deflate=True, clean=True, no_new_id=True)
    return content, _record(paper, content, sheet.figure)


def _set_sections(sheet: PageDrawing) -> None:
    paper = sheet.paper
    done = 0
    for number, (heading, paragraphs) in enumerate(paper.sections, start=1):
        if done == paper.figure_after:
            sheet.offer_figure()
        sheet.space(14)
        sheet.keep_together(HEADING.leading + 3 * BODY_LEADING)
        sheet.set_text(f"{number}  {heading}", HEADING)
        sheet.space(4)
        for paragraph in paragraphs:
            if done == paper.figure_after:
                sheet.offer_figure()
            sheet.set_text(paragraph, PARAGRAPH)
            sheet.space(5)
            done += 1
    if sheet.figure_waits:
        sheet.next_page()


def _broken(words: list[tuple[str, str]], style: Style) -> list[list[tuple[str, str]]]:
    space = FONTS[style.font].text_length(" ", style.size)
    lines: list[list[tuple[str, str]]] = [[]]
    used = 0.0
    for word, font in words:
        width = FONTS[font].text_length(word, style.size)
        if lines[-1] and used + width > style.right - style.left:
            lines.append([])
            used = 0.0
        lines[-1].append((word, font))
        used += width + space
    return lines


def draw_diagram(page: pymupdf.Page, paper: DemoPaper, left: float, top: float) -> None:
    boxes = [label_box(lines.lines, left + lines.x, top + lines.y, paper.look) for lines in paper.nodes]
    for edge in paper.edges:
        _draw_arrow(page, arrow_between(boxes[edge.source], boxes[edge.sink], edge.bend, edge.shift), edge)
    for node, box in zip(paper.nodes, boxes, strict=True):
        if paper.look != "plain":
            fill = (0.95, 0.965, 0.98) if paper.look == "boxes" else (0.93, 0.93, 0.93)
            radius = 0.12 if paper.look == "boxes" else 0.5
            page.draw_rect(pymupdf.Rect(box), color=INK, fill=fill, width=0.7, radius=radius)
        _draw_label(page, node.lines, left + node.x, top + node.y)


def label_box(lines: tuple[str, ...], x: float, y: float, look: str) -> Rect:
    wide = max(FONTS["helv"].text_length(line, LABEL) for line in lines) / 2 + {"plain": 1, "boxes": 6, "scan": 9}[look]
    high = LABEL_LEADING * len(lines) / 2 + {"plain": 0, "boxes": 5, "scan": 6}[look]
    return x - wide, y - high, x + wide, y + high


def _draw_label(page: pymupdf.Page, lines: tuple[str, ...], x: float, y: float) -> None:
    writer = pymupdf.TextWriter(page.rect, color=INK)
    font = FONTS["helv"]
    for index, line in enumerate(lines):
        centre = y + (index - (len(lines) - 1) / 2) * LABEL_LEADING
        writer.append((x - font.text_length(line, LABEL) / 2, centre + 0.35 * LABEL), line, font=font, fontsize=LABEL)
    writer.write_text(page)


def _draw_arrow(page: pymupdf.Page, arrow: DrawnArrow, edge: DemoEdge) -> None:
    shape = page.new_shape()
    start, first, second, end = arrow.cubic(arrow.back_from_tip(5.0))
    if edge.bend:
        shape.draw_bezier(start, first, second, end)
    else:
        shape.draw_line(start, end)
    shape.finish(color=INK, width=0.9, closePath=False)
    shape.draw_polyline(arrow.head(7.5, 2.9))
    shape.finish(color=INK, fill=INK, width=0.3, closePath=True)
    if edge.delay:
        for low, high in arrow.delay_strokes():
            shape.draw_line(low, high)
        shape.finish(color=INK, width=1.1, closePath=False)
    shape.commit()
    if edge.sign:
        sign, font, size = "+" if edge.sign == "+" else "\N{MINUS SIGN}", FONTS["hebo"], 11.0
        x, y = arrow.sign_place(inner=edge.sign_inside)
        writer = pymupdf.TextWriter(page.rect, color=INK)
        writer.append((x - font.text_length(sign, size) / 2, y + 0.33 * size), sign, font=font, fontsize=size)
        writer.write_text(page)


def _scanned(paper: DemoPaper) -> bytes:
    """Return the diagram as a grey PNG without a text layer, as a scanner produces it."""
    loose = pymupdf.open()
    page = loose.new_page(width=paper.size[0], height=paper.size[1])
    draw_diagram(page, paper, 0, 0)
    png: bytes = page.get_pixmap(dpi=SCAN_DPI, colorspace=pymupdf.csGRAY, alpha=False).tobytes("png")
    return png


def _record(paper: DemoPaper, content: bytes, figure: tuple[int, Rect]) -> dict[str, Any]:
    """Return the entry of papers.json: file, place of the figure and true graph (sign null: the figure prints none)."""
    page, box = figure
    names = [node.name for node in paper.nodes]
    return {
        "file": f"{paper.slug}.pdf",
        "sha256": hashlib.sha256(content).hexdigest(),
        "title": paper.title,
        "year": paper.year,
        "abstract": paper.abstract,
        "licence": LICENCE,
        "figure": {
            "label": "Figure 1",
            "caption": paper.caption,
            "page": page,
            "box": [round(value, 1) for value in box],
            "kind": "raster" if paper.look == "scan" else "vector",
        },
        "graph": {
            "nodes": names,
            "edges": [
                {"source": names[edge.source], "sink": names[edge.sink], "sign": edge.sign or None, "delay": edge.delay}
                for edge in paper.edges
            ],
        },
    }


def draw_papers(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    records = []
    for paper in PAPERS:
        content, record = draw_paper(paper)
        (folder / record["file"]).write_bytes(content)
        records.append(record)
    (folder / "papers.json").write_text(json.dumps(records, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    draw_papers(Path(sys.argv[1]))
