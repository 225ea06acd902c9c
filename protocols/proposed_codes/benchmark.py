"""Proposed codes as a protocol. Answers are not scored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.errors import BadInput
from core.runs.options import Settings
from core.steps import Step
from core.words import quoted
from prompts.loader import Prompt, find_prompt
from protocols.exchanges import Answered, Ask, Reading
from protocols.proposed_codes.answers import read_answer
from protocols.proposed_codes.samples import samples_of
from protocols.proposed_codes.tasks import (
    ASK,
    DEFAULTS,
    FAILURES,
    LIST,
    LISTED,
    NAME,
    PLACEHOLDERS,
    PROPOSE,
    SCHEMA,
    SLOTS,
    TASK,
    TASKS,
    TITLE,
    VARIANT,
    VERSION,
)
from protocols.protocol import BenchmarkProtocol, SampleSummary
from protocols.replies.schema import ReplySchema
from protocols.samples import AnswerScore, Sample, Samples
from protocols.step_values import Inputs


class ProposedCodes(BenchmarkProtocol):
    """Codes of failures with quotations, proposed by a model."""

    name, title, short_title, version, place = NAME, TITLE, "Proposed codes", VERSION, 10
    tasks = TASKS
    defaults = DEFAULTS
    placeholders = PLACEHOLDERS
    options = (LIST,)
    sources = (FAILURES,)
    listed = LISTED
    ask = ASK

    def samples(
        self, step: Step, inputs: Inputs, settings: Settings, start: int = 0, count: int | None = None
    ) -> Samples:
        return samples_of(inputs, settings).part(start, count)

    def prompt_names(self, task: str, variant: str) -> tuple[str, ...]:
        if (task, variant) != (TASK, VARIANT):
            raise BadInput(f"{self.title} has no variant {quoted(variant)} of {quoted(task)}; there is {VARIANT}.")
        return (PROPOSE,)

    def check_prompt(self, task: str, variant: str, prompt: Prompt) -> None:
        prompt.check(frozenset(SLOTS))

    def next(self, sample: Sample, prompts: Mapping[str, Prompt], so_far: Sequence[Answered]) -> Ask | Reading:
        if not so_far:
            return Ask(find_prompt(prompts, PROPOSE).render(**sample.slots))
        return read_answer(sample.truth, so_far[-1])

    def schema(self, task: str, variant: str) -> ReplySchema:
        return SCHEMA

    def summary(self, sample: Sample) -> SampleSummary:
        facts = sample.facts
        return SampleSummary(str(facts["title"]), f"run {facts['run']}, codebook {facts['codebook']}")

    def score(self, sample: Sample, reading: Reading) -> AnswerScore | None:
        """Return None: people decide on proposals."""
        return None


PROTOCOL = ProposedCodes()
