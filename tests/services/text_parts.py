"""A paper whose pages lie in the store as the reader gives them, so that no PDF is opened."""

from __future__ import annotations

from collections.abc import Sequence

from core.papers.pages import Box
from core.texts.markdown import PageBlock, PageText
from core.texts.sections import LayoutRole, TextBlock
from services.study import Study
from services.texts import pages
from store import documents as derived
from tests.services.release_parts import lay_truth

TRUTH = "Rain -> Lake +; Lake -> Town +; Town -> Lake -"
_PROSE = (
    "Rain fills the lake every spring, and the town draws its water from there through one old pipe that was laid in "
    "haste after the great drought and has been mended many times since then by people who knew little of pipes."
)
_MORE = (
    "In summer the level of the water falls, and the people of the town must carry buckets from the river, which is "
    "far away and often dry as well, so that some of them leave for the coast and never come back to their houses."
)


def block(
    text: str, page: int, seen: LayoutRole = LayoutRole.TEXT, markdown: str | None = None, y: float = 400.0
) -> PageBlock:
    return PageBlock(TextBlock(page, text, seen, Box(72, y, 540, y + 40)), text if markdown is None else markdown)


PAPER: tuple[tuple[PageBlock, ...], ...] = (
    (
        block("The lake", 1, LayoutRole.TITLE, "# The lake", 60),
        block("Ann Berg, Town University", 1, y=80),
        block("Introduction", 1, LayoutRole.HEADING, "## Introduction", 100),
        block(f"{_PROSE} This was measured before (Berg, 2001).", 1),
        block("The pipe carries", 1, y=500),
        block("1", 1, LayoutRole.PAGE_FOOTER, y=760),
    ),
    (
        block("Rain Lake Town", 2, LayoutRole.PICTURE, "", y=100),
        block("Figure 1. Rain and lake in a causal loop diagram.", 2, LayoutRole.CAPTION, y=365),
        block("what the town needs.", 2, y=420),
        block(_MORE, 2, y=500),
    ),
    (
        block("References", 3, LayoutRole.HEADING, "## References", 100),
        block("Berg, A. (2001). Lakes and towns.", 3),
    ),
)
"""Three pages, with something of most kinds that a text leaves out."""


def lay_pages(study: Study, sha256: str, found: Sequence[Sequence[PageBlock]] = PAPER) -> None:
    """Lay pages down as already read, the first hidden characters among them."""
    with study.store.writing() as session:
        for number, blocks in enumerate(found, 1):
            plain = pages.as_json(PageText(tuple(blocks), 5 if number == 1 else 0))
            part = pages.part(number)
            derived.keep_derived(session, sha256, pages.PRODUCER, pages.PRODUCER_VERSION, part, plain, study.clock())


def settle_truth(study: Study, figure_id: str, lines: str = TRUTH) -> str:
    """A finished ground truth of the figure; returns its graph's id."""
    return lay_truth(study, figure_id, lines)
