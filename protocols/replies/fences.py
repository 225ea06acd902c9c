"""Code blocks of Markdown in a reply."""

from __future__ import annotations

import re

FENCE = re.compile(r"^[ \t]*+(?:```|~~~)([^\n`]*+)$", re.MULTILINE)


def blocks_in(text: str) -> list[str]:
    """What stands between fences, in order; a last fence that is never closed has the rest.

    >>> blocks_in("So:\\n```json\\n{}\\n```\\nor\\n~~~\\n[]")
    ['\\n{}\\n', '\\n[]']
    """
    fences = [(found.start(), found.end()) for found in FENCE.finditer(text)]
    ends = [start for start, _ in fences[1::2]]
    if len(ends) < len(fences[::2]):
        ends.append(len(text))
    return [text[begin:end] for (_, begin), end in zip(fences[::2], ends, strict=True)]
