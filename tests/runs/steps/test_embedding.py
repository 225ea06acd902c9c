"""Steps that embed: each text is asked for once, its vector stands once in the study, its cost in the ledger."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Mapping
from typing import Any

import pytest

from benchmarks.running_server import RunningServer
from core.messages import text_hash
from core.runs.states import RunState
from protocols import PROTOCOLS
from protocols.step_values import Texts
from runs.endpoint.embeddings import packed
from runs.queues import queue_of
from runs.rescoring import rescore
from store.engine import Store
from store.runs import embeddings, groups, replies, runs
from tests.everything import EVERYTHING
from tests.forking import WORKERS, Forked
from tests.runs.begun import ROOT, fall_silent, model, now, rows, state, statuses, work
from tests.runs.toy_embedding import TOY, begin, texts

TEXTS, LENGTH = (1_000 if EVERYTHING else 60), 3_072
AS_IF_WIDEST = 20
"""Texts of a request to an endpoint of 2,000,000 bytes, while nobody knows how long its vectors are."""
PRICES = {"input": 2.0, "cached": None, "output": 0.0}


@pytest.fixture(autouse=True)
def _toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PROTOCOLS, TOY.name, TOY)  # type: ignore[arg-type]


def embedder(server: RunningServer, name: str = "words", **said: Any) -> dict[str, Any]:
    return model(server.url, name, prices=PRICES, parameters={}, **said)


def asked(server: RunningServer) -> list[int]:
    """How many texts each request held that was answered with vectors."""
    outcomes = [entry["outcome"] for entry in server.log()["entries"]]
    return [int(each.split()[-1]) for each in outcomes if each.startswith("embedding ")]


def made(store: Store) -> list[Mapping[str, Any]]:
    query = "SELECT m.value FROM run_made m JOIN run_group g ON g.id = m.group_id WHERE g.step = 'nearest'"
    found = rows(store, f"{query} ORDER BY g.key, m.place")
    return [json.loads(value) if isinstance(value, str) else value for (value,) in found]


def vectors(store: Store) -> int:
    return int(rows(store, "SELECT count(*) FROM derived WHERE part = 'vector'")[0][0])


@pytest.mark.both(usually=False)
def test_texts_get_vectors_that_the_next_step_reads(store: Store, model_server: RunningServer) -> None:
    given = texts(8, 2, shared=["cause 9 of prices"])
    run_id = begin(store, embedder(model_server), given)
    work(store)
    assert state(store, run_id) == (RunState.DONE, "")
    assert statuses(store, run_id) == {"answered": 2}
    assert sum(asked(model_server)) == vectors(store) == 9  # what two papers share is asked for once
    assert {value["length"] for value in made(store)} == {64}
    assert {value["text"] for value in made(store)} == {f"cause {number} of wages" for number in range(4)}
    kept = rows(store, "SELECT raw, text, tokens_in, cost_usd FROM reply")
    assert all("embedding" not in raw and len(raw) < 200 for raw, *_ in kept)
    tokens, usd = rows(store, "SELECT sum(tokens_in), sum(cost_usd) FROM attempt WHERE state = 'answered'")[0]
    assert tokens > 0
    assert usd == pytest.approx(tokens * 2.0 / 1_000_000)
    assert not rescore(store, run_id).changed
    model_server.forget()
    again = begin(store, embedder(model_server), given)
    work(store)
    assert state(store, again) == (RunState.DONE, "")
    assert model_server.log()["requests"] == 0


def test_letters_need_no_request(sqlite_store: Store, model_server: RunningServer) -> None:
    run_id = begin(sqlite_store, {}, texts(3))
    work(sqlite_store)
    assert state(sqlite_store, run_id) == (RunState.DONE, "")
    assert [value["length"] for value in made(sqlite_store)] == [1024, 1024]
    assert (model_server.log()["requests"], vectors(sqlite_store)) == (0, 0)


@pytest.mark.both(usually=False)
def test_a_kill_has_no_text_asked_for_twice_that_has_its_vector(
    store: Store, model_server: RunningServer, store_url: str
) -> None:
    """Of 3,072 numbers each, at an endpoint of 2,000,000 bytes: batches are cut so that none is too long."""
    model_server.play({"latency_ms": 150})
    run_id = begin(store, embedder(model_server, f"floats:{LENGTH}", concurrency=1), texts(TEXTS))
    command = [sys.executable, "-m", "tests.runs.toy_embedding", store_url]
    process = Forked(WORKERS, command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while vectors(store) < min(TEXTS, 500) // 3:
        assert time.monotonic() < deadline, "nothing was asked"
        time.sleep(0.02)
    process.kill()
    process.wait()
    fall_silent(store)
    kept = vectors(store)
    on_its_way = rows(store, "SELECT count(*) FROM attempt WHERE state = 'sent'")[0][0]
    assert 0 < kept < TEXTS
    model_server.play({})
    work(store)
    assert state(store, run_id) == (RunState.DONE, "")
    assert vectors(store) == TEXTS
    with store.reading() as session:
        resent = replies.resends(session, run_id)
    assert on_its_way <= 1
    assert len(resent) <= on_its_way
    sent = asked(model_server)
    assert set(sent) <= {AS_IF_WIDEST}
    # Nothing twice but what had left at the kill, and of that nobody had the answer.
    assert TEXTS <= sum(sent) <= TEXTS + AS_IF_WIDEST * len(resent)
    assert rows(store, "SELECT DISTINCT state FROM attempt WHERE state <> 'uncertain'") == [("answered",)]
    (spent,) = rows(store, "SELECT sum(tokens_in) FROM attempt")[0]
    said = sum(len(value.value) for value in texts(TEXTS))
    assert said / 4 - len(sent) < spent <= said / 4
    assert {value["length"] for value in made(store)} == {LENGTH}


def test_a_budget_stops_it_and_what_came_is_kept(sqlite_store: Store, model_server: RunningServer) -> None:
    given = embedder(model_server, f"words:{LENGTH}", concurrency=1)
    run_id = begin(sqlite_store, given, texts(60), budget={"usd": None, "tokens": None, "requests": 2})
    work(sqlite_store)
    ended, reason = state(sqlite_store, run_id)
    assert ended is RunState.STOPPED
    assert "2" in reason
    assert "udget" in reason
    assert (model_server.log()["requests"], vectors(sqlite_store)) == (2, 2 * AS_IF_WIDEST)
    assert statuses(sqlite_store, run_id) == {"answered": 2, "pending": 1}


@pytest.mark.parametrize(
    ("name", "most_bytes", "sent", "tries"),
    [
        ("strict:64", 2_000_000, [8], 2),  # base64 is refused: written out then
        ("floats:64", 5_000, [8, 4, 2, 2, 2, 2], 6),  # too long in spite of the cut, which went by a short vector
    ],
)
def test_a_request_that_another_would_do_better_is_cut_otherwise(
    name: str, most_bytes: int, sent: list[int], tries: int, sqlite_store: Store, model_server: RunningServer
) -> None:
    given = embedder(model_server, name, most_bytes=most_bytes, concurrency=1)
    if name.startswith("floats"):
        with sqlite_store.writing() as session:
            where = embeddings.embedder_of(model_server.url, name)
            embeddings.keep(session, [embeddings.row(where, "another text", packed([1.0] * 5), now())])
    run_id = begin(sqlite_store, given, texts(8))
    work(sqlite_store)
    assert asked(model_server) == sent
    assert state(sqlite_store, run_id) == (RunState.DONE, "")
    assert rows(sqlite_store, "SELECT status, attempts FROM run_item") == [("answered", tries)]
    assert {value["length"] for value in made(sqlite_store)} == {64}


def test_a_batch_that_fails_blocks_what_takes_it_until_it_is_asked_again(
    sqlite_store: Store, model_server: RunningServer
) -> None:
    run_id = begin(sqlite_store, embedder(model_server, "fault:empty"), texts(3))
    work(sqlite_store)
    ended, reason = state(sqlite_store, run_id)
    assert ended is RunState.WAITING
    assert reason.startswith("for a blocked group (nearest, p0): loopback/fault:empty failed: ")
    assert statuses(sqlite_store, run_id) == {"failed": 1}
    where = embeddings.embedder_of(model_server.url, "fault:empty")
    model_server.forget()
    with sqlite_store.writing() as session:
        embeddings.keep(
            session, [embeddings.row(where, text_hash(each.value), packed([1.0]), now()) for each in texts(3)]
        )
        runs.reopen_failed(session, run_id)
        groups.reopen_failed(session, run_id)
        runs.set_state(session, run_id, RunState.QUEUED, "", now(), only_from=[RunState.WAITING])
        queue_of(sqlite_store).submit(session, run_id, runs.pending_shards(session, run_id))
    work(sqlite_store)
    assert (state(sqlite_store, run_id), statuses(sqlite_store, run_id)) == ((RunState.DONE, ""), {"answered": 1})
    assert model_server.log()["requests"] == 0  # its texts have their vectors by now


def test_an_embedder_that_the_run_does_not_name_blocks_the_group(
    sqlite_store: Store, model_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TOY, "to_embed", lambda *_: Texts("elsewhere/words", ("wages",)), raising=False)
    run_id = begin(sqlite_store, embedder(model_server), texts(1))
    work(sqlite_store)
    found = rows(sqlite_store, "SELECT reason FROM run_group WHERE step = 'near'")
    assert found == [("Run 1 names no embedder “elsewhere/words”; it has loopback/words.",)]
    assert state(sqlite_store, run_id)[0] is RunState.WAITING


def test_a_blank_text_blocks_its_group_and_says_so(
    sqlite_store: Store, model_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TOY, "to_embed", lambda *_: Texts("loopback/words", ("wages", " ")), raising=False)
    begin(sqlite_store, embedder(model_server), texts(1))
    work(sqlite_store)
    found = rows(sqlite_store, "SELECT state, reason FROM run_group WHERE step = 'near'")
    assert found == [("blocked", "A blank text has no vector; leave it out.")]
    assert model_server.log()["requests"] == 0


def test_vectors_that_differ_in_length_block_what_takes_them(sqlite_store: Store, model_server: RunningServer) -> None:
    given = texts(3)
    with sqlite_store.writing() as session:
        where = embeddings.embedder_of(model_server.url, "words")
        embeddings.keep(session, [embeddings.row(where, text_hash(given[0].value), packed([1.0, 0.0]), now())])
    begin(sqlite_store, embedder(model_server), given)
    work(sqlite_store)
    ((state, reason),) = rows(sqlite_store, "SELECT state, reason FROM run_group WHERE step = 'nearest'")
    assert state == "blocked" and reason.startswith("loopback/words ") and "lengths" in reason
