"""What a person is told about good, odd and hostile files; words, regions and images of real documents."""

import hashlib
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest
from PIL import Image

from core.errors import BadInput, Missing, UnreadableDocument
from core.papers.pages import Box, FigureRegion
from documents.limits import DRAWING_CPU_S, Limits, fitting_dpi
from documents.pool import Pool
from documents.reader import Reader, sniff
from tests.documents.raw_pdf import word_pdf

NO_TEXT = "No text layer: names and arrows are read from the image."
RECITE = "pdf/recite_paper_2505.18931.pdf"


def refusal(reader: Reader, content: bytes, filename: str) -> UnreadableDocument:
    with pytest.raises(UnreadableDocument) as caught:
        reader.inspect(content, filename)
    return caught.value


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def covers(outer: Box, inner: Box) -> bool:
    return outer.x0 <= inner.x0 and outer.y0 <= inner.y0 and inner.x1 <= outer.x1 and inner.y1 <= outer.y1


# --- bad input: each has its own kind and its own words --------------------------------------------------------


@pytest.mark.parametrize(
    ("filename", "content", "kind", "words"),
    [
        ("empty.pdf", b"", "empty", "empty.pdf: The file is empty; upload it again."),
        ("page.pdf", b"\n<!DOCTYPE html><html>Sign in</html>", "web page", "page.pdf: This is a web page, not a PDF"),
        ("page.pdf", b"\xef\xbb\xbf<html><head>%PDF-1.7", "web page", "publisher sign-in"),
        ("noise.pdf", bytes(range(128, 256)) * 40, "not a document", "Neither a PDF nor a PNG, JPEG, WebP, GIF or SVG"),
        ("page.svg", b"<html><body><svg></svg>", "web page", "page.svg: This is a web page, not a PDF"),
        ("old.bmp", b"BM" + bytes(50), "not a document", "upload one of these"),
        ("big.pdf", b"%PDF-1.7\n" + bytes(60_000_000), "over 50 MB", "big.pdf: 60 MB; over 50 MB."),
    ],
)
def test_wrong_files_are_refused_without_a_parser(
    tmp_path: Path, filename: str, content: bytes, kind: str, words: str
) -> None:
    with Pool(program=("/nonexistent/python",)) as no_children:
        error = refusal(Reader(no_children, tmp_path), content, filename)
    assert error.kind == kind
    assert words in str(error)


@pytest.mark.parametrize(
    ("filename", "kind", "words"),
    [
        ("truncated.pdf", "truncated", "Cut off or damaged: no page could be read. Download it again."),
        ("encrypted.pdf", "encrypted", "Password-protected; upload a copy without a password."),
        ("no_pages.pdf", "no pages", "No readable pages."),
        ("count_lie.pdf", "no pages", "No readable pages."),
        ("many.pdf", "too many pages", "501 pages; the limit is 500."),
        ("damaged.png", "damaged picture", "The picture is damaged and cannot be shown"),
        ("large.png", "too many pixels", "6,000 x 5,000 pixels; the limit is 20 million"),
    ],
)
def test_unreadable_documents_say_what_is_wrong(
    reader: Reader, made: Path, filename: str, kind: str, words: str
) -> None:
    error = refusal(reader, (made / filename).read_bytes(), filename)
    assert error.kind == kind
    assert words in str(error)
    assert str(error).startswith(f"{filename}: ")


@pytest.fixture
def hasty(tmp_path: Path) -> Iterator[Reader]:
    """A reader whose children may work for two seconds."""
    with Pool(Limits(cpu_s=2, wall_s=3.0)) as pool:
        yield Reader(pool, tmp_path / "cache")


def test_a_bomb_is_stopped_while_others_are_answered(hasty: Reader, made: Path) -> None:
    bomb = (made / "bomb.pdf").read_bytes()
    good = (made / "good.pdf").read_bytes()
    assert len(bomb) < 10_000
    hasty.inspect(good, "good.pdf")
    hasty.inspect((made / "half.pdf").read_bytes(), "half.pdf")  # now both children have started
    with ThreadPoolExecutor(1) as threads:
        chewing = threads.submit(refusal, hasty, bomb, "bomb.pdf")
        time.sleep(0.1)
        answered = 0
        while not chewing.done():  # by its own processor time, so on a busy machine later
            assert hasty.inspect(good, "good.pdf").page_count == 6
            answered += 1
        assert answered > 1  # the last may have ended after it
        assert chewing.result().kind == "too slow"
    assert re.search(r"Stopped after [23] s of work", str(chewing.result()))  # on a busy machine the clock ends it
    assert hasty.inspect(good, "good.pdf").page_count == 6


