"""Answers that are a verdict: YAML in a fence, or from the first line on that is the key of a section.

Reasoning is cut off first. The last fence that names a section counts; others that say something else are told of.
Where it is no YAML, its lines with labels are read alone: it is free text that breaks it, such as a quotation mark in a
passage, a colon in a reason, words behind the last item.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from core.errors import BadInput
from core.verdicts.labels import LEGAL, Section
from exchange.verdict_yaml import NotYaml, read_verdict_yaml
from protocols.replies.fences import FENCE, blocks_in
from protocols.replies.json_in_text import without_reasoning

_KEYS = "|".join(section.key for section in Section)
_KEY_LINE = re.compile(rf"^[ \t\ufeff]*+[{{\"']?(?:{_KEYS})[\"']?[ \t]*+:", re.MULTILINE)
_LABEL_KEYS = "|".join(
    dict.fromkeys(
        key
        for section, block in LEGAL
        for key in (section.key, section.number_key, block.key, *LEGAL[section, block], "counterparts")
        if key
    )
)
_LABEL_LINE = re.compile(rf"[ \t]*+(?:-[ \t]++)?(?:{_LABEL_KEYS})[ \t]*+:")
SEVERAL, LABELS_ALONE = "several answers", "free text unreadable"


@dataclass(frozen=True, slots=True)
class ParsedVerdict:
    """What was said, by key. `flags`: what to know of it."""

    value: dict[str, Any]
    flags: tuple[str, ...] = ()


def read_verdict_reply(text: str) -> ParsedVerdict:
    """The verdict in a reply, or in a file. Raises BadInput in one sentence for what cannot be read.

    >>> read_verdict_reply("Here:\\n```yaml\\nnode_recall_evaluations: []\\n```").value
    {'node_recall_evaluations': []}
    """
    rest = without_reasoning(text, _KEY_LINE)
    blocks = [block for block in blocks_in(rest) if _KEY_LINE.search(block)]
    if blocks:
        others = {block.strip() for block in blocks}
        return _parsed(blocks[-1], (SEVERAL,) if len(others) > 1 else ())
    begun = _KEY_LINE.search(rest)
    if begun is not None:
        return _parsed(_until_fence(rest[begun.start() :]))
    inside = blocks_in(rest)
    return ParsedVerdict(read_verdict_yaml(inside[-1] if inside else rest.strip()))


def _parsed(text: str, flags: tuple[str, ...] = ()) -> ParsedVerdict:
    """Raises BadInput. What it says is of the whole text, also where the lines with labels were tried."""
    try:
        return ParsedVerdict(read_verdict_yaml(text), flags)
    except NotYaml as fault:
        try:
            value = read_verdict_yaml("\n".join(line for line in text.splitlines() if _LABEL_LINE.match(line)))
        except BadInput:
            value = {}
        if not any(isinstance(items, list) for items in value.values()):
            raise fault from None
        return ParsedVerdict(value, (*flags, LABELS_ALONE))


def _until_fence(text: str) -> str:
    found = FENCE.search(text)
    return text[: found.start()] if found else text
