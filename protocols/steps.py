"""The steps of a run as its protocol says them, checked: in an order in which each comes after all that it takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.steps import ONE_STEP, Step, StepKind, in_order
from core.words import quoted
from protocols.making import VECTORS
from protocols.protocol import BenchmarkProtocol

STEPS = "steps"
"""Where the settings of a run of several steps name them, in order."""


def steps_of(protocol: BenchmarkProtocol, settings: Mapping[str, Any]) -> tuple[Step, ...]:
    """What a run with these settings goes through. Raises ValueError naming the protocol and the step, for steps that
    cannot be put in order, a role that the protocol does not have, and a name that inputs have for something else."""
    try:
        steps = in_order(protocol.steps(settings), protocol.sources)
    except ValueError as error:
        raise ValueError(f"{protocol.title}: {error}") from None
    for step in steps:
        if step.name == VECTORS:
            raise ValueError(f"{protocol.title}: a step is called {quoted(VECTORS)}, the name of what steps embed.")
        if step.role and step.role not in protocol.roles:
            known = ", ".join(protocol.roles) or "none"
            raise ValueError(
                f"{protocol.title}: step {quoted(step.name)} asks the role {quoted(step.role)}; it has {known}."
            )
    return steps


def kept_names(steps: Sequence[Step]) -> dict[str, list[str]]:
    """What a run's settings say of its steps; nothing of a run that asks once."""
    return {STEPS: [step.name for step in steps]} if has_groups(steps) else {}


def steps_kept(protocol: BenchmarkProtocol, settings: Mapping[str, Any]) -> tuple[Step, ...]:
    """The steps of a run that keeps these settings. One that names none was begun with the one that asks, however many
    its protocol would have it go through by now. Raises as `steps_of`."""
    steps = steps_of(protocol, settings.get("wanted") or {})
    if STEPS in settings or not has_groups(steps):
        return steps
    asks = next((step for step in steps if step.name == ONE_STEP), None)
    return (asks or Step(name=ONE_STEP, title="Answers", kind=StepKind.ASK),)


def asks_roles_only(protocol: BenchmarkProtocol) -> bool:
    """Whether each step that asks has a role, so that a run names no models besides."""
    asking = [step for step in protocol.steps(protocol.defaults) if step.kind is StepKind.ASK]
    return bool(asking) and all(step.role for step in asking)


def has_groups(steps: Sequence[Step]) -> bool:
    """Whether a run of these steps is written in groups; one that asks once is not."""
    return len(steps) > 1
