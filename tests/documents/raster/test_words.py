"""Words of a picture: what is read, where it stands, and that nothing is fetched to read it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from documents.raster import engine, words
from documents.raster.engine import RecognisedLine

ROOT = Path(__file__).resolve().parents[3]
READ = """
import json, sys

def refuse(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname"):
        raise OSError(f"asked the network: {event} {arguments}")

sys.addaudithook(refuse)
import cv2
from documents.raster.words import read_words
found = read_words(cv2.imread(sys.argv[1]), 0.5, (10.0, 20.0))
print(json.dumps([(word.text, word.box, word.size, word.turn) for word in found]))
"""
FONT = ImageFont.load_default(size=24)


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[tuple[float, float, float, float], float, int]]:
    """The words of one picture by their text, read in a process that may ask no network."""
    picture = Image.new("RGB", (900, 420), "white")
    pen = ImageDraw.Draw(picture)
    pen.text((40, 40), "Rainfall", fill=0, font=FONT)
    pen.text((40, 110), "area", fill=0, font=FONT)  # no letter above or below its line
    pen.rounded_rectangle((300, 30, 560, 90), 16, fill="#3b6ea5")
    pen.text((330, 45), "Crop prices", fill="white", font=FONT)
    pen.text((60, 200), "Demand", fill=0, font=FONT)
    pen.text((200, 200), "Supply", fill=0, font=FONT)
    pen.line((330, 215, 520, 215), fill=0, width=2)
    pen.polygon([(520, 208), (540, 215), (520, 222)], fill=0)
    pen.text((550, 200), "Water level", fill=0, font=FONT)
    upright = Image.new("RGB", (200, 40), "white")
    ImageDraw.Draw(upright).text((10, 4), "Pressure", fill=0, font=FONT)
    picture.paste(upright.rotate(90, expand=True), (800, 150))
    path = tmp_path_factory.mktemp("words") / "picture.png"
    picture.save(path)
    command = [sys.executable, "-c", READ, str(path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2_000:]
    return {text: (tuple(box), size, turn) for text, box, size, turn in json.loads(done.stdout.splitlines()[-1])}


def test_every_word_is_read_on_white_and_on_colour_and_nothing_else(found: dict[str, object]) -> None:
    assert set(found) == {
        *("Rainfall", "area", "Crop", "prices", "Demand", "Supply", "Water", "level", "Pressure"),
    }


def test_words_stand_where_they_are_printed_in_points(found: dict[str, tuple[tuple[float, ...], float, int]]) -> None:
    for text, (x, y) in {"Rainfall": (40, 40), "Demand": (60, 200), "Supply": (200, 200), "Water": (550, 200)}.items():
        (x0, y0, x1, y1), _, _ = found[text]
        width = FONT.getlength(text)
        assert abs(x0 - 10 - x / 2) < 3, text
        assert abs(x1 - 10 - (x + width) / 2) < 3, text
        assert y0 < 20 + (y + 12) / 2 < y1, text


def test_letters_of_one_size_get_one_size(found: dict[str, tuple[tuple[float, ...], float, int]]) -> None:
    sizes = [size for _, size, _ in found.values()]
    assert max(sizes) < 1.15 * min(sizes)


def test_a_word_printed_upright_is_turned(found: dict[str, tuple[tuple[float, ...], float, int]]) -> None:
    (x0, y0, x1, y1), _, turn = found["Pressure"]
    assert (turn, y1 - y0 > 2 * (x1 - x0)) == (3, True)


def test_the_rim_of_a_node_is_no_part_of_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = np.full((80, 240, 3), 255, np.uint8)
    picture[18:22, 20:220] = picture[18:66, 20:23] = picture[18:66, 217:220] = 0  # the reader's box ends above the rest
    for left in range(50, 190, 20):
        picture[32:50, left : left + 8] = 0
    monkeypatch.setattr(words, "read_lines", lambda _: [RecognisedLine("landing", (40.0, 36.0, 440.0, 112.0), 0.99)])
    (word,) = words.ink_words(picture)
    assert word.box == pytest.approx((50, 32, 178, 50), abs=1.5)


def test_running_text_is_no_word_and_leaves_no_ink(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = np.full((900, 1600, 3), 255, np.uint8)
    picture[102:118, 100:1500:3] = 0
    monkeypatch.setattr(words, "read_lines", lambda _: [RecognisedLine("", (90.0, 98.0, 1510.0, 122.0), 1.0)])
    assert words.ink_words(picture) == []
    assert picture.min() == 255


def test_many_long_lines_are_running_text_and_a_few_are_names(monkeypatch: pytest.MonkeyPatch) -> None:
    def corners(number: int) -> np.ndarray:
        top = 40 + 60 * number
        return np.array([(50, top), (1100, top), (1100, top + 30), (50, top + 30)], np.float32)

    for count, texts in ((engine.MANY_LONG - 1, {"Water"}), (engine.MANY_LONG, {""})):
        found = [corners(number) for number in range(count)]
        monkeypatch.setattr(engine, "_line_corners", lambda *_, found=found: found)
        monkeypatch.setattr(engine, "read_pieces", lambda pieces: [("Water", 0.9) for _ in pieces])
        read = engine.read_lines(np.full((900, 1600, 3), 255, np.uint8))
        assert ({line.text for line in read}, len(read)) == (texts, count)
