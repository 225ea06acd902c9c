"""CausalGraph2LLM as a protocol: numbered queries, requests, readings, scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.errors import BadInput
from core.runs.options import Settings
from core.steps import Step
from core.words import quoted
from prompts.loader import Prompt
from protocols.causalgraph2llm.asking import check_prompt, messages_of
from protocols.causalgraph2llm.baselines import BASELINES
from protocols.causalgraph2llm.readers import read
from protocols.causalgraph2llm.sample_summaries import NO_VARIABLE, question_of, summary_of
from protocols.causalgraph2llm.samples import samples_of, space_of
from protocols.causalgraph2llm.scoring import score
from protocols.causalgraph2llm.slices import slice_of
from protocols.causalgraph2llm.tasks import (
    ASK,
    ASKED,
    DEFAULTS,
    FLAGS,
    GRAPHS,
    LISTED,
    NAME,
    OPTIONS,
    PLACEHOLDERS,
    SCHEMA,
    TASKS,
    TITLE,
    VARIANT_TITLES,
    VERSION,
    prompt_names,
)
from protocols.exchanges import Answered, Ask, Reading
from protocols.numbered_samples import Space
from protocols.protocol import BenchmarkProtocol, Deviation, SampleSummary, deviations_from
from protocols.replies.schema import ReplySchema
from protocols.samples import AnswerScore, Sample, Samples
from protocols.step_values import Inputs

_VARIANTS = {task.name: task.variants for task in TASKS}


class CausalGraph2LLM(BenchmarkProtocol):
    """Queries about causal graphs (arXiv 2410.15939)."""

    name, title, short_title, version, place = NAME, TITLE, TITLE, VERSION, 3
    tasks = TASKS
    variant_titles = VARIANT_TITLES
    defaults = DEFAULTS
    placeholders = PLACEHOLDERS
    options = OPTIONS
    flags = FLAGS
    sources = (GRAPHS,)
    baselines = BASELINES
    listed = LISTED
    ask = ASK

    def space(self, step: Step, inputs: Inputs, settings: Settings) -> Space:
        return space_of(slice_of(inputs, settings))

    def samples(
        self, step: Step, inputs: Inputs, settings: Settings, start: int = 0, count: int | None = None
    ) -> Samples:
        queries = slice_of(inputs, settings)
        end = queries.samples if count is None else min(queries.samples, start + count)
        return Samples(tuple(samples_of(queries, start, end)))

    def prompt_names(self, task: str, variant: str) -> tuple[str, ...]:
        if task not in ASKED or variant not in _VARIANTS[task]:
            raise BadInput(f"{self.title} has no variant {quoted(variant)} of {quoted(task)}.")
        return prompt_names(task, variant)

    def check_prompt(self, task: str, variant: str, prompt: Prompt) -> None:
        check_prompt(task, variant, prompt)

    def next(self, sample: Sample, prompts: Mapping[str, Prompt], so_far: Sequence[Answered]) -> Ask | Reading:
        """Ask once; the reply is the answer."""
        return read(sample, so_far[-1]) if so_far else Ask(messages_of(sample, prompts))

    def schema(self, task: str, variant: str) -> ReplySchema:
        return SCHEMA

    def summary(self, sample: Sample) -> SampleSummary:
        return summary_of(sample.key, sample.facts)

    def question(self, sample: Sample) -> str:
        return question_of(sample)

    def in_words(self, sample: Sample, label: str | None, value: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the names of a query about all variables instead of its label."""
        if sample.truth is None:
            return super().in_words(sample, label, value)
        names = () if label is None or value is None else (*value["names"], *value["wrong"]) or (NO_VARIABLE,)
        return tuple(sample.truth["answer"]) or (NO_VARIABLE,), names

    def score(self, sample: Sample, reading: Reading) -> AnswerScore | None:
        return score(sample, reading)

    def deviations(self, settings: Settings) -> tuple[Deviation, ...]:
        names = ("node_sampling", "repeats")
        return deviations_from(self.defaults, {name: settings.get(name) for name in names})


PROTOCOL = CausalGraph2LLM()
