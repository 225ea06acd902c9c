"""People's rulings on values that a step shows to them."""

from __future__ import annotations

from typing import Any

from core.errors import BadInput, Conflict, Refused
from core.people import Permission, Receipt, Viewer
from core.runs.flow import Group
from core.runs.states import RunState
from core.steps import GroupState
from protocols.samples import content_hash
from runs.steps.after_ruling import resume
from services.acting import Writing, perform
from services.runs.endpoints import require_no_key
from store.runs import groups, runs

LONGEST_WHY = 2_000


def rule(
    viewer: Viewer, made_id: str, value: Any, why: str, *, seen: int, act_id: str, is_left_out: bool = False
) -> Receipt:
    """Rule on a value: the next steps use `value` (JSON) in its place, or omit it.

    The last ruling of its group resumes the run; before that, another ruling replaces the first. The receipt's subject
    is the run, its version that of the value; `seen` is `GroupValue.version`. Raises Missing for an unknown value,
    Refused for one that is not open for rulings, BadInput for a value that is no JSON, too long a reason, and a changed
    or omitted value without a reason, Conflict if someone has ruled since."""
    decision = _checked_ruling(None if is_left_out else value, why) | ({"left_out": True} if is_left_out else {})

    def act(w: Writing) -> Receipt:
        run_id, group, version = _lock_undecided(w, made_id)
        if not decision["why"] and (is_left_out or decision["value"] != groups.value_of(w.session, made_id)):
            raise BadInput("A value that is changed or left out needs a reason. Write one.")
        ruling = {**decision, "by": w.actor.id, "at": w.now.isoformat()}
        if not groups.rule(w.session, made_id, seen, ruling):
            raise Conflict(
                "Someone has decided on this value since you opened it. Reload the page.", seen=seen, found=version
            )
        resume(w.study.store, w.session, run_id, group.id, w.now)
        payload = {"step": group.step, "key": group.key, "value": made_id, "why": decision["why"]}
        return w.record("run.rule", "run", run_id, version=seen + 1, payload=payload)

    return perform(
        viewer, Permission.RUN, act_id, act, asked=(made_id, decision["value"], decision["why"], is_left_out)
    )


def undo(viewer: Viewer, made_id: str, *, seen: int, act_id: str) -> Receipt:
    """Undo a ruling that no later step has used: the value waits for people again. Raises Missing for an unknown value,
    Refused for one that later steps used, and for one without a ruling, Conflict if someone has ruled since."""

    def act(w: Writing) -> Receipt:
        run_id, group, version = _lock_undecided(w, made_id)
        if not groups.has_ruling(w.session, made_id):
            raise Refused("Nobody has decided on this value; there is nothing to take back.")
        if not groups.rule(w.session, made_id, seen, None):
            raise Conflict(
                "Someone has decided on this value since you opened it. Reload the page.", seen=seen, found=version
            )
        payload = {"step": group.step, "key": group.key, "value": made_id}
        return w.record("run.unrule", "run", run_id, version=seen + 1, payload=payload)

    return perform(viewer, Permission.RUN, act_id, act, asked=(made_id,))


def _lock_undecided(w: Writing, made_id: str) -> tuple[str, Group, int]:
    """Return (run, group, version) of a value open for rulings, with the run locked. Raises Missing and Refused like
    `rule`."""
    run_id, _, _ = groups.place_of(w.session, made_id)
    state = groups.lock(w.session, run_id)
    _, group, version = groups.place_of(w.session, made_id)  # read again, now that the run is locked
    number = runs.run_row(w.session, run_id).number
    where = f"step {group.step}, group {group.key}" if group.key else f"step {group.step}"
    if group.state is not GroupState.DECIDING:
        raise Refused(
            f"The group ({where}) of run {number} is {group.state}. Its values can be decided only while it is "
            "with people; later steps may have used them."
        )
    if state is RunState.CANCELLED:
        raise Refused(f"Run {number} is cancelled. Its values can no longer be decided.")
    return run_id, group, version


def _checked_ruling(value: Any, why: str) -> dict[str, Any]:
    try:
        content_hash(value)
    except (TypeError, ValueError) as error:
        raise BadInput(f"The value is not JSON: {error}.") from None
    plain = why.strip()
    if len(plain) > LONGEST_WHY:
        raise BadInput(f"The reason has {len(plain):,} characters; at most {LONGEST_WHY:,} are allowed.")
    require_no_key(repr((value, plain)))
    return {"value": value, "why": plain}
