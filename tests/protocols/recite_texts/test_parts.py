"""Raw text is cut at headings into parts that a reply can hold, and nothing of it is lost or doubled."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.texts.sections import BlockKind, Sorted, TextBlock
from protocols.recite_texts.parts import joined, parts_of


def block(text: str, kind: BlockKind = BlockKind.BODY) -> Sorted:
    return Sorted(TextBlock(1, text), kind)


def head(text: str) -> Sorted:
    return block(text, BlockKind.HEADING)


# A reply of 40 tokens: 40 tokens * 4 bytes * 0.75 = 120 bytes; each block counts two bytes more than its text.
PAPER = [head("A"), block("a" * 40), block("b" * 40), head("B"), block("c" * 40), head("C"), block("d" * 90)]


def test_a_part_ends_before_a_heading_and_a_long_section_between_blocks() -> None:
    assert parts_of(PAPER, None) == ("\n\n".join(each.block.text for each in PAPER),)
    first, second, third = parts_of(PAPER, 40)
    assert first == f"A\n\n{'a' * 40}\n\n{'b' * 40}"  # 3 + 42 + 42 = 87; with B, 45 more
    assert second == f"B\n\n{'c' * 40}"  # 45; with C, 3 + 92 more
    assert third == f"C\n\n{'d' * 90}"
    long = [head("A"), block("a" * 100), block("b" * 100)]
    assert parts_of(long, 40) == (f"A\n\n{'a' * 100}", "b" * 100)


def test_headings_in_a_row_stay_with_what_follows_and_parts_of_references_are_left_out() -> None:
    found = [
        head("1 Methods"),
        head("1.1 Data"),
        block("x" * 100),
        head("References"),
        block("y" * 100, BlockKind.REFERENCE),
    ]
    found[3] = block("References", BlockKind.REFERENCE)
    assert parts_of(found, 30) == ("1 Methods\n\n1.1 Data", "x" * 100)
    assert parts_of([block("y", BlockKind.REFERENCE)], 40) == ()


KINDS = st.sampled_from([BlockKind.BODY, BlockKind.HEADING, BlockKind.TABLE])


@given(st.lists(st.tuples(st.text("ab", min_size=1, max_size=60), KINDS), max_size=12), st.integers(1, 60))
def test_the_parts_are_the_paper_in_order(found: list[tuple[str, BlockKind]], tokens: int) -> None:
    blocks = [block(text, kind) for text, kind in found]
    parts = parts_of(blocks, tokens)
    assert "\n\n".join(parts) == "\n\n".join(text for text, _ in found)
    most = tokens * 3
    assert all(len(part) <= most or part in [text for text, _ in found] for part in parts)


def test_replies_are_joined_as_paragraphs() -> None:
    assert joined(["## A\n\ntext\n", "", "\n## B"]) == "## A\n\ntext\n\n## B\n"
