"""A text from the blocks of pages: kept in order, sentences joined over pages, what is taken out told."""

from __future__ import annotations

from core.texts.markdown import PageBlock, Removed, make_text
from core.texts.sections import BlockKind, LayoutRole, TextBlock


def block(text: str, seen: LayoutRole = LayoutRole.TEXT, page: int = 2, markdown: str | None = None) -> PageBlock:
    return PageBlock(TextBlock(page, text, seen), text if markdown is None else markdown)


def test_a_sentence_cut_by_a_page_is_one_paragraph_and_a_footnote_waits() -> None:
    made = make_text(
        [
            block("Lakes", LayoutRole.HEADING, markdown="## Lakes"),
            block("Rain fills the lake and"),
            block("** Dahl measured it.", LayoutRole.TEXT),
            block("12", LayoutRole.PAGE_FOOTER),
            block("the town drinks.", page=3),
            block("A new paragraph.", page=3),
        ]
    )
    assert made.text == (
        "## Lakes\n\nRain fills the lake and the town drinks.\n\n** Dahl measured it.\n\nA new paragraph.\n"
    )
    assert made.removed == (Removed(2, BlockKind.RUNNING_HEAD, "12"),)
    assert made.check().passes


def test_a_word_cut_by_a_column_becomes_whole_and_a_table_waits() -> None:
    made = make_text(
        [
            block("Rain feeds the reser-"),
            block("|a|b|\n|-|-|\n|1|2|", LayoutRole.TABLE),
            block("voir and the town.", page=3),
        ]
    )
    assert made.text == "Rain feeds the reservoir and the town.\n\n|a|b|\n|-|-|\n|1|2|\n"
    assert made.check().passes


def test_a_citation_cut_by_a_column_goes_whole_though_its_end_looks_like_a_heading() -> None:
    words = " ".join(f"w{n}" for n in range(60))
    made = make_text(
        [
            block(f"{words} (Berg, 2001;"),
            block("Dahl, 2004). It rains.", page=3),
            block(f"{words} fill it (Berg &", page=3),
            block("Dahl, 2009).", LayoutRole.HEADING, page=4, markdown="## Dahl, 2009)."),
        ]
    )
    assert made.text == f"{words}. It rains.\n\n{words} fill it.\n"
    assert [(each.page, each.text) for each in made.removed] == [
        (2, "(Berg, 2001; Dahl, 2004)"),
        (3, "(Berg & Dahl, 2009)"),
    ]
    assert [(each.lost, each.invented) for each in made.check().sections] == [(0, 0)]


def test_a_sentence_cut_behind_a_comma_goes_on_with_a_name() -> None:
    made = make_text([block("In the diagram,"), block("Construction comes before the lake.", page=3)])
    assert made.text == "In the diagram, Construction comes before the lake.\n"


def test_the_number_of_a_figure_at_the_top_of_a_column_begins_no_section() -> None:
    made = make_text(
        [
            block("The lake is shown in Figure"),
            block(
                "1. It is deep, and many came to see it.",
                LayoutRole.HEADING,
                markdown="## 1. It is deep, and many came.",
            ),
        ]
    )
    assert made.text == "The lake is shown in Figure 1. It is deep, and many came to see it.\n"


def test_halves_of_a_word_and_of_a_citation_come_together_around_what_is_taken_out() -> None:
    caption = block("Figure 1. The lake.", LayoutRole.CAPTION)
    made = make_text([block("Rain feeds the reser-"), caption, block("voir (Berg,"), caption, block("2001) at night.")])
    assert made.text == "Rain feeds the reservoir at night.\n"
    assert "".join(each.was for each in made.cuts) == (
        "-\n\nFigure 1. The lake.\n\n (Berg,\n\nFigure 1. The lake.\n\n2001)"
    )
    assert all(made.whole[each.start : each.end] == each.was for each in made.cuts)


def test_citations_captions_and_references_go_and_are_told() -> None:
    made = make_text(
        [
            block("Rain fills the lake (Berg, 2001)."),
            block("Figure 1. The lake.", LayoutRole.CAPTION),
            block("References", LayoutRole.HEADING),
            block("Berg, A. (2001). Lakes."),
        ]
    )
    assert made.text == "Rain fills the lake.\n"
    assert [(each.kind.value, each.text) for each in made.removed] == [
        ("citation", "(Berg, 2001)"),
        ("caption", "Figure 1. The lake."),
        ("reference", "References"),
        ("reference", "Berg, A. (2001). Lakes."),
    ]
    found = made.check()
    assert (found.lost_share, found.invented_share) == (0.0, 0.0)


def test_words_that_are_only_cut_otherwise_are_neither_lost_nor_invented() -> None:
    words = " ".join(f"w{n}" for n in range(60))
    made = make_text(
        [block(f"{words} the p-\nvalues of so urce {words}", markdown=f"{words} the p- values of source {words}")]
    )
    assert [(each.lost, each.invented) for each in made.check().sections] == [(0, 0)]


def test_a_block_whose_markdown_has_other_words_keeps_those_that_are_printed() -> None:
    text = make_text(
        [
            block("2.1 Weights", LayoutRole.HEADING, markdown="## 2.1 Wei ghts weights"),
            block("Rain x fills\nthe lake.", markdown="Rain _x_ 2 fills the the lake."),
            block("12\nW = a +\nb", LayoutRole.FORMULA, markdown=""),
            block("a\nb\n1\n2", LayoutRole.TABLE, markdown="|a|b|\n|-|-|\n|1|3|"),
        ]
    )
    assert text.text == "## 2.1 Weights\n\nRain x fills the lake.\n\n12\nW = a +\nb\n\na\nb\n1\n2\n"
    assert text.check().passes


def test_a_table_that_is_printed_by_columns_keeps_its_rows() -> None:
    words = " ".join(f"w{n}" for n in range(60))
    text = make_text([block(words), block("a\n1\n2\nb\n3\n4", LayoutRole.TABLE, markdown="|a|b|\n|-|-|\n|1|3|\n|2|4|")])
    assert text.text.endswith("|1|3|\n|2|4|\n")
    (section,) = text.check().sections
    assert (section.lost, section.invented) == (0, 0)
    assert section.moved
