"""Spending of a run, and whether its budget would stop it immediately after it is resumed."""

from __future__ import annotations

from functools import partial

from sqlmodel import Session

from core.runs.budget import Spending, shortfall
from core.runs.states import RunState
from runs.endpoint.faults import FREE
from runs.numbered.derived import DerivedMessages
from runs.run_plan import read_plan
from store.runs import items, replies
from store.tables.runs import RunRow

RESTING = (RunState.PAUSED, RunState.STOPPED, RunState.DONE)


def spending(session: Session, row: RunRow) -> Spending:
    _none, all_of_it = replies.spent(session, row.id, "", FREE)
    return all_of_it


def why_it_would_stop(session: Session, row: RunRow, spent: Spending) -> str:
    """Return why a resting run would stop immediately if resumed: the budget is too small for its smallest open
    request. Empty if it could continue, or if nothing is left to ask."""
    budget = row.settings["budget"]
    if row.state not in RESTING or all(bound is None for bound in budget.values()):
        return ""
    derived = DerivedMessages.of(session, row)
    left = items.open_sizes(session, row.id, None if derived is None else partial(derived.size, session))
    plan = read_plan(row)
    reasons = []
    for (name, step), sizes in left.items():
        model = plan.asked_for("", name, step)
        if model.endpoint is None:
            return ""  # a baseline costs nothing
        most = min(map(model.most_of, sizes), key=lambda amount: amount.tokens)
        reasons.append((most.tokens, shortfall(plan.budget, spent, most.tokens, most.usd)))
    return min(reasons)[1] if reasons and all(reason for _tokens, reason in reasons) else ""