def test_a_page_of_crossing_lines_is_drawn_within_five_seconds_or_declined(
    reader: Reader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("documents.reader.DRAWING_CPU_S", 1)  # they take 1.5 to 3 s
    draw = Random(1)
    ends = ((draw.random() * 600, draw.random() * 800) for _ in range(12_000))
    lines = "\n".join(f"{x:.0f} {y:.0f} {'ml'[place % 2]}" for place, (x, y) in enumerate(ends))
    body = f"{lines}\nS\n"
    pdf = (
        "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
        "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R>>endobj\n"
        f"4 0 obj<</Length {len(body)}>>stream\n{body}endstream endobj\ntrailer<</Root 1 0 R>>\n"
    ).encode()
    place, sha256 = tmp_path / "lines.pdf", hashlib.sha256(pdf).hexdigest()
    place.write_bytes(pdf)
    with pytest.raises(UnreadableDocument, match=r"Stopped after 1 s of work; .* upload a picture of the figure"):
        reader.crop_image(place, sha256, 1, Box(50, 50, 550, 750))
    assert DRAWING_CPU_S < 5
    monkeypatch.setattr("documents.reader.DRAWING_CPU_S", 20)  # enough, but it is not tried at every request
    with pytest.raises(UnreadableDocument, match="Stopped after 1 s of work"):
        reader.crop_image(place, sha256, 1, Box(50, 50, 550, 750))
    monkeypatch.setattr("documents.reader.TRIED_AGAIN_S", 0.0)
    assert reader.crop_image(place, sha256, 1, Box(50, 50, 550, 750)).is_file()


def test_a_hostile_name_cannot_forge_the_message(reader: Reader) -> None:
    error = refusal(reader, b"", "../../a\u202eb\nAll is well" + "x" * 500)
    assert str(error).startswith("abAll is wellxxx")
    assert "\n" not in str(error)
    assert len(str(error)) < 200


# --- odd but readable: notices ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("filename", "has_text", "notices"),
    [
        ("good.pdf", True, ()),
        ("half.pdf", True, ("Damaged; repaired, 6 pages could be read. Check against the original before use.",)),
        ("owner.pdf", True, ("Its owner has restricted the use of this file; check that you may work with it.",)),
        ("scan.pdf", False, (NO_TEXT,)),
        ("picture.png", False, (NO_TEXT,)),
        ("huge.pdf", True, ("Page too large to draw (1); text still available.",)),
        ("recognised.pdf", True, ("Its text was recognised from page images; check names against the image.",)),
    ],
)
def test_odd_documents_open_with_a_notice(
    reader: Reader, made: Path, filename: str, has_text: bool, notices: tuple[str, ...]
) -> None:
    facts = reader.inspect((made / filename).read_bytes(), filename)
    assert facts.has_text is has_text
    assert facts.notices == notices


@pytest.mark.parametrize(
    ("filename", "characters"),
    [
        ("invisible.pdf", 52),
        # "white on white" has 12, "tiny" at 1 point 4, "outside" off the page 7; white on blue can be seen
        ("hidden.pdf", 23),
    ],
)
def test_invisible_text_is_counted(reader: Reader, made: Path, filename: str, characters: int) -> None:
    (notice,) = reader.inspect((made / filename).read_bytes(), filename).notices
    assert f"({characters} characters, page 1)" in notice


def test_the_facts_of_a_file_are_its_own(reader: Reader, made: Path) -> None:
    content = (made / "picture.webp").read_bytes()
    facts = reader.inspect(content, "picture.pdf")
    assert facts.media_type == "image/webp"
    assert facts.size_bytes == len(content)
    assert facts.sha256 == hashlib.sha256(content).hexdigest()
    assert facts.page_count == 1


@pytest.mark.parametrize(
    ("start", "media_type"),
    [
        (b"%PDF-1.4", "application/pdf"),
        (b"junk before the header %PDF-1.4", "application/pdf"),
        (b"\x89PNG\r\n\x1a\n", "image/png"),
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"RIFF\x00\x00\x00\x00WEBPVP8L", "image/webp"),
        (b"GIF89a", "image/gif"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'><title>Loop</title><script/>", "image/svg+xml"),
        (b"<?xml version='1.0'?>\n<!-- " + b"drawn " * 300 + b"-->\n<!DOCTYPE svg>\n<ns:svg ", "image/svg+xml"),
    ],
)
def test_the_media_type_comes_from_the_first_bytes(start: bytes, media_type: str) -> None:
    assert sniff(start, 10_000) == media_type


