"""Words lost, invented and moved, by section, and what may be missing."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from core.texts.sections import BlockKind, LayoutRole, TextBlock, blocks_of, sort_blocks
from core.texts.word_loss import WordLoss, word_loss
from tests.everything import EVERYTHING

DRAW = random.Random(7)
WORDS = [f"{a}{b}{c}" for a in "bdfgklm" for b in "aeiou" for c in "nrst"]


def sentence(length: int = 12) -> str:
    return " ".join(DRAW.choice(WORDS) for _ in range(length)).capitalize() + "."


SECTIONS = {name: [" ".join(sentence() for _ in range(5)) for _ in range(4)] for name in ("Lakes", "Towns", "Rain")}
SOURCE = [
    block
    for name, paragraphs in SECTIONS.items()
    for block in (TextBlock(2, name, LayoutRole.HEADING), *(TextBlock(2, each, LayoutRole.TEXT) for each in paragraphs))
]
TEXT = "\n\n".join(part for name, paragraphs in SECTIONS.items() for part in (f"## {name}", *paragraphs))


def check(text: str, source: list[TextBlock] | None = None) -> WordLoss:
    return word_loss(sort_blocks(source or SOURCE), text)


def figures(found: WordLoss) -> list[tuple[str, int, int, int]]:
    return [(each.heading, each.lost, each.invented, each.moved) for each in found.sections]


def test_a_whole_text_loses_and_invents_nothing() -> None:
    found = check(TEXT)
    assert figures(found) == [("Lakes", 0, 0, 0), ("Towns", 0, 0, 0), ("Rain", 0, 0, 0)]
    assert (found.passes, found.lost_share, found.invented_share) == (True, 0.0, 0.0)


def test_a_dropped_section_is_told_by_its_heading_and_figures() -> None:
    start, end = TEXT.index("## Towns"), TEXT.index("## Rain")
    found = check(TEXT[:start] + TEXT[end:])
    assert figures(found)[1] == ("Towns", 241, 0, 0)
    assert found.reasons == ("“Towns”: 241 of 241 words are gone (100 %; 5 % may be).",)


def test_an_invented_sentence_is_counted_where_it_stands() -> None:
    found = check(TEXT.replace("## Rain", "The zebra and the yak xylograph quietly.\n\n## Rain"))
    assert figures(found)[1] == ("Towns", 0, 7, 0)
    assert found.reasons == (
        "“Towns”: 7 of 248 words are not in the paper (2.8 %; 0.5 % may be).",
        "“The zebra and the yak xylograph quietly” appears in the text and nowhere in the paper.",
    )


def test_a_moved_paragraph_is_neither_lost_nor_invented() -> None:
    paragraph = SECTIONS["Lakes"][1]
    found = check(TEXT.replace(f"\n\n{paragraph}", "") + f"\n\n{paragraph}")
    assert figures(found) == [("Lakes", 0, 0, 60), ("Towns", 0, 0, 0), ("Rain", 0, 0, 0)]
    assert found.passes


def test_removed_kinds_may_be_missing_and_are_listed_where_they_are_not() -> None:
    reference = "Berg, A. (2001). Waterways of the north. Journal of Lakes."
    source = [*SOURCE, TextBlock(1, "References", LayoutRole.HEADING), TextBlock(1, reference, LayoutRole.TEXT)]
    assert check(TEXT, source).passes
    found = check(f"{TEXT}\n\n{reference}", source)
    assert (found.left, found.passes) == ({BlockKind.REFERENCE: 10}, True)


def test_citations_may_be_missing_and_may_be_left() -> None:
    cited = [TextBlock(1, block.text.replace(".", " (Berg et al., 2001).", 1), block.seen) for block in SOURCE]
    assert check(TEXT, cited).passes
    found = check(TEXT.replace(".", " (Berg et al., 2001).", 1), cited)
    assert (found.left, found.passes) == ({BlockKind.CITATION: 4}, True)
    assert not check(TEXT.replace(".", " (Dahl and Ek, 2003).", 1)).passes  # a citation the paper does not have


def test_short_sections_are_counted_with_the_next() -> None:
    source = [TextBlock(2, "Keywords", LayoutRole.HEADING), TextBlock(2, "lakes towns", LayoutRole.TEXT), *SOURCE]
    found = check(f"## Keywords\n\ntowns\n\n{TEXT}", source)
    assert figures(found)[0] == ("Keywords", 1, 0, 0)
    assert [each.words for each in found.sections] == [244, 241, 241]


def test_without_headings_in_the_source_those_of_the_text_make_the_sections() -> None:
    plain = "\n".join(part for name, paragraphs in SECTIONS.items() for part in (name, *paragraphs))
    found = word_loss(sort_blocks(blocks_of(plain)), TEXT.replace(SECTIONS["Rain"][2], ""))
    assert figures(found) == [("Lakes", 0, 0, 0), ("Towns", 0, 0, 0), ("Rain", 60, 0, 0)]


def test_real_articles_with_known_kinds_lose_almost_nothing_by_the_guard(foreign: Path | None) -> None:
    """Foreign prose: bodies of published articles against the whole of them."""
    if foreign is None:
        pytest.skip("the articles are not on this machine")
    import json

    lost = words = refused = 0
    files = sorted(foreign.glob("*.json"))[: 12 if EVERYTHING else 4]
    for file in files:
        article = json.loads(file.read_text())
        source, kept = list[TextBlock](), list[str]()
        for section in article["sections"]:
            heading, kind = section["heading"].split(" / ")[-1], section["kind"]
            if kind == "caption":
                text = f"{heading}. {' '.join(section['paragraphs'])}"
                source.append(TextBlock(1, text, LayoutRole.CAPTION))
                kept += [text] if heading.startswith("Table") else []
                continue
            if kind == "table":
                table = "\n".join(f"| {row} |" for row in section["paragraphs"])
                source.append(TextBlock(1, table, LayoutRole.TABLE))
                kept.append(table)
                continue
            source.append(TextBlock(1, heading, LayoutRole.HEADING))
            source += (TextBlock(1, text, LayoutRole.TEXT) for text in section["paragraphs"])
            if kind in ("body", "box"):
                kept += [f"## {heading}", *section["paragraphs"]]
        found = word_loss(sort_blocks(source), "\n\n".join(kept))
        lost += sum(each.lost for each in found.sections)
        words += sum(each.words for each in found.sections)
        refused += not found.passes
    assert refused <= 1
    assert lost / words < 0.002


def test_raised_numbers_are_words_of_their_own() -> None:
    source = [
        TextBlock(2, f"{sentence(40)} As Dahl says<sup>12</sup> rain falls on 10<sup>5</sup> lakes.", LayoutRole.TEXT)
    ]
    plain = source[0].text.replace("<sup>12</sup>", " 12").replace("10<sup>5</sup>", "105")
    assert figures(check(plain, source)) == [("", 0, 0, 0)]
    assert figures(check(plain.replace("105", "106"), source))[0][1:3] == (2, 1)


def test_a_cell_that_no_table_prints_is_invented() -> None:
    source = [TextBlock(2, sentence(60), LayoutRole.TEXT), TextBlock(2, "a 1 2 b 3 4", LayoutRole.TABLE)]
    rows = "a b\n1 3\n2 5"
    (section,) = check(f"{source[0].text}\n\n{rows}", source).sections
    assert (section.lost, section.invented) == (1, 1)
    (section,) = check(f"{rows.replace('5', '4')}\n\n{source[0].text}", source).sections
    assert (section.lost, section.invented) == (6, 6)  # not between the words around the table
