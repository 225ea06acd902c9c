"""Reading of verdicts: YAML or JSON in a fence, or from the first line with a section key on. Reasoning is removed
first. The last fence with a section counts; other answers are flagged. If free text makes the verdict invalid YAML or
JSON, its labels are read by themselves."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from core.errors import BadInput
from core.verdicts.labels import Section
from core.verdicts.verdict import MOST_ITEMS
from exchange.verdict_yaml import MOST_BYTES, read_verdict_yaml
from protocols.replies.fences import blocks_in, fences_in
from protocols.replies.json_in_text import Malformed, ReplyFault, strict_json, without_reasoning
from protocols.replies.quotes import EVIDENCE
from protocols.replies.verdict_labels import read_verdict_labels

_KEYS = "|".join(section.key for section in Section)
_KEY_LINE = re.compile(rf"^(?:[ \t\ufeff]*+\{{\s*+)?[ \t\ufeff]*+[{{\"']?(?:{_KEYS})[\"']?[ \t]*+:", re.MULTILINE)
_FURTHER = re.compile(r"""^[ \t]*+(?:-[ \t]++)?\{?["']?(?:(?:node|edge)_number|\w+_label)["']?[ \t]*+:""", re.MULTILINE)
_ALTERED = re.compile(r"\\| #")
"""Valid free text that YAML reads as something other than the judge copied."""
_END_OF_TURN = re.compile(r"</s>|<\|\w{1,30}\|>|<end_of_turn>|<eos>")
_TAIL = 300
SEVERAL, FREE_TEXT = "several answers", "free text unreadable"


@dataclass(frozen=True, slots=True)
class ParsedVerdict:
    """A verdict's sections by key. `flags` name what was unusual about the reply."""

    value: dict[str, Any]
    flags: tuple[str, ...] = ()


def read_verdict_reply(text: str) -> ParsedVerdict:
    """Read the verdict in a reply or file. Raises BadInput if it cannot be read.

    >>> read_verdict_reply("Here:\\n```yaml\\nnode_recall_evaluations: []\\n```").value
    {'node_recall_evaluations': []}
    """
    rest = without_reasoning(text, _KEY_LINE)
    for mark in reversed(list(_END_OF_TURN.finditer(rest, max(0, len(rest) - _TAIL)))):
        if rest[mark.end() :].strip():
            break
        rest = rest[: mark.start()]
    blocks = [span for span in _blocks(rest) if _KEY_LINE.search(rest, *span)]
    first_key = _KEY_LINE.search(rest)
    flags: tuple[str, ...] = ()
    if blocks:
        begin, end = blocks[-1]
        flags = (SEVERAL,) if len({rest[slice(*span)].strip() for span in blocks}) > 1 else ()
    elif first_key is not None:
        begin = first_key.start()
        fences = (fence for fence in fences_in(rest, begin) if _indent(fence[0]) <= _indent(first_key[0]))
        end = next((fence.start() for fence in fences), len(rest))
    else:
        inside = blocks_in(rest)
        return ParsedVerdict(read_verdict_yaml(inside[-1] if inside else rest.strip()))
    verdict = rest[begin:end]
    try:
        value = _read_strictly(verdict)
    except BadInput:
        labels = read_verdict_labels(rest[begin:]) if len(rest) <= MOST_BYTES else {}
        if not 0 < max(map(len, labels.values()), default=0) <= MOST_ITEMS:
            raise
        return ParsedVerdict(labels, (*flags, FREE_TEXT))
    if _FURTHER.search(rest, end):  # a fence in free text may have cut the verdict
        labels = read_verdict_labels(rest[begin:])
        items = [item for section in labels.values() for item in section]
        nested = [value for item in items for value in item.values() if isinstance(value, dict)]
        fields = sum(name.endswith(("_number", "_label")) for each in (*items, *nested) for name in each)
        if len(_FURTHER.findall(rest, begin, end)) < fields:
            return ParsedVerdict(labels, (*flags, FREE_TEXT))
    if EVIDENCE in verdict and _ALTERED.search(verdict):
        _restore_quotes(value, read_verdict_labels(verdict))
    return ParsedVerdict(value, flags)


def _blocks(text: str) -> list[tuple[int, int]]:
    """Return spans between fences. A fence indented more than the opening one belongs to free text."""
    spans = []
    opened = None
    for fence in fences_in(text):
        if opened is None:
            opened = fence
        elif not fence[1].strip() and _indent(fence[0]) <= _indent(opened[0]):
            spans.append((opened.end(), fence.start()))
            opened = None
    if opened is not None:
        spans.append((opened.end(), len(text)))
    return spans


def _indent(line: str) -> int:
    return len(line.expandtabs(8)) - len(line.expandtabs(8).lstrip(" \ufeff"))


def _read_strictly(text: str) -> dict[str, Any]:
    try:
        return read_verdict_yaml(text)
    except BadInput:
        if not text.lstrip().startswith("{"):
            raise
        try:  # JSON has escapes that YAML does not
            value = strict_json(text)
        except (Malformed, ReplyFault):
            value = None
        if not isinstance(value, dict):
            raise
        return value


def _restore_quotes(value: dict[str, Any], labels: dict[str, list[dict[str, Any]]]) -> None:
    """Replace evidence that YAML altered (`\\b`, ` #`) by the copied text."""
    for section in Section:
        items, raw = value.get(section.key), labels.get(section.key, [])
        if not isinstance(items, list) or len(items) != len(raw):
            continue
        for item, copied in zip(items, raw, strict=True):
            if isinstance(item, dict) and EVIDENCE in item and EVIDENCE in copied:
                item[EVIDENCE] = copied[EVIDENCE]
