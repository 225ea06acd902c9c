"""Samples from triplets: rows of a task file as they are, or triplets of a study asked in their context."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from core.errors import BadInput
from core.triplets.examples import ANSWER, QUESTION, content_of, examples_of, is_flipped, known_paper, raw_examples
from core.triplets.record import TripletRecord
from core.triplets.sampling import DrawCandidate, stratified
from core.triplets.triplet import jel_rows, parse_jel, parse_sign
from core.triplets.venues import venue_name
from protocols.econcausal.source_triplet import SourceTriplet
from protocols.econcausal.tasks import (
    AS_RELEASED,
    IMPORTED_FLIPS,
    PER_STRATUM,
    TASK1,
    TASK2,
    TASK3,
    VERSION,
    check_variant,
    has_context,
)
from protocols.samples import Excluded, Sample, Samples, content_hash, with_keys


def task_of(record: TripletRecord) -> str:
    """Return the task of a row, by its cells: without examples 1, with examples 2, with flipped ones 3. Raises BadInput
    for unreadable examples."""
    examples = raw_examples(record)
    if examples is None:
        return TASK1
    return TASK3 if is_flipped(examples) else TASK2


def tasks_in(records: Iterable[TripletRecord]) -> dict[str, int]:
    """Count rows by task; rows with unreadable examples count under ""."""
    counts: dict[str, int] = {}
    for record in records:
        try:
            task = task_of(record)
        except BadInput:
            task = ""
        counts[task] = counts.get(task, 0) + 1
    return counts


def main_task(rows: Mapping[str, int]) -> str:
    """Return the task of most rows. Rows without examples are triplets as well as questions of task 1.

    >>> main_task({"task1": 3, "task2": 5, "": 9})
    'task2'
    """
    counted = {task: number for task, number in rows.items() if task}
    return max(counted, key=lambda each: counted[each]) if counted else ""


def from_rows(rows: Sequence[SourceTriplet], task: str, variant: str) -> Samples:
    """Return the rows of one task as samples; rows of other tasks are ignored. The true answer is the row's `answer`,
    or its sign if it has none. `as-released` asks the row's own `question`. A row that cannot be asked (no context, no
    question, an example without its context) is excluded with the reason. A row that repeats an earlier one, in any
    file, is no further sample; `made` counts `repeats`. Raises BadInput for an unknown variant."""
    check_variant(task, variant)
    contexts = {
        (row.record.paper.external_id, row.record.treatment, row.record.outcome): row.record.context for row in rows
    }
    samples: dict[tuple[str, str], Sample] = {}
    excluded: dict[tuple[str, str], Excluded] = {}
    repeats = 0
    for row in rows:
        try:
            if task_of(row.record) != task:
                continue
            sample = _from_row(row, task, variant, contexts)
        except BadInput as error:
            excluded.setdefault((content_of(row.record), str(error)), left_out(row, str(error)))
            continue
        # Without context, two questions of one paper can have the same text; they are still two samples.
        paper = sample.facts["paper"]
        identity = (
            sample.hash if known_paper(paper) else content_hash([sample.slots, sample.answer, sample.facts["examples"]])
        )
        known = samples.setdefault((identity, row.record.context), sample)
        repeats += known is not sample
    provenance = {"source": "imported rows", "variant": variant, "repeats": repeats}
    return Samples(with_keys(list(samples.values())), tuple(excluded.values()), provenance)


def build_task1(
    triplets: Sequence[SourceTriplet], variant: str, *, per_stratum: int | None = PER_STRATUM, seed: int
) -> Samples:
    """Draw up to `per_stratum` triplets of each publication year and domain (None: all) with `seed`. All variants draw
    from triplets with a context, so that they ask about the same triplets. An unknown year or domain is a stratum of
    its own. Raises BadInput for an unknown variant, and for `as-released`, which needs rows."""
    check_buildable(TASK1, variant)
    usable = [each for each in triplets if each.record.context.strip()]
    excluded = [left_out(each, "it has no context") for each in triplets if not each.record.context.strip()]
    candidates = [
        DrawCandidate(str(number), draw_key(each), (each.record.paper.year, each.record.paper.domain))
        for number, each in enumerate(usable)
    ]
    drawn = [usable[int(number)] for number in stratified(candidates, per_stratum, seed)]
    samples = [make(each, TASK1, variant, each.record.sign.value, []) for each in drawn]
    provenance = {
        "source": "built from triplets",
        "variant": variant,
        "per_stratum": per_stratum,
        "seed": seed,
        "triplets": len(triplets),
        "drawn": len(drawn),
    }
    return Samples(with_keys(samples), tuple(excluded), provenance)


def check_buildable(task: str, variant: str) -> None:
    check_variant(task, variant)
    if variant == AS_RELEASED:
        raise BadInput("Only imported rows have a released question; the variant as-released needs them.")


def draw_key(triplet: SourceTriplet) -> str:
    """Return the key of a triplet's random draw: its wording, which is the same in every import."""
    record = triplet.record
    return "\n".join((record.paper.external_id, record.treatment, record.outcome, record.sign.value))


