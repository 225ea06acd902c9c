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


PARTLY = {"content": '{"predicted_sign": "+", "reas'}


@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        (body(PARTLY, error={"code": 502, "message": "upstream lost"}), RequestFault.CUT_OFF),
        (body(PARTLY, error={"code": 429, "message": "Rate limit"}), RequestFault.RATE_LIMITED),
        (body(error="upstream lost"), RequestFault.CUT_OFF),
        (body({"content": "+", "error": {"type": "overloaded_error"}}), RequestFault.CUT_OFF),
        (body({"content": ""}, error={"type": "overloaded_error"}), RequestFault.SERVER_ERROR),
        (json.dumps({"choices": [{"error": {"code": "502"}, "message": PARTLY}]}), RequestFault.CUT_OFF),
        (json.dumps({"choices": [{"error": {"code": 401}}]}), RequestFault.UNAUTHORISED),
        ('{"error": {"code": 401, "message": "User not found."}}', RequestFault.UNAUTHORISED),
        ('{"error": {"code": "401"}}', RequestFault.UNAUTHORISED),
        ('{"error": {"status": "UNAUTHENTICATED", "code": 16}}', RequestFault.UNAUTHORISED),
        ('{"error": {"code": "invalid_api_key", "type": "invalid_request_error"}}', RequestFault.UNAUTHORISED),
        ('{"error": {"code": 402}}', RequestFault.QUOTA),
        ('{"error": {"type": "insufficient_quota", "code": 429}}', RequestFault.QUOTA),
        ('{"type": "error", "error": {"type": "overloaded_error"}}', RequestFault.SERVER_ERROR),
        ('{"errors": [{"code": 429}]}', RequestFault.RATE_LIMITED),
        ('{"object": "error", "message": "no such model", "code": 404}', RequestFault.NOT_FOUND),
        ('{"code": "invalid_api_key", "message": "Invalid."}', RequestFault.UNAUTHORISED),
        ('{"error": {"code": 400, "message": "too long"}}', RequestFault.BAD_REQUEST),
        ('{"error": {"code": 7}, "choices": []}', RequestFault.SERVER_ERROR),
        (body(PARTLY, finish_reason="error"), RequestFault.CUT_OFF),
        (body(PARTLY, finish_reason="insufficient_system_resource"), RequestFault.CUT_OFF),
        (body(PARTLY, finish_reason="NETWORK_ERROR"), RequestFault.CUT_OFF),
        (body({"content": None}, finish_reason="error"), RequestFault.SERVER_ERROR),
    ],
)
def test_a_failure_of_the_provider_is_a_failed_request_whatever_text_came(raw: str, kind: RequestFault) -> None:
    assert kind_of(raw) is kind


@pytest.mark.parametrize("error", [None, {}, "", False, [], {"code": None, "message": None}])
def test_an_empty_error_is_none(error: Any) -> None:
    assert read_reply(body(error=error)).text == "+"


def test_the_tokens_of_a_reply_that_failed_are_reported() -> None:
    with pytest.raises(SendError) as caught:
        read_reply(body(PARTLY, finish_reason="error", usage={"prompt_tokens": 70, "completion_tokens": 9}))
    assert caught.value.usage == (70, 9, None)


def test_a_reason_that_a_proxy_hides_behind_stop_is_found() -> None:
    said = {"message": {"content": "+"}, "finish_reason": "stop"}
    hidden: list[tuple[dict[str, Any], str]] = [
        ({"native_finish_reason": "MAX_TOKENS"}, "MAX_TOKENS"),
        ({"provider_specific_fields": {"native_finish_reason": "sensitive"}}, "sensitive"),
        ({"native_finish_reason": "end_turn"}, "stop"),
        ({"native_finish_reason": "something new"}, "stop"),
        ({"native_finish_reason": "something new", "finish_reason": None}, "something new"),
    ]
    for beside, reason in hidden:
        assert read_reply(json.dumps({"choices": [{**said, **beside}]})).finish_reason == reason
    failed = {**said, "provider_specific_fields": {"native_finish_reason": "insufficient_system_resource"}}
    assert kind_of(json.dumps({"choices": [failed]})) is RequestFault.CUT_OFF


@pytest.mark.parametrize(
    "reason", ["SAFETY", "sensitive", "content-filter", "guardrail_intervened", "PROHIBITED_CONTENT"]
)
def test_a_filter_that_withheld_the_answer_is_a_refusal(reason: str) -> None:
    assert read_reply(body({"content": ""}, finish_reason=reason)).refusal is not None


def test_of_several_choices_the_first_by_index_counts() -> None:
    choices = [{"index": place, "message": {"content": sign}} for place, sign in ((1, "-"), (0, "+"))]
    assert read_reply(json.dumps({"choices": choices})).text == "+"


def test_a_byte_order_mark_costs_no_reply() -> None:
    assert read_reply("\ufeff" + body()).text == "+"


@given(JSON)
def test_any_json_is_a_reply_or_a_fault(value: Any) -> None:
    for made in (
        *(value, {"choices": value}, {"choices": [value]}, {"choices": [{"message": value}], "usage": value}),
        *({"error": value}, {"errors": value}, {"choices": [{"error": value, "message": {"content": "+"}}]}),
        {"choices": [{"message": {"content": value, "reasoning_details": value}, "native_finish_reason": value}]},
    ):
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


@pytest.mark.parametrize(
    "message",
    [
        {"content": "+", "reasoning": "Hm."},
        {"content": "+", "reasoning_content": "Hm."},
        {"content": "+", "thinking": "Hm."},
        {"content": "+", "reasoning_details": [{"type": "reasoning.text", "text": "Hm."}]},
        {"content": "+", "thinking_blocks": [{"type": "thinking", "thinking": "Hm."}]},
        {"content": [{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "+"}]},
        {"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}, {"text": "+"}]},
        {"content": [{"type": "reasoning", "text": "Hm."}, {"type": "text", "text": "+"}]},
        {"content": [{"text": "Hm.", "thought": True}, {"text": "+"}]},
    ],
)
def test_reasoning_is_found_wherever_a_server_puts_it_and_is_no_answer(message: Any) -> None:
    found = read_reply(body(message))
    assert (found.text, found.reasoning) == ("+", "Hm.")


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
