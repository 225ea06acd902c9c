"""Reported usage that cannot be true: token counts that the request or the reply excludes.

Such counts are stored as a message of their attempt and never become tokens or cost: the request's maximum cost stays
reserved in the budget instead, as without a reported usage.
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

PREAMBLE = 1_000  # Tokens that a provider may add before the messages: its chat format and instructions of its own.
LONGEST_TOKEN = 256  # Bytes. The longest tokens of public vocabularies are runs of 128 blanks.
LONGEST_REPLY = 1_000_000  # Tokens of a reply that neither the request nor the card limits.
COUNTS = ("prompt_tokens", "completion_tokens")


def usage_fault(reply: ModelReply, size: MessageSize, parameters: Mapping[str, Any], limits: ModelLimits) -> str:
    """Return the reported usage and why it cannot be true; empty if it can or is not reported.

    A token is at least one byte and at most `LONGEST_TOKEN`. A reply may exceed its limit if its text shows it, since
    some servers ignore limits.
    """
    wrong = [name for name in COUNTS if reply.usage.get(name) is not None and not is_count(reply.usage[name])]
    why = f"{' and '.join(wrong)} must be whole numbers from 0" if wrong else ""
    why = why or _not_sent(reply, size, limits) or _not_received(reply, parameters, limits)
    if not why:
        return ""
    # Anything but a number is only named: it may contain a key, which only the raw reply is searched for.
    reported = {
        name: value if value is None or isinstance(value, int | float) else f"a JSON {type(value).__name__}"
        for name in COUNTS
        if name in reply.usage
        for value in [reply.usage[name]]
    }
    shown = json.dumps(reported)
    return f"Reported usage {shown if len(shown) <= SHOWN else shown[:SHOWN] + '…'} cannot be true: {why}."


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
