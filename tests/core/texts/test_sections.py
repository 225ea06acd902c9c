"""Kinds of blocks: by layout, by headings, by form, and in plain text."""

from __future__ import annotations

import pytest

from core.papers.pages import Box
from core.texts.sections import BlockKind, LayoutRole, TextBlock, blocks_of, removed_kinds, sort_blocks

PROSE = "we find that the level of the lake depends on the rain that falls in spring and on what the towns take " * 3


def kinds(*blocks: tuple[LayoutRole | None, str]) -> list[str]:
    return [each.kind.value for each in sort_blocks([TextBlock(1, text, seen) for seen, text in blocks])]


def test_a_paper_keeps_its_prose_headings_and_tables_and_nothing_else() -> None:
    found = kinds(
        (LayoutRole.TITLE, "# Lakes"),
        (LayoutRole.TEXT, "Ada Berg, Carl Dahl"),
        (LayoutRole.HEADING, "## Abstract"),
        (LayoutRole.TEXT, PROSE),
        (LayoutRole.PICTURE, "rain lake town"),
        (LayoutRole.CAPTION, "**Figure 1.** The lake."),
        (LayoutRole.CAPTION, "Table 1. Levels."),
        (LayoutRole.TABLE, "| a | b |\n|--|--|\n| 1 | 2 |"),
        (LayoutRole.HEADING, "**7 Acknowledgments**"),
        (LayoutRole.TEXT, "We thank the town."),
        (LayoutRole.HEADING, "References"),
        (LayoutRole.TEXT, "[1] Berg, A. 2001. Lakes."),
        (LayoutRole.HEADING, "A Further results"),
        (LayoutRole.TEXT, PROSE),
        (LayoutRole.HEADING, "Methods"),
        (LayoutRole.TEXT, PROSE),
        (LayoutRole.PAGE_FOOTER, "12"),
    )
    assert found == [
        *("heading", "authors", "heading", "body", "figure text", "caption", "table", "table"),
        *("acknowledgement", "acknowledgement", "reference", "reference", "appendix", "appendix"),
        *("heading", "body", "running head"),
    ]


def test_a_long_list_of_authors_is_no_prose() -> None:
    authors = ", ".join(f"Ada Berg{n}" for n in range(60))
    assert (
        kinds((LayoutRole.TITLE, "Lakes"), (LayoutRole.TEXT, authors), (LayoutRole.HEADING, "Abstract"))[1] == "authors"
    )


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("_D. Ibarra, G. Jansen, and N. Eriksen_", "authors"),
        ("A. Berg & C. M. Dahl", "authors"),
        ("A. Materials and Methods", "heading"),
        ("Public Health and Urban Growth", "heading"),
        ("D. Ibarra", "heading"),
    ],
)
def test_names_with_initials_under_the_title_are_authors_though_seen_as_a_heading(line: str, kind: str) -> None:
    found = kinds(
        (LayoutRole.TITLE, "# Lakes"),
        (LayoutRole.HEADING, line),
        (LayoutRole.HEADING, "Abstract"),
        (LayoutRole.TEXT, PROSE),
    )
    assert found == ["heading", kind, "heading", "body"]


def test_a_line_at_the_same_height_on_three_pages_is_a_running_head() -> None:
    def page(number: int, height: float) -> TextBlock:
        return TextBlock(number, f"Lakes {number}", LayoutRole.TEXT, Box(10, height, 90, height + 10))

    same = [page(1, 20.0), page(2, 21.5), page(3, 19.0)]
    assert {each.kind for each in sort_blocks(same)} == {BlockKind.RUNNING_HEAD}
    assert {each.kind for each in sort_blocks([*same[:2], page(3, 400.0)])} == {BlockKind.BODY}
    assert {each.kind for each in sort_blocks(same[:2])} == {BlockKind.BODY}


def test_a_plain_text_is_cut_at_known_headings_and_captions() -> None:
    text = "Lakes fill.\nFigure 1. The lake.\n\nMore prose.\n3\nReferences\nBerg, A. (2001).\fDahl, C. (2002)."
    found = sort_blocks(blocks_of(text))
    assert [(each.block.page, each.kind.value) for each in found] == [
        *((1, "body"), (1, "caption"), (1, "body"), (1, "reference"), (1, "reference"), (2, "reference"))
    ]
    assert removed_kinds(found) == {BlockKind.CAPTION: 1, BlockKind.REFERENCE: 3}


@pytest.mark.parametrize(
    "words", ["The references of the town are many.", "Results of the towns were mixed, we found,"]
)
def test_a_sentence_with_the_word_of_a_heading_is_none(words: str) -> None:
    assert kinds((None, words)) == ["body"]
