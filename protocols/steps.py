"""Validated steps of a run, each after its inputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.steps import ONE_STEP, Step, StepKind, in_order
from core.words import quoted
from protocols.protocol import BenchmarkProtocol
from protocols.step_values import VECTORS

STEPS = "steps"  # key of the step names, in order, in the settings of a run of several steps


def steps_of(protocol: BenchmarkProtocol, settings: Mapping[str, Any]) -> tuple[Step, ...]:
    """Return the steps of a run with these settings. Raises ValueError for a cycle or unknown input, a role that the
    protocol does not have, and a step named like a reserved input."""
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


def names_of_steps(steps: Sequence[Step]) -> dict[str, list[str]]:
    """Return the entry of a run's settings that lists its steps; empty for a single-step run."""
    return {STEPS: [step.name for step in steps]} if has_groups(steps) else {}


def steps_of_settings(protocol: BenchmarkProtocol, settings: Mapping[str, Any]) -> tuple[Step, ...]:
    """Return the steps of a run with these stored settings. Raises as `steps_of`."""
    steps = steps_of(protocol, settings.get("wanted") or {})
    if STEPS in settings or not has_groups(steps):
        return steps
    # A run without the entry was started as a single-step run, although its protocol may have more steps by now.
    asks = next((step for step in steps if step.name == ONE_STEP), None)
    return (asks or Step(name=ONE_STEP, title="Answers", kind=StepKind.ASK),)


def asks_roles_only(protocol: BenchmarkProtocol) -> bool:
    """Return True if each asking step has a role, so that a run names no further models."""
    asking = [step for step in protocol.steps(protocol.defaults) if step.kind is StepKind.ASK]
    return bool(asking) and all(step.role for step in asking)


def has_groups(steps: Sequence[Step]) -> bool:
    """Return True if a run of these steps is stored in groups; a single-step run is not."""
    return len(steps) > 1
