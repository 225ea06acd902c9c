"""Runs in the store: begun whole, in shards of one model, steered from the states they may leave."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy.event import listen

from core.errors import Missing
from core.messages import message
from core.runs.budget import Spending
from core.runs.states import RunState
from runs import item_outcomes
from store.engine import Store
from store.runs import counts, replies, runs
from store.runs import items as run_items
from store.runs.finishing import finish
from store.runs.runs import NewItem, NewRun, NewSample
from tests.runs.begun import now, rows

pytestmark = pytest.mark.both

HASH = "0" * 63


@pytest.fixture
def store(store_url: str) -> Iterator[Store]:
    opened = Store(store_url)
    yield opened
    opened.close()


def sample(number: int, *, text: str = "") -> NewSample:
    messages = (message("system", "The same for all."), message("user", text or f"Question {number}"))
    facts = {"year": 2000, "jel": ["C", "D"], "word": "Ä ∂"}
    return NewSample(
        task="task1",
        variant="context",
        key=f"key {number}",
        sample_hash=f"hash {number}",
        answer="+",
        facts=facts,
        messages=messages,
        prompt="prompt",
        prompt_hash="abc",
    )


def test_a_sample_keeps_its_step_its_subject_and_a_truth_that_is_no_label(store: Store) -> None:
    whole = replace(sample(0), answer=None, truth={"edges": [["Ä", "b"]]}, slots={"n": "7"}, step="judge")
    whole = replace(whole, subject=("figure", "f1"), labels={"jel": ("H", "C")})
    run = NewRun(title="", protocol="none", protocol_version="1", settings={}, manifest={}, created_by="terminal")
    with store.writing() as session:
        items = [NewItem(0, "m"), NewItem(1, "m")]
        run_id = runs.insert_run(session, run, [whole, sample(1)], items, now()).run_id
    with store.reading() as session:
        first, second = (each.sample for each in run_items.open_items(session, run_id, 0))
    assert (first.step, first.subject, first.answer) == ("judge", ("figure", "f1"), None)
    assert (first.truth, first.slots) == ({"edges": [["Ä", "b"]]}, {"n": "7"})
    assert (second.step, second.subject, second.answer) == ("ask", None, "+")
    assert second.truth is None and second.slots is None
    asked = item_outcomes.sample_of(first)
    assert (asked.truth, asked.slots, asked.step, asked.subject) == (first.truth, {"n": "7"}, "judge", first.subject)
    nulls = "SELECT count(*) FROM run_sample WHERE truth IS NULL AND slots IS NULL"
    assert rows(store, nulls) == [(1,)], "no JSON null"


def begin(store: Store, samples: int, items: list[NewItem], title: str = "One") -> runs.Inserted:
    run = NewRun(
        title=title,
        protocol="econcausal",
        protocol_version="1",
        settings={"a": [1]},
        manifest={"b": 2},
        created_by="terminal",
    )
    with store.writing() as session:
        return runs.insert_run(session, run, [sample(number) for number in range(samples)], items, now())


def test_a_run_is_kept_whole_and_runs_are_numbered(store: Store) -> None:
    first = begin(store, 3, [NewItem(number, "m", request_hash=f"{HASH}{number}") for number in range(3)])
    second = begin(store, 1, [NewItem(0, "m")])
    assert (first.number, second.number, first.shards) == (1, 2, (0,))
    with store.reading() as session:
        row = runs.run_row(session, first.run_id)
        assert (row.state, row.settings, row.manifest, row.version) == ("queued", {"a": [1]}, {"b": 2}, 1)
        kept = runs.samples(session, first.run_id)
        assert [(each.place, each.key, each.facts["word"]) for each in kept] == [
            (place, f"key {place}", "Ä ∂") for place in range(3)
        ]
        said = runs.texts(session, [text_hash for each in kept for _, text_hash in each.messages])
        assert [tuple(said[text_hash] for _, text_hash in each.messages) for each in kept] == [
            ("The same for all.", f"Question {place}") for place in range(3)
        ]
        assert [each.number for each in runs.runs(session)] == [2, 1]
    assert rows(store, "SELECT count(*) FROM run_text") == [(4,)]  # three questions, and one text of all
    with store.reading() as session, pytest.raises(Missing):
        runs.run_row(session, "no such run")


def test_shards_hold_a_hundred_items_of_one_model_and_the_models_take_turns(store: Store) -> None:
    items = [NewItem(number, name) for name in ("a", "b") for number in range(230)]
    run = begin(store, 230, items)
    assert run.shards == (0, 3, 1, 4, 2, 5)
    sizes = rows(store, "SELECT shard, count(*), count(DISTINCT model) FROM run_item GROUP BY shard ORDER BY shard")
    assert sizes == [(0, 100, 1), (1, 100, 1), (2, 30, 1), (3, 100, 1), (4, 100, 1), (5, 30, 1)]


def test_of_a_shard_nothing_is_read_but_its_own_items(store: Store) -> None:
    """Else a worker reads every pending item of a run as often as the run has shards."""
    run = begin(store, 230, [NewItem(number, "m") for number in range(230)])
    if not store.is_sqlite:
        return  # it has statistics to go by
    said: list[tuple[str, Any]] = []
    with store.reading() as session:
        engine = session.get_bind()
        listen(engine, "before_cursor_execute", lambda _c, _cursor, text, given, *_: said.append((text, given)))
        assert len(run_items.open_items(session, run.run_id, 2)) == 30
        asked, said = said, []
        plans = [
            session.connection().exec_driver_sql(f"EXPLAIN QUERY PLAN {text}", given).all() for text, given in asked
        ]
    steps = [row[3] for plan in plans for row in plan if "run_item" in row[3]]
    assert steps == ["SEARCH run_item USING INDEX ix_run_item_run_id_shard (run_id=? AND shard=?)"] * 2


def test_what_is_not_asked_has_its_reason_and_is_in_no_open_shard(store: Store) -> None:
    left_out = NewItem(1, "m", status="excluded", fault="no example")
    run = begin(store, 2, [NewItem(0, "m"), left_out])
    with store.reading() as session:
        (one,) = run_items.open_items(session, run.run_id, 0)
        assert (one.model, one.sample.key, one.sent) == ("m", "key 0", {})
        assert counts.by_status(session, [run.run_id]) == {run.run_id: {"m": {"pending": 1, "excluded": 1}}}
    only_excluded = begin(store, 2, [left_out])
    assert only_excluded.shards == ()
    with store.writing() as session:
        assert finish(session, only_excluded.run_id, now())
        assert not finish(session, run.run_id, now())


def test_a_run_moves_only_from_the_states_it_may_leave_and_keeps_when_it_began(store: Store) -> None:
    run = begin(store, 1, [NewItem(0, "m")])
    began = now()
    with store.writing() as session:
        queued = [RunState.QUEUED]
        assert runs.set_state(session, run.run_id, RunState.RUNNING, "", began, only_from=queued)
        assert not runs.set_state(session, run.run_id, RunState.RUNNING, "", began, only_from=queued)
        later = began + timedelta(hours=1)
        assert runs.set_state(session, run.run_id, RunState.STOPPED, "why", later, only_from=[RunState.RUNNING])
    with store.reading() as session:
        row = runs.run_row(session, run.run_id)
        assert (row.state, row.reason, row.version) == ("stopped", "why", 3)
        assert (row.started_at, row.finished_at) == (began, later)
        assert runs.open_runs(session) == {}
    with store.writing() as session:
        runs.set_state(session, run.run_id, RunState.QUEUED, "", later, only_from=[RunState.STOPPED])
    with store.reading() as session:
        row = runs.run_row(session, run.run_id)
        assert (row.reason, row.started_at, row.finished_at) == ("", began, None)
        assert runs.open_runs(session) == {run.run_id: runs.OpenRun(RunState.QUEUED, 4)}


def attempt(run_id: str, item_id: str, number: int, state: str, **said: object) -> dict[str, object]:
    return {
        "id": f"{item_id}/{number}",
        "run_id": run_id,
        "item_id": item_id,
        "request_hash": f"{HASH}1",
        "number": number,
        "endpoint": "e",
        "model": "m",
        "worker_id": "w",
        "state": state,
        "kind": "",
        "message": "",
        "sent_at": now(),
        "tokens_in": None,
        "tokens_out": None,
        "cost_usd": None,
        "most_tokens": 7,
        "most_usd": 0.1,
        **said,
    }


def test_progress_counts_every_item_and_every_attempt(store: Store) -> None:
    run = begin(store, 5, [NewItem(number, "m", request_hash=f"{HASH}{number}") for number in range(5)])
    ids = [row[0] for row in rows(store, "SELECT id FROM run_item ORDER BY id")]
    moment = now()
    with store.writing() as session:
        replies.begin_worker(session, "w", "here", 1, moment)
        replies.insert_attempts(
            session,
            [
                attempt(run.run_id, ids[0], 1, "answered", tokens_in=10, tokens_out=5, cost_usd=0.25),
                attempt(run.run_id, ids[1], 1, "error", kind="timeout", message="first"),
                attempt(run.run_id, ids[1], 2, "error", kind="timeout", message="newest"),
                attempt(run.run_id, ids[2], 1, "uncertain"),
                attempt(run.run_id, ids[2], 2, "answered"),
                attempt(run.run_id, ids[3], 1, "sent"),
            ],
        )
        done = {"predicted": "+", "done_at": moment, "was_cached": False}
        run_items.settle(session, [{"item": ids[0], "status": "answered", **done}])
        run_items.settle(session, [{"item": ids[4], "status": "answered", **done, "was_cached": True}])
        run_items.count_attempts(session, [{"item": ids[1], "attempts": 2}])
    with store.reading() as session:
        facts = counts.progress_facts(session, run.run_id, moment - timedelta(seconds=60))
        assert facts.by_status == {"m": {"pending": 3, "answered": 2}}
        assert (facts.retrying, facts.cached, facts.in_flight) == (1, 1, 1)
        assert (facts.answered_since, facts.cached_since, facts.requests) == (2, 1, 6)
        assert (facts.tokens_in, facts.tokens_out, facts.cost_usd, facts.without_cost) == (10, 5, 0.25, 1)
        assert (facts.uncertain, facts.resends) == (1, 1)
        assert [(each.kind, each.count, each.example) for each in facts.errors] == [("timeout", 2, "newest")]
        spent = replies.spent(session, run.run_id, "another", ["quota"])
        assert spent[0] == Spending()
        assert spent[1] == Spending(6, 15, 0.25, held=5, held_tokens=35, held_usd=0.5)
        assert replies.spent(session, run.run_id, "w", ["timeout"])[0].held == 3
        later = counts.progress_facts(session, run.run_id, moment + timedelta(seconds=1))
        assert (later.answered_since, later.cached_since) == (0, 0)


def test_a_second_sending_is_listed_whichever_run_sent_first(store: Store) -> None:
    first = begin(store, 1, [NewItem(0, "m")])
    second = begin(store, 1, [NewItem(0, "m")], "Two")
    items = dict(rows(store, "SELECT run_id, id FROM run_item"))
    with store.writing() as session:
        replies.begin_worker(session, "w", "here", 1, now())
        replies.insert_attempts(
            session,
            [
                attempt(first.run_id, items[first.run_id], 1, "uncertain", id="1"),
                attempt(second.run_id, items[second.run_id], 1, "error", id="2"),
                attempt(second.run_id, items[second.run_id], 2, "answered", id="3"),
            ],
        )
    with store.reading() as session:
        assert replies.resends(session, first.run_id) == ()
        (again,) = replies.resends(session, second.run_id)
        assert (again.first_attempt_id, again.attempt_id) == ("1", "2")  # the third is a plain second try


def test_what_another_worker_left_of_items_that_are_taken_over_is_uncertain_and_its_second_sending_listed(
    store: Store,
) -> None:
    run = begin(store, 2, [NewItem(0, "m"), NewItem(1, "m")])
    ids = [row[0] for row in rows(store, "SELECT id FROM run_item ORDER BY id")]
    with store.writing() as session:
        for worker in ("w", "me"):
            replies.begin_worker(session, worker, "here", 1, now())  # neither has stopped
        left = attempt(run.run_id, ids[0], 1, "sent", id="1")
        others = attempt(run.run_id, ids[1], 1, "sent", id="2")
        mine = attempt(run.run_id, ids[0], 2, "sent", id="3", worker_id="me")
        replies.insert_attempts(session, [left, others, mine])
        assert replies.mark_uncertain(session, now()) == 0
        assert replies.mark_left(session, [ids[0]], "me", now()) == 1
    assert rows(store, "SELECT id, state FROM attempt ORDER BY id") == [
        ("1", "uncertain"),
        ("2", "sent"),
        ("3", "sent"),
    ]
    with store.reading() as session:
        assert [each.attempt_id for each in replies.resends(session, run.run_id)] == ["2"]


def test_failed_items_are_opened_again_and_no_others(store: Store) -> None:
    run = begin(store, 3, [NewItem(number, "m") for number in range(3)])
    ids = [row[0] for row in rows(store, "SELECT id FROM run_item ORDER BY id")]
    with store.writing() as session:
        run_items.settle(session, [{"item": ids[0], "status": "failed", "fault": "why", "done_at": now()}])
        run_items.settle(session, [{"item": ids[1], "status": "unparsable", "fault": "what", "done_at": now()}])
        assert runs.pending_shards(session, run.run_id) == (0,)
        assert runs.reopen_failed(session, run.run_id) == 1
    assert rows(store, "SELECT status, fault FROM run_item ORDER BY id") == [
        ("pending", ""),
        ("unparsable", "what"),
        ("pending", ""),
    ]


def test_texts_and_cached_hashes_are_looked_up_beyond_one_question_to_the_database(store: Store) -> None:
    words = [f"text {number}" for number in range(1200)]
    with store.writing() as session:
        runs.keep_texts(session, words)
        runs.keep_texts(session, words[:10])  # kept already
    hashes = [row[0] for row in rows(store, "SELECT hash FROM run_text")]
    with store.reading() as session:
        assert sorted(runs.texts(session, hashes).values()) == sorted(words)
        assert runs.cached_hashes(session, hashes) == set()
