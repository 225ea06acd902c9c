"""A run from its first item to its last: what is asked, what is answered from the store, how every fault ends."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from benchmarks.running_server import RunningServer
from core.runs.states import RunState
from runs.endpoint.faults import RequestFault
from runs.endpoint.retrying import ATTEMPTS
from runs.queues import queue_of
from runs.scripted.replies import FAULTS
from store.engine import Store
from store.runs import runs
from tests.runs.begun import SIGNS, begin, model, now, rows, state, statuses, work
from tests.runs.conftest import KEY


def label(text_hash: str) -> str:
    """What the server's `scripted:cycle` says to a question."""
    return SIGNS[int(text_hash[:8], 16) % len(SIGNS)]


@pytest.mark.both
def test_every_sample_is_asked_once_of_every_model_and_repeat(store: Store, model_server: RunningServer) -> None:
    models = {"one": model(model_server.url, concurrency=5), "two": model(model_server.url, "scripted:plus")}
    run = begin(store, models, 55, repeats=2)
    assert run.shards == (0, 2, 1, 3)  # a hundred items each, the models in turn
    work(store)
    assert state(store, run.run_id) == (RunState.DONE, "")
    assert statuses(store, run.run_id) == {"answered": 220}
    log = model_server.log()
    assert log["requests"] == 220
    assert log["most_in_flight"] <= 5 + 8
    said = rows(
        store,
        "SELECT s.messages, i.predicted, i.rung, i.was_cached, i.attempts FROM run_item i"
        " JOIN run_sample s ON s.id = i.sample_id WHERE i.model = 'one'",
    )
    for messages, predicted, rung, was_cached, attempts in said:
        kept = json.loads(messages) if isinstance(messages, str) else messages
        assert (predicted, rung, bool(was_cached), attempts) == (label(kept[-1][1]), "strict", False, 1)


def test_the_ledger_is_the_servers_log(store: Store, model_server: RunningServer) -> None:
    begin(store, {"m": model(model_server.url)}, 40)
    work(store)
    kept = rows(store, "SELECT id, state, tokens_in, tokens_out, http_status FROM attempt")
    assert {row[0] for row in kept} == {entry["client_request_id"] for entry in model_server.log()["entries"]}
    assert {row[1:] for row in kept} == {("answered", row[2], row[3], 200) for row in kept}
    assert all(row[2] > 0 and row[3] > 0 for row in kept)


@pytest.mark.both(usually=False)
def test_a_second_run_of_the_same_questions_sends_nothing(store: Store, model_server: RunningServer) -> None:
    begin(store, {"m": model(model_server.url)}, 30)
    work(store)
    model_server.forget()
    renamed = model(model_server.url)
    renamed["endpoint"]["name"] = "another name"
    second = begin(store, {"another name": renamed}, 40)
    work(store)
    assert statuses(store, second.run_id) == {"answered": 40}
    assert model_server.log()["requests"] == 10
    cached = "SELECT was_cached, count(*) FROM run_item WHERE run_id = :run GROUP BY was_cached ORDER BY 1"
    assert [(bool(was), n) for was, n in rows(store, cached, run=second.run_id)] == [(False, 10), (True, 30)]


@pytest.mark.both(usually=False)
def test_alike_questions_of_one_run_are_sent_once(store: Store, model_server: RunningServer) -> None:
    model_server.play({"latency_ms": 30})
    run = begin(store, {"m": model(model_server.url)}, questions=["What is the sign?"] * 12)
    work(store)
    assert statuses(store, run.run_id) == {"answered": 12}
    assert model_server.log()["requests"] == 1


@pytest.mark.both(usually=False)
def test_a_baseline_sends_nothing_and_is_scored_like_a_model(store: Store) -> None:
    models = {
        "plus": {"kind": "baseline", "baseline": "always-plus"},
        "copy": {"kind": "baseline", "baseline": "copy-examples"},
        "most": {"kind": "baseline", "baseline": "majority", "majority": {"task1/context": "mixed"}},
        "other": {"kind": "baseline", "baseline": "first-not-shown"},
    }
    run = begin(store, models, 8)
    work(store)
    found = rows(store, "SELECT model, predicted, status, rung, count(*) FROM run_item GROUP BY 1, 2, 3, 4 ORDER BY 1")
    assert found == [
        ("copy", "+", "answered", "strict", 8),
        ("most", "mixed", "answered", "strict", 8),
        ("other", "None", "answered", "strict", 8),
        ("plus", "+", "answered", "strict", 8),
    ]
    assert state(store, run.run_id) == (RunState.DONE, "")
    assert rows(store, "SELECT count(*) FROM attempt") == [(0,)]


def test_a_baseline_without_an_answer_is_left_out_with_the_reason(store: Store) -> None:
    run = begin(store, {"most": {"kind": "baseline", "baseline": "majority"}}, 3)
    work(store)
    assert statuses(store, run.run_id) == {"excluded": 3}
    assert "no answer" in rows(store, "SELECT DISTINCT fault FROM run_item")[0][0]


