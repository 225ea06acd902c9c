"""What passes between a run and its protocol while an item is answered: a request, its reply, what is made of them.

A protocol keeps no state: given all that an item was asked and answered so far, it says what is asked next, or what
the answer is. So the chain of an item's rounds is derived again from kept replies, after a crash as at a rescore.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.messages import Message, Messages, message
from core.runs.states import ItemStatus
from prompts.loader import Prompt


@dataclass(frozen=True, slots=True)
class Ask:
    """A request of an item. `purpose`: a word for people, such as "answer" or "faults listed"; `role`: which of the
    run's cards is asked, empty for the item's own; `faults`: of the reply before, for which this is asked, each a
    sentence without its stop."""

    messages: Messages
    purpose: str = "answer"
    role: str = ""
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """A request that has its reply. The messages of `ask` may name their texts by hash (`core.messages.Kept`).
    `logprobs`: the API's list, one object a token; None where there is none."""

    ask: Ask
    text: str | None
    finish_reason: str = "stop"
    refusal: str | None = None
    logprobs: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What an item's replies come to.

    `status`: answered, unparsable, truncated, refused, or incomplete (parts are missing after all rounds; no score
    counts it). `label`: of a closed set, None where there is none or answers are none. `value` (JSON): what was said,
    None where nothing could be read. `faults`: why it is not answered, each a sentence without its stop. `flags`: what
    a reader should know of an answer that counts. `rung`: how far the reading came, empty where it has no ladder.
    `repaired`: the text that was read in place of the raw one, None where it is the same. `probabilities`: label →
    probability, None where they are not known.
    """

    status: ItemStatus
    label: str | None = None
    value: Any = None
    faults: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    rung: str = ""
    repaired: str | None = None
    probabilities: Mapping[str, float] | None = None


def ask_again(prompt: Prompt, last: Answered, faults: Sequence[str]) -> Ask:
    """The conversation so far, the faulty answer, and the list of its faults in the words of `prompt`."""
    listed = prompt.render(faults="\n".join(f"- {each}." for each in faults))
    text = last.text or ""
    said = [message("assistant", text)] if text.strip() else []  # not every endpoint takes an empty one
    told = [Message("user", each.parts) for each in listed]  # a system text in mid-conversation is not taken by all
    return Ask((*last.ask.messages, *said, *told), "faults listed", faults=tuple(faults))
