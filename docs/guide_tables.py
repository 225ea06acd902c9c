"""Tables in Markdown, for the generated sections."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def cell(text: str) -> str:
    """Escape a cell: bars would end it, and angle brackets would be HTML."""
    return text.replace("|", "\\|").replace("<", "&lt;").replace(">", "&gt;")


def code(text: str) -> str:
    """Format code in a cell, where only a bar needs escaping."""
    return f"`{text.replace('|', chr(92) + '|')}`"
