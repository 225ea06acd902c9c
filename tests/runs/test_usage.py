"""Usage that the request or the reply excludes is a fault in words; whatever can be true is none."""

from __future__ import annotations

import json
from typing import Any

import pytest

from core.messages import MessageSize
from runs.budget import ModelLimits
from runs.endpoint.embeddings import read_embedding_reply
from runs.endpoint.reply import read_reply
from runs.usage import usage_fault

SIZE = MessageSize((300, 100))
"""400 bytes in two texts: at least 2 tokens, at most 400 + 2 * 16 of the format + 1,000 of the provider's own."""
LIMIT = {"max_tokens": 50}
NO_LIMITS = ModelLimits()


def fault(
    usage: Any,
    text: str = "eighteen letters..",
    *,
    size: MessageSize = SIZE,
    parameters: Any = LIMIT,
    limits: ModelLimits = NO_LIMITS,
    **message: Any,
) -> str:
    choice = {"message": {"content": text, **message}, "finish_reason": "stop"}
    return usage_fault(read_reply(json.dumps({"choices": [choice], "usage": usage})), size, parameters, limits)


def reported(prompt: Any, completion: Any, **more: Any) -> dict[str, Any]:
    return {"prompt_tokens": prompt, "completion_tokens": completion, **more}


@pytest.mark.parametrize(
    "usage",
    [
        None,
        {},
        reported(None, None),
        reported(100, 6),
        reported(2, 1),  # the longest tokens
        reported(1_432, 66),  # a byte a token, and all that formats may add
        reported(100, 20, completion_tokens_details={"reasoning_tokens": 14}),
    ],
)
def test_usage_that_can_be_true_or_is_not_reported_has_no_fault(usage: Any) -> None:
    assert fault(usage) == ""


@pytest.mark.parametrize(
    ("usage", "why"),
    [
        (reported(2**31 - 1, 6), "what was sent is at most 1,432 tokens"),
        (reported(1_433, 6), "what was sent is at most 1,432 tokens"),
        (reported(1, 6), "what was sent has 400 bytes of text, at least 2 tokens"),
        (reported(0, 6), "what was sent has 400 bytes of text, at least 2 tokens"),
        (reported(100, 2**31 - 1), "the reply is at most 66 tokens"),
        (reported(100, 67), "the reply is at most 66 tokens"),
        (reported(100, 0), "the reply has 18 bytes of text, at least 1 token"),
        (reported(100, 6, total_tokens=1_106, completion_tokens_details={"reasoning_tokens": 1_000}), "at most 66"),
        (reported(-5, 6), "prompt_tokens must be whole numbers from 0"),
        (reported(100, 6.5), "completion_tokens must be whole numbers from 0"),
        (reported(7.0, True), "prompt_tokens and completion_tokens must be whole numbers from 0"),
        (reported(10**40, 6), "prompt_tokens must be whole numbers from 0"),
    ],
)
def test_usage_that_cannot_be_true_is_quoted_with_the_reason(usage: Any, why: str) -> None:
    found = fault(usage)
    said = json.dumps({name: usage[name] for name in ("prompt_tokens", "completion_tokens")})
    assert found.startswith(f"Reported usage {said} cannot be true: ") and why in found, found


def test_a_text_in_the_place_of_a_number_is_named_and_not_repeated() -> None:
    message = fault(reported("sk-secret", ["many"]))
    assert '{"prompt_tokens": "a JSON str", "completion_tokens": "a JSON list"}' in message
    assert "sk-secret" not in message and "many" not in message


def test_a_reply_longer_than_its_limit_is_believed_as_far_as_its_text_shows_it() -> None:
    assert fault(reported(100, 400), "word " * 80) == ""
    assert fault(reported(100, 400), "short", reasoning_content="thought " * 50) == ""
    assert "at most 250 tokens" in fault(reported(100, 400), "word " * 50)


def test_without_a_limit_the_context_bounds_a_reply_and_else_a_million_tokens() -> None:
    context = ModelLimits(context_length=8_192)
    assert fault(reported(100, 8_000), parameters={}, limits=context) == ""
    assert "at most 8,208 tokens" in fault(reported(100, 9_000), parameters={}, limits=context)
    assert fault(reported(100, 200_000), parameters={}) == ""
    assert "at most 1,000,016 tokens" in fault(reported(100, 2_000_000), parameters={})


def test_pictures_and_pages_are_believed_as_far_as_the_card_says() -> None:
    size, card = MessageSize((20,), pictures=2, pages=(3,)), ModelLimits(tokens_per_image=1_000, tokens_per_page=500)
    assert fault(reported(4_536, 6), size=size, limits=card) == ""
    assert "at most 4,536 tokens" in fault(reported(4_537, 6), size=size, limits=card)


@pytest.mark.parametrize(
    ("tokens", "why"),
    [(100, ""), (None, ""), (0, "at least 2 tokens"), (5_000, "at most 1,432"), (-1, "whole numbers")],
)
def test_usage_of_vectors_is_of_their_texts_alone(tokens: Any, why: str) -> None:
    body = {"data": [{"embedding": [0.5, 0.5]}], "usage": {"prompt_tokens": tokens}}
    found = usage_fault(read_embedding_reply(json.dumps(body), 1), SIZE, {}, NO_LIMITS)
    assert why in found and bool(found) is bool(why)
