"""PDFs that Edgewise's own drawing makes, one figure each, as many as a test wants: drawn once, told apart by a comment
after the end of the file, which makes another file of each and changes nothing that is seen."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from documents.demo_papers import PAPERS
from documents.draw import draw_paper

FIGURE = (84.0, 376.8, 511.0, 638.8)
"""Where `draw_paper` says that it drew the figure, in points; page 1."""


@cache
def _drawn() -> bytes:
    paper = PAPERS[0]
    content, record = draw_paper(replace(paper, sections=paper.sections[:2], figure_after=1))
    assert (record["figure"]["page"], tuple(record["figure"]["box"])) == (1, FIGURE)
    return content


def made_papers(count: int) -> list[tuple[str, bytes]]:
    """(file name, content) of papers whose one figure is on page 1."""
    return [(f"paper-{n:03}.pdf", _drawn() + f"\n% {n}\n".encode()) for n in range(count)]
