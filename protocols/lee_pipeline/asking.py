"""The samples of the two steps that ask, the messages that ask them, and the rounds that an answer takes."""

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
from protocols.lee.asking import messages_of
from protocols.lee.samples import sample_of
from protocols.lee.tasks import CLOSED, TASKS, schema_of
from protocols.lee_pipeline.abstracts import SourceAbstract
from protocols.lee_pipeline.readers import ReadExtraction, read_extraction
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
from protocols.making import Inputs
from protocols.replies.labels import read_label
from protocols.samples import Sample, Samples, content_hash
from protocols.turns import Answered, Ask, Reading, ask_again

FOUND = "cue_phrases"
"""A fact of a sample: what cue phrases say of its abstract, since a sample keeps no text."""
DIRECTIONS = {"+": "increase", "-": "decrease", "None": "none"}
"""Sign → direction; mixed is none of the three."""
_NO_MAJORITY = dict.fromkeys((task.name for task in TASKS), "")


# --- samples -----------------------------------------------------------------------------------------------------


def samples_of(step: Step, inputs: Inputs, settings: Settings) -> Samples:
    """One abstract, or each question of a block."""
    if step.name == EXTRACT:
        (given,) = inputs.values[ABSTRACTS]
        return Samples((_extraction(SourceAbstract.from_json(given.value), settings),))
    found = []
    for block in inputs.values[QUESTIONS]:
        for said in block.value["questions"]:
            made = sample_of(question_of(said), CLOSED, _NO_MAJORITY)
            facts = {**made.facts, "type": made.task}
            found.append(replace(made, task=EASY, variant=STANDARD, facts=facts, step=EASY))
    return Samples(tuple(found))


def _extraction(paper: SourceAbstract, settings: Settings) -> Sample:
    facts: dict[str, Any] = {"paper": paper.key, "title": paper.title, "paper_id": paper.paper}
    if CUE_PHRASES in ((settings.get("roles") or {}).get(EXTRACTOR) or ()):
        facts[FOUND] = cue_relations(paper.abstract)
    return Sample(
        task=EXTRACT,
        variant=STANDARD,
        key=paper.key,
        answer=None,
        slots={"title": paper.title, "abstract": paper.abstract},
        facts=facts,
        hash=content_hash([VERSION, EXTRACT, paper.title, paper.abstract]),
        step=EXTRACT,
    )


def cue_relations(text: str) -> list[dict[str, str]]:
    """What sentences with verbs of raising, lowering and no effect say of a text.

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
    """As `BenchmarkProtocol.next`: an extraction is asked for again while it has faults; a question once."""
    if sample.task == EASY:
        return _easy(sample, prompts, so_far)
    if not so_far:
        prompt = find_prompt(prompts, f"{FOLDER}/{EXTRACT}")
        return Ask(prompt.render(title=sample.slots["title"], abstract=sample.slots["abstract"]))
    found = read_extraction(so_far[-1])
    if found.status is ItemStatus.UNPARSABLE and len(so_far) <= RE_ASKS:
        return ask_again(find_prompt(prompts, AGAIN), so_far[-1], found.faults)
    return _reading(found, len(so_far))


def _reading(found: ReadExtraction, rounds: int) -> Reading:
    status = found.status
    if status is ItemStatus.UNPARSABLE and found.is_object:
        status = ItemStatus.INCOMPLETE
    return Reading(
        status=status,
        value=found.value,
        faults=found.faults,
        flags=(f"answered in round {rounds}",) if status is ItemStatus.ANSWERED and rounds > 1 else (),
        rung=found.stage,
        repaired=found.repaired,
    )


def _easy(sample: Sample, prompts: Mapping[str, Prompt], so_far: Sequence[Answered]) -> Ask | Reading:
    """A question, closed book; what is kept of its answer is what the filter asks for."""
    asked = replace(sample, task=str(sample.facts["type"]), variant=CLOSED)
    if not so_far:
        return Ask(messages_of(asked, prompts))
    found = read_label(so_far[-1], schema_of(asked.task))
    if found.status is not ItemStatus.ANSWERED:
        return found
    return replace(found, value={"question": sample.key, "is_right": found.label == sample.answer})
