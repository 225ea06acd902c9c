"""Expected requests of a run's steps, as text for screen and command line."""

from __future__ import annotations

from collections.abc import Sequence

from core.runs.budget import dollars
from core.words import counted
from services.runs.settings import PlannedStep


def all_steps(steps: Sequence[PlannedStep]) -> str:
    """Format the total: "All steps: about 180 requests, 9,000 tokens in, 2,000 tokens out, about $0.40", and unknown
    parts."""
    about = "about " if any(each.is_about for each in steps) else ""
    known = [each for each in steps if each.requests is not None]
    unknown = list(dict.fromkeys(each.title for each in steps if each.requests is None))
    costs = [each.cost_usd for each in known]
    total = sum(cost for cost in costs if cost is not None)
    requests = sum(each.requests or 0 for each in known)
    if not requests and not unknown:
        return "All steps: no request, no cost"
    words = f"All steps: {about}{counted(requests, 'request')}"
    if all(each.tokens_in is not None and each.tokens_out is not None for each in known):
        into, out = sum(each.tokens_in or 0 for each in known), sum(each.tokens_out or 0 for each in known)
        words += f", {into:,} tokens in, {out:,} tokens out"
    words += ", cost unknown" if None in costs else f", {about}{dollars(total)}"
    return words + (f"; not known yet: {', '.join(unknown)}" if unknown else "")


def of_step(each: PlannedStep) -> str:
    """Format a step: "Step Verdicts: about 90 requests (mean of 3 earlier runs, …)"."""
    name = f"Step {each.title}, further rounds" if each.is_further else f"Step {each.title}"
    if each.requests is None:
        return f"{name}: {each.basis}"
    about = "about " if each.is_about else ""
    cost = f", {each.cost_reason}" if each.cost_usd is None else f", {about}{dollars(each.cost_usd)}"
    return f"{name}: {about}{counted(each.requests, 'request')}{cost} ({each.basis})"
