"""Reading of a Markdown reply: the whole reply is the text."""

from __future__ import annotations

import re

from core.runs.states import ItemStatus
from core.words import replace_controls
from protocols.exchanges import Answered, Reading
from protocols.replies.before_reading import MOST_CHARACTERS, STRICT, UNWRAPPED, status_before, whole_text
from protocols.replies.json_in_text import without_reasoning

_FENCE = re.compile(r"`{3,}|~{3,}")
_LANGUAGES = ("", "markdown", "md")
_ANY = re.compile(r"\S")


def read_markdown(reply: Answered, part: int, parts: int) -> Reading:
    """Read the text without reasoning and an enclosing fence, and otherwise unchanged except control characters
    (U+FFFD)."""
    decided = status_before(reply.text, reply.finish_reason, reply.refusal)
    if decided is not None:
        return Reading(status=decided[0], faults=(decided[1],))
    whole = whole_text(reply.text)
    text = without_reasoning(whole, _ANY).strip()
    text = replace_controls(_without_fence(text))
    if not text:
        return Reading(status=ItemStatus.UNPARSABLE, faults=("the reply has no text",))
    if len(text) > MOST_CHARACTERS:
        fault = f"a reply of {len(text):,} characters; at most {MOST_CHARACTERS:,} are read"
        return Reading(status=ItemStatus.UNPARSABLE, faults=(fault,))
    return Reading(
        status=ItemStatus.ANSWERED,
        value={"part": part, "parts": parts, "text": text},
        parse_stage=STRICT if text == whole else UNWRAPPED,
        repaired=None if text == whole else text,
    )


def _without_fence(text: str) -> str:
    """Remove an enclosing fence. A bare fence within closes it, unless it ends a code block."""
    first, *inner, last = text.split("\n") if text.count("\n") > 1 else ("", "")
    fence = _FENCE.match(first)
    if fence is None or last.strip() != fence[0] or first[fence.end() :].strip().lower() not in _LANGUAGES:
        return text
    is_code = False
    for line in inner:
        if line.startswith(fence[0]):
            is_bare = line.strip() == fence[0]
            if is_bare and not is_code:
                return text
            is_code = not is_bare
    return text if is_code else "\n".join(inner).strip()
