"""An answer that is one JSON object with a key of its own, whatever its other keys are: found in a reply, read whole.

Shapes (`shapes.py`) name every key; an object whose keys are the names of a graph, or whose texts are stretches of a
paper, is read by whoever asked for it. A key that stands twice is kept and told (`RepeatedKeys`), and nothing is
repaired: a guess would change what a text becomes.
"""

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
    """`status`: answered, unparsable, truncated or refused; only answered has a `value`, and only the others a `fault`,
    a sentence without its stop. `stage`: strict if the whole reply is the object, else unwrapped."""

    status: ItemStatus
    value: Any = None
    fault: str = ""
    stage: str = ""


def read_document(text: str | None, *, key: str, finish_reason: str, refusal: str | None = None) -> FoundDocument:
    """The one object of a reply that has this key. Raises nothing for any text.

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
    if isinstance(found := _parsed(rest), dict):
        return _with_key(found, key, STRICT)
    answers, _others = spans_of(without_reasoning(rest, _ANSWER), [key])
    spans = list(dict.fromkeys(without_reasoning(rest, _ANSWER)[start:end] for start, end in answers))
    if not spans:
        return _unparsable(f"there is no JSON object with {quoted(key)}")
    if len(spans) > 1:
        return _unparsable(f"there are {len(spans)} different objects with {quoted(key)}; expected one")
    found = _parsed(spans[0])
    if isinstance(found, str):
        return _unparsable(f"the object is not JSON ({found})")
    return _with_key(found, key, UNWRAPPED)


def _parsed(span: str) -> Any:
    """The value, or where it is no JSON the reason as a text. A line's end within a text is taken as it is."""
    try:
        found = json.loads(span, object_pairs_hook=RepeatedKeys, strict=False)
    except json.JSONDecodeError as error:
        return f"{error.msg}: line {error.lineno}, column {error.colno}"
    except (ValueError, RecursionError):
        return "nested too deeply, or a number too long"
    return found if isinstance(found, dict) else "not an object"


def _with_key(found: dict[str, Any], key: str, stage: str) -> FoundDocument:
    if key not in found:
        return _unparsable(f"the object has no {quoted(key)}")
    if key in getattr(found, "repeated", ()):
        return _unparsable(f"the object has {quoted(key)} twice")
    return FoundDocument(status=ItemStatus.ANSWERED, value=found, stage=stage)


def _unparsable(fault: str) -> FoundDocument:
    return FoundDocument(status=ItemStatus.UNPARSABLE, fault=fault)
