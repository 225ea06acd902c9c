"""Samples of a run in preparation, made by its protocol from its sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from core.errors import BadInput
from core.messages import text_hash
from core.runs.flow import parted
from core.runs.options import Settings
from core.steps import Step, StepKind
from core.vectors import LEXICAL
from protocols.numbered_samples import Space, spread
from protocols.protocol import BenchmarkProtocol
from protocols.samples import Excluded, Samples
from protocols.step_values import VECTORS, Inputs, Texts, Value
from protocols.steps import has_groups, steps_of
from services.acting import ReadContext
from services.runs.benchmarks import SourceRead, get_sources
from services.runs.run_settings import options_of, settings_json
from services.runs.settings import PlannedEmbedding, RunConfig
from services.runs.steps import embedders
from services.runs.steps.first_groups import Embedded, FirstGroup, first_groups
from services.triplets.trial_files import NO_FILES, TrialFiles

PROBED = 2_000
"""Numbered samples that a dry run makes to estimate the size of requests."""


@dataclass(frozen=True, kw_only=True)
class SampleDraw:
    """Requests of a run, as far as they are known before it starts. `samples` are only for counting if a worker makes
    them: in a run of several steps, and of a `space` of numbers, where they are all or at most `PROBED` samples."""

    samples: Samples
    steps: tuple[Step, ...] = ()
    is_whole: bool = True  # the run asks these samples and no others
    is_bound: bool = False  # an upper bound, since vectors are missing; if neither, samples of the first steps
    space: Space | None = None
    given: Mapping[str, Sequence[Value]] = field(default_factory=dict)  # by source, if a worker makes the samples
    first: tuple[FirstGroup, ...] = ()
    embedders: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # name → snapshot
    embeddings: tuple[PlannedEmbedding, ...] = ()


def read_sources(
    r: ReadContext, protocol: BenchmarkProtocol, config: RunConfig, trial: TrialFiles = NO_FILES
) -> dict[str, SourceRead]:
    """Read the sources of the protocol, by name. `trial`: files that are read, not stored. Raises like the sources."""
    return {name: source.read(r, config, trial) for name, source in get_sources(protocol).items()}


def draw(r: ReadContext, protocol: BenchmarkProtocol, config: RunConfig, read: Mapping[str, SourceRead]) -> SampleDraw:
    """Draw the samples that sources and stored vectors allow. Raises BadInput for an unknown task, variant or rule,
    BadInput or Missing for an unknown embedder."""
    settings = settings_json(config)
    steps = steps_of(protocol, settings)
    if has_groups(steps):
        names = {name for step in steps for name in step.takes}
        inputs_by_source = {name: each.given for name, each in read.items() if name in names or each.values}
        return _draw_in_groups(r, protocol, config, settings, steps, inputs_by_source)
    inputs = Inputs("", {name: each.values for name, each in read.items()})
    if space := protocol.space(steps[0], inputs, settings):
        blocks = [protocol.samples(steps[0], inputs, settings, *block) for block in spread(space.samples, PROBED)]
        samples = tuple(sample for each in blocks for sample in each.samples)
        notices = space.notices
        if len(samples) != space.samples:
            notices += (
                f"Counted from {len(samples):,} of {space.samples:,} samples, evenly spread. Requests, cached replies, "
                "tokens and costs are approximate.",
            )
        probed = Samples(samples, made=space.made, notices=notices)
        return SampleDraw(samples=probed, steps=steps, space=space, given=inputs.values)
    if texts := protocol.to_embed(steps[0], inputs, settings):
        inputs = Inputs("", {**inputs.values, VECTORS: embedders.built_in(texts)})
    return SampleDraw(samples=protocol.samples(steps[0], inputs, settings), steps=steps)


def _draw_in_groups(
    r: ReadContext,
    protocol: BenchmarkProtocol,
    config: RunConfig,
    settings: Settings,
    steps: tuple[Step, ...],
    inputs_by_source: Mapping[str, Sequence[Value]],
) -> SampleDraw:
    snapshots = embedders.snapshots(r.session, steps, options_of(config.protocol), settings, config.models)
    texts: dict[str, list[Texts]] = {step.name: [] for step in steps if step.kind is StepKind.EMBED}

    def embedded(step: Step, inputs: Inputs) -> Embedded | None:
        try:
            to_embed = protocol.to_embed(step, inputs, settings) or Texts(LEXICAL, ())
        except BadInput:  # it will block the group, which shows the reason
            return None
        texts[step.name].append(to_embed)
        key = parted(inputs.key, step.span)[0]
        values = tuple(Value(key=key, value=text, hash=text_hash(text)) for text in dict.fromkeys(to_embed.texts))
        return Embedded(values, embedders.vectors_there(r.session, to_embed))

    first = tuple(first_groups(steps, inputs_by_source, embedded))
    asking = [each for each in first if each.step.kind is StepKind.ASK]
    own = [each for each in asking if not each.step.role]
    drawn = [(each, of_group(protocol, each, settings)) for each in own]
    counted = {each.step.name for each in own} - {each.step.name for each, samples in drawn if samples is None}
    asks = {step.name for step in steps if step.kind is StepKind.ASK}
    is_blocked = any(
        len(embedded_texts) < sum(each.step.name == name for each in first) for name, embedded_texts in texts.items()
    )
    is_all = bool(asks) and counted == asks and not is_blocked
    is_known = all(each.is_known for each in own)
    of_roles = {each.step.name for each in asking if each.step.role and each.is_known}
    notices: tuple[str, ...] = ()
    if not is_all:
        known = counted | of_roles
        now = ", ".join(step.title for step in steps if step.name in known) or "none"
        later = ", ".join(step.title for step in steps if step.name in asks - known)
        unknown = f" What {later} will ask is known only once the earlier steps are done." if later else ""
        notices = (f"Counted here: {now}.{unknown}",)
    return SampleDraw(
        samples=_merged([*(samples for _, samples in drawn if samples), Samples((), notices=notices)]),
        steps=steps,
        is_whole=is_all and is_known,
        is_bound=is_all and not is_known,
        given=inputs_by_source,
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
    """Return the samples of one group, or the most it may have; None if they are unbounded. A group of which none can
    be made is excluded for the reason for which it will be blocked."""
    step, inputs = group.step, group.inputs
    try:
        samples = (protocol.samples if group.is_known else protocol.bound)(step, inputs, settings)
    except BadInput as error:
        return Samples((), (Excluded(f"{step.title}, {inputs.key}" if inputs.key else step.title, str(error)),))
    if samples is None:
        return None
    return replace(samples, samples=tuple(replace(each, step=step.name) for each in samples.samples))


def _merged(parts: list[Samples]) -> Samples:
    return Samples(
        tuple(sample for each in parts for sample in each.samples),
        tuple(left for each in parts for left in each.excluded),
        {name: about for each in parts for name, about in each.made.items()},
        tuple(notice for each in parts for notice in each.notices),
    )
