"""What is read from pixels, by one child that has loaded the networks: a picture in a PDF whose region also holds
printed words (a line of the caption, a scanner's text layer), a picture alone, outlined letters, a page of lines."""

# PyMuPDF says it is typed, yet leaves most of its functions bare.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from PIL import Image

from core.papers.pages import Box
from core.transcription.proposals import FigureProposals
from documents.pdf_library import pymupdf
from documents.proposals.tasks import NAMES_READ, NONE_READ, READ
from documents.reader import Reader
from tests.documents.diagram_scores import WHOLE, TrueEdge, score
from tests.documents.foreign.corpus import figures
from tests.documents.foreign.damaged import damaged
from tests.documents.proposals.test_hostile import page_of
from tests.documents.proposals.test_papers import in_lower_case, proposals
from tests.everything import EVERYTHING, usual

NAMES = {"Groundwater level": (70, 60), "Farm income": (300, 60), "Crop prices": (180, 200)}
CAPTION = "Figure 2. Farms and wells."
REGION = Box(50, 80, 500, 350)
PICTURE = (50, 80, 500, 320)


def read(reader: Reader, path: Path, box: Box = REGION) -> FigureProposals:
    """Return the first proposals: reading at further sizes takes as long again for each."""
    return next(reader.readings(path, hashlib.sha256(path.read_bytes()).hexdigest(), 1, box))


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
    proposed = read(reader, paper(tmp_path / "paper.pdf", strips=strips))
    assert {one.text for one in proposed.names} == set(NAMES)  # the caption is none
    assert (proposed.edges, proposed.origin, proposed.notice) == ((), "raster", NAMES_READ)
    for one in proposed.names:
        if one.text in NAMES:
            x, y = NAMES[one.text]
            assert abs(one.box.x0 - x - PICTURE[0]) < 4  # where it is printed, in points of the page
            assert one.box.y0 < y + PICTURE[1] - 4 < one.box.y1


def test_a_text_layer_over_a_scan_gives_the_names_and_the_picture_gives_the_arrows(
    reader: Reader, tmp_path: Path
) -> None:
    proposed = read(reader, paper(tmp_path / "scan.pdf", hidden=True))
    assert {one.text for one in proposed.names} == set(NAMES)
    arrows = {(proposed.names[one.source].text, proposed.names[one.sink].text) for one in proposed.edges}
    assert arrows == {("Groundwater level", "Farm income"), ("Farm income", "Crop prices")}
    assert proposed.kind == "picture"


def test_names_and_arrows_of_a_picture_are_read_in_its_own_pixels(reader: Reader, shared_data: Path) -> None:
    values = json.loads((shared_data / "cld" / "sleep_depression.json").read_text(encoding="utf-8"))
    names = {node["id"].lower() for node in values["nodes"]}
    truth = [TrueEdge(one["source"].lower(), one["sink"].lower(), one["polarity"] or "") for one in values["edges"]]
    picture, box = shared_data / "cld" / "sleep_depression.png", Box(0, 0, 1418, 784)
    proposed = in_lower_case(proposals(reader, picture, 1, box) if EVERYTHING else read(reader, picture, box))
    texts = {one.text.lower() for one in proposed.names}
    print(f"\nPicture: {len(names & texts)} of {len(names)} names", sorted(names - texts))
    assert len(names & texts) >= 0.75 * len(names)
    assert all(0 <= one.box.x0 < one.box.x1 <= 1418 and 0 <= one.box.y0 < one.box.y1 <= 784 for one in proposed.names)
    arrows = score(proposed, truth)
    print(f"{arrows.right} of {arrows.true} edges, {arrows.found - arrows.right} wrong, {arrows.signs} signs")
    assert arrows.right >= 16
    assert arrows.right >= 0.9 * arrows.found
    assert proposed.notice == READ
    assert arrows.certain_right >= 0.9 * arrows.certain


def test_a_page_of_lines_and_an_empty_picture_give_no_names(reader: Reader, tmp_path: Path) -> None:
    picture = tmp_path / "picture.png"
    Image.new("L", (300, 200), 255).save(picture)
    digest = hashlib.sha256(picture.read_bytes()).hexdigest()
    page = page_of("0 0 m 600 400 l S", tmp_path / "lines.pdf")
    for proposed in (reader.proposals(*page, 1, WHOLE), reader.proposals(picture, digest, 1, Box(0, 0, 300, 200))):
        assert (proposed.names, proposed.edges, proposed.origin, proposed.notice) == ((), (), "raster", NONE_READ)


# --- a foreign figure's outlined letters ---------------------------------------------------------------------------

STEMS = ("networkx_matplotlib-4", "tikz-7", "powerpoint-6")  # lines over letters, signs, pictures of shadows


@pytest.mark.parametrize("stem", usual(STEMS, *STEMS[1:]))
@pytest.mark.skipif(not EVERYTHING, reason="tests/documents/raster/test_words.py")
def test_outlined_letters_are_read_apart_from_the_lines_over_them(reader: Reader, tmp_path: Path, stem: str) -> None:
    (figure,) = [one for one in figures("development") if one.stem == stem]
    path = tmp_path / "outlined.pdf"
    path.write_bytes(damaged(figure.path, "outlined", 1))
    proposed = reader.proposals(path, hashlib.sha256(path.read_bytes()).hexdigest(), 1, WHOLE)
    scored = score(proposed, figure.edges)
    assert {name.text for name in proposed.names} == set(figure.names)
    assert scored.right == scored.found == scored.true
    assert scored.signs == scored.signed
    assert not scored.certain and proposed.origin == "ocr"
