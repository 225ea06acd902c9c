"""A picture in a PDF whose region also holds printed words: a line of the caption, or a scanner's text layer."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from core.papers.pages import Box
from core.transcription.proposals import FigureProposals
from documents.pdf_library import pymupdf
from documents.proposals.tasks import NAMES_READ
from documents.reader import Reader
from tests.everything import usual

NAMES = {"Groundwater level": (70, 60), "Farm income": (300, 60), "Crop prices": (180, 200)}
CAPTION = "Figure 2. Farms and wells."
REGION = Box(50, 80, 500, 350)
PICTURE = (50, 80, 500, 320)


def read(reader: Reader, path: Path) -> FigureProposals:
    return reader.proposals(path, hashlib.sha256(path.read_bytes()).hexdigest(), 1, REGION)


def drawn(page: pymupdf.Page, dx: float = 0, dy: float = 0, invisible: bool = False) -> None:
    for name, (x, y) in NAMES.items():
        page.insert_text((x + dx, y + dy), name, fontsize=14, render_mode=3 if invisible else 0)


def test_one_box_is_read_again_from_its_pixels_alone(reader: Reader, tmp_path: Path) -> None:
    path = paper(tmp_path / "paper.pdf")
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    x0, y0 = PICTURE[0] + 300, PICTURE[1] + 60
    assert reader.box_text(path, sha256, 1, Box(x0 - 4, y0 - 16, x0 + 90, y0 + 6)) == "Farm income"
    assert reader.box_text(path, sha256, 1, Box(52, 100, 62, 104)) == ""


def arrow(page: pymupdf.Page, tail: tuple[float, float], tip: tuple[float, float]) -> None:
    along = (pymupdf.Point(tip) - pymupdf.Point(tail)).unit
    back = pymupdf.Point(tip) - along * 10
    page.draw_line(tail, back, width=1.2)
    wing = pymupdf.Point(-along.y, along.x) * 4
    page.draw_polyline([tip, back + wing, back - wing], fill=(0, 0, 0), closePath=True)


def paper(path: Path, *, strips: int = 1, hidden: bool = False) -> Path:
    """A page with a picture of three names and, inside the region, a line of its caption. `hidden`: the names lie
    over the picture as invisible text too, as scanners write it, and arrows join them."""
    sheet = pymupdf.open()
    drawn(sheet.new_page(width=450, height=240))
    if hidden:
        arrow(sheet[0], (205, 55), (290, 55))
        arrow(sheet[0], (330, 68), (235, 182))
    made = pymupdf.open()
    page = made.new_page(width=600, height=800)
    x0, y0, x1, _ = PICTURE
    for strip in range(strips):
        top, high = strip * 240 / strips, 240 / strips
        image = sheet[0].get_pixmap(dpi=200, clip=pymupdf.Rect(0, top, 450, top + high))
        page.insert_image(pymupdf.Rect(x0, y0 + top, x1, y0 + top + high), pixmap=image)
    page.insert_text((60, 340), CAPTION, fontsize=10)
    if hidden:
        drawn(page, x0, y0, invisible=True)
    path.write_bytes(made.tobytes())
    return path


@pytest.mark.parametrize("strips", usual([1, 4], 1))
def test_a_line_of_the_caption_does_not_keep_the_names_of_a_picture_from_being_read(
    reader: Reader, tmp_path: Path, strips: int
) -> None:
    found = read(reader, paper(tmp_path / "paper.pdf", strips=strips))
    assert {one.text for one in found.names} == set(NAMES)  # the caption is none
    assert (found.edges, found.origin, found.notice) == ((), "raster", NAMES_READ)
    for one in found.names:
        if one.text in NAMES:
            x, y = NAMES[one.text]
            assert abs(one.box.x0 - x - PICTURE[0]) < 4  # where it is printed, in points of the page
            assert one.box.y0 < y + PICTURE[1] - 4 < one.box.y1


def test_a_text_layer_over_a_scan_gives_the_names_and_the_picture_gives_the_arrows(
    reader: Reader, tmp_path: Path
) -> None:
    found = read(reader, paper(tmp_path / "scan.pdf", hidden=True))
    assert {one.text for one in found.names} == set(NAMES)
    arrows = {(found.names[one.source].text, found.names[one.sink].text) for one in found.edges}
    assert arrows == {("Groundwater level", "Farm income"), ("Farm income", "Crop prices")}
    assert found.kind == "picture"
