"""A run of several steps from its first group to its last: what is begun when, what blocks, and what people hold up."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import text

from benchmarks.running_server import RunningServer
from core.errors import BadInput
from core.runs.states import RunState
from core.steps import GroupState, Step
from protocols import PROTOCOLS
from protocols.step_values import Making, StepOutput
from runs.queues import queue_of
from runs.steps import group_progress, making_child
from runs.steps.group_start import worked_out
from runs.steps.inputs import read_inputs
from runs.steps.stepped_run import SteppedRun, stepped_run
from runs.worker import Worker
from store.engine import Store
from store.runs import groups, runs
from tests.everything import EVERYTHING
from tests.in_process_steps import IN_A_CHILD
from tests.runs import toy_protocol
from tests.runs.begun import HURRIED, model, now, rows, state, statuses, work
from tests.runs.toy_protocol import REPEATS, TOY, begin, texts, told

TEXTS = 40


@pytest.fixture(autouse=True)
def _toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PROTOCOLS, TOY.name, TOY)  # type: ignore[arg-type]


@pytest.fixture
def _no_child(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps over the whole run are worked out here: a child of its own is a second each."""

    async def begin_here(place: str, run_id: str, group_id: str) -> None:
        await asyncio.to_thread(group_progress.begin, store, opened(store, run_id), group_id, now())

    monkeypatch.setattr(making_child, "begin", begin_here)


def states(store: Store) -> dict[str, Counter[str]]:
    found: dict[str, Counter[str]] = {}
    for step, said in rows(store, "SELECT step, state FROM run_group"):
        found.setdefault(step, Counter())[said] += 1
    return found


def decide(store: Store, run_id: str) -> None:
    """As a person who upholds everything."""
    with store.writing() as session:
        groups_of_people = "SELECT id FROM run_group WHERE state = 'deciding'"
        query = f"UPDATE run_made SET ruling = :said WHERE group_id IN ({groups_of_people})"
        session.execute(text(query), {"said": json.dumps({"value": "upheld"})})
        runs.set_state(session, run_id, RunState.QUEUED, "", now(), only_from=[RunState.WAITING])
        queue_of(store).submit(session, run_id, ())


@pytest.mark.both(usually=False)
@pytest.mark.usefixtures("_no_child")
def test_a_run_goes_through_its_steps_waits_for_people_and_ends(store: Store, model_server: RunningServer) -> None:
    run_id = begin(store, model(model_server.url), texts(TEXTS))
    work(store)
    assert state(store, run_id) == (RunState.WAITING, "for people to decide 1 group of step rule")
    assert states(store) == {
        "texts": {"done": TEXTS},
        "ask": {"done": TEXTS},
        "label": {"done": TEXTS},
        "order": {"done": 1},
        "again": {"done": TEXTS},
        "rule": {"deciding": 1},
    }
    assert statuses(store, run_id) == {"answered": TEXTS * REPEATS * 2}
    assert model_server.log()["requests"] == TEXTS * REPEATS * 2
    asked = dict(rows(store, "SELECT model, count(*) FROM run_item GROUP BY model"))
    assert asked == {"m": TEXTS * REPEATS, "j": TEXTS * REPEATS}
    sizes = rows(store, "SELECT count(*) FROM run_item i JOIN run_sample s ON s.id = i.sample_id GROUP BY s.group_id")
    assert set(sizes) == {(REPEATS,)}
    divided = "SELECT s.group_id FROM run_item i JOIN run_sample s ON s.id = i.sample_id GROUP BY s.group_id"
    assert rows(store, f"{divided} HAVING count(DISTINCT i.shard) > 1") == []
    work(store)  # a worker finds nothing to do
    decide(store, run_id)
    work(store)
    assert state(store, run_id) == (RunState.DONE, "")
    acts = [row[0] for row in rows(store, "SELECT act FROM event ORDER BY seq")]
    assert acts == ["run.hold", "run.finish"]
    assert store.check() == []


