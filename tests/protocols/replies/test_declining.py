"""Answers that only decline are told from answers, both ways: a whole sentence of the closed list, and nothing else."""

from __future__ import annotations

import pytest

from core.labels import SIGN, SIGN_OR_UNKNOWN
from core.runs.states import ItemStatus
from protocols.replies.declining import is_declined
from protocols.replies.labels import read_reply
from protocols.replies.schema import ReplyField, ReplySchema

DECLINING = [
    "I'm sorry, but I cannot help with that.",
    "I’m sorry, but I can’t help with that.",
    "I'm sorry, but I can't assist with that request.",
    "I'm sorry, I can't assist with that.",
    "Sorry, I can't help with that.",
    "I can't help with that.",
    "I cannot assist with this request",
    "I am unable to help with that.",
    "I'm unable to assist you with that request.",
    "I am sorry, but I am not able to help you with this.",
    "I apologise, but I cannot fulfil your request.",
    "I apologize, but I cannot comply with your request.",
    "Unfortunately, I can not process your request.",
    "My apologies, but I won't do that.",
    "I will not continue this conversation.",
    "I'm sorry, but I can't help with that. Is there anything else I can help you with?",
    "I'm just a language model, so I can't help you with that.",
    "I'm not able to help with that, as I'm only a language model.",
    '"I can\'t help with that."',
    "**I can't help with that.**\n",
    "I'M SORRY, BUT I CAN'T HELP WITH THAT!",
    "<think>They ask for harm.</think>\n\nI'm sorry, but I can't help with that.",
]
ANSWERS = [
    "",
    "I'm sorry.",
    "I can't",
    "I cannot determine the sign.",
    "I cannot help with that: the context says nothing of wages.",
    "I'm sorry, but I cannot help with that. My best guess is +.",
    "I'm sorry, but I can't help with that, so the sign is mixed.",
    "The text says: I'm sorry, but I can't help with that.",
    "I can help with that.",
    "I'm sorry, but I can help with that.",
    "I can't help with that. I can't help with that.",
    "I'm sorry, but I can't answer with certainty.",
    "Is there anything else I can help you with?",
    "+",
    '{"predicted_sign": "I cannot help with that."}',
    'I\'m sorry, but I can\'t help with that. {"predicted_sign": "+"}',
    '{"predicted_sign": "+", "reasoning": "I\'m sorry, but I can\'t help with that."}',
    "I'm sorry, but I can't help with that.</think>",
    "I can't help with that. " * 100,
]


def schema(labels: object = SIGN) -> ReplySchema:
    return ReplySchema("sign", (ReplyField("predicted_sign", labels), ReplyField("reasoning")))  # type: ignore[arg-type]


@pytest.mark.parametrize("text", DECLINING)
def test_a_sentence_that_declines_and_nothing_else_is_refused(text: str) -> None:
    assert is_declined(text)
    found = read_reply(text, schema=schema(), finish_reason="stop")
    assert (found.status, found.label, found.value, found.parse_stage) == (ItemStatus.REFUSED, None, None, "")
    assert found.fault == "the model refused in words"


@pytest.mark.parametrize("text", ANSWERS)
def test_whatever_says_more_or_something_else_is_read_as_an_answer(text: str) -> None:
    assert not is_declined(text)
    assert read_reply(text, schema=schema(SIGN_OR_UNKNOWN), finish_reason="stop").status in (
        ItemStatus.UNPARSABLE,
        ItemStatus.ANSWERED,
    )


def test_an_answer_beside_the_sentence_is_taken() -> None:
    text = 'I\'m sorry, but I can\'t help with that. {"predicted_sign": "+"}'
    found = read_reply(text, schema=schema(), finish_reason="stop")
    assert (text in ANSWERS, found.label) == (True, "+")


def test_a_sentence_that_was_cut_off_is_cut_off() -> None:
    assert read_reply(DECLINING[0], schema=schema(), finish_reason="length").status is ItemStatus.TRUNCATED
