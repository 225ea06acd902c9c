"""Lee et al. 2025 as a protocol: numbered questions, requests, scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.errors import BadInput
from core.runs.options import Settings
from core.steps import Step
from core.words import quoted
from prompts.loader import Prompt
from protocols.exchanges import Answered, Ask, Reading
from protocols.lee.asking import messages_of
from protocols.lee.baselines import BASELINES
from protocols.lee.sample_summaries import question_of, summary_of
from protocols.lee.samples import sample_at, slice_of, space_of
from protocols.lee.tasks import (
    ASK,
    DEFAULTS,
    LISTED,
    NAME,
    NEEDED,
    OPTIONS,
    PLACEHOLDERS,
    PROMPTS,
    QUESTIONS,
    SHORT_TITLE,
    TASKS,
    TITLE,
    VARIANT_TITLES,
    VERSION,
    schema_of,
)
from protocols.numbered_samples import Space
from protocols.protocol import BenchmarkProtocol, Deviation, SampleSummary, deviations_from
from protocols.replies.labels import read_label, score_label
from protocols.replies.schema import ReplySchema
from protocols.samples import AnswerScore, Sample, Samples
from protocols.step_values import Inputs


class Lee(BenchmarkProtocol):
    """Questions of five types about causal relations from abstracts."""

    name, title, short_title, version, place = NAME, TITLE, SHORT_TITLE, VERSION, 5
    tasks = TASKS
    variant_titles = VARIANT_TITLES
    defaults = DEFAULTS
    placeholders = PLACEHOLDERS
    options = OPTIONS
    sources = (QUESTIONS,)
    baselines = BASELINES
    listed = LISTED
    ask = ASK

    def space(self, step: Step, inputs: Inputs, settings: Settings) -> Space:
        return space_of(slice_of(inputs, settings))

    def samples(
        self, step: Step, inputs: Inputs, settings: Settings, start: int = 0, count: int | None = None
    ) -> Samples:
        questions = slice_of(inputs, settings)
        end = questions.samples if count is None else min(questions.samples, start + count)
        return Samples(tuple(sample_at(questions, number) for number in range(start, end)))

    def prompt_names(self, task: str, variant: str) -> tuple[str, ...]:
        if (task, variant) not in PROMPTS:
            raise BadInput(f"{self.short_title} has no variant {quoted(variant)} of {quoted(task)}.")
        return (PROMPTS[task, variant],)

    def check_prompt(self, task: str, variant: str, prompt: Prompt) -> None:
        prompt.check(NEEDED[prompt.name])

    def next(self, sample: Sample, prompts: Mapping[str, Prompt], so_far: Sequence[Answered]) -> Ask | Reading:
        """Ask once; the reply is the answer."""
        return read_label(so_far[-1], schema_of(sample.task)) if so_far else Ask(messages_of(sample, prompts))

    def schema(self, task: str, variant: str) -> ReplySchema:
        return schema_of(task)

    def summary(self, sample: Sample) -> SampleSummary:
        return summary_of(sample.facts)

    def question(self, sample: Sample) -> str:
        return question_of(sample.facts)

    def score(self, sample: Sample, reading: Reading) -> AnswerScore | None:
        return score_label(sample.answer, reading)

    def deviations(self, settings: Settings) -> tuple[Deviation, ...]:
        """Return deviations. A share below all is a sample, as the paper draws one for its open book."""
        return deviations_from(self.defaults, {name: settings.get(name) for name in ("easy", "share", "repeats")})


PROTOCOL = Lee()
