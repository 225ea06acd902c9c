"""Splitting of a paper's raw text at headings into parts that fit into a reply, and joining of the replies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.texts.sections import BODY_KINDS, BlockKind, Sorted

BYTES_PER_TOKEN = 4
ROOM = 0.75
"""Share of a reply's tokens that a part may fill: Markdown adds marks, and a token often has less than four bytes."""


def parts_of(blocks: Sequence[Sorted], reply_tokens: int | None) -> tuple[str, ...]:
    """Return the text of each part, in order. A part ends before a heading; a section longer than a part is split
    between its blocks. Parts without retained words, such as pages of references, are dropped."""
    most = None if reply_tokens is None else int(reply_tokens * BYTES_PER_TOKEN * ROOM)
    parts, filled = list[list[Sorted]](), 0
    for section in _sections(blocks):
        size = _size(section)
        if most is None or not parts or filled + size > most:
            if most is None and parts:
                parts[-1] += section
                continue
            for piece in _pieces(section, most):
                parts.append(piece)
                filled = _size(piece)
        else:
            parts[-1] += section
            filled += size
    return tuple(
        "\n\n".join(each.block.text.strip() for each in part if each.block.text.strip())
        for part in parts
        if any(each.kind in BODY_KINDS for each in part)
    )


def joined(parts: Sequence[str]) -> str:
    return "\n\n".join(part.strip() for part in parts if part.strip()) + "\n"


def _sections(blocks: Sequence[Sorted]) -> Iterator[list[Sorted]]:
    section = list[Sorted]()
    for block in blocks:
        if block.kind is BlockKind.HEADING and any(one.kind is not BlockKind.HEADING for one in section):
            yield section
            section = []
        section.append(block)
    if section:
        yield section


def _pieces(section: list[Sorted], most: int | None) -> Iterator[list[Sorted]]:
    piece, filled = list[Sorted](), 0
    for block in section:
        size = _size([block])
        if piece and most is not None and filled + size > most:
            yield piece
            piece, filled = [], 0
        piece.append(block)
        filled += size
    yield piece


def _size(blocks: Sequence[Sorted]) -> int:
    return sum(len(each.block.text.encode("utf-8", "surrogatepass")) + 2 for each in blocks)