def left_out(triplet: SourceTriplet, reason: str) -> Excluded:
    record = triplet.record
    return Excluded(f"{record.paper.external_id}, row {record.place}", reason, triplet.subject)


def _from_row(row: SourceTriplet, task: str, variant: str, contexts: Mapping[tuple[str, str, str], str]) -> Sample:
    record = row.record
    stated = record.details.get(ANSWER)
    answer = (record.sign if stated is None else parse_sign(stated)).value
    examples = [] if task == TASK1 else examples_of(record, contexts)
    if variant == AS_RELEASED:
        question = record.details.get(QUESTION)
        if not isinstance(question, str) or not question.strip():
            raise BadInput("it has no released question")
        return make(row, task, variant, answer, examples, question=question)
    if has_context(variant) and not record.context.strip():
        raise BadInput("it has no context")
    for number, example in enumerate(examples, 1):
        if not example["context"].strip():
            raise BadInput(f"neither its cells nor its question give the context of example {number}")
    return make(row, task, variant, answer, examples)


def make(
    triplet: SourceTriplet,
    task: str,
    variant: str,
    answer: str,
    examples: Sequence[Mapping[str, Any]],
    *,
    question: str | None = None,
    rule: str | None = None,
) -> Sample:
    """Return one sample, without its key. `question` is the whole user message, instead of slots for a prompt."""
    record = triplet.record
    slots = {"treatment": record.treatment, "outcome": record.outcome}
    if has_context(variant):
        slots["context"] = record.context
    if question is not None:
        slots = {"question": question}
    if task == TASK3 and rule is None:
        rule = IMPORTED_FLIPS
    facts = {
        **facts_of(triplet),
        "examples": list(examples),
        "example_signs": [each["sign"] for each in examples],
        "rule": rule,
    }
    digest = content_hash(
        {
            "protocol": VERSION,
            "task": task,
            "variant": variant,
            "slots": slots,
            "answer": answer,
            "examples": facts["examples"],
            "paper": facts["paper"],
        }
    )
    return Sample(
        task=task,
        variant=variant,
        key="",
        answer=answer,
        slots=slots,
        facts=facts,
        hash=digest,
        subject=triplet.subject,
    )


def facts_of(triplet: SourceTriplet) -> dict[str, Any]:
    """Return the grouping values of tables. `jel`: rows of a table by JEL in which the paper counts."""
    record = triplet.record
    paper = record.paper
    return {
        "paper": paper.external_id,
        "title": paper.title,
        "year": paper.year,
        "venue": venue_name(paper.venue),
        "domain": paper.domain,
        "jel": list(jel_rows(parse_jel(paper.jel_codes or ""))),
        "treatment": record.treatment,
        "outcome": record.outcome,
        "collection": triplet.collection,
    }
