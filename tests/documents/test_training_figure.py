"""The training figure: drawn alike every time, true to its record, and found on its page like any other."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from core.papers.pages import Box
from documents.reader import Reader

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = ROOT / "demo" / "practice"
RECORD = json.loads((SHIPPED / "training.json").read_text(encoding="utf-8"))


def test_drawing_again_gives_the_shipped_files(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "documents.training_figure", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, timeout=60)
    for name in ("training.pdf", "training.json"):
        assert (tmp_path / name).read_bytes() == (SHIPPED / name).read_bytes()


def test_the_record_says_what_the_reader_finds(reader: Reader) -> None:
    facts = reader.inspect((SHIPPED / RECORD["file"]).read_bytes(), RECORD["file"])
    assert (facts.sha256, facts.page_count, facts.has_text, facts.notices) == (RECORD["sha256"], 1, True, ())
    page = reader.page(SHIPPED / RECORD["file"], RECORD["sha256"], RECORD["figure"]["page"])
    printed = {word.text for word in page.words}
    assert {word for name in RECORD["graph"]["nodes"] for word in name.split()} <= printed


def test_it_has_in_it_what_people_get_wrong() -> None:
    edges = RECORD["graph"]["edges"]
    pairs = [(edge["source"], edge["sink"]) for edge in edges]
    assert (len(RECORD["graph"]["nodes"]), len(edges)) == (4, 4)  # as its page says
    assert sum((sink, source) in pairs for source, sink in pairs) == 2  # two arrows between two variables
    assert sum(edge["delay"] for edge in edges) == 1
    assert {edge["sign"] for edge in edges} == {"+", "-", None}


def test_every_arrow_and_name_has_a_place_inside_the_figure() -> None:
    figure = Box(*RECORD["figure"]["box"])
    places = RECORD["places"]
    assert len(places["nodes"]) == len(RECORD["graph"]["nodes"])
    assert len(places["edges"]) == len(RECORD["graph"]["edges"])
    for x0, y0, x1, y1 in [*places["nodes"], *places["edges"]]:
        assert figure.x0 - 8 <= x0 < x1 <= figure.x1 + 8
        assert figure.y0 - 8 <= y0 < y1 <= figure.y1 + 8
