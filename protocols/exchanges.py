"""Exchanges between a run and its protocol: requests, replies, readings. A protocol is stateless: from all exchanges of
an item it derives the next request or the reading. So the rounds of an item can be derived again from stored replies,
after a crash or for a rescore."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.messages import Message, Messages, message
from core.runs.states import ItemStatus
from prompts.loader import Prompt


@dataclass(frozen=True, slots=True)
class Ask:
    """A request of an item."""

    messages: Messages
    purpose: str = "answer"  # shown to users, such as "answer" or "faults listed"
    role: str = ""  # which of the run's roles is asked; empty: the item's own model
    faults: tuple[str, ...] = ()  # of the previous reply, the reason for this request; sentences without a full stop


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """A request with its reply. Texts of `ask` may be hashes (`core.messages.Kept`)."""

    ask: Ask
    text: str | None
    finish_reason: str = "stop"
    refusal: str | None = None
    logprobs: Any = None  # the API's list, one object per token


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Result of an item's replies."""

    # Answered, unparsable, truncated, refused, or incomplete (parts missing after all rounds; not scored)
    status: ItemStatus
    label: str | None = None  # of a closed set, if answers are labels
    value: Any = None  # JSON of what was read; None if nothing could be read
    faults: tuple[str, ...] = ()  # why it is not answered; sentences without a full stop
    flags: tuple[str, ...] = ()  # notes on an answer that counts
    parse_stage: str = ""  # parse stage; empty if there are none
    repaired: str | None = None  # the text that was read instead of the raw one; None if the same
    probabilities: Mapping[str, float] | None = None  # label → probability, if known


def ask_again(prompt: Prompt, last: Answered, faults: Sequence[str]) -> Ask:
    """Return the conversation so far, the faulty answer, and the list of its faults, worded by `prompt`."""
    correction = prompt.render(faults="\n".join(f"- {each}." for each in faults))
    text = last.text or ""
    # Some endpoints refuse an empty message, and some a system message in mid-conversation.
    reply = [message("assistant", text)] if text.strip() else []
    request = [Message("user", each.parts) for each in correction]
    return Ask((*last.ask.messages, *reply, *request), "faults listed", faults=tuple(faults))
