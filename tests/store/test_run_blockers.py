"""What hinders a run is kept with it, and its state follows from what is still to be asked."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from sqlalchemy import text

from core.runs.states import Blocker, RunState
from store import run_blockers
from store.engine import Store
from store.runs import runs
from store.runs.finishing import finish
from tests.runs.begun import begin, model, now, state

pytestmark = pytest.mark.both

NOON = now().replace(hour=12, minute=0)
LOST = Blocker("lost", "the server a:1 refuses connections", NOON)
GONE = Blocker("gone", "the server b:2 cannot be found under its name", NOON + timedelta(minutes=3))


@pytest.fixture
def store(store_url: str) -> Iterator[Store]:
    opened = Store(store_url)
    yield opened
    opened.close()


@pytest.fixture
def run_id(store: Store) -> str:
    """A running run of two models at each of two endpoints, and a baseline that is done."""
    models = {}
    for name in ("lost", "gone"):
        models[name] = model(f"http://{name}/v1")
        models[name]["endpoint"]["name"] = name
    run = begin(store, {**models, "plus": {"kind": "baseline", "baseline": "always-plus"}}, 2).run_id
    with store.writing() as session:
        session.execute(text("UPDATE run_item SET status = 'answered' WHERE model = 'plus'"))
        assert runs.set_state(session, run, RunState.RUNNING, "", now(), only_from=[RunState.QUEUED])
    return run


def note(store: Store, run_id: str, *found: Blocker, reached: tuple[str, ...] = ()) -> tuple[str, str] | None:
    with store.writing() as session:
        moved = run_blockers.note(session, run_id, now(), found=found, reached=reached)
        return None if moved is None else (moved.before.value, moved.after.value)


def kept(store: Store, run_id: str) -> tuple[Blocker, ...]:
    with store.reading() as session:
        return run_blockers.of_run(session, run_id)[1]


def test_a_run_goes_on_as_long_as_something_can_be_asked_and_waits_then(store: Store, run_id: str) -> None:
    assert note(store, run_id, LOST) is None
    assert state(store, run_id) == (RunState.RUNNING, LOST.why)
    assert note(store, run_id, GONE) == ("running", "waiting")
    assert state(store, run_id) == (RunState.WAITING, f"{LOST.why}; {GONE.why}")
    assert note(store, run_id, reached=("lost",)) == ("waiting", "running")
    assert (state(store, run_id), kept(store, run_id)) == ((RunState.RUNNING, GONE.why), (GONE,))
    with store.writing() as session:
        session.execute(text("UPDATE run_item SET status = 'answered' WHERE model = 'lost'"))
    assert note(store, run_id) == ("running", "waiting")
    assert note(store, run_id, reached=("gone",)) == ("waiting", "running")
    assert (state(store, run_id), kept(store, run_id)) == ((RunState.RUNNING, ""), ())


def test_what_is_known_keeps_its_time_and_nothing_is_written_for_nothing(store: Store, run_id: str) -> None:
    note(store, run_id, LOST)
    with store.reading() as session:
        version = runs.run_row(session, run_id).version
    later = Blocker("lost", LOST.why, NOON + timedelta(hours=2))
    assert note(store, run_id, later) is None
    with store.reading() as session:
        assert runs.run_row(session, run_id).version == version
    note(store, run_id, Blocker("lost", "the server a:1 cannot be found under its name", later.since))
    assert kept(store, run_id) == (Blocker("lost", "the server a:1 cannot be found under its name", NOON),)


@pytest.mark.parametrize("to", [RunState.PAUSED, RunState.CANCELLED, RunState.STOPPED, RunState.QUEUED])
def test_a_run_that_is_no_longer_at_work_is_hindered_by_nothing(store: Store, run_id: str, to: RunState) -> None:
    note(store, run_id, LOST, GONE)
    with store.writing() as session:
        assert runs.set_state(session, run_id, to, "", now(), only_from=[RunState.WAITING])
    assert kept(store, run_id) == ()
    assert note(store, run_id, LOST) is None
    assert (state(store, run_id)[0], kept(store, run_id)) == (to, ())


def test_a_run_that_waits_is_open_to_workers_and_done_when_nothing_is_left(store: Store, run_id: str) -> None:
    note(store, run_id, LOST, GONE)
    with store.writing() as session:
        assert runs.open_runs(session)[run_id].state is RunState.WAITING
        assert not finish(session, run_id, now())
        session.execute(text("UPDATE run_item SET status = 'answered'"))
        assert finish(session, run_id, now())
    assert (state(store, run_id), kept(store, run_id)) == ((RunState.DONE, ""), ())