# --- pages ------------------------------------------------------------------------------------------------------


def test_rotated_pages_are_given_as_displayed(reader: Reader, made: Path) -> None:
    # A 400 x 600 page turned by 90 degrees: (x, y) is displayed at (600 - y, x). The word's baseline is at
    # (50, 80); the figure is the rectangle (200, 300, 300, 380), hence (220, 200, 300, 300), with 4 points around.
    path = made / "rotated.pdf"
    page = reader.page(path, digest(path), 1)
    assert (page.width, page.height) == (600, 400)
    (word,) = page.words
    assert word.text == "Harvest"
    assert word.box.x0 < 600 - 80 < word.box.x1
    assert word.box.y0 == pytest.approx(50, abs=1)
    (region,) = page.regions
    assert region.box == pytest.approx(Box(216, 196, 304, 304)) or covers(region.box, Box(220, 200, 300, 300))
    drawn = Image.open(reader.crop_image(path, digest(path), 1, word.box, 100)).convert("L")
    assert drawn.getextrema()[0] < 100  # the printed word is inside its box


def test_a_picture_is_one_page_and_one_figure(reader: Reader, made: Path) -> None:
    path = made / "picture.jpg"
    page = reader.page(path, digest(path), 1)
    assert (page.number, page.width, page.height) == (1, 60, 40)
    assert page.words == ()
    assert page.regions == (FigureRegion(Box(0, 0, 60, 40), "whole page"),)


def test_a_picture_is_turned_as_its_exif_says(reader: Reader, made: Path) -> None:
    # 60 x 40 with a red block in its upper left corner; a quarter turn clockwise puts it in the upper right.
    path = made / "turned.jpg"
    page = reader.page(path, digest(path), 1)
    assert (page.width, page.height) == (40, 60)
    image = Image.open(reader.page_image(path, digest(path), 1))
    red, _, blue = image.getpixel((36, 5))
    assert red > 200
    assert blue < 60


def test_transparency_is_shown_on_white(reader: Reader, made: Path) -> None:
    path = made / "clear.png"
    assert Image.open(reader.page_image(path, digest(path), 1)).getpixel((5, 5)) == (255, 255, 255)


def test_a_scan_offers_its_image_as_the_figure(reader: Reader, made: Path) -> None:
    path = made / "scan.pdf"
    (region,) = reader.page(path, digest(path), 1).regions
    assert region == FigureRegion(Box(0, 0, 400, 300), "raster")


@pytest.mark.parametrize("crop", ["", "/CropBox [50 40 350 280]"])
@pytest.mark.parametrize("unit", [1, 2, 0.5])
@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
def test_words_lie_on_their_ink_on_rotated_pages_of_other_units(
    reader: Reader, tmp_path: Path, rotate: int, unit: float, crop: str
) -> None:
    path = tmp_path / "word.pdf"
    path.write_bytes(word_pdf(rotate, unit, crop))
    facts = reader.inspect(path.read_bytes(), path.name)
    assert (facts.has_text, facts.notices) == (True, ())
    page = reader.page(path, facts.sha256, 1)
    (word,) = page.words
    image = Image.open(reader.page_image(path, facts.sha256, 1, 100)).convert("L").point(lambda v: 255 * (v < 128))
    scale = page.width / image.width
    ink = [place * scale for place in image.getbbox() or ()]
    box = word.box
    assert word.text == "Price"
    assert box.x0 - 1 <= ink[0] < ink[2] <= box.x1 + 1 and box.y0 - 1 <= ink[1] < ink[3] <= box.y1 + 1
    assert (box.x1 - box.x0) * (box.y1 - box.y0) < 3 * (ink[2] - ink[0]) * (ink[3] - ink[1])


def test_the_rotated_page_of_a_public_report(reader: Reader, shared_data: Path) -> None:
    path = shared_data / "faults" / "13-userunit-rotated.pdf"
    if not path.is_file():
        pytest.skip(f"{path} is not here")
    (word,) = reader.page(path, digest(path), 1).words
    assert 280 < word.box.x0 < word.box.x1 < 350


