"""What is decided of a reply before it is read, alike for every reader: refused, cut off, and how much is looked at."""

from __future__ import annotations

from core.runs.states import ItemStatus
from core.words import quoted
from protocols.replies.declining import is_declined
from protocols.replies.finish_reasons import Finish, finish_of

MOST_CHARACTERS = 262_144
"""Characters of a reply that are looked at."""
MOST_REPAIRED = 8_192
"""Characters of an object given to json-repair, whose time can grow with their square: at worst about a second."""
MOST_ANSWERS, MOST_WRAPPERS = 20, 3
"""Answers in one reply that are compared, and objects of one key around an answer that are seen through."""

STRICT, UNWRAPPED, REPAIRED = "strict", "unwrapped", "repaired"
"""Parse stages."""
FAILED = "the provider failed during this reply"

_BLANK = " \t\r\n\f\v\N{ZERO WIDTH NO-BREAK SPACE}"


def status_before(text: str | None, finish_reason: str, refusal: str | None) -> tuple[ItemStatus, str] | None:
    """Refused, truncated, or unparsable since only tools were called or the provider failed, with the reason in a
    sentence without its stop; None for a reply that is to be read.

    Whatever such a reply holds is not looked into: neither an answer that was cut off nor one that is declined gives a
    value. A reply of a provider that failed is here only where an earlier version stored it: it is no longer stored,
    but requested again.
    """
    finish = finish_of(finish_reason)
    if (refusal and refusal.strip()) or finish is Finish.REFUSED:
        return ItemStatus.REFUSED, "the model or its provider refused to answer"
    if finish is Finish.TRUNCATED:
        return ItemStatus.TRUNCATED, "the reply was cut off by the token limit"
    if finish is Finish.FAILED:
        return ItemStatus.UNPARSABLE, f"{FAILED} (finish reason {quoted(finish_reason)}); it can be asked again"
    if text and is_declined(text):
        return ItemStatus.REFUSED, "the model refused in words"
    if not text and finish is Finish.TOOLS:
        return (
            ItemStatus.UNPARSABLE,
            "the model called tools instead of answering; requests name none, so turn them off at its server",
        )
    return None


def whole_text(text: str | None) -> str:
    """The reply without the blanks and the byte order mark around it."""
    return (text or "").strip(_BLANK)
