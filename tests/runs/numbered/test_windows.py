"""A run whose samples are numbered: written window by window, each once, whatever happens between them."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from benchmarks.running_server import RunningServer
from core.runs.states import RunState
from protocols import PROTOCOLS
from runs.numbered import windows
from runs.numbered.made import MadeQuestion, MadeQuestions
from runs.numbered.windows import NumberedRun, advance, numbered_run
from runs.rescoring import rescore
from store.engine import Store
from store.runs import counts, runs
from tests.runs.begun import model, now, rows, state, statuses, work
from tests.runs.toy_numbered import DIFFERENCES, begin

BASELINE: Mapping[str, Any] = {"kind": "baseline", "baseline": "always-plus"}


@pytest.fixture(autouse=True)
def _toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows of 30 items, written when 10 are left."""
    monkeypatch.setitem(PROTOCOLS, DIFFERENCES.name, DIFFERENCES)  # type: ignore[arg-type]
    monkeypatch.setattr("core.runs.windows.WINDOW", 30)
    monkeypatch.setattr(windows, "FEW", 10)


def opened(store: Store, run_id: str) -> NumberedRun:
    with store.reading() as session:
        run = numbered_run(session, runs.run_row(session, run_id))
    assert run is not None
    return run


def next_place(store: Store) -> int | None:
    ((found,),) = rows(store, "SELECT next_place FROM run")
    return found  # type: ignore[no-any-return]


def pending(store: Store, run_id: str) -> dict[str, int]:
    """By model, also what is still to be written."""
    with store.reading() as session:
        found = counts.by_status(session, [run_id])[run_id]
    return {name: said.get("pending", 0) for name, said in found.items()}


@pytest.mark.both(usually=False)
def test_several_models_and_repeats_are_asked_of_every_number_once(store: Store, model_server: RunningServer) -> None:
    one, other = model(model_server.url), model(model_server.url, "scripted:plus")
    run_id = begin(store, {"m": one, "n": other, "plus": BASELINE}, 4, 3, variants=("plain", "terse"), repeats=2)
    assert rows(store, "SELECT count(*) FROM run_sample") == [(0,)]
    assert pending(store, run_id) == {"m": 48, "n": 48, "plus": 24}
    work(store)
    assert state(store, run_id) == (RunState.DONE, "")
    assert statuses(store, run_id) == {"answered": 24 * 5}
    assert rows(store, "SELECT count(*), min(place), max(place) FROM run_sample") == [(24, 0, 23)]
    assert rows(store, "SELECT count(DISTINCT sample_id) FROM run_item") == [(24,)]
    # The messages of a number are told by its slots: no text of a question is kept, only what they are derived of.
    assert rows(store, "SELECT count(*) FROM run_text") == [(1,)]
    ((messages, slots),) = rows(
        store, "SELECT CAST(messages AS TEXT), CAST(slots AS TEXT) FROM run_sample WHERE place = 14"
    )
    assert messages == "[]" and slots == '{"one": "0", "other": "2"}'
    # Scripted answers to two repeats of one question are two requests.
    assert model_server.log()["requests"] == 24 * 4
    assert len({entry["body_sha256"] for entry in model_server.log()["entries"]}) == 24 * 2
    assert pending(store, run_id) == {"m": 0, "n": 0, "plus": 0}
    assert store.check() == []


