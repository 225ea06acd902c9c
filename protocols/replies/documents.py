"""Replies that contain one JSON object with a given key, read as a whole. For objects without a shape (`shapes.py`),
whose keys are node names or whose texts are passages of a paper; the caller checks them. Repeated keys are recorded
(`RepeatedKeys`), and nothing is repaired: a guess would change the text."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from core.runs.states import ItemStatus
from core.texts.explicitness import RepeatedKeys
from core.words import quoted
from protocols.replies.before_reading import (
    MOST_CHARACTERS,
    STRICT,
    UNWRAPPED,
    status_before,
    whole_text,
)
from protocols.replies.json_in_text import spans_of, without_reasoning

_ANSWER = re.compile(r"\{")


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundDocument:
    """Result of reading a reply."""

    status: ItemStatus  # answered, unparsable, truncated or refused
    value: Any = None  # only if answered
    fault: str = ""  # only if not; a sentence without a full stop
    stage: str = ""  # strict if the whole reply is the object, else unwrapped


def read_document(text: str | None, *, key: str, finish_reason: str, refusal: str | None = None) -> FoundDocument:
    """Return the one object of a reply that has this key. Raises nothing for any text.

    >>> found = read_document('Levels: {"scores": {"GDP": 1, "GDP": 2}}', key="scores", finish_reason="stop")
    >>> found.value["scores"].repeated, found.stage
    (('GDP',), 'unwrapped')
    """
    known = status_before(text, finish_reason, refusal)
    if known is not None:
        return FoundDocument(status=known[0], fault=known[1])
    whole = whole_text(text)
    rest = whole if len(whole) <= MOST_CHARACTERS else without_reasoning(whole, _ANSWER)
    if len(rest) > MOST_CHARACTERS:
        return _unparsable(f"a reply of {len(rest):,} characters; at most {MOST_CHARACTERS:,} are read")
    if isinstance(parsed := _parse(rest), dict):
        return _with_key(parsed, key, STRICT)
    answers, _others = spans_of(without_reasoning(rest, _ANSWER), [key])
    spans = list(dict.fromkeys(without_reasoning(rest, _ANSWER)[start:end] for start, end in answers))
    if not spans:
        return _unparsable(f"there is no JSON object with {quoted(key)}")
    if len(spans) > 1:
        return _unparsable(f"there are {len(spans)} different objects with {quoted(key)}; expected one")
    parsed = _parse(spans[0])
    if isinstance(parsed, str):
        return _unparsable(f"the object is not JSON ({parsed})")
    return _with_key(parsed, key, UNWRAPPED)


def _parse(span: str) -> Any:
    """Return the object, or the reason why there is none. Line breaks within a text are allowed."""
    try:
        parsed = json.loads(span, object_pairs_hook=RepeatedKeys, strict=False)
    except json.JSONDecodeError as error:
        return f"{error.msg}: line {error.lineno}, column {error.colno}"
    except (ValueError, RecursionError):
        return "nested too deeply, or a number too long"
    return parsed if isinstance(parsed, dict) else "not an object"


def _with_key(document: dict[str, Any], key: str, stage: str) -> FoundDocument:
    if key not in document:
        return _unparsable(f"the object has no {quoted(key)}")
    if key in getattr(document, "repeated", ()):
        return _unparsable(f"the object has {quoted(key)} twice")
    return FoundDocument(status=ItemStatus.ANSWERED, value=document, stage=stage)


def _unparsable(fault: str) -> FoundDocument:
    return FoundDocument(status=ItemStatus.UNPARSABLE, fault=fault)
