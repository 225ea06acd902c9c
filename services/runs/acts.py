"""Actions on a run. Each is one transaction with its event; the worker follows within a second."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import asdict

from sqlmodel import Session

from core.errors import BadInput, Refused
from core.people import Permission, Receipt, Viewer
from core.runs.states import AT_WORK, RunState
from core.steps import GroupState
from core.words import counted
from runs.offline.imported import is_imported
from runs.queues import queue_of
from runs.rescoring import rescore as score_again
from runs.run_plan import asked_models
from runs.steps.stepped_run import stepped_run
from services.acting import Writing, consulting, perform, require_seen
from services.runs.endpoints import require_no_key
from services.runs.prompts import require_same_prompts
from services.runs.settings import BudgetSettings, checked_budget
from services.study import current_study
from store.runs import asked_again, groups, runs
from store.runs.permissions import refusal_of
from store.tables.runs import RunRow

LONGEST_TITLE = 200
AT_REST = (RunState.PAUSED, RunState.STOPPED, RunState.DONE)


def pause(viewer: Viewer, run_id: str, *, seen: int, act_id: str) -> Receipt:
    """Stop sending requests; replies under way are still stored. Raises Refused unless the run is at work."""
    return _move(viewer, run_id, "run.pause", RunState.PAUSED, AT_WORK, seen, act_id)


def cancel(viewer: Viewer, run_id: str, *, seen: int, act_id: str) -> Receipt:
    """End a run for good; stored answers remain. Raises Refused if it is done or cancelled."""
    from_states = (*AT_WORK, RunState.PAUSED, RunState.STOPPED)
    return _move(viewer, run_id, "run.cancel", RunState.CANCELLED, from_states, seen, act_id)


def resume(viewer: Viewer, run_id: str, *, seen: int, act_id: str) -> Receipt:
    """Resume a run that is paused, stopped or done with failures; failed items are asked again. Raises PromptsChanged
    if a prompt has changed, Refused if there is nothing to resume."""

    def act(w: Writing, row: RunRow) -> Receipt:
        require_same_prompts(w.session, row)
        reopened = runs.reopen_failed(w.session, row.id)
        _queue_again(w, row, AT_REST)
        return w.record("run.resume", "run", row.id, version=row.version, payload={"reopened": reopened})

    return _steer(viewer, run_id, act, seen, act_id)


def try_now(viewer: Viewer, run_id: str, *, seen: int, act_id: str) -> Receipt:
    """Retry the server that a run waits for now, not after the next pause. Raises Refused unless the run is waiting."""

    def act(w: Writing, row: RunRow) -> Receipt:
        _refuse_unpermitted(w, row)
        _set(w, row, RunState.QUEUED, (RunState.WAITING,), keeps_blockers=True)
        queue_of(w.study.store).wake_worker(w.session, row.id)
        return w.record("run.try", "run", row.id, version=row.version)

    return _steer(viewer, run_id, act, seen, act_id)


def retry_failed(viewer: Viewer, run_id: str, *, seen: int, act_id: str) -> Receipt:
    """Ask failed items again, also while others are being asked. Raises PromptsChanged like `resume`, Refused if none
    has failed or the run is cancelled."""

    def act(w: Writing, row: RunRow) -> Receipt:
        require_same_prompts(w.session, row)
        reopened = runs.reopen_failed(w.session, row.id)
        _queue_again(w, row, (*AT_WORK, *AT_REST))
        if not reopened:
            raise Refused("No item of this run has failed.")
        return w.record("run.retry", "run", row.id, version=row.version, payload={"reopened": reopened})

    return _steer(viewer, run_id, act, seen, act_id)


def retry_unparsable(viewer: Viewer, run_id: str, *, seen: int, act_id: str) -> Receipt:
    """Ask unparsable items again, also while others are being asked. The next reply counts, in later runs too. The
    previous one remains stored; tables count these items and can score their first replies. Items on which later
    steps are based are not asked. Raises PromptsChanged like `resume`, Refused if no other item is unparsable or the
    run is cancelled or imported."""

    def act(w: Writing, row: RunRow) -> Receipt:
        refuse_import(row)
        require_same_prompts(w.session, row)
        unparsable = asked_again.unparsable(w.session, row.id, asked_models(row.settings))
        used = _groups_in_use(w.session, row.id)
        items = [each for each in unparsable if each.group_id not in used]
        if not items:
            if not unparsable:
                raise Refused("No item of this run that a model answered is unparsable.")
            raise Refused(
                f"Later steps of run {row.number} are based on its {counted(len(unparsable), 'unparsable item')}. "
                "Redo the first of these steps instead."
            )
        asked_again.ask_again(w.session, items)
        _queue_again(w, row, (*AT_WORK, *AT_REST))
        payload = {"reopened": len(items)} | (
            {"in_use": len(unparsable) - len(items)} if len(items) < len(unparsable) else {}
        )
        return w.record("run.ask_again", "run", row.id, version=row.version, payload=payload)

    return _steer(viewer, run_id, act, seen, act_id)


def _groups_in_use(session: Session, run_id: str) -> set[str]:
    """Return the groups of a run of several steps whose values a later group has used."""
    run = stepped_run(session, run_id) if groups.has_any(session, run_id) else None
    if run is None:
        return set()
    flow = run.flow(session)
    idle = (GroupState.WAITING, GroupState.BLOCKED)
    return {
        each.id
        for each in groups.of_run(session, run_id)
        if any(taker.state not in idle for taker in flow.takers(each))
    }


def rescore(viewer: Viewer, run_id: str, *, seen: int, act_id: str) -> Receipt:
    """Parse and score the stored replies again, without a request. The history records the number of changed items."""
    with consulting(viewer, Permission.RUN) as r:
        require_seen(runs.run_row(r.session, run_id), seen, "run")
    study = current_study()
    rescored = score_again(study.store, run_id)

    def act(w: Writing) -> Receipt:
        row = runs.run_row(w.session, run_id)
        payload = {"looked_at": rescored.looked_at, "changed": len(rescored.changed)}
        if rescored.left:
            payload["left"] = rescored.left
        return w.record("run.rescore", "run", run_id, version=row.version, payload=payload)

    return perform(viewer, Permission.RUN, act_id, act)


def rename(viewer: Viewer, run_id: str, title: str, *, seen: int, act_id: str) -> Receipt:
    """Rename a run. Raises BadInput for too long a title."""
    plain = checked_title(title)

    def act(w: Writing, row: RunRow) -> Receipt:
        row.title = plain
        return _save_and_record(w, row, "run.rename", {"title": plain})

    return _steer(viewer, run_id, act, seen, act_id)


def set_budget(viewer: Viewer, run_id: str, budget: BudgetSettings, *, seen: int, act_id: str) -> Receipt:
    """Set the budget of a run. A run that stopped for its budget can then be resumed. Raises BadInput for an invalid
    bound."""
    bounds = asdict(checked_budget(budget))

    def act(w: Writing, row: RunRow) -> Receipt:
        before = row.settings["budget"]
        row.settings = {**row.settings, "budget": bounds}
        return _save_and_record(w, row, "run.budget", {"before": before, "after": bounds})

    return _steer(viewer, run_id, act, seen, act_id)


def archive(viewer: Viewer, run_id: str, is_archived: bool, *, seen: int, act_id: str) -> Receipt:
    """Archive a run, so that lists and tables omit it, or restore it. Raises Refused while it is at work."""

    def act(w: Writing, row: RunRow) -> Receipt:
        if is_archived and RunState(row.state) in AT_WORK:
            raise Refused(f"Run {row.number} is {row.state}; pause or cancel it first.")
        row.archived_at = w.now if is_archived else None
        return _save_and_record(w, row, "run.archive" if is_archived else "run.restore", {})

    return _steer(viewer, run_id, act, seen, act_id)


def refuse_import(row: RunRow) -> None:
    """Raise Refused for a run that was imported with its answers."""
    if is_imported(row):
        raise Refused(f"Run {row.number} was imported with its answers; its models cannot be asked again.")


def checked_title(title: str) -> str:
    """Return the title on one line. Raises BadInput if it is too long or contains a key."""
    plain = " ".join(title.split())
    if len(plain) > LONGEST_TITLE:
        raise BadInput(f"The title has {len(plain)} characters; at most {LONGEST_TITLE} are allowed.")
    require_no_key(plain)
    return plain


def _steer(viewer: Viewer, run_id: str, do: Callable[[Writing, RunRow], Receipt], seen: int, act_id: str) -> Receipt:
    return perform(
        viewer, Permission.RUN, act_id, lambda w: do(w, require_seen(runs.run_row(w.session, run_id), seen, "run"))
    )


def _save_and_record(w: Writing, row: RunRow, act: str, payload: dict[str, object]) -> Receipt:
    w.session.add(row)
    w.session.flush()
    return w.record(act, "run", row.id, version=row.version, payload=payload)


def _move(
    viewer: Viewer, run_id: str, name: str, to: RunState, only_from: Collection[RunState], seen: int, act_id: str
) -> Receipt:
    def act(w: Writing, row: RunRow) -> Receipt:
        _set(w, row, to, only_from)
        return w.record(name, "run", row.id, version=row.version)

    return _steer(viewer, run_id, act, seen, act_id)


def _refuse_unpermitted(w: Writing, row: RunRow) -> None:
    """Raise Refused for a run whose models need to be named by an owner, and are not."""
    if why := refusal_of(w.session, row.settings):
        raise Refused(why)


def _queue_again(w: Writing, row: RunRow, only_from: Collection[RunState]) -> None:
    """Queue the pending items. Raises Refused if there are none, and if the run may not continue."""
    refuse_import(row)
    _refuse_unpermitted(w, row)
    groups.reopen_failed(w.session, row.id)
    # Before the shards are read: models that refused everything are asked again.
    _set(w, row, RunState.QUEUED, only_from)
    shards = runs.pending_shards(w.session, row.id)
    if not shards and row.next_place is None and not groups.can_continue(w.session, row.id):
        raise Refused(f"Run {row.number} has no pending or failed item.")
    queue_of(w.study.store).submit(w.session, row.id, shards)


def _set(
    w: Writing, row: RunRow, to: RunState, only_from: Collection[RunState], *, keeps_blockers: bool = False
) -> None:
    """Set the state. Raises Refused if the current state does not allow it."""
    if not runs.set_state(w.session, row.id, to, "", w.now, only_from=only_from, keeps_blockers=keeps_blockers):
        right = " or ".join(state.value for state in only_from)
        raise Refused(f"Run {row.number} is {row.state}. It must be {right} for this.")
    w.session.refresh(row)
