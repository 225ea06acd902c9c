"""Start of a group whose inputs are complete: what it makes, asks, embeds or asks people. Nothing is written here, so
that the computation blocks no other writer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlmodel import Session

from core.errors import BadInput
from core.messages import text_hash
from core.runs.flow import WHOLE, Group, parted
from core.runs.states import ItemStatus
from core.steps import EMBED_TASK, GroupState, Span, Step, StepKind
from core.vectors import LEXICAL
from core.words import quoted
from protocols.samples import Samples, content_hash
from protocols.step_values import Making, StepOutput
from runs.endpoint.batches import WIDEST, batches, most_texts
from runs.endpoint.embeddings import unpacked
from runs.endpoint.request import canonical_embedding, hash_of, message_of
from runs.sample_rows import new_items, new_sample, sizes_of
from runs.steps.inputs import GroupInputs
from runs.steps.stepped_run import SteppedRun
from runs.steps.vectors import as_value
from store.runs import embeddings, groups
from store.runs.embeddings import embedder_of
from store.runs.groups import NewValue, StartedGroup
from store.runs.runs import NewItem, NewSample

MOST_EXCLUDED_SHOWN = 3  # excluded samples that a group's reason names


class StepFault(BadInput):
    """A step returned what no step may return; its protocol is wrong, and the run stops."""


def worked_out(session: Session, run: SteppedRun, group: Group, inputs: GroupInputs) -> StartedGroup:
    """Return the start of a waiting group. BadInput of its protocol blocks it. Raises StepFault for an illegal result,
    and RuntimeError naming step and group for an error of the protocol."""
    if inputs.blocked:
        return StartedGroup(group=group, state=GroupState.BLOCKED, reason=inputs.blocked, inputs_hash=inputs.hash)
    if inputs.is_empty:
        return StartedGroup(group=group, state=GroupState.DONE, reason=inputs.left_out, inputs_hash=inputs.hash)
    step = run.step(group.step)
    try:
        if step.kind is StepKind.DECIDE:
            return _put_to_people(session, run, step, group, inputs)
        if step.kind is StepKind.MAKE:
            return _made(run, step, group, inputs)
        if step.kind is StepKind.EMBED:
            return _embedded(session, run, step, group, inputs)
        return _asked(session, run, step, group, inputs)
    except StepFault:
        raise
    except BadInput as error:
        return StartedGroup(group=group, state=GroupState.BLOCKED, reason=str(error), inputs_hash=inputs.hash)
    except Exception as error:
        raise RuntimeError(f"{_place(step, group)}: {type(error).__name__}: {error}") from error


def _place(step: Step, group: Group) -> str:
    return f"step {step.name}, group {group.key}" if group.key else f"step {step.name}"


def _done(
    group: Group, inputs: GroupInputs, values: Sequence[NewValue], notices: Sequence[str], state: GroupState
) -> StartedGroup:
    reason = "; ".join(filter(None, (inputs.left_out, *notices)))
    return StartedGroup(group=group, state=state, reason=reason, inputs_hash=inputs.hash, values=values)


# --- make, decide ------------------------------------------------------------------------------------------------


def _made(run: SteppedRun, step: Step, group: Group, inputs: GroupInputs) -> StartedGroup:
    making: Making = run.protocol.make(step, inputs.inputs, run.settings_of(step))
    known = {value.hash for some in inputs.inputs.values.values() for value in some}
    own = parted(group.key, step.span)[0]
    values = []
    for each in making.values:
        if own != WHOLE and each.key != own:
            raise StepFault(
                f"{_place(step, group)}: a value was made for the group {quoted(each.key)}; expected {quoted(own)}. "
                "Only a step over the whole run makes values for any group."
            )
        unknown = next((rests for rests in each.rests_on if rests not in known), None)
        if unknown is not None:
            raise StepFault(f"{_place(step, group)}: a value rests on {quoted(unknown)}, which the group did not take.")
        values.append(
            NewValue(
                key=each.key,
                value=each.value,
                hash=_hash(step, group, inputs, each),
                flags=each.flags,
                rests_on=each.rests_on,
            )
        )
    return _done(group, inputs, values, making.flags, GroupState.DONE)


def _hash(step: Step, group: Group, inputs: GroupInputs, value: StepOutput) -> str:
    depends_on = {
        "step": [step.name, step.version],
        "key": value.key,
        "rests_on": list(value.rests_on) or inputs.hash,
        "value": value.value,
        "flags": list(value.flags),
    }
    try:
        return content_hash(depends_on)
    except (TypeError, ValueError) as error:
        raise StepFault(f"{_place(step, group)}: a value was made that is not JSON: {error}.") from None


def _put_to_people(session: Session, run: SteppedRun, step: Step, group: Group, inputs: GroupInputs) -> StartedGroup:
    """Start a group on which people decide: the values that the step takes first. A run that redoes another one from a
    later step reuses the rulings on equal values."""
    own = parted(group.key, step.span)[0]
    is_new = run.based_on is None or run.redone == step.name
    rulings = {} if is_new else groups.rulings(session, str(run.based_on), step.name)
    values = [
        NewValue(
            key=each.key if own == WHOLE else own,
            value=each.value,
            hash=each.hash,
            flags=each.flags,
            rests_on=(each.hash,),
        )
        for each in inputs.inputs.values[step.takes[0]]
    ]
    # Equal values take the earlier rulings in their order.
    values = [
        replace(each, ruling=earlier.pop(0) if (earlier := rulings.get((each.key, each.hash))) else None)
        for each in values
    ]
    asks = set(step.asks_of)
    is_over = all(each.ruling is not None or (asks and asks.isdisjoint(each.flags)) for each in values)
    return _done(group, inputs, values, (), GroupState.DONE if is_over else GroupState.DECIDING)


# --- ask ---------------------------------------------------------------------------------------------------------


def _asked(session: Session, run: SteppedRun, step: Step, group: Group, inputs: GroupInputs) -> StartedGroup:
    drawn: Samples = run.protocol.samples(step, inputs.inputs, run.settings_of(step))
    samples = [new_sample(run.protocol, run.prompts, step.name, each) for each in drawn.samples]
    sizes = sizes_of(session, samples)
    items = [item for model in run.models(step) for item in new_items(model, run.times(model, step), samples, sizes)]
    is_open = any(item.status == ItemStatus.PENDING.value for item in items)
    asking = [each.name for each in run.steps if each.kind is StepKind.ASK]
    is_all = step.span is Span.ALL and asking == [step.name]
    named = [f"{each.key}: {each.reason}" for each in drawn.excluded[:MOST_EXCLUDED_SHOWN]]
    more = len(drawn.excluded) - len(named)
    left_out = (
        [f"{len(drawn.excluded):,} left out: {'; '.join(named)}{f'; {more:,} more' if more else ''}"] if named else []
    )
    left_out += [] if samples else ["no sample can be made of its inputs"]
    return StartedGroup(
        group=group,
        state=GroupState.OPEN if is_open else GroupState.DONE,
        reason="; ".join(filter(None, (inputs.left_out, *left_out))),
        inputs_hash=inputs.hash,
        samples=samples,
        items=items,
        all_asked=_all_asked(drawn, samples, items) if is_all else None,
    )


def _all_asked(drawn: Samples, samples: Sequence[NewSample], items: Sequence[NewItem]) -> dict[str, Any]:
    """Return the manifest's entry, as a run of one step gets it at its start."""
    left_out = [[each.task, each.variant, each.key, each.reason] for each in drawn.excluded]
    for item in items:
        if item.status == ItemStatus.EXCLUDED.value and not item.repeat:
            sample = samples[item.sample]
            left_out.append([sample.task, sample.variant, sample.key, item.fault])
    hashes = {
        "samples": content_hash(sorted(each.sample_hash for each in samples)),
        "requests": content_hash(sorted(item.request_hash for item in items if item.request_hash)),
    }
    return {"hashes": hashes, "made": dict(drawn.made), "excluded": left_out}


