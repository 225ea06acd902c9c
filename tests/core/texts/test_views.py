"""A text in a line, and its guards as JSON and back."""

from __future__ import annotations

import re

from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.texts.guard_json import leaks_as_json, leaks_from_json, word_loss_from_json, word_loss_json
from core.texts.leaks import find_leaks
from core.texts.sections import BlockKind, blocks_of, sort_blocks
from core.texts.views import summary
from core.texts.word_loss import PageWords, SectionWords, WordLoss, word_loss

GRAPH = CausalGraph.of([Edge("Rain", "Lake"), Edge("Lake", "Town")])
TEXT = "Rain fills the lake.\n\nAs Figure 3 shows, rain feeds the lake.\n\nRain → Lake\n"


def kept(*pages: PageWords, left: dict[BlockKind, int] | None = None) -> WordLoss:
    section = SectionWords(heading="", words=800, written=800, lost=1, invented=0, moved=0)
    return WordLoss(sections=(section,), pages=pages, left=left or {}, reasons=())


def test_lost_words_are_told_by_page_and_leaks_by_what_they_do() -> None:
    leaks = find_leaks(TEXT, GRAPH)
    line = summary(27, 14_102, kept(PageWords(6, 700, 0), PageWords(7, 771, 1)), leaks)
    assert line.startswith("27 pages, 14,102 words, 1 of 771 ") and "page 7" in line
    assert [int(count) for count in re.findall(r"(\d+) place", line)] == [1, 1]


def test_many_pages_are_summed_and_what_is_unknown_is_said() -> None:
    pages = [PageWords(number, 100, 2) for number in range(1, 5)]
    line = summary(4, 400, kept(*pages, left={BlockKind.REFERENCE: 12}), None)
    assert [int(count) for count in re.findall(r"\d+", line)] == [4, 400, 8, 400, 4, 12]
    assert "leaks unknown" in line
    line = summary(1, 1, kept(), find_leaks("Nothing here.", GRAPH))
    assert "none lost" in line and line.endswith("; no leak found")


def test_guards_come_back_from_json_as_they_were() -> None:
    source = sort_blocks(blocks_of(f"{TEXT}\n\nReferences\n\nBerg, A. (2001). Lakes."))
    loss = word_loss(source, TEXT)
    assert word_loss_from_json(word_loss_json(loss)) == loss
    assert [(each.page, each.lost) for each in loss.pages] == [(1, 0)]
    leaks = find_leaks(TEXT, GRAPH)
    assert leaks.findings
    assert leaks_from_json(leaks_as_json(leaks)) == leaks
