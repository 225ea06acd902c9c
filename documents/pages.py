"""The requests a child answers, for PDFs and pictures alike. Runs in a child process only."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PIL import Image

from core.errors import UnreadableDocument
from core.graphs.layouts.drawing import Drawing
from core.words import replace_controls
from documents.child_process import Task, Tasks
from documents.graph_pictures import draw_graph
from documents.limits import Limits
from documents.markdown import page_blocks
from documents.pdf import draw_pdf, open_pdf, page_of, pdf_facts, pdf_page, small_pdf
from documents.pdf_faults import faults_as
from documents.pdf_library import pymupdf
from documents.pictures import draw_picture, open_picture, picture_facts, picture_page
from documents.proposals.tasks import box_pixels, drawn, pdf_proposals, picture_of, read_box, read_picture
from documents.svg import open_svg

Opened = pymupdf.Document | Image.Image
UNREADABLE = "The document cannot be read; it may be damaged."


def tasks_of(limits: Limits) -> Tasks:
    """Return the requests by name. No text leaves the child with a control character: neither PostgreSQL nor XML can
    store NUL, and fonts without names for their letters give code numbers in place of letters."""
    desk = DocumentReader(limits)
    tasks: Tasks = {
        "inspect": desk.inspect,
        "page": desk.page,
        "draw": desk.draw,
        "thumbnail": desk.thumbnail,
        "markdown": desk.markdown,
        "picture": desk.picture,
        "proposals": desk.proposals,
        "pixels": desk.pixels,
        "box text": desk.box_text,
    }
    return {name: _without_controls(task) for name, task in tasks.items()}


def _without_controls(task: Task) -> Task:
    def answered(arguments: Mapping[str, Any], content: bytes) -> tuple[Mapping[str, Any], bytes]:
        values, output = task(arguments, content)
        return _replaced(values), output

    return answered


def _replaced(value: Any) -> Any:
    if isinstance(value, str):
        return replace_controls(value)
    if isinstance(value, dict):
        return {key: _replaced(each) for key, each in value.items()}
    return [_replaced(each) for each in value] if isinstance(value, list | tuple) else value


class DocumentReader:
    """Answers requests; the last document stays open, since readers ask for page after page."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._open: tuple[str, Opened] | None = None

    def inspect(self, arguments: Mapping[str, Any], content: bytes) -> tuple[Mapping[str, Any], bytes]:
        opened = self._opened(content, arguments["media_type"])
        if isinstance(opened, Image.Image):
            return picture_facts(opened), b""
        with faults_as("truncated", UNREADABLE):
            return pdf_facts(opened, self.limits), b""

    def page(self, arguments: Mapping[str, Any], _: bytes) -> tuple[Mapping[str, Any], bytes]:
        opened = self._stored(arguments)
        if isinstance(opened, Image.Image):
            _only_page(arguments["number"])
            return picture_page(opened), b""
        return pdf_page(opened, arguments["number"]), b""

    def draw(self, arguments: Mapping[str, Any], _: bytes) -> tuple[Mapping[str, Any], bytes]:
        opened = self._stored(arguments)
        box = tuple(arguments["box"]) if arguments["box"] else None
        if isinstance(opened, Image.Image):
            _only_page(arguments["number"])
            return {}, draw_picture(opened, box)
        return {}, draw_pdf(opened, arguments["number"], arguments["dpi"], box, self.limits)

    def thumbnail(self, arguments: Mapping[str, Any], _: bytes) -> tuple[Mapping[str, Any], bytes]:
        opened, (x0, y0, x1, y1) = self._stored(arguments), arguments["box"]
        if isinstance(opened, Image.Image):
            _only_page(arguments["number"])
            return {}, draw_picture(opened, (x0, y0, x1, y1), arguments["side"])
        return {}, small_pdf(opened, arguments["number"], (x0, y0, x1, y1), arguments["side"])

    def markdown(self, arguments: Mapping[str, Any], _: bytes) -> tuple[Mapping[str, Any], bytes]:
        """Return the blocks of one page; a picture has none."""
        opened, number = self._stored(arguments), arguments["number"]
        if isinstance(opened, Image.Image):
            _only_page(number)
            return {"blocks": [], "unseen": 0}, b""
        page_of(opened, number)
        with faults_as("unreadable page", f"Page {number} cannot be read; the rest of the document may be fine."):
            blocks, unseen = page_blocks(opened, number)
            return {"blocks": blocks, "unseen": unseen}, b""

    def picture(self, arguments: Mapping[str, Any], _: bytes) -> tuple[Mapping[str, Any], bytes]:
        return {}, draw_graph(Drawing.from_json(arguments["drawing"]), arguments["form"], arguments["longest_px"])

    def proposals(self, arguments: Mapping[str, Any], _: bytes) -> tuple[Mapping[str, Any], bytes]:
        """Read text and lines, if any; `is_picture` if the pixels show more."""
        opened = self._stored(arguments)
        number, (x0, y0, x1, y1) = arguments["number"], arguments["box"]
        if isinstance(opened, Image.Image):
            _only_page(number)
            return {"is_picture": True}, b""
        page = page_of(opened, number)
        with faults_as("unreadable page", f"Page {number} cannot be read; the rest of the document may be fine."):
            read, is_picture = pdf_proposals(page, (x0, y0, x1, y1))
            return {"is_picture": is_picture, "by_text": read.as_json()}, b""

    def pixels(self, arguments: Mapping[str, Any], _: bytes) -> tuple[Mapping[str, Any], bytes]:
        opened = self._stored(arguments)
        number, (x0, y0, x1, y1) = arguments["number"], arguments["box"]
        longest_px = arguments.get("longest_px")
        if isinstance(opened, Image.Image):
            _only_page(number)
            return read_picture(picture_of(opened, (x0, y0, x1, y1)), longest_px).as_json(), b""
        page = page_of(opened, number)
        with faults_as("unreadable page", f"Page {number} cannot be read; the rest of the document may be fine."):
            return read_picture(drawn(page, (x0, y0, x1, y1)), longest_px).as_json(), b""

    def box_text(self, arguments: Mapping[str, Any], _: bytes) -> tuple[Mapping[str, Any], bytes]:
        opened = self._stored(arguments)
        number, (x0, y0, x1, y1) = arguments["number"], arguments["box"]
        if isinstance(opened, Image.Image):
            _only_page(number)
            return {"text": read_box(picture_of(opened, (x0, y0, x1, y1)))}, b""
        page = page_of(opened, number)
        with faults_as("unreadable page", f"Page {number} cannot be read; the rest of the document may be fine."):
            return {"text": read_box(box_pixels(page, (x0, y0, x1, y1)))}, b""

    def _stored(self, arguments: Mapping[str, Any]) -> Opened:
        """Return a stored file's document, still open from the last request if it is the same."""
        sha256 = arguments["sha256"]
        if self._open is not None and self._open[0] == sha256:
            return self._open[1]
        self._open = None
        opened = self._opened(Path(arguments["path"]).read_bytes(), arguments["media_type"])
        self._open = (sha256, opened)
        return opened

    def _opened(self, content: bytes, media_type: str) -> Opened:
        if media_type == "application/pdf":
            return open_pdf(content)
        if media_type == "image/svg+xml":
            return open_svg(content)
        return open_picture(content, self.limits)


def _only_page(number: int) -> None:
    if number != 1:
        raise UnreadableDocument("no such page", f"There is no page {number}; a picture has one.")