# --- embed -------------------------------------------------------------------------------------------------------


def _embedded(session: Session, run: SteppedRun, step: Step, group: Group, inputs: GroupInputs) -> StartedGroup:
    """Start a group with its texts; those without a vector are asked for in batches, one item each."""
    request = run.protocol.to_embed(step, inputs.inputs, run.settings_of(step))
    texts = tuple(dict.fromkeys(request.texts)) if request else ()
    if any(not text.strip() for text in texts):
        raise BadInput("A blank text has no vector; leave it out.")
    embedder = (request.embedder if request else "") or LEXICAL
    own = parted(group.key, step.span)[0]
    hashes = {text: text_hash(text) for text in texts}
    values = [NewValue(key=own, value=as_value(text, embedder), hash=key) for text, key in hashes.items()]
    done = _done(group, inputs, values, (), GroupState.DONE)
    if embedder == LEXICAL or not texts:
        return done
    model = run.embedder(embedder)
    assert model.endpoint is not None
    embedder_key = embedder_of(model.endpoint.base_url, model.model)
    known = embeddings.known(session, embedder_key, list(hashes.values()))
    missing = [text for text, key in hashes.items() if key not in known]
    if not missing:
        return done
    one = embeddings.one_of(session, embedder_key)
    cut = batches(missing, most_texts(model.endpoint.most_bytes, len(unpacked(one)) if one else WIDEST))
    samples = [
        NewSample(
            task=EMBED_TASK,
            variant="",
            key="/".join(filter(None, (step.name, group.key, str(number)))),
            sample_hash=content_hash([model.name, [text_hash(text) for text in some]]),
            answer=None,
            facts={"texts": len(some)},
            messages=(message_of(some),),
            step=step.name,
        )
        for number, some in enumerate(cut, start=1)
    ]
    items = [
        NewItem(place, model.name, 0, hash_of(canonical_embedding(model.request_vectors(some))))
        for place, some in enumerate(cut)
    ]
    return replace(done, state=GroupState.OPEN, samples=samples, items=items)
