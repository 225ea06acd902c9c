"""Code blocks of Markdown in a reply."""

from __future__ import annotations

import re
from collections.abc import Iterator

FENCE = re.compile(r"^[ \t]*+(?:```|~~~)([^\n`]*+)$", re.MULTILINE)
_MARK = re.compile("```|~~~")
_DEEPEST = 1_000  # limit on the indentation of a fence, so that a long line of marks takes no quadratic time


def fences_in(text: str, start: int = 0) -> Iterator[re.Match[str]]:
    """Yield fences in order. Marks are searched first, since FENCE alone tries every line."""
    for mark in _MARK.finditer(text, start):
        line = text.rfind("\n", max(0, mark.start() - _DEEPEST), mark.start()) + 1
        fence = FENCE.match(text, line) if line or mark.start() <= _DEEPEST else None
        if fence is not None and fence.start(1) == mark.end():
            yield fence


def blocks_in(text: str) -> list[str]:
    """Return the text of each code block; a last fence that is never closed extends to the end.

    >>> blocks_in("So:\\n```json\\n{}\\n```\\nor\\n~~~\\n[]")
    ['\\n{}\\n', '\\n[]']
    """
    fences = [(fence.start(), fence.end()) for fence in fences_in(text)]
    ends = [start for start, _ in fences[1::2]]
    if len(ends) < len(fences[::2]):
        ends.append(len(text))
    return [text[begin:end] for (_, begin), end in zip(fences[::2], ends, strict=True)]
