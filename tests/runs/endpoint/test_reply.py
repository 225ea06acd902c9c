"""A body is read the same from the wire and from the store, and nothing in it can pass for an answer that is none."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runs.endpoint.faults import RequestFault, SendError
from runs.endpoint.reply import NEVER, read_reply

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=8,
)


def body(message: Any = None, *, finish_reason: Any = "stop", logprobs: Any = None, **top: Any) -> str:
    said = {"role": "assistant", "content": "+"} if message is None else message
    return json.dumps({"choices": [{"message": said, "finish_reason": finish_reason, "logprobs": logprobs}], **top})


def kind_of(raw: str) -> RequestFault:
    with pytest.raises(SendError) as caught:
        read_reply(raw)
    assert caught.value.raw == raw
    return caught.value.kind


def test_text_may_come_in_parts() -> None:
    parts = [{"type": "text", "text": "pl"}, {"type": "image"}, {"type": "text", "text": "us"}, 7]
    assert read_reply(body({"content": parts})).text == "plus"


@pytest.mark.parametrize("content", [None, "", " \n", []])
def test_an_empty_answer_is_none(content: Any) -> None:
    assert kind_of(body({"content": content})) is RequestFault.NO_CONTENT
    cut = read_reply(body({"content": content}, finish_reason="length"))
    assert (cut.text, cut.finish_reason) == (None, "length")


def test_a_refusal_beside_nothing_is_kept() -> None:
    assert read_reply(body({"content": None, "refusal": "No."})).refusal == "No."


@pytest.mark.parametrize("called", [{"tool_calls": [{"id": "c"}]}, {"function_call": {"name": "search"}}])
@pytest.mark.parametrize("reason", ["tool_calls", "function_call", "stop", None])
def test_calls_of_tools_without_a_text_are_a_reply_that_says_so(called: Any, reason: Any) -> None:
    found = read_reply(body({"content": None, **called}, finish_reason=reason))
    assert (found.text, found.refusal, found.finish_reason) == (None, None, "tool_calls")
    assert read_reply(body({"content": "+", **called}, finish_reason="stop")).finish_reason == "stop"
    assert read_reply(body({"content": None, **called}, finish_reason="length")).finish_reason == "length"
    assert kind_of(body({"content": None, "tool_calls": []}, finish_reason=reason)) is RequestFault.NO_CONTENT


@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        ("", RequestFault.NOT_JSON),
        ("null", RequestFault.BAD_SHAPE),
        ("[]", RequestFault.BAD_SHAPE),
        ('"text"', RequestFault.BAD_SHAPE),
        ("{}", RequestFault.NO_CHOICES),
        ('{"choices": null}', RequestFault.NO_CHOICES),
        ('{"choices": 0}', RequestFault.BAD_SHAPE),
        ('{"choices": {"message": {}}}', RequestFault.BAD_SHAPE),
        ('{"choices": ["+"]}', RequestFault.BAD_SHAPE),
        ('{"choices": [{"text": "+"}]}', RequestFault.BAD_SHAPE),
        ('{"choices": [{"message": {"content": 7}}]}', RequestFault.BAD_SHAPE),
        ('{"choices": [{"message": {}}]}', RequestFault.NO_CONTENT),
        ('{"error": {"message": "x"}}', RequestFault.SERVER_ERROR),
        ("\ufeff <!DOCTYPE html><p>", RequestFault.HTML),
        ("  <HTML>", RequestFault.HTML),
        ("[" * 200_000, RequestFault.NOT_JSON),
        ("data: {}", RequestFault.NOT_JSON),
    ],
)
def test_a_body_that_is_no_reply_has_a_kind(raw: str, kind: RequestFault) -> None:
    assert kind_of(raw) is kind


@given(JSON)
def test_any_json_is_a_reply_or_a_fault(value: Any) -> None:
    for made in (value, {"choices": value}, {"choices": [value]}, {"choices": [{"message": value}], "usage": value}):
        try:
            found = read_reply(json.dumps(made))
        except SendError:
            continue
        assert isinstance(found.text or found.refusal or found.finish_reason, str)


@pytest.mark.parametrize(
    "usage", [None, [], "many", {}, {"prompt_tokens": "7"}, {"prompt_tokens": -1}, {"prompt_tokens": 1.5}]
)
def test_tokens_that_are_not_reported_are_unknown(usage: Any) -> None:
    found = read_reply(body(usage=usage))
    assert (found.tokens_in, found.tokens_out, found.tokens_cached, found.tokens_reasoning) == (None,) * 4


def test_reasoning_counted_beside_the_output_is_added_to_it() -> None:
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "completion_tokens_details": {"reasoning_tokens": 7}}
    assert read_reply(body(usage={**usage, "total_tokens": 15})).tokens_out == 5  # within the output
    assert read_reply(body(usage={**usage, "total_tokens": 22})).tokens_out == 12  # beside it


@pytest.mark.parametrize("field", ["reasoning", "reasoning_content"])
def test_reasoning_is_found_under_both_names(field: str) -> None:
    assert read_reply(body({"content": "+", field: "Hm."})).reasoning == "Hm."


def test_impossible_tokens_are_written_as_never() -> None:
    tops = [{"token": "-", "logprob": float("-inf")}, {"token": "None", "logprob": None}, {"logprob": 0}, "x"]
    raw = body(logprobs={"content": [{"token": "+", "logprob": -0.1, "top_logprobs": tops}]})
    found = read_reply(raw).logprobs
    assert found == [
        {
            "token": "+",
            "logprob": -0.1,
            "top_logprobs": [{"token": "-", "logprob": NEVER}, {"token": "None", "logprob": NEVER}],
        }
    ]
    json.dumps(found, allow_nan=False)


@pytest.mark.parametrize("number", [10**400, -(10**400)])
@pytest.mark.parametrize("tops", [True, 5, 1.5, {"a": 1}, "+"])
def test_log_probabilities_of_another_shape_do_not_cost_the_answer(number: int, tops: Any) -> None:
    raw = body(logprobs={"content": [{"token": "+", "logprob": number, "top_logprobs": tops}]})
    found = read_reply(raw)
    assert (found.text, found.logprobs) == ("+", [{"token": "+", "logprob": NEVER, "top_logprobs": []}])


@pytest.mark.parametrize("given", [None, {}, {"content": []}, {"content": ["+"]}, {"content": [{"logprob": 1}]}, []])
def test_log_probabilities_that_are_none_are_none(given: Any) -> None:
    assert read_reply(body(logprobs=given)).logprobs is None
