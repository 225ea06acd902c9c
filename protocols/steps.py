"""The steps of a run as its protocol says them, checked: in an order in which each comes after all that it takes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.steps import Step, in_order
from protocols.making import VECTORS
from protocols.protocol import BenchmarkProtocol


def steps_of(protocol: BenchmarkProtocol, settings: Mapping[str, Any]) -> tuple[Step, ...]:
    """What a run with these settings goes through. Raises ValueError naming the protocol and the step, for steps that
    cannot be put in order, a role that the protocol does not have, and a name that inputs have for something else."""
    try:
        steps = in_order(protocol.steps(settings), protocol.sources)
    except ValueError as error:
        raise ValueError(f"{protocol.title}: {error}") from None
    for step in steps:
        if step.name == VECTORS:
            raise ValueError(f"{protocol.title}: a step is called {VECTORS!r}, as the inputs call what steps embed.")
        if step.role and step.role not in protocol.roles:
            known = ", ".join(protocol.roles) or "none"
            raise ValueError(f"{protocol.title}: step {step.name!r} asks the role {step.role!r}; it has {known}.")
    return steps


def has_groups(steps: tuple[Step, ...]) -> bool:
    """Whether a run of these steps is written in groups; one that asks once is not."""
    return len(steps) > 1
