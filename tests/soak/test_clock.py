"""The computer's clock jumps while people work: back an hour, forward a day, as often as it likes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from random import Random
from types import SimpleNamespace

import pytest

from core.errors import SignedOut
from core.people import Role, Viewer
from services.overview import overview
from services.people import access
from services.study import Study
from services.transcription import effort, queue, reading, transcribing
from store import history
from store.tables import PersonRow, new_id
from tests.soak.table import scaled

JUMPS = (timedelta(hours=-1), timedelta(days=1), timedelta(seconds=20), timedelta(seconds=20))
ACTS = scaled(200, least=40)


def back_in(study: Study, viewer: Viewer) -> Viewer:
    """The same person, signed in anew: a day without a click ends a session."""
    with study.store.writing() as session:
        person = session.get(PersonRow, viewer.person_id)
        assert person is not None
        return access.open_session(session, person, study.clock()).viewer


@pytest.mark.both
@pytest.mark.proof("T8", "clock back an hour and forward a day in mid-work", gate="0 reorderings, 0 negative times")
def test_the_history_keeps_its_order_whatever_the_clock_says(
    study: Study,
    newcomer: Callable[..., Viewer],
    a_figure: SimpleNamespace,
    record_property: Callable[[str, object], None],
) -> None:
    viewer, owner = newcomer("The annotator", Role.ANNOTATOR), newcomer("The owner", Role.OWNER)
    work = transcribing.take(viewer, a_figure.id, act_id=new_id()).subject_id
    rng, done, states = Random(20260302), list[str](), [frozenset[str]()]
    signed_out, version, active_s = 0, 1, 0.0
    for number in range(ACTS):
        jump = rng.choice(JUMPS)
        study.clock.now += jump  # type: ignore[attr-defined]
        try:
            reading.transcription(viewer, work)
        except SignedOut:
            assert jump == timedelta(days=1), "only a day without a click ends a session"
            signed_out, viewer = signed_out + 1, back_in(study, viewer)
        if number % 5 == 4:
            receipt = transcribing.undo(viewer, work, seen=version, act_id=new_id())
            states.pop()
        else:
            receipt = transcribing.add_lines(
                viewer, work, f"A{number} -> B", pasted=False, seen=version, act_id=new_id()
            ).receipt  # type: ignore[assignment]
            states.append(states[-1] | {f"A{number}"})
        version = receipt.version
        done.append(str(receipt.seq))
        sources = {node.name for node in reading.transcription(viewer, work).record.nodes.values()} - {"B"}
        assert sources == states[-1], f"act {number}: undo took back another act than the last"
        before, active_s = active_s, effort.beat(viewer, work, 15, beat_id=new_id())
        assert 0 <= active_s - before <= 15
    look_back(study, viewer, back_in(study, owner), work, done)
    record_property("what", f"clock back an hour and forward a day in mid-work, {kind_of(study)}")
    record_property("repetitions", ACTS)
    record_property("figure", f"0 reorderings, 0 negative times; {signed_out} sessions ended by a day's jump")


def kind_of(study: Study) -> str:
    return "SQLite" if study.store.is_sqlite else "PostgreSQL"


def look_back(study: Study, viewer: Viewer, owner: Viewer, work: str, done: list[str]) -> None:
    """Everything that tells of order or of time, after the last jump."""
    graph_id = reading.transcription(viewer, work).graph_id
    with study.store.reading() as session:
        events = [event for event in history.graph_events(session, graph_id) if event.act in history.EDIT_ACTS]
        assert [str(event.seq) for event in events] == done
        newest = [event.seq for event in history.last_events(session, limit=20)]
    assert newest == sorted(newest, reverse=True)
    assert overview(owner).happenings
    assert queue.queue_of_study(owner).lines
    (task,) = effort.my_effort(viewer)
    assert task.active_s >= 0
