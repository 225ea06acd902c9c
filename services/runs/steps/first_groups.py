"""What the first groups of a run of several steps take: what stands in its sources, and vectors that are kept, before
anything is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.runs.flow import Flow, Group, part_taken
from core.steps import GroupState, Step, StepKind
from protocols.making import VECTORS, Inputs, Value


@dataclass(frozen=True, slots=True)
class FirstGroup:
    """A group that begins with what is there. `is_known`: all that it takes is; else it lacks vectors, and its inputs
    hold none."""

    step: Step
    inputs: Inputs
    is_known: bool


@dataclass(frozen=True, slots=True)
class Embedded:
    """The texts that a group of a step that embeds gives, and their vectors by the text's hash; None where one of these
    must be asked for."""

    texts: tuple[Value, ...]
    vectors: Mapping[str, Value] | None


def first_groups(
    steps: Sequence[Step],
    sources: Mapping[str, Sequence[Value]],
    embedded: Callable[[Step, Inputs], Embedded | None],
) -> Iterator[FirstGroup]:
    """Each group that begins with what the sources give, by the rule that a worker follows, with its inputs; and those
    that take of groups that embed nothing else. `embedded`: what such a group gives, None for one that is blocked."""
    named = {step.name: step for step in steps}
    given = {name: sorted(values, key=lambda each: each.key) for name, values in sources.items()}
    slots: dict[str, list[str]] = {}
    for name, values in given.items():
        for each in values:
            slots.setdefault(_id(name, each.key), []).append(each.key)
    laid = [
        Group(_id(name, key), name, key, GroupState.DONE)
        for name, values in given.items()
        for key in dict.fromkeys(each.key for each in values)
    ]
    vectors: dict[str, dict[str, Value] | None] = {}
    while new := Flow(steps, laid, lambda ids: {each: slots.get(each, []) for each in ids}).lay_out():
        for of, key in new:
            step = named[of]
            group = _group(step, key, given, vectors)
            yield group
            found = embedded(step, group.inputs) if step.kind is StepKind.EMBED and group.is_known else None
            laid.append(Group(_id(of, key), of, key, GroupState.WAITING if found is None else GroupState.DONE))
            if found is not None:
                given.setdefault(of, []).extend(found.texts)
                slots[_id(of, key)] = [each.key for each in found.texts]
                known = vectors.setdefault(of, {})
                vectors[of] = None if known is None or found.vectors is None else {**known, **found.vectors}


def _id(step: str, key: str) -> str:
    return f"{step} {key}"


def _group(
    step: Step, key: str, given: Mapping[str, Sequence[Value]], vectors: Mapping[str, Mapping[str, Value] | None]
) -> FirstGroup:
    values = {name: _values(step, key, name, given.get(name, ())) for name in step.takes}
    embeds = [name for name in step.takes if name in vectors]
    if any(vectors[name] is None for name in embeds):
        return FirstGroup(step, Inputs(key, values), is_known=False)
    if embeds:
        taken = {each.hash: (vectors[name] or {})[each.hash] for name in embeds for each in values[name]}
        values[VECTORS] = tuple(taken.values())
    return FirstGroup(step, Inputs(key, values), is_known=True)


def _values(step: Step, key: str, name: str, values: Sequence[Value]) -> tuple[Value, ...]:
    keys, part = part_taken(step, key, name)
    return tuple([each for each in values if keys is None or each.key in keys][part])
