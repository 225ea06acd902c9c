"""Questions from triplets: the rows of a task file as they are, or each triplet of a study asked in its context."""

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
    """The task that a row belongs to, by its cells: without examples 1, with them 2, with flipped ones 3.

    Raises BadInput for examples that cannot be read.
    """
    examples = raw_examples(record)
    if examples is None:
        return TASK1
    return TASK3 if is_flipped(examples) else TASK2


def tasks_in(records: Iterable[TripletRecord]) -> dict[str, int]:
    """How many rows of each task there are; rows whose examples cannot be read are counted under ""."""
    found: dict[str, int] = {}
    for record in records:
        try:
            task = task_of(record)
        except BadInput:
            task = ""
        found[task] = found.get(task, 0) + 1
    return found


def main_task(rows: Mapping[str, int]) -> str:
    """The task that most rows are samples of; rows without examples are triplets as well as questions of task 1.

    >>> main_task({"task1": 3, "task2": 5, "": 9})
    'task2'
    """
    counted = {task: number for task, number in rows.items() if task}
    return max(counted, key=lambda each: counted[each]) if counted else ""


def from_rows(rows: Sequence[SourceTriplet], task: str, variant: str) -> Samples:
    """The rows of one task, each as a sample; rows of other tasks are not looked at.

    The true answer is the row's `answer`, where it has none its sign. `as-released` asks the row's own `question`. A
    row that cannot be asked (no context, no question, an example without its context) is excluded and says so. A row
    that asks the same as an earlier one, in whatever file, is no further sample; `made` counts those as `repeats`.
    Raises BadInput for a variant that there is not.
    """
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
        # Without its context a question is the same as another's of its paper; they are two samples all the same.
        known = samples.setdefault((_asked(sample), row.record.context), sample)
        repeats += known is not sample
    made = {"source": "imported rows", "variant": variant, "repeats": repeats}
    return Samples(with_keys(list(samples.values())), tuple(excluded.values()), made)


def build_task1(
    triplets: Sequence[SourceTriplet], variant: str, *, per_stratum: int | None = PER_STRATUM, seed: int
) -> Samples:
    """Up to `per_stratum` triplets of each publication year and domain (None: all), drawn by lots of `seed`.

    Only triplets with a context are drawn from, in every variant, so that all variants ask of the same triplets. A year
    or a domain that is not known is a stratum of its own. Raises BadInput for a variant that there is not; there are no
    questions to ask as released.
    """
    check_buildable(TASK1, variant)
    usable = [each for each in triplets if each.record.context.strip()]
    excluded = [left_out(each, "it has no context") for each in triplets if not each.record.context.strip()]
    candidates = [
        DrawCandidate(str(number), draw_key(each), (each.record.paper.year, each.record.paper.domain))
        for number, each in enumerate(usable)
    ]
    drawn = [usable[int(number)] for number in stratified(candidates, per_stratum, seed)]
    samples = [make(each, TASK1, variant, each.record.sign.value, []) for each in drawn]
    made = {
        "source": "built from triplets",
        "variant": variant,
        "per_stratum": per_stratum,
        "seed": seed,
        "triplets": len(triplets),
        "drawn": len(drawn),
    }
    return Samples(with_keys(samples), tuple(excluded), made)


def check_buildable(task: str, variant: str) -> None:
    check_variant(task, variant)
    if variant == AS_RELEASED:
        raise BadInput("Only imported rows have a released question; the variant as-released needs them.")


def draw_key(triplet: SourceTriplet) -> str:
    """What a triplet's lot is drawn for: its words, which do not change with an import."""
    record = triplet.record
    return "\n".join((record.paper.external_id, record.treatment, record.outcome, record.sign.value))


def left_out(triplet: SourceTriplet, reason: str) -> Excluded:
    record = triplet.record
    return Excluded(f"{record.paper.external_id}, row {record.place}", reason, triplet.subject)


def _asked(sample: Sample) -> str:
    """What a sample is known by besides its context."""
    paper = sample.facts["paper"]
    if known_paper(paper):
        return sample.hash
    return content_hash([sample.slots, sample.answer, sample.facts["examples"]])


def _from_row(row: SourceTriplet, task: str, variant: str, contexts: Mapping[tuple[str, str, str], str]) -> Sample:
    record = row.record
    given = record.details.get(ANSWER)
    answer = (record.sign if given is None else parse_sign(given)).value
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
    """One sample, without its key. `question`: the whole user message, in place of slots for a prompt."""
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
    """What tables group by. `jel`: rows of a table by JEL in which the paper counts."""
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
