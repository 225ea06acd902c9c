"""Samples of the two asking steps, their messages, and the rounds of an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from core.questions.plain import question_of
from core.runs.options import Settings
from core.runs.states import ItemStatus
from core.steps import Step
from prompts.loader import Prompt, find_prompt
from protocols.econcausal_pipeline.cues import relations_in
from protocols.exchanges import Answered, Ask, Reading, ask_again
from protocols.lee.asking import messages_of
from protocols.lee.samples import sample_of
from protocols.lee.tasks import CLOSED, TASKS, schema_of
from protocols.lee_pipeline.abstracts import SourceAbstract
from protocols.lee_pipeline.readers import read_extraction
from protocols.lee_pipeline.tasks import (
    ABSTRACTS,
    AGAIN,
    CUE_PHRASES,
    EASY,
    EXTRACT,
    EXTRACTOR,
    FOLDER,
    QUESTIONS,
    RE_ASKS,
    STANDARD,
    VERSION,
)
from protocols.replies.labels import read_label
from protocols.samples import Sample, Samples, content_hash
from protocols.step_values import Inputs

FOUND = "cue_phrases"  # fact of a sample: relations by cue phrases in its abstract, since samples do not store text
DIRECTIONS = {"+": "increase", "-": "decrease", "None": "none"}  # sign → direction; mixed has none
_NO_MAJORITY = dict.fromkeys((task.name for task in TASKS), "")


# --- samples -----------------------------------------------------------------------------------------------------


def samples_of(step: Step, inputs: Inputs, settings: Settings) -> Samples:
    """Return one abstract, or each question of a block."""
    if step.name == EXTRACT:
        (abstract,) = inputs.values[ABSTRACTS]
        paper = SourceAbstract.from_json(abstract.value)
        about: dict[str, Any] = {"paper": paper.key, "title": paper.title, "paper_id": paper.paper}
        if CUE_PHRASES in ((settings.get("roles") or {}).get(EXTRACTOR) or ()):
            about[FOUND] = cue_relations(paper.abstract)
        extraction = Sample(
            task=EXTRACT,
            variant=STANDARD,
            key=paper.key,
            answer=None,
            slots={"title": paper.title, "abstract": paper.abstract},
            facts=about,
            hash=content_hash([VERSION, EXTRACT, paper.title, paper.abstract]),
            step=EXTRACT,
        )
        return Samples((extraction,))
    samples = []
    for block in inputs.values[QUESTIONS]:
        for question in block.value["questions"]:
            sample = sample_of(question_of(question), CLOSED, _NO_MAJORITY)
            facts = {**sample.facts, "type": sample.task}
            samples.append(replace(sample, task=EASY, variant=STANDARD, facts=facts, step=EASY))
    return Samples(tuple(samples))


def cue_relations(text: str) -> list[dict[str, str]]:
    """Return relations from sentences with verbs of raising, lowering and no effect.

    >>> cue_relations("Carbon taxes reduce emissions.")[0]["d"]
    'decrease'
    """
    return [
        {"X": each["treatment"], "d": DIRECTIONS[each["sign"]], "Y": each["outcome"], "method": "none"}
        for each in relations_in(text)
        if each["sign"] in DIRECTIONS
    ]


# --- rounds ------------------------------------------------------------------------------------------------------


def next_of(sample: Sample, prompts: Mapping[str, Prompt], so_far: Sequence[Answered]) -> Ask | Reading:
    """Ask for an extraction, again while it has faults; ask a question once."""
    if sample.task == EASY:
        return _next_easy(sample, prompts, so_far)
    if not so_far:
        prompt = find_prompt(prompts, f"{FOLDER}/{EXTRACT}")
        return Ask(prompt.render(title=sample.slots["title"], abstract=sample.slots["abstract"]))
    extraction = read_extraction(so_far[-1])
    if extraction.status is ItemStatus.UNPARSABLE and len(so_far) <= RE_ASKS:
        return ask_again(find_prompt(prompts, AGAIN), so_far[-1], extraction.faults)
    status = extraction.status
    if status is ItemStatus.UNPARSABLE and extraction.is_object:
        status = ItemStatus.INCOMPLETE
    is_late = status is ItemStatus.ANSWERED and len(so_far) > 1
    return Reading(
        status=status,
        value=extraction.value,
        faults=extraction.faults,
        flags=(f"answered in round {len(so_far)}",) if is_late else (),
        parse_stage=extraction.stage,
        repaired=extraction.repaired,
    )


def _next_easy(sample: Sample, prompts: Mapping[str, Prompt], so_far: Sequence[Answered]) -> Ask | Reading:
    """Ask a closed-book question; of its answer only what the filter needs is stored."""
    question = replace(sample, task=str(sample.facts["type"]), variant=CLOSED)
    if not so_far:
        return Ask(messages_of(question, prompts))
    reading = read_label(so_far[-1], schema_of(question.task))
    if reading.status is not ItemStatus.ANSWERED:
        return reading
    return replace(reading, value={"question": sample.key, "is_right": reading.label == sample.answer})
