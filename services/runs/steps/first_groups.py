"""What the first groups of a run of several steps take: what stands in its sources, before anything is asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from core.runs.flow import Flow, Group, part_taken
from core.steps import GroupState, Step
from protocols.making import Inputs, Value


def first_groups(steps: Sequence[Step], sources: Mapping[str, Sequence[Value]]) -> Iterator[tuple[Step, Inputs]]:
    """Each group that can begin with what the sources give, by the rule that a worker follows, with its inputs."""
    by_key = {
        (name, key): [each for each in values if each.key == key]
        for name, values in sources.items()
        for key in dict.fromkeys(each.key for each in values)
    }
    laid = [Group(f"{name} {key}", name, key, GroupState.DONE) for name, key in by_key]
    keys = {each.id: [each.key] * len(by_key[each.step, each.key]) for each in laid}
    named = {step.name: step for step in steps}
    for of, key in Flow(steps, laid, lambda ids: {each: keys[each] for each in ids}).lay_out():
        step = named[of]
        yield step, Inputs(key, {name: _values(step, key, name, sources[name]) for name in step.takes})


def _values(step: Step, key: str, name: str, values: Sequence[Value]) -> tuple[Value, ...]:
    keys, part = part_taken(step, key, name)
    return tuple([each for each in values if keys is None or each.key in keys][part])
