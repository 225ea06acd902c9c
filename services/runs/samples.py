"""The samples of a run that is being set up: its protocol makes them of what its sources hold."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from core.errors import BadInput
from core.messages import text_hash
from core.runs.flow import parted
from core.runs.options import Settings
from core.steps import Step, StepKind
from core.vectors import LEXICAL
from protocols.making import VECTORS, Inputs, Texts, Value
from protocols.protocol import BenchmarkProtocol
from protocols.samples import Excluded, Samples
from protocols.spaces import Space, spread
from protocols.steps import has_groups, steps_of
from services.acting import Reading
from services.runs.benchmarks import SourceRead, get_sources
from services.runs.settings import PlannedEmbedding, RunConfig
from services.runs.steps import embedders
from services.runs.steps.first_groups import Embedded, FirstGroup, first_groups
from services.runs.wanted import kept, options_of
from services.triplets.trial_files import NO_FILES, TrialFiles

PROBED = 2_000
"""Samples of a space of numbers that a dry run makes, to tell how long the requests are."""


@dataclass(frozen=True, kw_only=True)
class Drawing:
    """What a run will ask, as far as that is known before it begins.

    `is_whole`: the samples are all that it asks. `is_bound`: it asks these at most, since vectors are missing; else
    they are those of its first steps. Of a run of several steps, whose worker makes them, they are for counting only;
    so they are of a `space` of numbers, of which they are all, or so many as stand for them (`PROBED`).
    `given`: what its steps take of sources, by name, where a worker makes the samples; `first`: its first groups;
    `embedders`: by name, what it keeps of each; `embeddings`: what it will ask them for.
    """

    samples: Samples
    steps: tuple[Step, ...] = ()
    is_whole: bool = True
    is_bound: bool = False
    space: Space | None = None
    given: Mapping[str, Sequence[Value]] = field(default_factory=dict)
    first: tuple[FirstGroup, ...] = ()
    embedders: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    embeddings: tuple[PlannedEmbedding, ...] = ()


def read_sources(
    r: Reading, protocol: BenchmarkProtocol, wanted: RunConfig, trial: TrialFiles = NO_FILES
) -> dict[str, SourceRead]:
    """What the protocol takes, by the names of its sources. `trial`: files that are read, not kept. Raises as the
    sources do."""
    return {name: source.read(r, wanted, trial) for name, source in get_sources(protocol).items()}


def draw(r: Reading, protocol: BenchmarkProtocol, wanted: RunConfig, read: Mapping[str, SourceRead]) -> Drawing:
    """The samples that can be made of sources, and of texts whose vectors are kept. Raises BadInput for a task, variant
    or rule that there is not, BadInput or Missing for an embedder that there is not."""
    settings = kept(wanted)
    steps = steps_of(protocol, settings)
    if has_groups(steps):
        taken = {name for step in steps for name in step.takes}
        given = {name: each.given for name, each in read.items() if name in taken or each.values}
        return _in_groups(r, protocol, wanted, settings, steps, given)
    inputs = Inputs("", {name: each.values for name, each in read.items()})
    if space := protocol.space(steps[0], inputs, settings):
        probed = _probed(protocol, steps[0], inputs, settings, space)
        return Drawing(samples=probed, steps=steps, space=space, given=inputs.values)
    if texts := protocol.to_embed(steps[0], inputs, settings):
        inputs = Inputs("", {**inputs.values, VECTORS: embedders.built_in(texts)})
    return Drawing(samples=protocol.samples(steps[0], inputs, settings), steps=steps)


def _probed(protocol: BenchmarkProtocol, step: Step, inputs: Inputs, settings: Settings, space: Space) -> Samples:
    blocks = [protocol.samples(step, inputs, settings, *block) for block in spread(space.samples, PROBED)]
    samples = tuple(sample for each in blocks for sample in each.samples)
    told = (
        ()
        if len(samples) == space.samples
        else (
            f"Counted from {len(samples):,} of {space.samples:,} samples, evenly spread. Requests, cached replies, "
            "tokens and costs are approximate.",
        )
    )
    return Samples(samples, made=space.made, notices=(*space.notices, *told))


def _in_groups(
    r: Reading,
    protocol: BenchmarkProtocol,
    wanted: RunConfig,
    settings: Settings,
    steps: tuple[Step, ...],
    given: Mapping[str, Sequence[Value]],
) -> Drawing:
    snapshots = embedders.snapshots(r.session, steps, options_of(wanted.protocol), settings, wanted.models)
    texts: dict[str, list[Texts]] = {step.name: [] for step in steps if step.kind is StepKind.EMBED}

    def embedded(step: Step, inputs: Inputs) -> Embedded | None:
        try:
            found = protocol.to_embed(step, inputs, settings) or Texts(LEXICAL, ())
        except BadInput:  # blocks that group, which says so
            return None
        texts[step.name].append(found)
        key = parted(inputs.key, step.span)[0]
        values = tuple(Value(key=key, value=text, hash=text_hash(text)) for text in dict.fromkeys(found.texts))
        return Embedded(values, embedders.vectors_there(r.session, found))

    first = tuple(first_groups(steps, given, embedded))
    asking = [each for each in first if each.step.kind is StepKind.ASK]
    own = [each for each in asking if not each.step.role]
    drawn = [(each, of_group(protocol, each, settings)) for each in own]
    counted = {each.step.name for each in own} - {each.step.name for each, samples in drawn if samples is None}
    asks = {step.name for step in steps if step.kind is StepKind.ASK}
    is_blocked = any(len(those) < sum(each.step.name == name for each in first) for name, those in texts.items())
    is_all = bool(asks) and counted == asks and not is_blocked
    is_known = all(each.is_known for each in own)
    of_roles = {each.step.name for each in asking if each.step.role and each.is_known}
    notices = () if is_all else (_counted(steps, counted | of_roles),)
    return Drawing(
        samples=_together([*(samples for _, samples in drawn if samples), Samples((), notices=notices)]),
        steps=steps,
        is_whole=is_all and is_known,
        is_bound=is_all and not is_known,
        given=given,
        first=first,
        embedders=snapshots,
        embeddings=tuple(
            each
            for step in steps
            if step.kind is StepKind.EMBED
            for each in embedders.planned(r.session, step, texts[step.name], snapshots)
        ),
    )


def of_group(protocol: BenchmarkProtocol, group: FirstGroup, settings: Settings) -> Samples | None:
    """The samples of one group, or the most it may have; None where nothing bounds them. One of which none can be made
    will be blocked, for the same reason."""
    step, inputs = group.step, group.inputs
    try:
        found = (protocol.samples if group.is_known else protocol.bound)(step, inputs, settings)
    except BadInput as error:
        return Samples((), (Excluded(f"{step.title}, {inputs.key}" if inputs.key else step.title, str(error)),))
    if found is None:
        return None
    return replace(found, samples=tuple(replace(each, step=step.name) for each in found.samples))


def _counted(steps: Sequence[Step], counted: Collection[str]) -> str:
    """Which steps a dry run counts, and which it cannot."""
    now = ", ".join(step.title for step in steps if step.name in counted) or "none"
    later = ", ".join(step.title for step in steps if step.kind is StepKind.ASK and step.name not in counted)
    told = f"Counted here: {now}."
    return f"{told} What {later} will ask is known only once the earlier steps are done." if later else told


def _together(found: list[Samples]) -> Samples:
    return Samples(
        tuple(sample for each in found for sample in each.samples),
        tuple(left for each in found for left in each.excluded),
        {name: about for each in found for name, about in each.made.items()},
        tuple(notice for each in found for notice in each.notices),
    )
