"""Drawing of a run's samples: rows of task files, or samples built from triplets, both cut to size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from core.errors import BadInput
from core.runs.options import Settings, embedder_of
from core.triplets.sampling import DrawCandidate, stratified
from core.vectors import LEXICAL, NOTICE
from protocols.econcausal.matching import build_task2, build_task3, texts_of
from protocols.econcausal.options import is_built, matches
from protocols.econcausal.samples import build_task1, draw_key, from_rows
from protocols.econcausal.source_triplet import SourceTriplet
from protocols.econcausal.tasks import (
    AS_RELEASED,
    CONTEXT,
    DEFAULTS,
    EXAMPLE_SIGN,
    MOST_EXAMPLES,
    PER_STRATUM,
    TASK1,
    TASK2,
    TASKS,
    THRESHOLD,
    TITLE,
    TRIPLETS,
)
from protocols.protocol import Deviation, deviations_from
from protocols.samples import Excluded, Sample, Samples
from protocols.step_values import VECTORS, Inputs, Texts
from protocols.task_variants import pairs_of

Vectors = Mapping[str, Sequence[float]]


def draw(inputs: Inputs, settings: Settings) -> Samples:
    """Return all requested samples, task by task. Raises BadInput for an unknown task, variant or rule."""
    return _draw(inputs, settings, {each.key: each.value for each in inputs.values.get(VECTORS, ())})


def bound(inputs: Inputs, settings: Settings) -> Samples:
    """Return an upper bound of `draw` for any vectors. Raises as `draw`. Every triplet is shown the longest pairs of
    other papers; where samples are limited, the longest are selected."""
    return _draw(inputs, settings, None)


def _draw(inputs: Inputs, settings: Settings, vectors: Vectors | None) -> Samples:
    built = is_built(settings)
    source, repeated = _source(inputs, settings), 0
    notices: list[str] = []
    if built:
        source, repeated = _once_each(source)
        if repeated:
            notices.append(f"Duplicate rows of one triplet: {repeated:,}. Each triplet is used once.")
    samples: list[Sample] = []
    excluded: list[Excluded] = []
    provenance: dict[str, dict[str, Any]] = {}
    for task, variant in pairs_of(TITLE, TASKS, settings):
        drawn = _build(source, vectors, task, variant, settings) if built else from_rows(source, task, variant)
        is_known = task == TASK1 or vectors is not None
        selected = _cut(drawn.samples, settings) if is_known else _longest(drawn.samples, settings["most_samples"])
        samples += selected
        excluded += [replace(each, task=task, variant=variant) for each in drawn.excluded]
        provenance[f"{task}/{variant}"] = {
            "repeats": 0 if provenance else repeated,
            **drawn.made,
            **({"found": len(drawn.samples), "asked": len(selected)} if is_known else {}),
        }
    repeats = {pair: each["repeats"] for pair, each in provenance.items() if each["repeats"]}
    if repeats and not built:
        listed = ", ".join(f"{count:,} of {pair.replace('/', ', ')}" for pair, count in repeats.items())
        notices.append(f"Rows with the same sample, in one file or several, count once: {listed}.")
    if matches(settings) and embedder_of(settings) == LEXICAL:
        notices.append(NOTICE)
    return Samples(tuple(samples), tuple(excluded), provenance, tuple(notices))


def to_embed(inputs: Inputs, settings: Settings) -> Texts | None:
    """Return treatments and outcomes, whose vectors determine comparable pairs; None if none are needed."""
    pairs_of(TITLE, TASKS, settings)  # raises BadInput for an unknown task or variant
    if not matches(settings):
        return None
    return Texts(embedder_of(settings), tuple(texts_of(_once_each(_source(inputs, settings))[0])))


def deviations(settings: Settings) -> tuple[Deviation, ...]:
    """Return deviations, those of drawing and matching only if samples are built, and a deviation of the prompts if
    each row has its own question."""
    relevant: dict[str, Any] = {"repeats": settings["repeats"]}
    if is_built(settings):
        relevant |= {name: settings.get(name) for name in ("seed", "per_stratum")}
        if matches(settings):
            relevant |= {name: settings.get(name) for name in ("threshold", "most_examples", "flip_rule")}
            relevant["embedder"] = embedder_of(settings)
    changed = deviations_from(DEFAULTS, relevant)
    if AS_RELEASED in settings["variants"]:
        return (*changed, Deviation("prompts", DEFAULTS["prompts"], "the question of each row, as released"))
    return changed


def _source(inputs: Inputs, settings: Settings) -> list[SourceTriplet]:
    """Return triplets in the order of the collections and their rows; runs of several steps store them by paper, as
    JSON."""
    values = [each.value for each in inputs.values[TRIPLETS]]
    if all(isinstance(each, SourceTriplet) for each in values):
        return values
    triplets = [SourceTriplet.from_json(each) for each in values]
    places = {key: place for place, key in enumerate(settings["source"]["collections"])}
    return sorted(triplets, key=lambda each: (places[each.collection], each.record.place))


def _build(
    source: Sequence[SourceTriplet], vectors: Vectors | None, task: str, variant: str, settings: Settings
) -> Samples:
    """Build the samples of a task; without vectors an upper bound of their number and length."""
    if task == TASK1:
        per_stratum = settings.get("per_stratum") or PER_STRATUM
        return build_task1(source, variant, per_stratum=per_stratum, seed=settings["seed"])
    if variant != CONTEXT:
        raise BadInput("Only imported rows have a released question; the variant as-released needs them.")
    threshold = settings.get("threshold")
    task2 = build_task2(
        source,
        vectors,
        threshold=THRESHOLD if threshold is None else threshold,
        most=settings.get("most_examples") or MOST_EXAMPLES,
        embedder=embedder_of(settings),
    )
    return task2 if task == TASK2 else build_task3(task2, settings.get("flip_rule") or EXAMPLE_SIGN)


def _once_each(source: Sequence[SourceTriplet]) -> tuple[list[SourceTriplet], int]:
    """Remove repeated triplets; return also their number. Task files contain them, that of task 3 three times."""
    distinct: dict[tuple[str, str], SourceTriplet] = {}
    for triplet in source:
        distinct.setdefault((draw_key(triplet), triplet.record.context), triplet)
    return list(distinct.values()), len(source) - len(distinct)


def _longest(samples: tuple[Sample, ...], most: int | None) -> tuple[Sample, ...]:
    if most is None or len(samples) <= most:
        return samples

    def size(sample: Sample) -> int:
        examples = (str(value) for each in sample.facts["examples"] for value in each.values())
        return sum(len(each.encode()) for each in (*sample.slots.values(), *examples))

    return tuple(sorted(samples, key=size, reverse=True)[:most])


def _cut(samples: tuple[Sample, ...], settings: Settings) -> tuple[Sample, ...]:
    """Draw at most `most_samples` with the seed."""
    most: int | None = settings["most_samples"]
    if most is None or len(samples) <= most:
        return samples
    counts: dict[str, int] = {}
    candidates = []
    for number, sample in enumerate(samples):
        facts = sample.facts
        # Keyed by the wording, so that every variant draws the same triplets.
        key = "\n".join((facts["paper"], facts["treatment"], facts["outcome"], sample.answer or ""))
        counts[key] = counts.get(key, 0) + 1  # task 3 has three samples of one triplet
        candidates.append(DrawCandidate(str(number), f"{key}\n{counts[key]}", None))
    return tuple(samples[int(number)] for number in stratified(candidates, most, settings["seed"]))
