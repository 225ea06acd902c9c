"""Task 2 built from triplets, with comparable pairs of other papers as examples, and task 3 with false signs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from core.errors import BadInput
from core.labels import SIGN
from core.triplets.similarity import NEAR
from core.words import quoted
from protocols.econcausal.samples import check_buildable, left_out, make
from protocols.econcausal.source_triplet import SourceTriplet
from protocols.econcausal.tasks import (
    AS_RELEASED,
    CONTEXT,
    FLIP_RULES,
    MOST_EXAMPLES,
    TARGET_SIGN,
    TASK2,
    TASK3,
    THRESHOLD,
    VERSION,
)
from protocols.samples import Sample, Samples, content_hash, with_keys

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

_BLOCK = 512  # rows of the similarity matrix in memory; the whole of 2,600 triplets has 54 MB


def texts_of(triplets: Sequence[SourceTriplet]) -> list[str]:
    """Return distinct treatments and outcomes in order: the texts that task 2 needs vectors for."""
    return list(dict.fromkeys(text for each in triplets for text in (each.record.treatment, each.record.outcome)))


def build_task2(
    triplets: Sequence[SourceTriplet],
    vectors: Mapping[str, Sequence[float]] | None,
    *,
    threshold: float = THRESHOLD,
    most: int = MOST_EXAMPLES,
    embedder: str,
) -> Samples:
    """Return a sample for every triplet with comparable pairs in other papers, which become its examples.

    A pair is comparable if the mean of the cosines of its treatment and its outcome is above `threshold`. Up to `most`
    are shown, highest first; this order defines the *first* example. Ties: paper, treatment, outcome, sign. Means
    within 1e-9 of the threshold equal it, so are not above. `vectors`: text → vector, all of one length, from
    `embedder`. Triplets without a context are excluded; those without a comparable pair are no sample, and counted in
    `made`. If `vectors` is None, every triplet is shown the longest pairs of other papers, so that the result bounds
    any with vectors. Raises BadInput for a text without a vector.
    """
    check_buildable(TASK2, CONTEXT)
    usable = [each for each in triplets if each.record.context.strip()]
    excluded = tuple(left_out(each, "it has no context") for each in triplets if not each.record.context.strip())
    samples = []
    matches_by_triplet = _longest(usable, most) if vectors is None else _matches(usable, vectors, threshold, most)
    for number, matches in enumerate(matches_by_triplet):
        if matches:
            target = usable[number]
            examples = [_example(usable[other], similarity) for other, similarity in matches]
            samples.append(make(target, TASK2, CONTEXT, target.record.sign.value, examples))
    provenance = {
        "source": "built from triplets",
        "variant": CONTEXT,
        "threshold": threshold,
        "most_examples": most,
        "embedder": embedder,
        "triplets": len(triplets),
        **({} if vectors is None else {"without_match": len(usable) - len(samples)}),
    }
    return Samples(with_keys(samples), excluded, provenance)


def build_task3(task2: Samples, rule: str) -> Samples:
    """Return each sample of task 2 three times, with false signs of the examples.

    `example-sign` (the paper's words; 88.1 % of its samples mismatch): in the n-th, every example shows the n-th of the
    three signs other than its own, so that no example has its true sign. `target-sign` (the released file; 100 %): all
    examples show the n-th of the three signs other than the answer; this may be true of an example's own study, see its
    `original_sign`. The order is +, −, None, mixed. Raises BadInput for another rule, and for samples with their own
    question.
    """
    if rule not in FLIP_RULES:
        raise BadInput(f"There is no rule {quoted(rule)} for false signs; there are {', '.join(FLIP_RULES)}.")
    flipped = []
    for sample in task2.samples:
        if sample.task != TASK2 or sample.variant == AS_RELEASED:
            raise BadInput("False signs are put into samples of task 2 that our prompts ask, and into no others.")
        flipped += [_flip_signs(sample, rule, number) for number in range(len(SIGN.classes) - 1)]
    return Samples(with_keys(flipped), task2.excluded, {**task2.made, "flip_rule": rule})


def _matches(
    triplets: Sequence[SourceTriplet], vectors: Mapping[str, Sequence[float]], threshold: float, most: int
) -> Iterator[list[tuple[int, float]]]:
    """Yield (number of another, similarity) of each triplet, best first."""
    import numpy as np

    def order(match: tuple[int, float]) -> tuple[float, str, str, str, str]:
        record = triplets[match[0]].record
        return -match[1], record.paper.external_id, record.treatment, record.outcome, record.sign.value

    if not triplets:
        return
    if len({len(vectors[text]) for text in texts_of(triplets) if text in vectors}) > 1:
        raise BadInput("The vectors differ in length; one embedder gives all of one length.")
    sides = [_unit([each.record.treatment for each in triplets], vectors)]
    sides.append(_unit([each.record.outcome for each in triplets], vectors))
    number_of: dict[str, int] = {}
    papers = np.array([number_of.setdefault(each.record.paper.external_id, len(number_of)) for each in triplets])
    for start in range(0, len(triplets), _BLOCK):
        similarities = sum(side[start : start + _BLOCK] @ side.T for side in sides) / 2
        similarities = np.where(papers[start : start + _BLOCK, None] == papers[None, :], -1.0, similarities)
        for row in np.asarray(similarities):
            above = np.flatnonzero(row > threshold + NEAR)
            ranked = [(int(other), round(float(row[other]), 9)) for other in above]
            yield sorted(ranked, key=order)[:most]


def _longest(triplets: Sequence[SourceTriplet], most: int) -> Iterator[list[tuple[int, float]]]:
    """Yield the longest triplets of other papers, in the form of `_matches`."""

    def length(number: int) -> int:
        record = triplets[number].record
        return len(f"{record.treatment}{record.outcome}{record.context}{record.sign.value}".encode())

    ranked = sorted(range(len(triplets)), key=lambda number: -length(number))
    papers = [each.record.paper.external_id for each in triplets]
    for paper in papers:
        others = (number for number in ranked if papers[number] != paper)
        yield [(number, 1.0) for number in islice(others, most)]


def _unit(texts: Sequence[str], vectors: Mapping[str, Sequence[float]]) -> Array:
    """Return vectors of length 1, texts × dimensions; a zero vector stays zero, with similarity 0."""
    import numpy as np

    missing = next((text for text in texts if text not in vectors), None)
    if missing is not None:
        raise BadInput(f"The text {quoted(missing)} has no vector.")
    stacked = np.stack([np.asarray(vectors[text], dtype=np.float64) for text in texts])
    scaled = stacked / np.maximum(np.abs(stacked).max(axis=1, keepdims=True), np.finfo(np.float64).tiny)
    lengths = np.sqrt((scaled**2).sum(axis=1, keepdims=True))
    return np.asarray(scaled / np.where(lengths > 0, lengths, 1.0), dtype=np.float64)


def _example(triplet: SourceTriplet, similarity: float) -> dict[str, Any]:
    record = triplet.record
    return {
        "paper": record.paper.external_id,
        "treatment": record.treatment,
        "outcome": record.outcome,
        "context": record.context,
        "sign": record.sign.value,
        "original_sign": record.sign.value,
        "similarity": round(similarity, 4),
    }


def _flip_signs(sample: Sample, rule: str, number: int) -> Sample:
    def shown(example: Mapping[str, Any]) -> str:
        excluded = sample.answer if rule == TARGET_SIGN else example["original_sign"]
        return [sign for sign in SIGN.classes if sign != excluded][number]

    examples = [{**each, "sign": shown(each)} for each in sample.facts["examples"]]
    facts = {
        **sample.facts,
        "examples": examples,
        "example_signs": [each["sign"] for each in examples],
        "rule": rule,
    }
    digest = content_hash(
        {
            "protocol": VERSION,
            "task": TASK3,
            "variant": sample.variant,
            "slots": dict(sample.slots),
            "answer": sample.answer,
            "examples": examples,
            "paper": facts["paper"],
        }
    )
    return replace(sample, task=TASK3, facts=facts, hash=digest, key="")
