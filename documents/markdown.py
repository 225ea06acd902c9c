"""One page of a PDF as blocks: the layout's classes, each block's own words, and its Markdown. In a child only.

pymupdf4llm runs without OCR and without running heads (protocols, texts): by default it spells the labels of
diagrams into the prose."""

# PyMuPDF says it is typed, yet leaves most of its functions bare.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from core.texts.words import joined_at_line_ends
from documents.hidden_text import unseen_spans
from documents.margins import PrintedLine, line_numbers, without_margin
from documents.pdf_library import pymupdf
from documents.reading_order import in_columns
from documents.rects import Rect

_SUPERSCRIPT = 1  # flag of a span
_NOTHING = 0  # of images and lines to redact
Row = dict[str, Any]


def page_blocks(document: pymupdf.Document, number: int) -> tuple[list[Row], int]:
    """Return the blocks of page `number` (from 1) in reading order, and the number of invisible characters left out.
    A block is {"seen", "box", "text", "markdown"}; words in no block of the layout come last, without Markdown."""
    alone, unseen = _page_alone(document, number)
    with alone:
        page = alone[0]
        numbers = _take_line_numbers(page)
        boxes: list[Row] = json.loads(json.dumps(list(_boxes(alone)), default=float))  # without numbers of numpy
        rows = [{**box, "text": ""} for box in boxes]
        in_margin = [{"seen": "page-footer", **_joined(numbers), "markdown": ""}] if numbers else []
        return [*in_columns(_with_words(page, rows)), *in_margin], unseen


def _page_alone(document: pymupdf.Document, number: int) -> tuple[pymupdf.Document, int]:
    """Copy the page to a document of its own, without its invisible characters."""
    alone = pymupdf.open()
    alone.insert_pdf(document, from_page=number - 1, to_page=number - 1)
    page = alone[0]
    unseen = 0
    for span in unseen_spans(page, page.get_texttrace()):
        for character in span["chars"]:
            unseen += bool(chr(character[0]).strip())
            x0, y0, x1, y1 = character[3]
            x, y, across, down = (x0 + x1) / 2, (y0 + y1) / 2, (x1 - x0) / 10, (y1 - y0) / 50
            middle = pymupdf.Rect(x - across, y - down, x + across, y + down)
            page.add_redact_annot(middle, fill=False)  # type: ignore[arg-type]
    if unseen:
        page.apply_redactions(images=_NOTHING, graphics=_NOTHING)
    return alone, unseen


def _take_line_numbers(page: pymupdf.Page) -> list[PrintedLine]:
    """Remove the numbers of a manuscript's lines from the page, and return them: layout analysis takes lines with
    numbers in front for items of lists."""
    lines = [line for _, line in _lines(page)]
    numbers = [lines[place] for place in sorted(line_numbers(lines))]
    for line in numbers:
        x0, y0, x1, y1 = line.box
        middle = pymupdf.Rect(x0, line.middle - (y1 - y0) / 50, x1, line.middle + (y1 - y0) / 50)
        page.add_redact_annot(middle, fill=False)  # type: ignore[arg-type]
    if numbers:
        page.apply_redactions(images=_NOTHING, graphics=_NOTHING)
    return numbers


def _boxes(alone: pymupdf.Document) -> Iterator[Row]:
    import pymupdf4llm  # loads its layout model: a second and 100 MB that no other request needs

    pymupdf4llm.use_layout(True)
    options = {"force_text": False, "use_ocr": False, "header": False, "footer": False, "show_progress": False}
    (page,) = pymupdf4llm.to_markdown(alone, page_chunks=True, **options)
    for box in page["page_boxes"]:
        start, end = box["pos"]
        yield {"seen": box["class"], "box": list(box["bbox"]), "markdown": page["text"][start:end].strip()}


def _with_words(page: pymupdf.Page, rows: list[Row]) -> list[Row]:
    """Add to the rows their own words, line by line, and the words in none of them by PyMuPDF's blocks."""
    inside: list[list[PrintedLine]] = [[] for _ in rows]
    outside: dict[int, list[PrintedLine]] = {}
    for block, line in _lines(page):
        at = _row_at(rows, line.box)
        if at is not None:
            inside[at].append(line)
        else:
            outside.setdefault(block, []).append(line)
    worded = list[Row]()
    for row, lines in zip(rows, inside, strict=True):
        row["text"] = "\n".join(line.text for line in lines)
        parts = without_margin(lines) if row["seen"] == "text" else []
        worded += [
            {"seen": "text", **_joined(part), "markdown": joined_at_line_ends("\n".join(line.text for line in part))}
            for part in parts
        ] or [row]
    return [*worded, *({"seen": None, **_joined(lines), "markdown": ""} for lines in outside.values())]


def _joined(lines: Sequence[PrintedLine]) -> Row:
    corners = zip(*(line.box for line in lines), strict=True)
    around = [pick(values) for pick, values in zip((min, min, max, max), corners, strict=True)]
    return {"box": around, "text": "\n".join(line.text for line in lines)}


def _lines(page: pymupdf.Page) -> Iterator[tuple[int, PrintedLine]]:
    flags = pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_MEDIABOX_CLIP | pymupdf.TEXT_CID_FOR_UNKNOWN_UNICODE
    for block in page.get_text("dict", flags=flags)["blocks"]:
        for line in block.get("lines", ()):
            text = ""
            for span in line["spans"]:
                is_raised = span["flags"] & _SUPERSCRIPT and len(line["spans"]) > 1 and span["text"].strip()
                text += f"<sup>{span['text'].strip()}</sup>" if is_raised else span["text"]
            if text.strip():
                yield block["number"], PrintedLine(tuple(line["bbox"]), text.replace("</sup><sup>", ""))


def _row_at(rows: Sequence[Row], box: Rect) -> int | None:
    """Return the smallest row that contains the middle of a line."""
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    areas = {
        at: (x1 - x0) * (y1 - y0)
        for at, (x0, y0, x1, y1) in enumerate(row["box"] for row in rows)
        if x0 - 2 <= x <= x1 + 2 and y0 - 2 <= y <= y1 + 2
    }
    return min(areas, key=lambda at: areas[at], default=None)