def test_a_model_that_only_declines_is_refused_and_whoever_adds_a_guess_is_not(
    sqlite_store: Store, model_server: RunningServer
) -> None:
    sorry = "I'm sorry, but I cannot help with that."
    model_server.play(
        {
            "rules": [
                {"matches": "Question 0:", "answer": sorry},
                {"matches": "Question 1:", "answer": f"{sorry} Perhaps +."},
            ]
        }
    )
    begin(sqlite_store, {"m": model(model_server.url)}, 3)
    work(sqlite_store)
    found = rows(
        sqlite_store,
        "SELECT i.status, i.predicted FROM run_item i JOIN run_sample s ON s.id = i.sample_id ORDER BY s.place",
    )
    assert found[:2] == [("refused", None), ("unparsable", None)]
    assert found[2][0] == "answered"


# --- faults ------------------------------------------------------------------------------------------------------

ENDS: Mapping[str, tuple[str, str]] = {
    "bad_request": ("failed", "bad_request"),
    "invalid_model": ("failed", "bad_request"),
    "too_long_context": ("failed", "bad_request"),
    "no_pictures": ("failed", "bad_request"),
    "bare_list": ("failed", "bad_shape"),
    "choices_text": ("failed", "bad_shape"),
    "compressed": ("failed", "bad_shape"),
    "close": ("failed", "connection"),
    "cut": ("failed", "cut_off"),
    "endless": ("failed", "too_long"),
    "empty_body": ("failed", "not_json"),
    "not_utf8": ("failed", "not_json"),
    "truncated_json": ("failed", "not_json"),
    "html": ("failed", "html"),
    "lost_choices": ("failed", "no_choices"),
    "no_choices": ("failed", "no_choices"),
    "null_content": ("failed", "no_content"),
    "rate_limited": ("failed", "rate_limited"),
    "error_in_200": ("failed", "server_error"),
    "server_error": ("failed", "server_error"),
    "unavailable": ("failed", "server_error"),
    "filtered": ("refused", ""),
    "refusal": ("refused", ""),
    "length": ("truncated", ""),
    "tool_calls": ("unparsable", ""),
    "wrong_schema": ("unparsable", ""),
    "no_usage": ("answered", ""),
    "nul_text": ("answered", ""),
    "prose": ("answered", ""),
}
"""Fault of the server → status of its item, kind of its attempts."""
SLOW = {"drip": "deadline", "hang": "timeout"}
"""Fault that lasts as long as one waits → kind of its attempts."""
STOPS = {
    "quota": "quota",
    "payment": "quota",
    "unauthorised": "unauthorised",
    "forbidden": "unauthorised",
    "echoes_key": "unauthorised",
    "echoes_header": "unauthorised",
    "echoes_partly": "unauthorised",
    "echoes_stars": "unauthorised",
    "not_found": "not_found",
    "redirect": "not_found",
}
"""Fault of the server after which no other request would fare better → kind of its attempt."""


def test_every_fault_of_the_server_is_expected_here() -> None:
    assert set(ENDS) | set(STOPS) | set(SLOW) == set(FAULTS)


def test_every_fault_is_one_items_end_and_the_others_are_answered(store: Store, model_server: RunningServer) -> None:
    faults = sorted(ENDS)
    rules = [{"matches": f"Question {place}:", "fault": fault} for place, fault in enumerate(faults)]
    model_server.play({"rules": rules})
    asked = model(model_server.url, deadline_s=30.0, most_bytes=100_000, concurrency=16)
    run = begin(store, {"m": asked}, len(faults) + 12)
    work(store)
    assert state(store, run.run_id) == (RunState.DONE, "")
    found = rows(
        store,
        "SELECT s.place, i.status, i.attempts, i.fault, i.predicted FROM run_item i"
        " JOIN run_sample s ON s.id = i.sample_id ORDER BY s.place",
    )
    kinds = rows(
        store,
        "SELECT s.place, a.kind, count(*) FROM attempt a JOIN run_item i ON i.id = a.item_id"
        " JOIN run_sample s ON s.id = i.sample_id WHERE a.state = 'error' GROUP BY s.place, a.kind",
    )
    errors = {place: (kind, count) for place, kind, count in kinds}
    for (place, status, attempts, said, predicted), fault in zip(found, faults, strict=False):
        expected, kind = ENDS[fault]
        assert (status, predicted is None) == (expected, expected != "answered"), fault
        if kind:
            assert errors[place] == (kind, ATTEMPTS.get(RequestFault(kind), 1)) == (kind, attempts), fault
            assert said.startswith(f"{kind}: "), fault
        else:
            assert (place not in errors, attempts) == (True, 1), fault
        if fault == "tool_calls":
            assert said.startswith("the model called tools instead of answering; ")
    assert {row[1] for row in found[len(faults) :]} == {"answered"}


