"""Papers of prose with citations, located and adjudicated, for tests of the desk of a text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

DEMO = Path(__file__).resolve().parents[2] / "demo" / "waiting-lists.pdf"
FILL = """
from core.papers.pages import Box
from services.papers import figures, importing, papers
from services.texts import making
from tests.services.text_parts import block, lay_pages, settle_truth
from core.texts.sections import LayoutRole

pdf = Path(given["pdf"])
content = pdf.read_bytes() + f"\\n% {given['label']}\\n".encode()
paper = importing.import_file(terminal, pdf.name, content, act_id=new_act()).paper_id
box = Box(84, 84, 511, 284)
figure = figures.locate(terminal, paper, 2, box, label=given["label"], act_id=new_act()).subject_id
settle_truth(study, figure, given["truth"])
sha256 = papers.paper(terminal, paper).sha256
pages = [[block(text, number, LayoutRole(seen), markdown) for text, seen, markdown in page]
         for number, page in enumerate(given["pages"], 1)]
lay_pages(study, sha256, pages)
if given["make"]:
    making.make(terminal, figure, act_id=new_act())
print(json.dumps({"paper": paper, "figure": figure}))
"""
TRUTH = "Rain -> Lake +; Lake -> Town +; Town -> Lake -"
SENTENCE = "The carriers who went to the river in the dry months kept no books, and what they told differs by village"


def pages_of(paragraphs: int, leak: str = "") -> list[list[tuple[str, str, str | None]]]:
    """Two pages of prose with two citations in each paragraph."""
    texts = [
        f"{SENTENCE} (Berg, {1900 + n}). {SENTENCE.replace('river', 'well')} (Dahl, {1900 + n})."
        for n in range(paragraphs)
    ]
    if leak:
        texts[paragraphs // 2] = f"{leak} {texts[paragraphs // 2]}"
    found: list[list[tuple[str, str, str | None]]] = [[("Carriers", "title", "# Carriers")], []]
    for n, text in enumerate(texts):
        page = found[n * 2 // paragraphs]
        if n % 10 == 0:
            page.append((f"Part {n // 10 + 1}", "section-header", f"## Part {n // 10 + 1}"))
        page.append((text, "text", None))
    return found


def text_paper(site: Any, *, paragraphs: int = 20, leak: str = "", make: bool = True, at: int = 0) -> dict[str, str]:
    """A figure with its text, by ids; `at` sets its file apart from that of others, whose pages are other ones."""
    given = {"pdf": str(DEMO), "truth": TRUTH, "pages": pages_of(paragraphs, leak), "make": make}
    found: dict[str, str] = json.loads(site.seed(FILL, label=f"Figure {at + 1}", **given).splitlines()[-1])
    return found
