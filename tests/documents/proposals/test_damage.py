"""In any damage to a figure on its way here, no reader fails, and where one does, the next one reads the figure."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterator

import pytest
from PIL import Image, ImageOps

from core.transcription.proposals import FigureProposals
from documents.pdf_library import pymupdf
from documents.proposals import tasks
from documents.proposals.tasks import LINES_FAILED, PIXELS_FAILED, drawn, pdf_proposals, picture_of, read_picture

NAMES = {"Rain": (80, 60), "Harvest": (300, 60), "Income": (300, 200), "Debt": (80, 200)}
EDGES = {("Rain", "Harvest"), ("Harvest", "Income"), ("Income", "Debt")}
FRAME = (0, 0, 400, 260)


@pytest.fixture
def page() -> Iterator[pymupdf.Page]:
    """Four names joined by three arrows."""
    with pymupdf.open() as document:
        drawing = document.new_page(width=FRAME[2], height=FRAME[3])
        for name, (x, y) in NAMES.items():
            drawing.insert_text((x - 3 * len(name), y + 4), name, fontsize=12)
        for (x0, y0), (x1, y1) in (((105, 60), (265, 60)), ((300, 75), (300, 185)), ((265, 200), (105, 200))):
            long = math.dist((x0, y0), (x1, y1))
            dx, dy = 9 * (x1 - x0) / long, 9 * (y1 - y0) / long
            drawing.draw_line((x0, y0), (x1, y1))
            wings = [(x1 - dx - 0.4 * dy * way, y1 - dy + 0.4 * dx * way) for way in (1, -1)]
            drawing.draw_polyline([(x1, y1), *wings], fill=(0, 0, 0), closePath=True, width=0.1)
        yield drawing


def joined(reading: FigureProposals) -> set[tuple[str, str]]:
    return {(reading.names[one.source].text, reading.names[one.sink].text) for one in reading.edges}


def picture(page: pymupdf.Page) -> Image.Image:
    pixels = page.get_pixmap(dpi=150)
    return Image.frombytes("RGB", (pixels.width, pixels.height), pixels.samples)


def recompressed(image: Image.Image) -> Image.Image:
    data = io.BytesIO()
    image.save(data, "JPEG", quality=20)
    return Image.open(data).convert("RGB")


DAMAGE: dict[str, tuple[Callable[[Image.Image], Image.Image], set[tuple[str, str]]]] = {
    "inverted": (ImageOps.invert, EDGES),
    "recompressed": (recompressed, EDGES),
    "turned": (lambda image: image.rotate(4, Image.Resampling.BICUBIC, expand=True, fillcolor=(255, 255, 255)), EDGES),
    "halved": (lambda image: image.reduce(2), EDGES),
    "cut": (lambda image: image.crop((0, 0, image.width, image.height // 2)), {("Rain", "Harvest")}),
    "a sliver": (lambda image: image.crop((0, 110, image.width, 140)), set()),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_picture_is_read(page: pymupdf.Page, damage: str, caplog: pytest.LogCaptureFixture) -> None:
    change, edges = DAMAGE[damage]
    damaged = change(picture(page))
    reading = read_picture(picture_of(damaged, (0, 0, *damaged.size)))
    assert caplog.records == []
    assert joined(reading) >= edges
    assert all(one in EDGES for one in joined(reading))


def _fails(*_arguments: object, **_options: object) -> None:
    raise IndexError


def test_a_figure_whose_drawn_lines_cannot_be_read_is_read_from_its_pixels(
    page: pymupdf.Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    propose = tasks.propose
    monkeypatch.setattr(tasks, "propose", lambda *its, **how: propose(*its, **how) if how else _fails())
    nothing, wants_pixels = pdf_proposals(page, FRAME)
    assert (nothing.edges, wants_pixels) == ((), True)
    reading = read_picture(drawn(page, FRAME))
    assert joined(reading) == EDGES
    assert LINES_FAILED in reading.notice


def test_names_stay_where_the_pixels_cannot_be_read(page: pymupdf.Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "_from_pixels", _fails)
    reading = read_picture(drawn(page, FRAME))
    assert {name.text for name in reading.names} == set(NAMES)
    assert PIXELS_FAILED in reading.notice
