"""Edges and diagrams outlined where there is none: pages of text and charts, read as pictures of 150 dpi. Goal: 0.

Pages of a paper that hold no diagram (where its folder is), this project's guides as Chromium prints them, and charts
by Matplotlib. EDGEWISE_PAGES is the most pages of each of the three, as in "6".
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.harness import ROOT, chromium

READER = ROOT / "tests" / "documents" / "page_readings.py"
PAPER = ROOT.parent / "shared" / "data" / "pdf" / "recite_paper_2505.18931.pdf"
WITH_DIAGRAMS = {1, 7, 16}  # of the paper's pages
MOST = {"a paper": 24, "guides": 24, "charts": 12}
SEED = 20
KINDS = ("bar", "line", "scatter", "histogram", "boxes", "pie", "steps", "errors", "area", "heat", "stems", "contour")
WORDS = ("Rainfall", "Crop prices", "Demand", "Soil erosion", "Migration", "Public health", "Trust", "Fish stock")


def measure() -> None:
    most = int(os.environ.get("EDGEWISE_PAGES", "1000"))
    total = wrong = 0
    print("| pages of | pages | with edges | edges | outlined diagrams | s of processor, largest |")
    print("|---|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for source, path in (("a paper", PAPER), ("guides", _guides(folder)), ("charts", _charts(folder))):
            if not path.is_file():
                continue
            pages = _some(source, path, min(most, MOST[source]))
            read = _readings(folder, path, pages)
            edges = [len(one["edges"]) for one in read]
            outlined = sum(one["diagrams"] for one in read)
            seconds = f"{max(one['s'] for one in read):.1f}"
            row = (len(read), sum(bool(count) for count in edges), sum(edges), outlined, seconds)
            print(f"| {source} | {' | '.join(map(str, row))} |", flush=True)
            for number, one in zip(pages, read, strict=True):
                for edge in one["edges"]:
                    print(f"  page {number}: {edge}")
            total, wrong = total + len(read), wrong + sum(edges) + outlined
    print(f"\n{wrong} edges and diagrams on {total} pages (goal 0: {'met' if not wrong else 'missed'})")


def _some(source: str, path: Path, most: int) -> list[int]:
    count = int(subprocess.run([sys.executable, READER, path], check=True, capture_output=True, text=True).stdout)
    every = [number for number in range(1, count + 1) if source != "a paper" or number not in WITH_DIAGRAMS]
    return sorted(random.Random(SEED).sample(every, min(most, len(every))))


def _readings(folder: Path, path: Path, pages: list[int]) -> list[dict[str, Any]]:
    out = folder / "readings.json"
    subprocess.run([sys.executable, READER, path, out, *map(str, pages)], check=True)
    found: list[dict[str, Any]] = json.loads(out.read_text(encoding="utf-8"))
    return found


def _guides(folder: Path) -> Path:
    """The guides without their pictures, which show diagrams."""
    from markdown_it import MarkdownIt

    words = MarkdownIt("commonmark").enable("table").disable("image")
    text = "".join(words.render(path.read_text(encoding="utf-8")) for path in sorted((ROOT / "docs").glob("*.md")))
    out = folder / "guides.pdf"
    with chromium() as browser:
        page = browser.new_page()
        page.set_content(f"<style>td, th {{ border: 1px solid #aaa }}</style>{text}")
        page.pdf(path=out, format="A4", margin={"top": "20mm", "bottom": "20mm", "left": "20mm", "right": "20mm"})
    return out


def _charts(folder: Path) -> Path:
    import matplotlib as mpl

    mpl.use("pdf")
    from matplotlib import pyplot as plt
    from matplotlib.backends.backend_pdf import PdfPages

    out, chance = folder / "charts.pdf", random.Random(SEED)
    with PdfPages(out) as book:
        for kind in KINDS:
            figure, axes = plt.subplots(figsize=(7, 5))
            _draw(kind, axes, chance)
            axes.set_title(f"{chance.choice(WORDS)} and {chance.choice(WORDS).lower()}")
            book.savefig(figure)
            plt.close(figure)
    return out


def _draw(kind: str, axes: Any, chance: random.Random) -> None:
    names = chance.sample(WORDS, 5)
    values = [[chance.uniform(1, 9) for _ in range(20)] for _ in names]
    few = [row[0] for row in values]
    draw: dict[str, Any] = {
        "bar": lambda: axes.bar(names, few),
        "line": lambda: [axes.plot(row, label=name, marker="o") for name, row in zip(names, values, strict=True)],
        "scatter": lambda: [axes.scatter(values[0], row, label=name) for name, row in zip(names, values, strict=True)],
        "histogram": lambda: axes.hist(values, label=names),
        "boxes": lambda: axes.boxplot(values),
        "pie": lambda: axes.pie(few, labels=names),
        "steps": lambda: axes.step(range(20), values[0], label=names[0]),
        "errors": lambda: axes.errorbar(names, few, yerr=1, capsize=4),
        "area": lambda: axes.stackplot(range(20), values, labels=names),
        "heat": lambda: (axes.imshow(values), axes.set_yticks(range(5), names)),
        "stems": lambda: axes.stem(few),
        "contour": lambda: axes.clabel(axes.contour(values)),
    }
    draw[kind]()
    if axes.get_legend_handles_labels()[1] and kind != "pie":
        axes.legend()
