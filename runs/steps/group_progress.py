"""Progress of a run of several steps: end answered groups, start the groups that may start.

Called when the last pending item of a shard ends, and for a run without pending items. Each transaction is short and
complete: states change by compare-and-set together with what is made, asked and queued, and with the groups that can be
laid out from then on. So a repetition, by another worker or after a crash, changes nothing, and a run always has a
group that determines its next step, until it is done.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session

from core.runs.flow import Flow, Group
from core.runs.states import AT_WORK
from core.steps import GroupState, Span
from runs.queues import queue_of
from runs.steps.group_start import worked_out
from runs.steps.inputs import read_inputs
from runs.steps.stepped_run import SteppedRun
from store.engine import Store
from store.runs import groups
from store.runs.groups import StartedGroup

AT_ONCE = 200  # Groups computed together: their inputs are in memory, and they start in one transaction.


def advance(store: Store, run: SteppedRun, now: datetime) -> list[str]:
    """End what is answered and start what may start, except groups over the whole run; return the ids of these. They
    are for `begin` in a child process. Raises as `worked_out`."""
    _end_answered(store, run, now)
    while True:
        with store.reading() as session:
            ready, flow = _ready(session, run)
            some = [each for each in ready if run.step(each.step).span is not Span.ALL][:AT_ONCE]
            started = [worked_out(session, run, each, read_inputs(session, run, flow, each)) for each in some]
        if not started:
            return [each.id for each in ready if run.step(each.step).span is Span.ALL]
        if not _write(store, run, started, now):
            return []


def begin(store: Store, run: SteppedRun, group_id: str, now: datetime) -> None:
    """Start one group if it still waits. Raises as `worked_out`."""
    with store.reading() as session:
        ready, flow = _ready(session, run)
        started = [
            worked_out(session, run, each, read_inputs(session, run, flow, each))
            for each in ready
            if each.id == group_id
        ]
    if started:
        _write(store, run, started, now)


def _ready(session: Session, run: SteppedRun) -> tuple[list[Group], Flow]:
    """Return the groups that may start, and the flow of all groups, empty if none waits."""
    waiting = groups.of_run(session, run.plan.run_id, [GroupState.WAITING])
    flow = run.flow(session) if waiting else Flow(run.steps, (), lambda _: {})
    return [each for each in waiting if flow.may_begin(each)], flow


def _write(store: Store, run: SteppedRun, started: Sequence[StartedGroup], now: datetime) -> bool:
    """Return False if the run is no longer at work."""
    with store.writing() as session:
        if groups.lock(session, run.plan.run_id) not in AT_WORK:
            return False
        shards = groups.begin(session, run.plan.run_id, started, now)
        if any(each.state is GroupState.DONE for each in started):
            run.insert_groups(session)
        if shards:
            queue_of(store).submit(session, run.plan.run_id, shards)
        return True


def _end_answered(store: Store, run: SteppedRun, now: datetime) -> None:
    """End groups without pending items and groups with all rulings; re-check the groups that they blocked."""
    run_id = run.plan.run_id
    with store.reading() as session:
        if not groups.answered(session, run_id) and not groups.of_run(session, run_id, [GroupState.DECIDING]):
            return
    with store.writing() as session:
        if groups.lock(session, run_id) not in AT_WORK:
            return
        unruled = groups.unruled(session, run_id)
        deciding = groups.of_run(session, run_id, [GroupState.DECIDING])
        over = [*groups.answered(session, run_id), *(each for each in deciding if each.id not in unruled)]
        ended = [each for each in over if groups.end(session, each, now)]
        if not ended:
            return
        flow = run.flow(session)
        for each in ended:
            for taker in flow.takers(each):
                if taker.state is GroupState.BLOCKED:
                    groups.move(session, taker, GroupState.WAITING, now)
        run.insert_groups(session)
