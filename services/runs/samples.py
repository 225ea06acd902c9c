"""The samples of a run that is being set up: its protocol makes them of what its sources hold."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import replace

from core.errors import BadInput
from core.messages import text_hash
from core.runs.options import Settings
from core.steps import Step, StepKind
from protocols.making import VECTORS, Inputs, Texts, Value
from protocols.protocol import BenchmarkProtocol, Excluded, Samples
from protocols.spaces import Space, spread
from protocols.steps import has_groups, steps_of
from services.acting import Reading
from services.runs.settings import RunConfig
from services.runs.sources import SOURCES, SourceRead
from services.runs.steps import embedders
from services.runs.steps.first_groups import first_groups
from services.runs.vectors import kept_vectors
from services.runs.wanted import kept
from services.triplets.trial_files import NO_FILES, TrialFiles

PROBED = 2_000
"""Samples of a space of numbers that a dry run makes, to tell how long the requests are."""


def read_sources(
    r: Reading, protocol: BenchmarkProtocol, wanted: RunConfig, trial: TrialFiles = NO_FILES
) -> dict[str, SourceRead]:
    """What the protocol takes, by the names of its sources. `trial`: files that are read, not kept. Raises as the
    sources do."""
    return {name: SOURCES[name].read(r, wanted, trial) for name in protocol.sources}


def draw(r: Reading, protocol: BenchmarkProtocol, wanted: RunConfig, read: dict[str, SourceRead]) -> Samples:
    """The samples of the steps that ask of sources alone, in order; those of later steps are made as these end. Of a
    run of several steps they are for counting only: its worker makes them group by group; and so they are of a space of
    numbers, of which these are all, or so many as stand for them (`PROBED`).

    Raises BadInput for a task, variant or rule that there is not, and MissingVectors where texts must be turned into
    vectors first.
    """
    settings = kept(wanted)
    inputs = _inputs(read)
    steps = steps_of(protocol, settings)
    if not has_groups(steps):
        if space := protocol.space(steps[0], inputs, settings):
            return _probed(protocol, steps[0], inputs, settings, space)
        if texts := protocol.to_embed(steps[0], inputs, settings):
            vectors = kept_vectors(r.study, r.session, texts.embedder, texts.texts)
            values = tuple(Value(key=text, value=vectors[text], hash=text_hash(text)) for text in texts.texts)
            inputs = Inputs("", {**inputs.values, VECTORS: values})
        return protocol.samples(steps[0], inputs, settings)
    first = list(first_groups(steps, {name: each.values for name, each in read.items()}))
    own = [(step, of_group) for step, of_group in first if step.kind is StepKind.ASK and not step.role]
    vectors_told = (_told(r, protocol, step, first, settings) for step in steps if step.kind is StepKind.EMBED)
    known = {step.name for step, _ in first if step.kind is StepKind.ASK}
    notice = f"{_counted(steps, known)} The budget bounds all steps together."
    return _together(
        [
            *(of_group(protocol, *each, settings) for each in own),
            Samples((), notices=(*filter(None, vectors_told), notice)),
        ]
    )


def space_of(protocol: BenchmarkProtocol, wanted: RunConfig, read: dict[str, SourceRead]) -> Space | None:
    """How many samples there are, of a run that derives them by their number; None of any other. Raises as `draw`."""
    settings = kept(wanted)
    steps = steps_of(protocol, settings)
    return None if has_groups(steps) else protocol.space(steps[0], _inputs(read), settings)


def _probed(protocol: BenchmarkProtocol, step: Step, inputs: Inputs, settings: Settings, space: Space) -> Samples:
    blocks = [protocol.samples(step, inputs, settings, *block) for block in spread(space.samples, PROBED)]
    samples = tuple(sample for each in blocks for sample in each.samples)
    told = (
        ()
        if len(samples) == space.samples
        else (
            f"Counted from {len(samples):,} of {space.samples:,} samples, evenly spread. Requests, cached replies, "
            "tokens and costs are approximate; the budget is the bound.",
        )
    )
    return Samples(samples, made=space.made, notices=(*space.notices, *told))


def _told(
    r: Reading, protocol: BenchmarkProtocol, step: Step, first: Sequence[tuple[Step, Inputs]], settings: Settings
) -> str:
    """What a step that embeds will ask for, as far as it is known."""
    wanted = []
    for of, inputs in first:
        if of == step:
            with suppress(BadInput):  # blocks that group, which says so
                wanted.append(protocol.to_embed(step, inputs, settings))
    return embedders.told(r.session, step, [each for each in wanted if each is not None])


def of_group(protocol: BenchmarkProtocol, step: Step, inputs: Inputs, settings: Settings) -> Samples:
    """The samples of one group; one of which none can be made will be blocked, for the same reason."""
    try:
        found = protocol.samples(step, inputs, settings)
        return replace(found, samples=tuple(replace(each, step=step.name) for each in found.samples))
    except BadInput as error:
        return Samples((), (Excluded(f"{step.title}, {inputs.key}" if inputs.key else step.title, str(error)),))


def _counted(steps: Sequence[Step], counted: Collection[str]) -> str:
    """Which steps a dry run counts, and which it cannot."""
    now = ", ".join(step.title for step in steps if step.name in counted) or "none"
    later = ", ".join(step.title for step in steps if step.kind is StepKind.ASK and step.name not in counted)
    told = f"Counted here: {now}."
    return f"{told} What {later} will ask is known when the steps before are done." if later else told


def texts_to_embed(protocol: BenchmarkProtocol, wanted: RunConfig, read: dict[str, SourceRead]) -> Texts | None:
    """What needs a vector before samples can be made."""
    settings = kept(wanted)
    steps = steps_of(protocol, settings)
    return None if has_groups(steps) else protocol.to_embed(steps[0], _inputs(read), settings)


def _inputs(read: dict[str, SourceRead]) -> Inputs:
    return Inputs("", {name: each.values for name, each in read.items()})


def _together(found: list[Samples]) -> Samples:
    return Samples(
        tuple(sample for each in found for sample in each.samples),
        tuple(left for each in found for left in each.excluded),
        {name: about for each in found for name, about in each.made.items()},
        tuple(notice for each in found for notice in each.notices),
    )
