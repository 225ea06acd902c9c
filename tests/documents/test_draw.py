"""The demonstration papers: drawn alike every time, and true to what papers.json says of them."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from core.papers.pages import Box
from documents.reader import Reader

ROOT = Path(__file__).resolve().parents[2]
DEMO = ROOT / "demo"
RECORDS: list[dict[str, Any]] = json.loads((DEMO / "papers.json").read_text(encoding="utf-8"))
each_paper = pytest.mark.parametrize("record", RECORDS, ids=[record["file"] for record in RECORDS])


def contents(folder: Path) -> dict[str, str]:
    names = [*(record["file"] for record in RECORDS), "papers.json"]
    return {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names}


def test_drawing_again_gives_the_shipped_files(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "documents.draw", str(tmp_path)], cwd=ROOT, check=True, timeout=60)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(contents(tmp_path))
    assert contents(tmp_path) == contents(DEMO)


@each_paper
def test_a_paper_opens_without_notice(reader: Reader, record: dict[str, Any]) -> None:
    content = (DEMO / record["file"]).read_bytes()
    facts = reader.inspect(content, record["file"])
    assert facts.sha256 == record["sha256"]
    assert facts.title == record["title"]
    assert facts.has_text
    assert facts.notices == ()
    assert record["licence"] == "CC0-1.0"


@each_paper
def test_the_figure_is_found_where_it_was_drawn(reader: Reader, record: dict[str, Any]) -> None:
    figure, path = record["figure"], DEMO / record["file"]
    page = reader.page(path, record["sha256"], figure["page"])
    (region,) = page.regions
    assert (region.label, region.caption, region.kind) == (figure["label"], figure["caption"], figure["kind"])
    drawn = Box(*figure["box"])
    shared = (min(drawn.x1, region.box.x1) - max(drawn.x0, region.box.x0)) * (
        min(drawn.y1, region.box.y1) - max(drawn.y0, region.box.y0)
    )
    assert shared > 0.85 * max(drawn.width * drawn.height, region.box.width * region.box.height)


@each_paper
def test_printed_labels_are_words_only_in_vector_figures(reader: Reader, record: dict[str, Any]) -> None:
    figure, path = record["figure"], DEMO / record["file"]
    page = reader.page(path, record["sha256"], figure["page"])
    (region,) = page.regions
    inside = [
        word.text
        for word in page.words
        if word.box.x0 >= region.box.x0
        and word.box.x1 <= region.box.x1
        and word.box.y0 >= region.box.y0
        and word.box.y1 <= region.box.y1
    ]
    printed = [word for name in record["graph"]["nodes"] for word in name.split()]
    signs = [{"+": "+", "-": "−"}[edge["sign"]] for edge in record["graph"]["edges"] if edge["sign"]]
    expected = sorted(printed + signs) if figure["kind"] == "vector" else []
    assert sorted(inside) == expected


@each_paper
def test_a_diagram_has_loops_a_reciprocal_pair_and_known_names(record: dict[str, Any]) -> None:
    nodes, edges = record["graph"]["nodes"], record["graph"]["edges"]
    pairs = {(edge["source"], edge["sink"]) for edge in edges}
    assert 6 <= len(nodes) <= 12
    assert len(pairs) == len(edges)
    assert {name for pair in pairs for name in pair} == set(nodes)
    assert any((sink, source) in pairs for source, sink in pairs)
    assert all(source != sink for source, sink in pairs)


def test_the_three_papers_differ_in_what_they_print() -> None:
    by_file = {record["file"]: record for record in RECORDS}
    counts = {
        name: (
            len(record["graph"]["nodes"]),
            len(record["graph"]["edges"]),
            sum(edge["sign"] is not None for edge in record["graph"]["edges"]),
            sum(edge["delay"] for edge in record["graph"]["edges"]),
        )
        for name, record in by_file.items()
    }
    # as their abstracts say: ten variables and thirteen links; nine, fourteen signed, two delays; eight and twelve
    assert counts == {
        "reservoir.pdf": (10, 13, 0, 0),
        "waiting-lists.pdf": (9, 14, 14, 2),
        "broadband.pdf": (8, 12, 12, 0),
    }
