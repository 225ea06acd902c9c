"""What real providers send beside whole answers: each ends as it should, named, and none becomes a wrong answer."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from core.people import Viewer
from core.runs.filters import FailureFilters
from core.runs.states import AttemptState, ItemStatus, RunState
from services.failures import failures
from services.runs import reading
from services.runs.settings import RunConfig, SampleSource
from services.runs.views import ItemSheet
from services.study import Study
from tests.services.odd_provider import Sent, odd_server, says
from tests.services.run_parts import finished, set_up, start
from tests.services.scoring_parts import bring_in, rows_of

PLUS = '{"predicted_sign": "+", "reasoning": "x"}'
MINUS = '{"predicted_sign": "-", "reasoning": "y"}'
HALF = '{"predicted_sign": "+", "rea'
LOST = {"code": 502, "message": "upstream lost"}


def beside(content: Any, **body: Any) -> Sent:
    """The same with further keys of the body."""
    status, made, headers = says(content)
    return status, {**made, **body}, headers


def first(status: int, error: Any, **headers: str) -> list[Sent]:
    """A failure, then an answer."""
    return [(status, {"error": error}, {name.replace("_", "-"): value for name, value in headers.items()}), says(PLUS)]


def one(sent: Sent) -> list[Sent]:
    return [sent]


HARMONY = f"<|channel|>analysis<|message|>maybe {MINUS}<|end|><|start|>assistant<|channel|>final<|message|>{PLUS}"
TWO = [{"index": 1, "message": {"content": MINUS}}, {"index": 0, "message": {"content": PLUS}}]
ANSWERED, TRUNCATED, REFUSED, FAILED = (ItemStatus(name) for name in ("answered", "truncated", "refused", "failed"))
ODDITIES: dict[str, tuple[list[Sent], ItemStatus, int, str]] = {
    "plain": (one(says(PLUS)), ANSWERED, 1, ""),
    "error in the choice": (one(says(HALF, "error", error=LOST)), FAILED, 4, "cut_off"),
    "error in the choice of a whole answer": (one(says(PLUS, "error", error=LOST)), FAILED, 4, "cut_off"),
    "error in the choice, once": ([says(HALF, "error", error=LOST), says(PLUS)], ANSWERED, 2, ""),
    "error beside the choices": (one(beside(HALF, error={"code": 429, "message": "x"})), FAILED, 8, "rate_limited"),
    "rate limit under 200": (one((200, {"error": {"code": 429}}, {})), FAILED, 8, "rate_limited"),
    "rate limit under 200, once": (first(200, {"code": 429, "message": "Slow."}), ANSWERED, 2, ""),
    "bad request under 200": (one((200, {"error": {"code": 400}}, {})), FAILED, 1, "bad_request"),
    "overload under 200, once": (first(200, {"type": "overloaded_error"}), ANSWERED, 2, ""),
    "insufficient_system_resource": (one(says(HALF, "insufficient_system_resource")), FAILED, 4, "cut_off"),
    "network_error": (one(says(HALF, "network_error")), FAILED, 4, "cut_off"),
    "abort, once": ([says(HALF, "abort"), says(PLUS)], ANSWERED, 2, ""),
    "MAX_TOKENS": (one(says(HALF, "MAX_TOKENS")), TRUNCATED, 1, ""),
    "model_length": (one(says(HALF, "model_length")), TRUNCATED, 1, ""),
    "model_context_window_exceeded": (one(says(HALF, "model_context_window_exceeded")), TRUNCATED, 1, ""),
    "length without a text": (one(says("", "length", reasoning_content="Hm.")), TRUNCATED, 1, ""),
    "sensitive": (one(says("I can not", "sensitive")), REFUSED, 1, ""),
    "SAFETY": (one(says("", "SAFETY")), REFUSED, 1, ""),
    "a refusal in words": (one(says("I'm sorry, but I can't help with that.")), REFUSED, 1, ""),
    "an empty refusal": (one(says(PLUS, refusal="")), ANSWERED, 1, ""),
    "an unknown reason": (one(says(PLUS, "paused")), ANSWERED, 1, ""),
    "only reasoning": (one(says("", reasoning_content=PLUS)), FAILED, 3, "no_content"),
    "no content": (one(says(None)), FAILED, 3, "no_content"),
    "no usage": (one(says(PLUS, usage=None)), ANSWERED, 1, ""),
    "usage in texts": (one(says(PLUS, usage={"prompt_tokens": "10"})), ANSWERED, 1, ""),
    "two choices": (one(beside(PLUS, choices=TWO)), ANSWERED, 1, ""),
    "server-sent events": (one((200, f"data: {json.dumps({'choices': []})}\n\n", {})), FAILED, 3, "not_json"),
    "a byte order mark": (one((200, "\ufeff" + json.dumps(says(PLUS)[1]), {})), ANSWERED, 1, ""),
    "a negative wait": (first(429, {"message": "slow"}, Retry_After="-5"), ANSWERED, 2, ""),
    "a wait with its unit": (first(429, {"message": "slow"}, Retry_After="0.1s"), ANSWERED, 2, ""),
    "529": (first(529, {"type": "overloaded_error"}), ANSWERED, 2, ""),
    "400 for an overload": (first(400, {"type": "overloaded_error"}), ANSWERED, 2, ""),
    "498": (first(498, {"message": "capacity exceeded"}), ANSWERED, 2, ""),
    "413": (one((413, {"error": {"message": "too large"}}, {})), FAILED, 1, "bad_request"),
    "429 for a request that is too large": (
        one((429, {"error": {"message": "Request too large for m: Limit 1, Requested 2"}}, {})),
        FAILED,
        1,
        "bad_request",
    ),
    "harmony": (one(says(HARMONY)), ANSWERED, 1, ""),
    "Kimi's marks, never closed": (one(says(f"◁think▷ I say {PLUS}")), ItemStatus.UNPARSABLE, 1, ""),
    "thinking in parts": (
        one(says([{"type": "thinking", "thinking": MINUS}, {"type": "text", "text": PLUS}])),
        ANSWERED,
        1,
        "",
    ),
    "reasoning in parts": (
        one(says([{"type": "reasoning", "text": MINUS}, {"type": "text", "text": PLUS}])),
        ANSWERED,
        1,
        "",
    ),
    "an object as content": (one(says({"text": PLUS})), FAILED, 3, "bad_shape"),
    "reasoning in details": (one(says(PLUS, reasoning_details=[{"text": "abc"}])), ANSWERED, 1, ""),
}
STOPPING: dict[str, tuple[Sent, str]] = {
    "401 under 200": ((200, {"error": {"code": 401, "message": "User not found."}}, {}), "rejects the key"),
    "402 under 200": ((200, {"error": {"code": "402"}}, {}), "no credit left"),
    "a page under 404": ((404, "<html>nginx</html>", {"Content-Type": "text/html"}), "no such model or address"),
}


def ask_one(people: SimpleNamespace, models: list[str]) -> RunConfig:
    """One sample, asked of all these models."""
    collection = bring_in(people.owner, rows_of(1, context="A country."))
    return RunConfig(
        title="Odd", source=SampleSource((collection,)), tasks=("task1",), variants=("context",), models=tuple(models)
    )


def sheets(viewer: Viewer, run_id: str) -> dict[str, ItemSheet]:
    """Model → its one item."""
    found = failures.failures(viewer, FailureFilters(runs=(run_id,)), limit=100).lines
    return {line.model: failures.item(viewer, line.item_id) for line in found}


def test_forty_oddities_end_as_they_should_each_named(sqlite_study: Study, people: SimpleNamespace) -> None:
    with odd_server({name: sent for name, (sent, *_rest) in ODDITIES.items()}) as server:
        set_up(people.owner, server, list(ODDITIES))
        run_id = start(people.researcher, ask_one(people, list(ODDITIES)))
        assert finished(sqlite_study, people.researcher, run_id).state is RunState.DONE
        found = sheets(people.researcher, run_id)
        told = {name: (found[name].line.status, server.requests[name], _kind(found[name])) for name in ODDITIES}
    assert told == {name: expected for name, (_sent, *rest) in ODDITIES.items() for expected in [tuple(rest)]}
    assert len(ODDITIES) + len(STOPPING) >= 40
    for name, sheet in found.items():
        if sheet.line.status is ANSWERED:
            assert sheet.line.predicted == "+", name
        elif sheet.line.status is FAILED:
            assert sheet.line.fault.startswith(f"{ODDITIES[name][3]}: ")
    assert found["harmony"].reasoning == f"maybe {MINUS}"
    assert found["reasoning in parts"].reasoning == MINUS
    assert found["an unknown reason"].flags == ("unknown finish reason “paused”",)
    card = reading.card(people.researcher, run_id)
    assert card.unknown_reasons == (("an unknown reason", "unknown finish reason “paused”", 1),)
    # What a failed reply reports as used is counted, though nothing of it is an answer.
    lost = next(each for each in card.models if each.name == "error in the choice")
    assert (lost.requests, lost.tokens_in, lost.tokens_out) == (4, 40, 20)


def _kind(sheet: ItemSheet) -> str:
    last = sheet.attempts[-1]
    return last.kind if last.state is AttemptState.ERROR else ""


@pytest.mark.parametrize("name", STOPPING)
def test_an_error_that_stops_a_run_does_so_at_once_under_any_status(
    name: str, sqlite_study: Study, people: SimpleNamespace
) -> None:
    sent, reason = STOPPING[name]
    with odd_server({name: [sent]}) as server:
        set_up(people.owner, server, [name])
        run_id = start(people.researcher, ask_one(people, [name]))
        done = finished(sqlite_study, people.researcher, run_id)
    assert (done.state, server.requests[name]) == (RunState.STOPPED, 1)
    assert reason in done.reason and done.by_status[ItemStatus.PENDING] == 1
