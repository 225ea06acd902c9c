"""ReCITE as a protocol: requests, corrections of form, readings, scores; and its judge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from core.runs.options import Settings, embedder_of
from core.runs.states import ItemStatus
from core.steps import Step, StepKind
from prompts.loader import Prompt, find_prompt
from protocols.exchanges import Answered, Ask, Reading
from protocols.protocol import BenchmarkProtocol, SampleSummary
from protocols.recite import messages
from protocols.recite.baselines import BASELINES
from protocols.recite.judge import judging
from protocols.recite.judge import samples as judge_samples
from protocols.recite.judge import tasks as judge
from protocols.recite.reading import corrected_reading, parsed_of, reading_of
from protocols.recite.samples import abstracts_of, samples_of, summary_of, text_of
from protocols.recite.scoring import score_of
from protocols.recite.tasks import (
    DEFAULTS,
    FORMAT,
    LISTED,
    NAME,
    OPTIONS,
    PLACEHOLDERS,
    PROMPTS,
    RELEASED_NAMES,
    ROLES,
    SOURCES,
    TASKS,
    TITLE,
    VARIANT_TITLES,
    VERSION,
    check_variant,
    steps_of_run,
)
from protocols.replies.schema import ReplyField, ReplySchema
from protocols.samples import AnswerScore, Sample, Samples
from protocols.step_values import Inputs, Texts

CORRECTION = "format correction"


class Recite(BenchmarkProtocol):
    """Causal graphs from long texts (ReCITE, arXiv 2505.18931, sections 3.3 and 4, appendices P and X)."""

    name, version, title, short_title, place = NAME, VERSION, TITLE, "ReCITE", 2
    tasks = TASKS
    variant_titles = VARIANT_TITLES
    defaults = DEFAULTS
    placeholders = PLACEHOLDERS
    options = OPTIONS
    sources = (*SOURCES, judge.ANSWERS)
    roles = ROLES
    baselines = MappingProxyType(BASELINES)
    listed = LISTED
    released_names = RELEASED_NAMES

    def steps(self, settings: Settings) -> tuple[Step, ...]:
        return steps_of_run(settings)

    def samples(
        self, step: Step, inputs: Inputs, settings: Settings, start: int = 0, count: int | None = None
    ) -> Samples:
        draw = judge_samples.samples_of if judge.judges(settings) else samples_of
        return draw(inputs, settings).part(start, count)

    def to_embed(self, step: Step, inputs: Inputs, settings: Settings) -> Texts | None:
        """Return the abstracts of the samples; None for a run without an embedder."""
        abstracts = abstracts_of(inputs) if step.kind is StepKind.EMBED else ()
        return Texts(embedder_of(settings), abstracts) if abstracts else None

    def prompt_names(self, task: str, variant: str) -> tuple[str, ...]:
        check_variant(task, variant)
        return judge.PROMPTS if task == judge.JUDGE else PROMPTS[variant]

    def check_prompt(self, task: str, variant: str, prompt: Prompt) -> None:
        if task == judge.JUDGE:
            judge.check_prompt(variant, prompt)
        else:
            messages.check_prompt(task, variant, prompt)

    def next(self, sample: Sample, prompts: Mapping[str, Prompt], so_far: Sequence[Answered]) -> Ask | Reading:
        """Ask about the text once; the helper corrects the form of a malformed answer, if the run has one and prompts
        are given."""
        if sample.task == judge.JUDGE:
            return judging.next_of(sample, prompts, so_far)
        first_name, format_name = PROMPTS[sample.variant]
        nodes = sample.truth["nodes"]
        if not so_far:
            return Ask(
                messages.generation_messages(find_prompt(prompts, first_name), sample.task, nodes, text_of(sample))
            )
        first = so_far[0]
        if len(so_far) > 1:
            return corrected_reading(sample, first, so_far[1])
        parsed = parsed_of(sample, first)
        has_words = bool(first.text and first.text.strip())
        if parsed.status is ItemStatus.UNPARSABLE and has_words and format_name in prompts:
            correction = messages.corrected(prompts[format_name], nodes, first.text or "")
            return Ask(correction, CORRECTION, role=FORMAT, faults=parsed.faults)
        return reading_of(parsed)

    def schema(self, task: str, variant: str) -> ReplySchema:
        """Return a plain schema: answers reason first, so structured output is not requested."""
        return ReplySchema("recite_graph", (ReplyField("relationships"),))

    def summary(self, sample: Sample) -> SampleSummary:
        return judge_samples.summary_of(sample) if sample.task == judge.JUDGE else summary_of(sample)

    def question(self, sample: Sample) -> str:
        title = self.summary(sample).title
        if sample.task == judge.JUDGE:
            section = judge_samples.section_of(sample).value.replace("_", " ")
            return f"Judge the {section} of {sample.facts['judged']} on “{title}”"
        return f"Which causal graph does “{title}” describe?"

    def score(self, sample: Sample, reading: Reading) -> AnswerScore | None:
        if sample.task == judge.JUDGE:
            return judging.score_of(sample, reading)
        return score_of(sample, reading)


PROTOCOL = Recite()
