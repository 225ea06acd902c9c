"""Checks before a reply is read, equal for all readers: refused, truncated, and limits on its size."""

from __future__ import annotations

from core.runs.states import ItemStatus
from core.words import quoted
from protocols.replies.declining import is_declined
from protocols.replies.finish_reasons import Finish, finish_of

MOST_CHARACTERS = 262_144  # characters of a reply that are read
MOST_REPAIRED = 8_192
"""Characters of an object passed to json-repair, whose time can be quadratic: about a second at worst."""
MOST_ANSWERS, MOST_WRAPPERS = 20, 3
"""Answers per reply that are compared, and one-key wrappers around an answer that are removed."""

STRICT, UNWRAPPED, REPAIRED = "strict", "unwrapped", "repaired"  # parse stages
FAILED = "the provider failed during this reply"

_BLANK = " \t\r\n\f\v\N{ZERO WIDTH NO-BREAK SPACE}"


def status_before(text: str | None, finish_reason: str, refusal: str | None) -> tuple[ItemStatus, str] | None:
    """Return refused, truncated or unparsable (only tool calls, or a provider failure) and the reason; None for a reply
    to be read. Such replies are never read: a truncated or refused answer gives no value. Replies of a failed provider
    exist only where an earlier version stored them; now the request is repeated."""
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
    """Return the reply without surrounding blanks and byte order mark."""
    return (text or "").strip(_BLANK)