# --- images -----------------------------------------------------------------------------------------------------


def test_page_images_have_the_asked_resolution_and_are_kept(reader: Reader, made: Path) -> None:
    path = made / "good.pdf"
    image = reader.page_image(path, digest(path), 2, dpi=150)
    # 400 x 300 points at 150 dpi: 833 x 625 pixels
    assert Image.open(image).size == pytest.approx((833, 625), abs=1)
    first_drawn = image.stat().st_mtime_ns
    assert reader.page_image(path, digest(path), 2, dpi=150) == image
    assert image.stat().st_mtime_ns == first_drawn
    assert reader.page_image(path, digest(path), 3, dpi=150) != image
    assert [file for file in image.parent.iterdir() if file.suffix != ".png"] == []


def test_crops_show_their_box(reader: Reader, made: Path) -> None:
    path = made / "picture.png"
    red = Image.open(reader.crop_image(path, digest(path), 1, Box(0, 0, 20, 10)))
    assert red.size == (20, 10)
    assert red.getcolors() == [(200, (255, 0, 0))]
    wide = Image.open(reader.crop_image(made / "good.pdf", digest(made / "good.pdf"), 1, Box(0, 0, 72, 36), 200))
    assert wide.size == (200, 100)


def test_a_thumbnail_has_a_bounded_longer_side_and_shows_the_box(reader: Reader, made: Path, tmp_path: Path) -> None:
    path = made / "good.pdf"
    small = Image.open(reader.thumbnail(path, digest(path), 1, Box(0, 0, 300, 100)))
    assert small.size == (480, 160)
    large = tmp_path / "large.png"
    Image.new("RGB", (1200, 600), "white").save(large)
    assert Image.open(reader.thumbnail(large, digest(large), 1, Box(0, 0, 1200, 600))).size == (480, 240)
    assert Image.open(reader.thumbnail(large, digest(large), 1, Box(0, 0, 200, 100))).size == (200, 100), (
        "never enlarged"
    )


def test_a_page_too_large_to_draw_can_be_cropped(reader: Reader, made: Path) -> None:
    path = made / "huge.pdf"
    with pytest.raises(UnreadableDocument, match=r"too large to draw at 100 dpi \(200 x 200 inches\)") as caught:
        reader.page_image(path, digest(path), 1, 100)
    assert caught.value.kind == "too large a page"
    assert Image.open(reader.crop_image(path, digest(path), 1, Box(0, 0, 144, 72), 100)).size == (200, 100)
    assert "Rainfall" in [word.text for word in reader.page(path, digest(path), 1).words]


def test_the_largest_fitting_resolution_is_known_beforehand() -> None:
    # 17 x 22 inches at 300 dpi: 5100 x 6600 = 33.7 million; at 200 dpi 3400 x 4400 = 15.0 million
    assert fitting_dpi(17 * 72, 22 * 72, 300, Limits()) == 200
    assert fitting_dpi(17 * 72, 22 * 72, 150, Limits()) == 150
    assert fitting_dpi(14_400, 14_400, 300, Limits()) is None


@pytest.mark.parametrize(("number", "kind"), [(0, "no such page"), (7, "no such page"), (-1, "no such page")])
def test_pages_that_do_not_exist_are_refused(reader: Reader, made: Path, number: int, kind: str) -> None:
    path = made / "good.pdf"
    with pytest.raises(UnreadableDocument) as caught:
        reader.page(path, digest(path), number)
    assert caught.value.kind == kind


def test_a_box_outside_the_page_is_refused(reader: Reader, made: Path) -> None:
    for name in ("good.pdf", "picture.png"):
        with pytest.raises(UnreadableDocument) as caught:
            reader.crop_image(made / name, digest(made / name), 1, Box(900, 900, 950, 950))
        assert caught.value.kind == "outside the page"


def test_only_hashes_and_known_resolutions_reach_the_disk(reader: Reader, made: Path, tmp_path: Path) -> None:
    path = made / "good.pdf"
    for name in ("../../etc/passwd", "a" * 63, "A" * 64, digest(path) + "\n", ""):
        with pytest.raises(BadInput, match="SHA-256"):
            reader.page_image(path, name, 1)
    with pytest.raises(BadInput, match="100, 150, 200, 300 dpi"):
        reader.page_image(path, digest(path), 1, dpi=1_200)
    with pytest.raises(Missing):
        reader.page(tmp_path / "gone.pdf", "0" * 64, 1)


