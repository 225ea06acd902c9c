"""Samples from a release or a table: each task and variant of each text, with its true graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from typing import Any

from core.errors import BadInput
from core.graphs.graph import CausalGraph
from core.graphs.sample import GraphSample, graph_of
from core.messages import TextByHash, text_hash
from core.runs.filters import YEAR
from core.runs.options import Settings
from core.words import counted, sentence_case
from protocols.protocol import SampleSummary
from protocols.recite.messages import node_json, without_tags
from protocols.recite.tasks import (
    AS_RELEASED,
    GENERATE,
    NAMES,
    RELEASE,
    RELEASED_TEMPERATURE,
    SOURCES,
    TABLE,
    TASKS,
    TEXTS,
    TITLE,
    VERSION,
)
from protocols.samples import Excluded, Sample, Samples, content_hash
from protocols.step_values import EMBEDDED, EMBEDDER, Inputs
from protocols.task_variants import pairs_of

TEXT, NODES = "text", "nodes"  # slots of a sample. Its fact `text` is the SHA-256 of the text as sent.
NOT_READY = "its text is not ready"
NO_TEXT = "it has no text"
_SOURCE_WORDS = {RELEASE: "a release", TABLE: "a table", TEXTS: "the texts of this study"}
NO_EDGES = "its graph has no edges"


@dataclass(frozen=True, slots=True)
class SourceSample:
    """A sample of the source."""

    sample: GraphSample
    text: str | None = None  # None if the study stores it under its hash, and it has no tag that needs escaping
    trouble: str = ""  # why it cannot be asked about; empty if it can

    def as_json(self) -> dict[str, Any]:
        """Return it as a run of several steps stores it."""
        return asdict(self)

    @classmethod
    def of(cls, value: SourceSample | Mapping[str, Any]) -> SourceSample:
        """Return a sample of the source, or one that `as_json` gave."""
        if isinstance(value, SourceSample):
            return value
        about = dict(value["sample"])
        lists: dict[str, Any] = {
            name: tuple(about[name]) for name in ("nodes", "domains", "levels", "subject") if about[name] is not None
        }
        edges = tuple((source, sink) for source, sink in about["edges"])
        return cls(GraphSample(**{**about, **lists, "edges": edges}), value["text"], value["trouble"])


def samples_of(inputs: Inputs, settings: Settings) -> Samples:
    """Return the requested tasks and variants of every sample, or of `most_samples` drawn with the run's seed. The draw
    is the same for each task and variant. Raises BadInput for an unknown task or variant, and unless exactly one of
    release, table and texts of the study is chosen."""
    pairs = pairs_of(TITLE, TASKS, settings)
    sources = [name for name in SOURCES if settings.get(name)]
    if not sources:
        raise BadInput("Choose a release, a table of samples, or the ready texts of this study.")
    if len(sources) > 1:
        listed = " and ".join(_SOURCE_WORDS[name] for name in sources)
        raise BadInput(f"{sentence_case(listed)} are chosen; a run takes one of them.")
    if len(set(settings["tasks"])) > 1 and "temperature" not in (settings.get("parameters") or {}):
        raise BadInput(
            f"{AS_RELEASED} is asked with a temperature of {RELEASED_TEMPERATURE}, {GENERATE} without one. Ask them in "
            "two runs, or set the temperature."
        )
    source_samples = _given(inputs)
    fit = [each for each in source_samples if not each.trouble]
    excluded = tuple(
        Excluded(each.sample.id, each.trouble, each.sample.subject, task, variant)
        for task, variant in pairs
        for each in source_samples
        if each.trouble
    )
    chosen = _draw(fit, settings)
    provenance = {f"{task}/{variant}": {"found": len(source_samples), "asked": len(chosen)} for task, variant in pairs}
    samples = tuple(sample_of(task, variant, each) for task, variant in pairs for each in chosen)
    if settings.get("embedder"):
        hashes = {each.sample.id: text_hash(words) for each in chosen if (words := _abstract(each))}
        samples = tuple(
            replace(each, facts={**each.facts, EMBEDDED: hashes.get(each.key), EMBEDDER: settings["embedder"]})
            for each in samples
        )
    return Samples(samples, excluded, provenance, _notices(source_samples))


def abstracts_of(inputs: Inputs) -> tuple[str, ...]:
    """Return the abstracts of samples that can be asked about, each once."""
    abstracts = map(_abstract, (each for each in _given(inputs) if not each.trouble))
    return tuple(dict.fromkeys(filter(None, abstracts)))


def _abstract(source: SourceSample) -> str:
    return source.sample.abstract.strip()


def _given(inputs: Inputs) -> list[SourceSample]:
    return [SourceSample.of(each.value) for name in SOURCES for each in inputs.values.get(name, ())]


def sample_of(task: str, variant: str, source: SourceSample) -> Sample:
    sample = source.sample
    text = source.text
    if text is not None and task != AS_RELEASED:
        text = without_tags(text)
    key = sample.text if text is None else text_hash(text)
    facts = {**sample.facts, TEXT: key}
    slots = {} if text is None else {TEXT: text}
    if variant == NAMES:
        slots[NODES] = node_json(sample.nodes)
    return Sample(
        task=task,
        variant=variant,
        key=sample.id,
        answer=None,
        slots=slots,
        facts=facts,
        hash=content_hash([VERSION, task, variant, key, list(sample.nodes), [list(pair) for pair in sample.edges]]),
        subject=sample.subject,
        truth={"nodes": list(sample.nodes), "edges": [list(pair) for pair in sample.edges]},
    )


def text_of(sample: Sample) -> str | TextByHash:
    """Return the text as sent; its hash if the study stores it."""
    return sample.slots.get(TEXT) or TextByHash(str(sample.facts[TEXT]))


def truth_of(sample: Sample) -> CausalGraph:
    return graph_of(sample.truth["nodes"], sample.truth["edges"])


def names_of(sample: Sample) -> tuple[str, ...] | None:
    """Return the names that an answer refers to by number; None if it names its nodes itself."""
    return tuple(sample.truth["nodes"]) if sample.variant == NAMES else None


def summary_of(sample: Sample) -> SampleSummary:
    facts = sample.facts
    size = f"{counted(facts['nodes'], 'node')}, {counted(facts['edges'], 'edge')}, {facts['characters']:,} characters"
    return SampleSummary(facts["title"] or sample.key, size, labels_of(facts))


def labels_of(facts: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return the filter labels of lists and grouping values of tables; unknown ones have no value."""
    return {
        YEAR: () if facts["year"] is None else (str(facts["year"]),),
        **{name: (str(facts[name]),) if facts.get(name) else () for name in ("field", "domain", "publisher")},
    }


def _draw(fit: Sequence[SourceSample], settings: Settings) -> list[SourceSample]:
    most = settings["most_samples"]
    if most is None or most >= len(fit):
        return list(fit)

    def key(place: int) -> str:
        return sha256(f"{settings['seed']}/{fit[place].sample.id}".encode("utf-8", "surrogatepass")).hexdigest()

    return [fit[place] for place in sorted(sorted(range(len(fit)), key=key)[:most])]


def _notices(source_samples: Sequence[SourceSample]) -> tuple[str, ...]:
    without = [each.sample.id for each in source_samples if each.trouble]
    if not without:
        return ()
    listed = ", ".join(without[:5]) + (f" and {len(without) - 5:,} more" if len(without) > 5 else "")
    are = "is" if len(without) == 1 else "are"
    return (f"{counted(len(without), 'sample')} of {len(source_samples):,} {are} left out: {listed}.",)