def test_an_answer_without_end_is_given_up_at_the_deadline(sqlite_store: Store, model_server: RunningServer) -> None:
    model_server.play({"rules": [{"matches": f"^{fault}", "fault": fault} for fault in SLOW]})
    begin(sqlite_store, {"m": model(model_server.url, deadline_s=0.4)}, questions=list(SLOW))
    work(sqlite_store)
    found = rows(
        sqlite_store,
        "SELECT s.place, i.status, i.attempts, a.kind, count(*) FROM attempt a JOIN run_item i ON i.id = a.item_id"
        " JOIN run_sample s ON s.id = i.sample_id GROUP BY 1, 2, 3, 4 ORDER BY 1",
    )
    assert found == [(0, "failed", 3, "deadline", 3), (1, "failed", 4, "timeout", 4)]


@pytest.mark.both
def test_what_came_in_place_of_a_reply_is_kept_with_its_attempt(store: Store, model_server: RunningServer) -> None:
    model_server.play({"rules": [{"fault": "html"}]})
    begin(store, {"m": model(model_server.url)}, 1)
    work(store)
    (raw, status), *_ = rows(store, "SELECT raw, http_status FROM attempt")
    assert (raw.startswith("<!doctype html>"), status) == (True, 200)
    assert rows(store, "SELECT count(*) FROM reply") == [(0,)]


@pytest.mark.parametrize("fault", sorted(STOPS))
def test_a_run_that_cannot_go_on_stops_at_once_and_says_why(
    sqlite_store: Store, model_server: RunningServer, fault: str
) -> None:
    model_server.play({"latency_ms": 20, "rules": [{"matches": "Question 9:", "fault": fault}]})
    run = begin(sqlite_store, {"m": model(model_server.url, concurrency=4, key_variable="CANARY_API_KEY")}, 100)
    work(sqlite_store)
    end, reason = state(sqlite_store, run.run_id)
    assert (end, reason.startswith("m: "), KEY in reason) == (RunState.STOPPED, True, False)
    assert rows(sqlite_store, "SELECT kind FROM attempt WHERE state = 'error'") == [(STOPS[fault],)]
    counted = statuses(sqlite_store, run.run_id)
    assert set(counted) == {"answered", "pending"}  # what was on its way is kept, the rest can be resumed
    later = "SELECT count(*) FROM attempt WHERE sent_at > (SELECT ended_at FROM attempt WHERE state = 'error')"
    assert rows(sqlite_store, later) == [(0,)]
    assert rows(sqlite_store, "SELECT count(*) FROM attempt WHERE state = 'sent'") == [(0,)]


def test_a_fault_that_passes_is_tried_again_until_the_answer_comes(store: Store, model_server: RunningServer) -> None:
    model_server.play({"rules": [{"share": 0.5, "times": 2, "fault": "server_error"}]})
    run = begin(store, {"m": model(model_server.url)}, 30)
    work(store)
    assert statuses(store, run.run_id) == {"answered": 30}
    tried = dict(rows(store, "SELECT attempts, count(*) FROM run_item GROUP BY attempts"))
    assert set(tried) == {1, 3}
    by_state = dict(rows(store, "SELECT state, count(*) FROM attempt GROUP BY state"))
    assert by_state == {"answered": 30, "error": 2 * tried[3]}
    assert rows(store, "SELECT number, count(*) FROM attempt GROUP BY number ORDER BY number") == [
        (1, 30),
        (2, tried[3]),
        (3, tried[3]),
    ]


@pytest.mark.both(usually=False)
def test_a_failed_item_is_asked_again_when_the_run_is_resumed(store: Store, model_server: RunningServer) -> None:
    model_server.play({"rules": [{"matches": "Question 1:", "fault": "bad_request"}]})
    run = begin(store, {"m": model(model_server.url)}, 4)
    work(store)
    assert statuses(store, run.run_id) == {"answered": 3, "failed": 1}
    assert state(store, run.run_id) == (RunState.DONE, "")
    model_server.play({})
    with store.writing() as session:
        assert runs.set_state(session, run.run_id, RunState.QUEUED, "", now(), only_from=[RunState.DONE])
        assert runs.reopen_failed(session, run.run_id) == 1
        queue_of(store).submit(session, run.run_id, runs.pending_shards(session, run.run_id))
    work(store)
    assert statuses(store, run.run_id) == {"answered": 4}
    assert rows(store, "SELECT max(number) FROM attempt") == [(2,)]


def test_probabilities_of_the_labels_are_kept_where_the_model_gives_them(
    store: Store, model_server: RunningServer
) -> None:
    model_server.play({"rules": [{"matches": "Question 0:", "sign": "+", "chances": {"+": 0.7, "-": 0.2}}]})
    asked = model(model_server.url, parameters={"max_tokens": 50, "logprobs": True, "top_logprobs": 5})
    begin(store, {"m": asked}, 1)
    work(store)
    ((kept,),) = rows(store, "SELECT probabilities FROM run_item")
    found = json.loads(kept) if isinstance(kept, str) else kept
    assert found == {"+": pytest.approx(0.7, abs=1e-6), "-": pytest.approx(0.2, abs=1e-6)}
