"""Inputs of a group: values of sources and earlier groups, or the reason why they are missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlmodel import Session

from core.errors import BadInput
from core.runs.flow import Flow, Group, part_taken, parted
from core.runs.states import ItemStatus
from core.steps import Span, Step, StepKind
from core.words import counted
from protocols.samples import content_hash
from protocols.step_values import VECTORS, Inputs, Value
from runs.steps.stepped_run import SteppedRun
from runs.steps.vectors import vectors_of
from store.runs import groups
from store.runs.groups import StoredAnswer, StoredValue


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupInputs:
    inputs: Inputs
    hash: str
    blocked: str = ""  # why the group cannot continue; empty if it can
    left_out: str = ""  # unreadable answers, and values that people excluded
    is_empty: bool = False  # nothing else is left


@dataclass(slots=True)
class _StepInput:
    """Values of one step or source for a group."""

    values: list[Value] = field(default_factory=list)
    answers: list[tuple[Group, StoredAnswer, Sequence[StoredAnswer]]] = field(default_factory=list)
    left_out: int = 0  # values that people excluded
    embedded: list[StoredValue] = field(
        default_factory=list
    )  # of a step that embeds: texts whose vectors are inputs too


def read_inputs(
    session: Session, run: SteppedRun, flow: Flow, group: Group, *, with_vectors: bool = True
) -> GroupInputs:
    """Return all inputs of a group, by key, then in their order; of a step that asks, by sample, model and repeat.
    Screens read texts without their vectors."""
    step = run.step(group.step)
    sources = {name: _taken(session, run, step, group, name, some) for name, some in flow.given_to(group).items()}
    answers = [each for some in sources.values() for each in some.answers]
    failed = [each for each in answers if each[1].status is ItemStatus.FAILED]
    unread = [each for _, each, _ in answers if each.status not in (ItemStatus.FAILED, ItemStatus.ANSWERED)]
    values = {name: tuple(some.values) for name, some in sources.items()}
    blocked = _failure(failed, with_key=step.span is Span.ALL)
    if with_vectors and not blocked and (embedded := [each for some in sources.values() for each in some.embedded]):
        try:
            values[VECTORS] = vectors_of(session, run, embedded)
        except BadInput as error:
            blocked = str(error)
    inputs = Inputs(group.key, values)
    hashes = [[name, [value.hash for value in some]] for name, some in inputs.values.items()]
    return GroupInputs(
        inputs=inputs,
        hash=content_hash([step.name, step.version, hashes]),
        blocked=blocked,
        left_out=_left_out(unread, len(answers), sum(some.left_out for some in sources.values())),
        is_empty=any(
            not some.values and (name in step.beside or bool(some.left_out or (unread and some.answers)))
            for name, some in sources.items()
        ),
    )


def _taken(
    session: Session, run: SteppedRun, step: Step, group: Group, name: str, givers: Sequence[Group]
) -> _StepInput:
    of = next((each for each in run.steps if each.name == name), None)
    keys, part = part_taken(step, group.key, name)
    ids = [each.id for each in givers]
    step_input = _StepInput()
    if of is not None and of.kind is StepKind.ASK:
        answers = groups.answers(session, ids)
        for each in givers:
            step_input.answers += [(each, answer, answers.get(each.id, ())) for answer in answers.get(each.id, ())]
        if keys is not None:
            step_input.answers = [each for each in step_input.answers if parted(each[0].key, of.span)[0] in keys][part]
        step_input.values = [
            _answer(of, parted(of_group.key, of.span)[0], answer)
            for of_group, answer, _ in step_input.answers
            if answer.status is ItemStatus.ANSWERED
        ]
        return step_input
    values_by_group = groups.values(session, ids, keys)
    values = [each for some in givers for each in values_by_group.get(some.id, ())][part]
    if of is None or of.kind is not StepKind.EMBED:
        retained = [each for each in values if not is_left_out(each.ruling)]
        step_input.left_out = len(values) - len(retained)
        step_input.values = [_value(each) for each in retained]
        return step_input
    step_input.embedded = values
    step_input.values = [Value(key=each.key, value=each.value["text"], hash=each.hash) for each in values]
    answers = groups.answers(session, ids)
    for each in givers:
        failed = [answer for answer in answers.get(each.id, ()) if answer.status is ItemStatus.FAILED]
        step_input.answers += [(each, answer, answers[each.id]) for answer in failed]
    return step_input


def is_left_out(ruling: Any) -> bool:
    """Return whether people excluded a value from later steps."""
    return ruling is not None and bool(ruling.get("left_out"))


def _value(stored: StoredValue) -> Value:
    """Return a stored value, or the ruling on it."""
    if stored.ruling is None:
        return Value(key=stored.key, value=stored.value, hash=stored.hash, flags=stored.flags)
    ruled = stored.ruling["value"]
    return Value(
        key=stored.key, value=ruled, hash=content_hash({"rests_on": stored.hash, "ruling": ruled}), flags=stored.flags
    )


def _answer(step: Step, key: str, answer: StoredAnswer) -> Value:
    depends_on: Mapping[str, object] = {
        "step": [step.name, step.version],
        "sample": answer.sample_hash,
        "model": answer.model,
        "repeat": answer.repeat,
        "value": answer.value,
    }
    return Value(key=key, value=answer.value, hash=content_hash(depends_on), model=answer.model, repeat=answer.repeat)


# --- words -------------------------------------------------------------------------------------------------------


def _failure(failed: Sequence[tuple[Group, StoredAnswer, Sequence[StoredAnswer]]], *, with_key: bool) -> str:
    """Return why a group is blocked: "repeat 2 of 3 failed: the provider asks for fewer requests"."""
    if not failed:
        return ""
    group, answer, answers = failed[0]
    repeats = max(each.repeat for each in answers) + 1
    which = [group.key] if with_key and group.key else []
    if len({each.model for each in answers}) > 1 or repeats == 1:
        which.append(answer.model)
    if repeats > 1:
        which.append(f"repeat {answer.repeat + 1} of {repeats}")
    why = answer.fault.partition(": ")[2] or answer.fault
    more = f"; {counted(len(failed) - 1, 'more item')} failed" if len(failed) > 1 else ""
    return f"{', '.join(which)} failed: {why[:1].lower()}{why[1:].rstrip('.')}{more}"


def _left_out(unread: Sequence[StoredAnswer], total: int, by_people: int) -> str:
    of_people = f"{counted(by_people, 'value')} left out by people" if by_people else ""
    if not unread:
        return of_people
    statuses = Counter(each.status.value for each in unread)
    by_status = ", ".join(f"{many:,} {status}" for status, many in sorted(statuses.items()))
    of_answers = f"{len(unread):,} of {counted(total, 'answer')} left out: {by_status}"
    return "; ".join(filter(None, (of_answers, of_people)))
