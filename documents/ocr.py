"""Words of a picture by Tesseract, a program of its own that may be absent. Runs in a child process only.

Tesseract gets a PNG on its standard input and answers with a table of words; it never sees a file of ours.
"""

from __future__ import annotations

import csv
import io
import shutil
import subprocess
from statistics import median

from PIL import Image

from documents.folding import folded
from documents.ocr_cleaning import without_lines
from documents.proposals.words import PrintedWord

PROGRAM = "tesseract"
TIME_LIMIT_S = 20.0  # below the wall time of a request, above what a busy machine needs for a page
LEAST_CONFIDENCE = 35.0  # per cent; what Tesseract makes of arrows and circles is less sure than its words
FINE_PIXELS = 1_600  # pictures narrower than this are enlarged: Tesseract wants letters 20 to 40 pixels high
LARGEST_ENLARGEMENT = 3.0
INK_TO_SIZE, HALF = 0.93, 0.675  # letters' size from a line's ink; half the height a text layer gives its boxes
BESIDE = 0.06  # of the size stand left and right of a word's ink
DARK, PALE = 40, 150  # grey levels drawn apart to black and white: pale arrows vanish, letters stay

ABSENT = "No text layer, and Tesseract is not installed: click to place names."
TOO_SLOW = "No text layer, and reading the picture took too long: click to place names."
FAILED = "No text layer, and Tesseract could not read the picture: click to place names."
READ = "Names were read from the picture by Tesseract; check each against it. Edges are not proposed for pictures."


def is_installed() -> bool:
    """Whether there is a Tesseract on the path."""
    return shutil.which(PROGRAM) is not None


def recognised(picture: Image.Image, scale: float, origin: tuple[float, float]) -> tuple[list[PrintedWord], str]:
    """The words Tesseract reads, in points of the page, and a notice for the person. `scale`: points per pixel;
    `origin`: the page's point at the picture's upper left corner. No exception: a failure is a notice."""
    program = shutil.which(PROGRAM)
    if program is None:
        return [], ABSENT
    grey = without_lines(picture.convert("L").point([_contrast(level) for level in range(256)]))
    zoom = min(LARGEST_ENLARGEMENT, max(1.0, FINE_PIXELS / max(grey.size)))
    if zoom > 1:
        size = (round(grey.width * zoom), round(grey.height * zoom))
        grey = grey.resize(size, Image.Resampling.LANCZOS)
    png = io.BytesIO()
    grey.save(png, "PNG", compress_level=1)
    command = [program, "stdin", "stdout", "-l", "eng", "--psm", "11", "tsv"]  # 11: scattered text in no order
    try:
        answer = subprocess.run(  # noqa: S603 - a program named by its path, no shell
            command, input=png.getvalue(), capture_output=True, timeout=TIME_LIMIT_S, check=True
        )
    except subprocess.TimeoutExpired:
        return [], TOO_SLOW
    except (OSError, subprocess.CalledProcessError):
        return [], FAILED
    return words_of_table(answer.stdout.decode("utf-8", errors="replace"), scale / zoom, origin), READ


def _contrast(level: int) -> int:
    return max(0, min(255, (level - DARK) * 255 // (PALE - DARK)))


def words_of_table(table: str, scale: float, origin: tuple[float, float]) -> list[PrintedWord]:
    """The words of Tesseract's TSV (level 5 rows with left, top, width, height, conf, text) that are sure enough.

    Tesseract boxes the ink, so that "area" is lower than "Price"; lines of about the usual height get one size and
    the box that a text layer would give them.
    """
    rows = list(csv.DictReader(io.StringIO(table), delimiter="\t", quoting=csv.QUOTE_NONE))
    words = [row for row in rows if row["level"] == "5" and (row["text"] or "").strip()]
    lines: dict[tuple[str, ...], list[dict[str, str]]] = {}
    for row in words:
        lines.setdefault(_line(row), []).append(row)
    inks = {line: _ink(rows) for line, rows in lines.items()}
    usual = median(bottom - top for top, bottom in inks.values()) if inks else 0.0
    tokens = []
    for row in words:
        if float(row["conf"]) < LEAST_CONFIDENCE:
            continue
        top, bottom = inks[_line(row)]
        is_usual = 0.5 * usual < bottom - top < 1.4 * usual
        size = (usual if is_usual else bottom - top) * scale / INK_TO_SIZE
        middle = origin[1] + (top + bottom) / 2 * scale
        left = origin[0] + float(row["left"]) * scale
        right = left + float(row["width"]) * scale
        box = (left - BESIDE * size, middle - HALF * size, right + BESIDE * size, middle + HALF * size)
        tokens.append(PrintedWord(folded(row["text"]).strip(), box, size))
    return tokens


def _ink(rows: list[dict[str, str]]) -> tuple[float, float]:
    """Top and bottom of a line's letters."""
    return min(float(row["top"]) for row in rows), max(float(row["top"]) + float(row["height"]) for row in rows)


def _line(row: dict[str, str]) -> tuple[str, ...]:
    return row["block_num"], row["par_num"], row["line_num"]
