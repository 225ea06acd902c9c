"""The samples of a run: the rows of task files as they are, or built from triplets; and both cut to size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from core.errors import BadInput
from core.runs.options import Settings, embedder_of
from core.triplets.sampling import DrawCandidate, stratified
from core.vectors import LEXICAL, NOTICE
from protocols.asked import pairs_of
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
from protocols.making import VECTORS, Inputs, Texts
from protocols.protocol import Deviation, deviations_from
from protocols.samples import Excluded, Sample, Samples

Vectors = Mapping[str, Sequence[float]]


def draw(inputs: Inputs, settings: Settings) -> Samples:
    """All samples that are wanted, task by task. Raises BadInput for a task, variant or rule that there is not."""
    return _draw(inputs, settings, {each.key: each.value for each in inputs.values.get(VECTORS, ())})


def bound(inputs: Inputs, settings: Settings) -> Samples:
    """At least as many and as long as `draw` gives, whatever the vectors: every triplet is shown the longest pairs of
    other papers, and where not all are wanted, the longest samples are kept. Raises as `draw`."""
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
    made: dict[str, dict[str, Any]] = {}
    for task, variant in pairs_of(TITLE, TASKS, settings):
        found = _build(source, vectors, task, variant, settings) if built else from_rows(source, task, variant)
        is_known = task == TASK1 or vectors is not None
        kept = _cut(found.samples, settings) if is_known else _longest(found.samples, settings["most_samples"])
        samples += kept
        excluded += [replace(each, task=task, variant=variant) for each in found.excluded]
        made[f"{task}/{variant}"] = {
            "repeats": 0 if made else repeated,
            **found.made,
            **({"found": len(found.samples), "asked": len(kept)} if is_known else {}),
        }
    repeats = {pair: each["repeats"] for pair, each in made.items() if each["repeats"]}
    if repeats and not built:
        listed = ", ".join(f"{count:,} of {pair.replace('/', ', ')}" for pair, count in repeats.items())
        notices.append(f"Rows with the same sample, in one file or several, count once: {listed}.")
    if matches(settings) and embedder_of(settings) == LEXICAL:
        notices.append(NOTICE)
    return Samples(tuple(samples), tuple(excluded), made, tuple(notices))


def to_embed(inputs: Inputs, settings: Settings) -> Texts | None:
    """Comparable pairs are found by vectors of their treatments and outcomes."""
    pairs_of(TITLE, TASKS, settings)  # raises BadInput for what there is not
    if not matches(settings):
        return None
    return Texts(embedder_of(settings), tuple(texts_of(_once_each(_source(inputs, settings))[0])))


def deviations(settings: Settings) -> tuple[Deviation, ...]:
    """Of drawing and matching only where samples are built, and of the prompts where each row brings its own."""
    said: dict[str, Any] = {"repeats": settings["repeats"]}
    if is_built(settings):
        said |= {name: settings.get(name) for name in ("seed", "per_stratum")}
        if matches(settings):
            said |= {name: settings.get(name) for name in ("threshold", "most_examples", "flip_rule")}
            said["embedder"] = embedder_of(settings)
    found = deviations_from(DEFAULTS, said)
    if AS_RELEASED in settings["variants"]:
        return (*found, Deviation("prompts", DEFAULTS["prompts"], "the question of each row, as released"))
    return found


def _source(inputs: Inputs, settings: Settings) -> list[SourceTriplet]:
    """In the order of the collections and their rows; a run of several steps keeps them by paper, as JSON."""
    values = [each.value for each in inputs.values[TRIPLETS]]
    if all(isinstance(each, SourceTriplet) for each in values):
        return values
    found = [SourceTriplet.from_json(each) for each in values]
    places = {key: place for place, key in enumerate(settings["source"]["collections"])}
    return sorted(found, key=lambda each: (places[each.collection], each.record.place))


def _build(
    source: Sequence[SourceTriplet], vectors: Vectors | None, task: str, variant: str, settings: Settings
) -> Samples:
    """Without vectors at least as many samples, and as long ones, as with them."""
    if task == TASK1:
        many = settings.get("per_stratum") or PER_STRATUM
        return build_task1(source, variant, per_stratum=many, seed=settings["seed"])
    if variant != CONTEXT:
        raise BadInput("Only imported rows have a released question; the variant as-released needs them.")
    threshold = settings.get("threshold")
    found = build_task2(
        source,
        vectors,
        threshold=THRESHOLD if threshold is None else threshold,
        most=settings.get("most_examples") or MOST_EXAMPLES,
        embedder=embedder_of(settings),
    )
    return found if task == TASK2 else build_task3(found, settings.get("flip_rule") or EXAMPLE_SIGN)


def _once_each(source: Sequence[SourceTriplet]) -> tuple[list[SourceTriplet], int]:
    """Task files repeat triplets, in task 3 three times; (each once, how many were repeated)."""
    kept: dict[tuple[str, str], SourceTriplet] = {}
    for each in source:
        kept.setdefault((draw_key(each), each.record.context), each)
    return list(kept.values()), len(source) - len(kept)


def _longest(samples: tuple[Sample, ...], most: int | None) -> tuple[Sample, ...]:
    if most is None or len(samples) <= most:
        return samples
    return tuple(sorted(samples, key=_bytes, reverse=True)[:most])


def _bytes(sample: Sample) -> int:
    said = (*sample.slots.values(), *(str(value) for each in sample.facts["examples"] for value in each.values()))
    return sum(len(each.encode()) for each in said)


def _cut(samples: tuple[Sample, ...], settings: Settings) -> tuple[Sample, ...]:
    """At most `most_samples`, drawn by the seed. Lots are drawn for the words, so that variants ask of the same."""
    most: int | None = settings["most_samples"]
    if most is None or len(samples) <= most:
        return samples
    seen: dict[str, int] = {}
    candidates = []
    for number, sample in enumerate(samples):
        facts = sample.facts
        lot = "\n".join((facts["paper"], facts["treatment"], facts["outcome"], sample.answer or ""))
        seen[lot] = seen.get(lot, 0) + 1  # task 3 asks of one triplet three times
        candidates.append(DrawCandidate(str(number), f"{lot}\n{seen[lot]}", None))
    return tuple(samples[int(number)] for number in stratified(candidates, most, settings["seed"]))