@pytest.mark.skipif(not EVERYTHING, reason="the twin and the killed run of tests/runs/test_kills.py have such a child")
def test_a_step_over_the_whole_run_is_worked_out_by_a_child(
    sqlite_store: Store, model_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(making_child, "begin", IN_A_CHILD)
    monkeypatch.setattr(making_child, "COMMAND", toy_protocol.COMMAND)
    monkeypatch.setattr(TOY, "make", only_of("label"), raising=False)
    run_id = begin(sqlite_store, model(model_server.url), texts(2))
    work(sqlite_store)
    assert state(sqlite_store, run_id)[0] is RunState.WAITING
    assert states(sqlite_store)["order"] == {"done": 1}


def only_of(name: str) -> Callable[..., Making]:
    """`make` in this process, which does no other step."""
    original = TOY.make

    def make(step: Step, *given: Any) -> Making:
        assert step.name == name
        return original(step, *given)

    return make


ONE_FAILS = {"rules": [{"matches": r"number 7\.$", "fault": "bad_request", "times": 1}]}


@pytest.mark.both(usually=False)
@pytest.mark.usefixtures("_no_child")
def test_a_failed_item_blocks_what_takes_it_until_it_is_asked_again(store: Store, model_server: RunningServer) -> None:
    model_server.play(ONE_FAILS)
    run_id = begin(store, model(model_server.url), texts(10))
    work(store)
    assert states(store)["label"] == {"done": 9, "blocked": 1}
    assert "order" not in states(store)  # it waits for all labels
    ((key, reason),) = rows(store, "SELECT key, reason FROM run_group WHERE state = 'blocked'")
    assert key == "p07"
    assert re.fullmatch(r"repeat [123] of 3 failed: .*[^.]", reason), reason
    now_in, why = state(store, run_id)
    assert (now_in, why) == (RunState.WAITING, f"for a blocked group (label, p07): {reason}")
    sent = model_server.log()["requests"]
    work(store)
    assert model_server.log()["requests"] == sent
    retry(store, run_id)
    assert states(store)["ask"] == {"done": 9, "open": 1}
    work(store)
    assert states(store)["rule"] == {"deciding": 1}
    assert model_server.log()["requests"] == sent + 1 + 10 * REPEATS
    model_server.play({})
    other = begin(store, model(model_server.url), texts(10))
    work(store)
    assert told(store, run_id) == told(store, other)


def retry(store: Store, run_id: str) -> None:
    """As `services.runs.acts.retry_failed` does."""
    with store.writing() as session:
        assert runs.reopen_failed(session, run_id) == 1
        groups.reopen_failed(session, run_id)
        runs.set_state(session, run_id, RunState.QUEUED, "", now(), only_from=[RunState.WAITING])
        queue_of(store).submit(session, run_id, runs.pending_shards(session, run_id))


def test_why_a_group_is_blocked_is_said_in_the_words_of_what_failed(
    sqlite_store: Store, model_server: RunningServer
) -> None:
    run_id = begin(sqlite_store, model(model_server.url), texts(1))
    run = opened(sqlite_store, run_id)
    group_progress.advance(sqlite_store, run, now())
    plant = "UPDATE run_item SET status = :status, fault = :fault WHERE repeat = :repeat"
    with sqlite_store.writing() as session:
        for repeat, status in enumerate(("answered", "failed", "unparsable")):
            fault = "rate_limited: The provider asks for fewer requests." if status == "failed" else ""
            session.execute(text(plant), {"status": status, "fault": fault, "repeat": repeat})
    group_progress.advance(sqlite_store, run, now())
    found = rows(sqlite_store, "SELECT state, reason FROM run_group WHERE step = 'label'")
    ((state, reason),) = found
    assert state == "blocked" and reason.startswith("repeat 2 of 3 ") and reason.endswith("fewer requests")


@pytest.mark.parametrize(
    ("statuses", "state", "reason"),
    [
        (("answered", "unparsable", "answered"), "done", "1 of 3 answers left out: 1 unparsable"),
        (("refused", "unparsable", "refused"), "done", "3 of 3 answers left out: 2 refused, 1 unparsable"),
    ],
)
def test_answers_that_cannot_be_read_are_left_out_and_nothing_is_made_of_none(
    statuses: tuple[str, ...], state: str, reason: str, sqlite_store: Store, model_server: RunningServer
) -> None:
    run_id = begin(sqlite_store, model(model_server.url), texts(1))
    run = opened(sqlite_store, run_id)
    group_progress.advance(sqlite_store, run, now())
    with sqlite_store.writing() as session:
        for repeat, status in enumerate(statuses):
            query = text("UPDATE run_item SET status = :status, parsed = :parsed WHERE repeat = :repeat")
            read = json.dumps({"predicted_sign": "+"}) if status == "answered" else None
            session.execute(query, {"status": status, "parsed": read, "repeat": repeat})
    group_progress.advance(sqlite_store, run, now())
    assert rows(sqlite_store, "SELECT state, reason FROM run_group WHERE step = 'label'") == [(state, reason)]
    made = rows(
        sqlite_store, "SELECT m.value FROM run_made m JOIN run_group g ON g.id = m.group_id WHERE step = 'label'"
    )
    answered = statuses.count("answered")
    assert [json.loads(value) for (value,) in made] == ([{"label": "+", "of": answered}] if answered else [])


@pytest.mark.both
def test_what_is_done_twice_changes_nothing(store: Store, model_server: RunningServer) -> None:
    """Two workers that find the same groups to begin, and one that is late."""
    run_id = begin(store, model(model_server.url), texts(4))
    run = opened(store, run_id)
    with store.reading() as session:
        flow = run.flow(session)
        waiting = groups.of_run(session, run_id, [GroupState.WAITING])
        begun = [worked_out(session, run, each, read_inputs(session, run, flow, each)) for each in waiting]
    assert len(begun) == 4
    group_progress._write(store, run, begun[:2], now())
    before = told(store, run_id)
    group_progress._write(store, run, begun[:2], now())
    assert told(store, run_id) == before
    group_progress._write(store, run, begun, now())
    assert group_progress.advance(store, run, now()) == []
    assert statuses(store, run_id) == {"pending": 4 * REPEATS}
    assert rows(store, "SELECT count(*) FROM run_group") == [(8,)]


def test_two_workers_on_one_run_make_and_ask_nothing_twice(
    postgresql_url: str, sqlite_store: Store, model_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, count = Store(postgresql_url), 6
    model_server.play({"latency_ms": 10})

    async def begin_here(place: str, run_id: str, group_id: str) -> None:
        where = store if place == store.url else sqlite_store
        await asyncio.to_thread(group_progress.begin, where, opened(where, run_id), group_id, now())

    async def together() -> list[int]:
        pace = replace(HURRIED, at_once=1)
        workers = [Worker(store, clock=now, pace=pace) for _ in range(2)]
        return await asyncio.gather(*(each.run(is_once=True) for each in workers))

    monkeypatch.setattr(making_child, "begin", begin_here)
    monkeypatch.setattr("store.runs.runs.SHARD", 6)  # so that there is something to share
    run_id = begin(store, model(model_server.url), texts(count))
    assert asyncio.run(together()) == [0, 0]
    assert states(store)["rule"] == {"deciding": 1}
    assert model_server.log()["requests"] == count * REPEATS * 2
    assert len(rows(store, "SELECT DISTINCT worker_id FROM attempt")) == 2
    alone = begin(sqlite_store, model(model_server.url), texts(count))
    work(sqlite_store)
    assert told(store, run_id) == told(sqlite_store, alone)
    store.close()


def test_inputs_of_which_nothing_can_be_asked_block_their_group_only(
    sqlite_store: Store, model_server: RunningServer
) -> None:
    run_id = begin(sqlite_store, model(model_server.url), texts(5, refused=[3]))
    work(sqlite_store)
    found = rows(sqlite_store, "SELECT step, key, reason FROM run_group WHERE state = 'blocked'")
    assert found == [("ask", "p03", "The text of p03 is none.")]
    assert states(sqlite_store)["label"] == {"done": 4}
    assert state(sqlite_store, run_id)[0] is RunState.WAITING


@pytest.mark.parametrize(
    ("made", "why"),
    [
        (
            StepOutput("elsewhere", 1),
            "step label, group p00: a value was made for the group “elsewhere”; expected “p00”",
        ),
        (StepOutput("p00", 1, rests_on=("none",)), "a value rests on “none”, which the group did not take"),
        (StepOutput("p00", float("nan")), "a value was made that is not JSON"),
    ],
)
def test_a_step_that_gives_what_none_may_stops_the_run(
    made: StepOutput, why: str, sqlite_store: Store, model_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TOY, "make", lambda *_: Making((made,)), raising=False)
    run_id = begin(sqlite_store, model(model_server.url), texts(1))
    work(sqlite_store)
    ended, reason = state(sqlite_store, run_id)
    assert (ended, why in reason) == (RunState.STOPPED, True), reason
    assert states(sqlite_store)["label"] == {"waiting": 1}


def test_a_fault_within_a_step_stops_the_run_and_names_it(
    sqlite_store: Store, model_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TOY, "make", lambda *_: {}["nothing"], raising=False)
    run_id = begin(sqlite_store, model(model_server.url), texts(1))
    work(sqlite_store)
    reason = "A fault in Edgewise: RuntimeError: step label, group p00: KeyError: 'nothing'"
    assert state(sqlite_store, run_id) == (RunState.STOPPED, reason)


def test_a_child_that_fails_stops_the_run_with_its_words(
    sqlite_store: Store, model_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(making_child, "begin", IN_A_CHILD)
    monkeypatch.setattr(making_child, "COMMAND", [sys.executable, "-c", "raise SystemExit('no room')"])
    run_id = begin(sqlite_store, model(model_server.url), texts(1))
    work(sqlite_store)
    reason = "A step over the whole run could not be worked out: no room"
    assert state(sqlite_store, run_id) == (RunState.STOPPED, reason)


def test_a_run_that_is_paused_begins_no_group(sqlite_store: Store, model_server: RunningServer) -> None:
    run_id = begin(sqlite_store, model(model_server.url), texts(2))
    run = opened(sqlite_store, run_id)
    with sqlite_store.writing() as session:
        runs.set_state(session, run_id, RunState.PAUSED, "", now(), only_from=[RunState.QUEUED])
    assert group_progress.advance(sqlite_store, run, now()) == []
    assert states(sqlite_store)["ask"] == {"waiting": 2}


def test_sources_are_those_that_the_steps_take(sqlite_store: Store, model_server: RunningServer) -> None:
    with pytest.raises(BadInput, match=r"texts; .* graphs"):
        begin(sqlite_store, model(model_server.url), texts(1), source="graphs")


def opened(store: Store, run_id: str) -> SteppedRun:
    with store.reading() as session:
        found = stepped_run(session, run_id)
    assert found is not None
    return found
