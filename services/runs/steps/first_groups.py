"""First groups of a run of several steps: those whose inputs are in its sources or stored vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.runs.flow import Flow, Group, part_taken
from core.steps import GroupState, Step, StepKind
from protocols.step_values import VECTORS, Inputs, Value


@dataclass(frozen=True, slots=True)
class FirstGroup:
    """A group that can start before anything is asked."""

    step: Step
    inputs: Inputs
    is_known: bool  # False if vectors are missing from the inputs


@dataclass(frozen=True, slots=True)
class Embedded:
    """Texts of a group of an embedding step, and their vectors."""

    texts: tuple[Value, ...]
    vectors: Mapping[str, Value] | None  # by the text's hash; None if one is missing


def first_groups(
    steps: Sequence[Step],
    sources: Mapping[str, Sequence[Value]],
    embedded: Callable[[Step, Inputs], Embedded | None],
) -> Iterator[FirstGroup]:
    """Yield each group that starts from the sources, by the same rule as a worker, and those after embedding groups.
    `embedded` returns the output of an embedding group; None if it is blocked."""
    named = {step.name: step for step in steps}
    inputs = {name: sorted(values, key=lambda each: each.key) for name, values in sources.items()}
    slots: dict[str, list[str]] = {}
    for name, values in inputs.items():
        for value in values:
            slots.setdefault(_id(name, value.key), []).append(value.key)
    laid = [
        Group(_id(name, key), name, key, GroupState.DONE)
        for name, values in inputs.items()
        for key in dict.fromkeys(each.key for each in values)
    ]
    vectors: dict[str, dict[str, Value] | None] = {}
    while new := Flow(steps, laid, lambda ids: {each: slots.get(each, []) for each in ids}).new_groups():
        for of, key in new:
            step = named[of]
            group = _group(step, key, inputs, vectors)
            yield group
            result = embedded(step, group.inputs) if step.kind is StepKind.EMBED and group.is_known else None
            laid.append(Group(_id(of, key), of, key, GroupState.WAITING if result is None else GroupState.DONE))
            if result is not None:
                inputs.setdefault(of, []).extend(result.texts)
                slots[_id(of, key)] = [each.key for each in result.texts]
                known = vectors.setdefault(of, {})
                vectors[of] = None if known is None or result.vectors is None else {**known, **result.vectors}


def _id(step: str, key: str) -> str:
    return f"{step} {key}"


def _group(
    step: Step, key: str, inputs: Mapping[str, Sequence[Value]], vectors: Mapping[str, Mapping[str, Value] | None]
) -> FirstGroup:
    values: dict[str, tuple[Value, ...]] = {}
    for name in step.takes:
        keys, part = part_taken(step, key, name)
        chosen = [each for each in inputs.get(name, ()) if keys is None or each.key in keys]
        values[name] = tuple(chosen[part])
    embeds = [name for name in step.takes if name in vectors]
    if any(vectors[name] is None for name in embeds):
        return FirstGroup(step, Inputs(key, values), is_known=False)
    if embeds:
        own_vectors = {each.hash: (vectors[name] or {})[each.hash] for name in embeds for each in values[name]}
        values[VECTORS] = tuple(own_vectors.values())
    return FirstGroup(step, Inputs(key, values), is_known=True)