def test_a_window_holds_so_many_items_and_comes_when_few_are_left(
    sqlite_store: Store, model_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_id = begin(sqlite_store, {"m": model(model_server.url, concurrency=2)}, 7, 10)
    seen: list[tuple[int, int]] = []
    write = runs.add_window

    def watched(session: Any, window: runs.RunWindow) -> tuple[int, ...] | None:
        ((left,),) = session.execute(runs.select(runs.func.count()).where(runs.ITEM.c.status == "pending"))
        seen.append((left, len(window.items)))
        return write(session, window)

    monkeypatch.setattr(runs, "add_window", watched)
    work(sqlite_store)
    assert statuses(sqlite_store, run_id) == {"answered": 70}
    assert [items for _left, items in seen] == [30] * 2 + [10]
    assert all(left < 10 for left, _items in seen)


@pytest.mark.both
def test_a_window_is_written_once_whoever_tries(store: Store, model_server: RunningServer) -> None:
    run_id = begin(store, {"m": model(model_server.url)}, 10, 10)
    run = opened(store, run_id)
    together = threading.Barrier(2)
    reading = type(run.protocol).samples

    class Met(type(DIFFERENCES)):  # type: ignore[misc]
        def samples(self, *given: Any) -> Any:
            made = reading(self, *given)
            together.wait(20)
            return made

    two = [threading.Thread(target=advance, args=(store, replace(run, protocol=Met()))) for _ in range(2)]
    for each in two:
        each.start()
    for each in two:
        each.join()
    assert rows(store, "SELECT count(*), max(place) FROM run_sample") == [(30, 29)]
    assert next_place(store) == 30
    assert advance(store, run)  # enough is there
    assert next_place(store) == 30


def test_a_question_is_made_once_by_whoever_wrote_its_window_and_again_by_another(
    sqlite_store: Store, model_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Counter[str]()
    next_ = type(DIFFERENCES).next

    def counted(toy: Any, sample: Any, prompts: Any, so_far: Any) -> Any:
        made[sample.key] += not so_far
        return next_(toy, sample, prompts, so_far)

    monkeypatch.setattr(type(DIFFERENCES), "next", counted)
    run_id = begin(sqlite_store, {"m": model(model_server.url), "n": model(model_server.url, "scripted:plus")}, 4, 10)
    assert advance(sqlite_store, opened(sqlite_store, run_id))  # by a worker that has ended
    assert len(made) == 15
    work(sqlite_store)
    assert statuses(sqlite_store, run_id) == {"answered": 80}
    assert set(Counter(made.values()).items()) == {(3, 15), (1, 25)}  # by the shard of either model
    wrong = "SELECT count(*) FROM run_item LEFT JOIN reply USING (request_hash) WHERE reply.request_hash IS NULL"
    assert rows(sqlite_store, wrong) == [(0,)]  # each was asked as its window had hashed it
    assert model_server.log()["requests"] == 80


def test_of_too_many_questions_the_newest_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runs.numbered.made.MOST", 3)
    made = MadeQuestions()
    for number in range(5):
        made.keep([(str(number), MadeQuestion((), f"hash {number}"))])
    found = [made.take(str(number)) for number in range(5)]
    assert [each and each.request_hash for each in found] == [None, None, "hash 2", "hash 3", "hash 4"]
    assert made.take("4") is None


def test_a_run_at_rest_is_not_written_on_and_goes_on_where_it_was(
    sqlite_store: Store, model_server: RunningServer
) -> None:
    run_id = begin(sqlite_store, {"m": model(model_server.url)}, 10, 10)
    run = opened(sqlite_store, run_id)
    with sqlite_store.writing() as session:
        runs.set_state(session, run_id, RunState.PAUSED, "", now(), only_from=[RunState.QUEUED])
    assert advance(sqlite_store, run)
    assert next_place(sqlite_store) == 0
    work(sqlite_store)
    assert (next_place(sqlite_store), pending(sqlite_store, run_id)) == (0, {"m": 100})
    with sqlite_store.writing() as session:
        runs.set_state(session, run_id, RunState.QUEUED, "", now(), only_from=[RunState.PAUSED])
    work(sqlite_store)
    assert (state(sqlite_store, run_id), next_place(sqlite_store)) == ((RunState.DONE, ""), None)


@pytest.mark.both(usually=False)
def test_a_budget_stops_it_between_windows_and_more_of_it_takes_it_to_the_end(
    store: Store, model_server: RunningServer
) -> None:
    budget = {"usd": None, "tokens": None, "requests": 25}
    run_id = begin(store, {"m": model(model_server.url)}, 5, 10, budget=budget)
    work(store)
    now_in, why = state(store, run_id)
    assert now_in is RunState.STOPPED and "25" in why
    assert pending(store, run_id) == {"m": 25}
    with store.writing() as session:
        row = runs.run_row(session, run_id)
        row.settings = {**row.settings, "budget": {**budget, "requests": None}}
        session.add(row)
        session.flush()
        runs.set_state(session, run_id, RunState.QUEUED, "", now(), only_from=[RunState.STOPPED])
        windows.queue_of(store).submit(session, run_id, runs.pending_shards(session, run_id))
    work(store)
    assert (state(store, run_id), statuses(store, run_id)) == ((RunState.DONE, ""), {"answered": 50})
    assert model_server.log()["requests"] == 50


def test_a_model_that_refuses_everything_does_not_hold_up_the_next_window(
    sqlite_store: Store, model_server: RunningServer
) -> None:
    model_server.play({"rules": [{"model": "scripted:plus", "fault": "bad_request"}]})
    refuses = model(model_server.url, "scripted:plus")
    run_id = begin(sqlite_store, {"m": model(model_server.url), "n": refuses}, 10, 10)
    work(sqlite_store)
    assert state(sqlite_store, run_id)[0] is RunState.STOPPED
    with sqlite_store.reading() as session:
        found = counts.by_status(session, [run_id])[run_id]
    assert found["m"] == {"answered": 100}
    assert found["n"]["pending"] > 80


def test_what_is_too_long_for_a_model_is_left_out_of_each_window(
    sqlite_store: Store, model_server: RunningServer
) -> None:
    run_id = begin(sqlite_store, {"m": model(model_server.url, context_length=5)}, 10, 10)
    work(sqlite_store)
    assert (state(sqlite_store, run_id)[0], statuses(sqlite_store, run_id)) == (RunState.DONE, {"excluded": 100})


def test_numbers_of_another_version_are_not_gone_on_with(
    sqlite_store: Store, model_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_id = begin(sqlite_store, {"m": model(model_server.url)}, 10, 10)
    assert advance(sqlite_store, opened(sqlite_store, run_id))
    monkeypatch.setattr(DIFFERENCES, "version", "differences-2", raising=False)
    work(sqlite_store)
    now_in, why = state(sqlite_store, run_id)
    assert now_in is RunState.STOPPED
    assert "protocol version differences-1; this Edgewise has differences-2" in why
    assert model_server.log()["requests"] == 0


def test_a_protocol_that_leaves_a_number_out_stops_the_run(
    sqlite_store: Store, model_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = type(DIFFERENCES).samples
    monkeypatch.setattr(DIFFERENCES, "samples", lambda *given: whole(DIFFERENCES, *given[:3], 1, 5), raising=False)
    run_id = begin(sqlite_store, {"m": model(model_server.url)}, 10, 10)
    work(sqlite_store)
    now_in, why = state(sqlite_store, run_id)
    assert now_in is RunState.STOPPED and "samples 0 to 29: 5 were made, 30 are right" in why
    assert next_place(sqlite_store) == 0


def test_a_reply_to_what_would_be_asked_otherwise_now_is_not_read_again(
    sqlite_store: Store, model_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That a message made again is the one that was sent is proved by the hash of its request."""
    run_id = begin(sqlite_store, {"m": model(model_server.url), "plus": BASELINE}, 4, 4)
    work(sqlite_store)
    found = rescore(sqlite_store, run_id)
    assert (found.looked_at, found.changed, found.left) == (32, (), 0)
    monkeypatch.setattr("tests.runs.toy_numbered.WORDS", {"plain": "Say it in other words."})
    found = rescore(sqlite_store, run_id)
    assert (found.looked_at, found.changed, found.left) == (32, (), 16)
