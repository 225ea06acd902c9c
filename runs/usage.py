"""Usage that a provider reports and that cannot be true: token counts which the request or the reply excludes.

Such counts are stored as a message of their attempt and never become tokens or cost: what the request may have cost
at most is held in the budget instead, as where a provider reports no usage.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from core.messages import MessageSize
from core.words import counted
from runs.budget import PER_MESSAGE, ModelLimits, most_in
from runs.endpoint.reply import SHOWN, ModelReply, is_count

PREAMBLE = 1_000
"""Tokens that a provider may put before the messages: its chat format and instructions of its own."""
LONGEST_TOKEN = 256
"""Bytes. The longest tokens of public vocabularies are runs of 128 blanks."""
LONGEST_REPLY = 1_000_000
"""Tokens of a reply where neither the request nor the card limits it."""
COUNTS = ("prompt_tokens", "completion_tokens")


def usage_fault(reply: ModelReply, size: MessageSize, parameters: Mapping[str, Any], limits: ModelLimits) -> str:
    """Return a sentence with the reported usage and the reason why it cannot be true; empty if it can or if none is
    reported. `size`: of the messages; `parameters` and `limits`: of the request and of the model's card.

    A token is at least one byte and at most `LONGEST_TOKEN`. A reply may be longer than its limit where its text shows
    it, since some servers ignore limits.
    """
    why = _no_counts(reply.usage) or _not_sent(reply, size, limits) or _not_received(reply, parameters, limits)
    if not why:
        return ""
    shown = json.dumps({name: _quoted(reply.usage[name]) for name in COUNTS if name in reply.usage})
    return f"Reported usage {shown if len(shown) <= SHOWN else shown[:SHOWN] + '…'} cannot be true: {why}."


def _quoted(value: Any) -> Any:
    """Numbers as they are reported. A text is only named: whatever a server puts there is looked through for keys in
    the raw reply, and nowhere else."""
    return value if value is None or isinstance(value, int | float) else f"a JSON {type(value).__name__}"


def _no_counts(usage: Mapping[str, Any]) -> str:
    wrong = [name for name in COUNTS if usage.get(name) is not None and not is_count(usage[name])]
    return f"{' and '.join(wrong)} must be whole numbers from 0" if wrong else ""


def _not_sent(reply: ModelReply, size: MessageSize, limits: ModelLimits) -> str:
    if reply.tokens_in is None:
        return ""
    most = most_in(size, limits) + PREAMBLE
    if reply.tokens_in > most:
        return f"what was sent is at most {most:,} tokens"
    sent = sum(size.texts)
    if sent > LONGEST_TOKEN * reply.tokens_in:
        return f"what was sent has {sent:,} bytes of text, at least {_least_tokens(sent)}"
    return ""


def _not_received(reply: ModelReply, parameters: Mapping[str, Any], limits: ModelLimits) -> str:
    if reply.tokens_out is None or reply.vectors:  # vectors are no tokens
        return ""
    text = len((reply.text or "").encode())
    shown = text + len((reply.reasoning or "").encode()) + len((reply.refusal or "").encode())
    limit = parameters.get("max_completion_tokens") or parameters.get("max_tokens") or limits.context_length
    most = max((limit or LONGEST_REPLY) + PER_MESSAGE, shown)
    if reply.tokens_out > most:
        return f"the reply is at most {most:,} tokens"
    if text > LONGEST_TOKEN * reply.tokens_out:
        return f"the reply has {text:,} bytes of text, at least {_least_tokens(text)}"
    return ""


def _least_tokens(size: int) -> str:
    return counted(math.ceil(size / LONGEST_TOKEN), "token")
