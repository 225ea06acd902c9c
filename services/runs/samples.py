"""The samples of a run that is being set up: its protocol makes them of what its sources hold."""

from __future__ import annotations

from core.messages import text_hash
from core.steps import StepKind
from protocols.making import VECTORS, Inputs, Texts, Value
from protocols.protocol import BenchmarkProtocol, Samples
from services.acting import Reading
from services.runs.settings import RunConfig
from services.runs.sources import SOURCES, SourceRead
from services.runs.vectors import kept_vectors
from services.runs.wanted import kept
from services.triplets.trial_files import NO_FILES, TrialFiles


def read_sources(
    r: Reading, protocol: BenchmarkProtocol, wanted: RunConfig, trial: TrialFiles = NO_FILES
) -> dict[str, SourceRead]:
    """What the protocol takes, by the names of its sources. `trial`: files that are read, not kept. Raises as the
    sources do."""
    return {name: SOURCES[name].read(r, wanted, trial) for name in protocol.sources}


def draw(r: Reading, protocol: BenchmarkProtocol, wanted: RunConfig, read: dict[str, SourceRead]) -> Samples:
    """The samples of the steps that ask of sources alone, in order; those of later steps are made as these end.

    Raises BadInput for a task, variant or rule that there is not, and MissingVectors where texts must be turned into
    vectors first.
    """
    settings = kept(wanted)
    inputs = _inputs(read)
    if texts := protocol.to_embed(inputs, settings):
        vectors = kept_vectors(r.study, r.session, texts.embedder, texts.texts)
        values = tuple(Value(key=text, value=vectors[text], hash=text_hash(text)) for text in texts.texts)
        inputs = Inputs("", {**inputs.values, VECTORS: values})
    found = [
        protocol.samples(step, inputs, settings)
        for step in protocol.steps(settings)
        if step.kind is StepKind.ASK and set(step.takes) <= read.keys()
    ]
    return found[0] if len(found) == 1 else _together(found)


def texts_to_embed(protocol: BenchmarkProtocol, wanted: RunConfig, read: dict[str, SourceRead]) -> Texts | None:
    """What needs a vector before samples can be made."""
    return protocol.to_embed(_inputs(read), kept(wanted))


def _inputs(read: dict[str, SourceRead]) -> Inputs:
    return Inputs("", {name: each.values for name, each in read.items()})


def _together(found: list[Samples]) -> Samples:
    return Samples(
        tuple(sample for each in found for sample in each.samples),
        tuple(left for each in found for left in each.excluded),
        {name: about for each in found for name, about in each.made.items()},
        tuple(notice for each in found for notice in each.notices),
    )
