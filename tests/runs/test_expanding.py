"""A run of several steps from its first group to its last: what is begun when, what blocks, and what people hold up."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from sqlalchemy import text

from benchmarks.running_server import RunningServer
from core.runs.states import RunState
from protocols import PROTOCOLS
from runs import making_child
from runs.queues import queue_of
from store.engine import Store
from store.runs import runs
from tests.runs import toy_protocol
from tests.runs.begun import model, now, rows, state, statuses, work
from tests.runs.toy_protocol import REPEATS, TEXTS, TOY, begin, texts


@pytest.fixture(autouse=True)
def _toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PROTOCOLS, TOY.name, TOY)  # type: ignore[arg-type]
    monkeypatch.setattr(making_child, "COMMAND", toy_protocol.COMMAND)


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


@pytest.mark.both
def test_a_run_goes_through_its_steps_waits_for_people_and_ends(store: Store, model_server: RunningServer) -> None:
    run_id = begin(store, model(model_server.url), texts())
    work(store)
    assert state(store, run_id) == (RunState.WAITING, "for people, who decide 1 group of step rule")
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
    assert acts == ["run.wait", "run.finish"]
    assert store.check() == []
