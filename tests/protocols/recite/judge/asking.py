"""A judge asked without a server: requests of the protocol, answered by scripted judges, and read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256

from core.runs.states import ItemStatus
from core.verdicts.labels import Section
from prompts.loader import Prompt, load
from prompts.placeholders import Placeholders
from protocols.exchanges import Answered, Ask, Reading
from protocols.recite.judge.judging import next_of
from protocols.recite.judge.numbered import NumberedGraph, Pair, numbered
from protocols.recite.judge.samples import TEXT, JudgedAnswer, samples_of
from protocols.recite.judge.tasks import ANSWERS, JUDGE, PLACEHOLDERS, PROMPTS, STANDARD
from protocols.samples import Sample, Samples
from protocols.step_values import Inputs, Value
from runs.scripted.judges import JUDGE_MODELS
from runs.scripted.replies import AskedRequest

RIVER_TEXT = "Rain fills the river.\n\nThe river floods, and floods bring loss.\n\nLoss makes people build a dike."
RIVER = numbered(
    ["Valley"], [("Rain", "River"), ("River", "Flood"), ("Flood", "Loss"), ("Loss", "Dike"), ("Dike", "Flood")]
)
Said = Callable[[str], str]
"""From a request's last message to a reply."""


def prompts() -> dict[str, Prompt]:
    return {name: load(name, placeholders=Placeholders(capitals=PLACEHOLDERS)) for name in PROMPTS}


def answered(
    relations: Sequence[Pair] = RIVER.edges,
    *,
    paper: str = "river",
    model: str = "model-a",
    truth: NumberedGraph = RIVER,
    text: str = RIVER_TEXT,
    field: str = "",
    status: ItemStatus = ItemStatus.ANSWERED,
) -> JudgedAnswer:
    facts = {"title": paper.title(), "field": field, TEXT: sha256(text.encode()).hexdigest()}
    return JudgedAnswer(
        run=3,
        item=f"item {paper} {model}",
        paper=paper,
        facts=facts,
        model=model,
        asked="generate/standard",
        repeat=0,
        truth=truth,
        relations=tuple(relations),
        text=text,
        status=status,
    )


def drawn(answers: Sequence[JudgedAnswer], **settings: object) -> Samples:
    usual = {"tasks": [JUDGE], "variants": [STANDARD], "most_samples": None, "seed": 1}
    values = tuple(Value(key=each.key, value=each, hash=each.key) for each in answers)
    return samples_of(Inputs("", {ANSWERS: values}), {**usual, **settings})


def of_section(samples: Samples, section: Section) -> Sample:
    return next(each for each in samples.samples if each.facts["section"] == section.value)


def scripted(name: str) -> Said:
    def said(message: str) -> str:
        key = sha256(message.encode()).hexdigest()
        return JUDGE_MODELS[name](AskedRequest(name, message, key, "", {})).text or ""

    return said


def judged(sample: Sample, say: Said, most: int = 50) -> tuple[Reading, list[str]]:
    """What the replies come to, and the last message of every request."""
    ours, so_far, messages = prompts(), list[Answered](), list[str]()
    while isinstance(asked := next_of(sample, ours, so_far), Ask):
        assert len(so_far) < most, "it asks without end"
        messages.append(asked.messages[-1].text)
        so_far.append(Answered(ask=asked, text=say(messages[-1])))
    return asked, messages
