"""What the first groups of a run of several steps take: what stands in its sources, before anything is asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from core.runs.flow import WHOLE, Flow, Group, parted
from core.steps import GroupState, Span, Step
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
    for name, key in Flow(steps, laid, lambda ids: {each: keys[each] for each in ids}).lay_out():
        step = named[name]
        yield step, Inputs(key, {taken: _values(step, key, taken, sources[taken]) for taken in step.takes})


def _values(step: Step, key: str, taken: str, values: Sequence[Value]) -> tuple[Value, ...]:
    about, number = parted(key, step.span)
    if step.span is Span.ALL:
        return tuple(values)
    if step.span is Span.EACH and taken == step.takes[0]:
        return tuple([each for each in values if each.key == about][number - 1 : number])
    return tuple(each for each in values if each.key in (about, WHOLE))