# --- real papers ------------------------------------------------------------------------------------------------


def test_the_diagram_of_a_real_paper_is_found_with_its_caption(reader: Reader, shared_data: Path) -> None:
    path = shared_data / RECITE
    facts = reader.inspect(path.read_bytes(), path.name)
    assert facts.page_count == 27
    assert facts.has_text
    assert facts.notices == ()
    page = reader.page(path, facts.sha256, 7)
    (figure,) = [region for region in page.regions if region.label == "Figure 6"]
    assert figure.kind == "vector"
    assert figure.caption.startswith("Figure 6: Top: R1-generated model subgraph, with spurious links labeled in red.")
    # The right column spans 320 to 558 points; the two panels end above the caption at 232.
    labels = {"Annual", "precipitation", "Total", "output", "County"}
    inside = {word.text for word in page.words if covers(figure.box, word.box)}
    assert labels <= inside
    assert figure.box.y1 <= 232
    assert figure.box.x0 > 300


def test_printed_names_are_among_the_words(reader: Reader, shared_data: Path) -> None:
    path = shared_data / RECITE
    words = reader.page(path, digest(path), 7).words
    text = " ".join(word.text for word in words)
    assert "Annual precipitation" in text
    assert "Total grain output" in text
    (flexible,) = {word.printed for word in words if word.text == "flexibility"}
    assert flexible == "ﬂexibility"  # the text layer's ligature is kept beside the folded form


@pytest.mark.parametrize(
    ("number", "labels"),
    [
        (1, ["Figure 1"]),
        (2, []),
        (3, []),  # a listing and a table
        (6, ["Figure 3", "Figure 4"]),
        (10, []),  # two tables and a prompt in a box
        (11, ["Figure 2", "Figure 1", "Figure 3"]),
        (16, ["Figure 9", "Figure 10"]),
        (20, []),  # a prompt in a box
        (24, []),
    ],
)
def test_figures_are_told_from_tables_and_listings(
    reader: Reader, shared_data: Path, number: int, labels: list[str]
) -> None:
    path = shared_data / RECITE
    page = reader.page(path, digest(path), number)
    assert [region.label for region in page.regions] == labels


def test_curved_diagrams_with_a_short_caption_above_are_found_whole(reader: Reader, shared_data: Path) -> None:
    path = shared_data / "pdf" / "vensim_sketches_rendered.pdf"
    page = reader.page(path, digest(path), 3)
    (figure,) = page.regions
    assert (figure.label, figure.kind) == ("Figure 3", "vector")
    inside = {word.text for word in page.words if covers(figure.box, word.box)}
    assert {"Reconstruction", "Lake", "People", "Dam", "ratio", "water/food", "Unemployment"} <= inside


def test_scanned_diagrams_say_that_they_have_no_text(reader: Reader, shared_data: Path) -> None:
    path = shared_data / "pdf" / "vensim_sketches_scanned.pdf"
    facts = reader.inspect(path.read_bytes(), path.name)
    assert (facts.page_count, facts.has_text, facts.notices) == (4, False, (NO_TEXT,))
    (region,) = reader.page(path, facts.sha256, 1).regions
    assert region.kind == "raster"


def test_a_real_picture_keeps_its_own_pixels(reader: Reader, shared_data: Path) -> None:
    path = shared_data / "cld" / "sleep_depression.png"
    facts = reader.inspect(path.read_bytes(), path.name)
    assert facts.media_type == "image/png"
    page = reader.page(path, facts.sha256, 1)
    image = Image.open(reader.page_image(path, facts.sha256, 1, 300))
    assert image.size == (page.width, page.height) == Image.open(path).size


READ_ONE = """
import sys
from pathlib import Path
from random import Random
from documents.limits import Limits
from documents.pool import Pool
from documents.reader import Reader
content = Path(sys.argv[1]).read_bytes()
with Pool(Limits(), prestart=1) as pool:
    print(len(Reader(pool, Path(sys.argv[2])).inspect(content, "good.pdf").sha256))
print(sorted({"pymupdf", "fitz"} & set(sys.modules)))
"""


def test_the_pdf_library_never_enters_the_process_that_asks(made: Path, tmp_path: Path) -> None:
    # A process of its own: tests that make figures import the library here.
    asked = subprocess.run(
        [sys.executable, "-c", READ_ONE, made / "good.pdf", tmp_path],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert asked.stdout.split("\n")[1] == "[]"
