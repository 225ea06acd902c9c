"""Figure reading as a protocol. Answers are not scored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.errors import BadInput
from core.messages import message
from core.runs.options import Settings
from core.runs.states import ItemStatus
from core.steps import Step
from core.words import quoted
from prompts.loader import Prompt, find_prompt
from protocols.exchanges import Answered, Ask, Reading
from protocols.figures.answers import read_answer
from protocols.figures.samples import picture_of, samples_of
from protocols.figures.tasks import (
    AGAIN,
    ASK,
    DEFAULTS,
    FIGURES,
    LISTED,
    NAME,
    NEEDED,
    OPTIONS,
    PLACEHOLDERS,
    READ,
    ROUNDS,
    SCHEMA,
    TASK,
    TASKS,
    TITLE,
    VARIANT,
    VARIANT_TITLES,
    VERSION,
)
from protocols.protocol import BenchmarkProtocol, SampleSummary
from protocols.replies.schema import ReplySchema
from protocols.samples import AnswerScore, Sample, Samples
from protocols.step_values import Inputs


class FigureReading(BenchmarkProtocol):
    """Edges of a figure, asked of a vision model."""

    name, title, short_title, version, place = NAME, TITLE, "Figure reading", VERSION, 9
    tasks = TASKS
    variant_titles = VARIANT_TITLES
    defaults = DEFAULTS
    placeholders = PLACEHOLDERS
    options = OPTIONS
    sources = (FIGURES,)
    listed = LISTED
    ask = ASK

    def samples(
        self, step: Step, inputs: Inputs, settings: Settings, start: int = 0, count: int | None = None
    ) -> Samples:
        return samples_of(inputs, settings).part(start, count)

    def prompt_names(self, task: str, variant: str) -> tuple[str, ...]:
        if (task, variant) != (TASK, VARIANT):
            raise BadInput(f"{self.title} has no variant {quoted(variant)} of {quoted(task)}; there is {VARIANT}.")
        return (READ, AGAIN)

    def check_prompt(self, task: str, variant: str, prompt: Prompt) -> None:
        """Raise BadInput unless the prompt has all its placeholders and the picture is a separate part."""
        prompt.check(NEEDED[prompt.name])
        if prompt.name == READ and "picture" not in prompt.apart:
            raise BadInput(f"{prompt.source} needs the first line === apart: picture ===.")

    def next(self, sample: Sample, prompts: Mapping[str, Prompt], so_far: Sequence[Answered]) -> Ask | Reading:
        """Ask about the figure, and once more with the faults of the answer."""
        if not so_far:
            return Ask(find_prompt(prompts, READ).render(**sample.slots, picture=picture_of(sample.facts)))
        names = len(sample.facts["names"])
        reading = read_answer(names, so_far[-1], len(so_far))
        if reading.status is not ItemStatus.UNPARSABLE or len(so_far) >= ROUNDS:
            return reading
        faults = "\n".join(f"- {fault}" for fault in reading.faults)
        correction = find_prompt(prompts, AGAIN).render(faults=faults, last=str(names), next=str(names + 1))
        text = so_far[-1].text or ""
        reply = (message("assistant", text),) if text.strip() else ()  # some endpoints refuse an empty message
        return Ask((*so_far[0].ask.messages, *reply, *correction), "faults listed", faults=reading.faults)

    def schema(self, task: str, variant: str) -> ReplySchema:
        return SCHEMA

    def summary(self, sample: Sample) -> SampleSummary:
        facts = sample.facts
        return SampleSummary(str(facts["label"] or facts["place"] or sample.key), str(facts["title"]))

    def score(self, sample: Sample, reading: Reading) -> AnswerScore | None:
        """Return None: the ground truth is not known here."""
        return None


PROTOCOL = FigureReading()
