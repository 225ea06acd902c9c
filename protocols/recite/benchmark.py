"""Graphs from texts as a run sees them: what asks a text, how an answer is read and corrected, and what it is worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from core.errors import BadInput
from core.runs.options import Flag, RunOption, Settings
from core.runs.states import ItemStatus
from core.steps import Step
from core.words import quoted
from prompts import Prompt
from protocols.baselines import Baseline
from protocols.making import Inputs, Making, Texts
from protocols.protocol import Deviation, Face, Role, Sample, Samples, Score, Task
from protocols.recite import messages
from protocols.recite.baselines import BASELINES
from protocols.recite.judge import judging
from protocols.recite.judge import samples as judge_samples
from protocols.recite.judge import tasks as judge
from protocols.recite.reading import corrected_reading, parsed_of, reading_of
from protocols.recite.samples import face_of, samples_of, text_of
from protocols.recite.scoring import score_of
from protocols.recite.source_options import SOURCE_OPTIONS
from protocols.recite.tasks import (
    DEFAULTS,
    FORMAT,
    LISTED,
    NAME,
    OPTIONS,
    PLACEHOLDERS,
    PROMPTS,
    RELEASE,
    RELEASED_NAMES,
    ROLES,
    TABLE,
    TASKS,
    TITLE,
    VARIANT_TITLES,
    VERSION,
    check_variant,
    steps_of_run,
)
from protocols.replies.schema import ReplyField, ReplySchema
from protocols.turns import Answered, Ask, Reading

if TYPE_CHECKING:
    from core.results.presets import ProtocolTables

CORRECTION = "format correction"


class Recite:
    """Causal graphs from long texts (ReCITE, arXiv 2505.18931, sections 3.3 and 4, appendices P and X)."""

    name, version, title, short_title, place = NAME, VERSION, TITLE, "ReCITE", 2
    tasks: tuple[Task, ...] = TASKS
    variant_titles: Mapping[str, str] = VARIANT_TITLES
    defaults: Mapping[str, Any] = DEFAULTS
    placeholders = PLACEHOLDERS
    options: tuple[RunOption, ...] = (*SOURCE_OPTIONS, *OPTIONS)
    flags: tuple[Flag, ...] = ()
    sources = (RELEASE, TABLE, judge.ANSWERS)
    roles: Mapping[str, Role] = ROLES
    baselines: Mapping[str, Baseline] = MappingProxyType(BASELINES)
    listed = LISTED

    @property
    def tables(self) -> ProtocolTables:
        from protocols.recite.tables import TABLES

        return TABLES

    def steps(self, settings: Settings) -> tuple[Step, ...]:
        return steps_of_run(settings)

    def to_embed(self, step: Step, inputs: Inputs, settings: Settings) -> Texts | None:
        return None

    def space(self, step: Step, inputs: Inputs, settings: Settings) -> None:
        return None

    def samples(
        self, step: Step, inputs: Inputs, settings: Settings, start: int = 0, count: int | None = None
    ) -> Samples:
        draw = judge_samples.samples_of if judge.judges(settings) else samples_of
        found = draw(inputs, settings)
        end = None if count is None else start + count
        return replace(found, samples=found.samples[start:end])

    def bound(self, step: Step, inputs: Inputs, settings: Settings) -> None:
        return None

    def make(self, step: Step, inputs: Inputs, settings: Settings) -> Making:
        """Raises BadInput: it has no such step."""
        raise BadInput(f"{self.title} makes nothing in the step {quoted(step.name)}.")

    def prompt_names(self, task: str, variant: str) -> tuple[str, ...]:
        """As `BenchmarkProtocol`. Raises BadInput for a variant that there is not."""
        check_variant(task, variant)
        return judge.PROMPTS if task == judge.JUDGE else PROMPTS[variant]

    def released_names(self, name: str) -> tuple[str, ...]:
        return RELEASED_NAMES.get(name, ())

    def check_prompt(self, task: str, variant: str, prompt: Prompt) -> None:
        if task == judge.JUDGE:
            judge.check_prompt(variant, prompt)
        else:
            messages.check_prompt(task, variant, prompt)

    def next(self, sample: Sample, prompts: Mapping[str, Prompt], so_far: Sequence[Answered]) -> Ask | Reading:
        """As `BenchmarkProtocol`: the text once; a malformed answer is put into form by the helper, if the run has
        one: then the prompts are at hand."""
        if sample.task == judge.JUDGE:
            return judging.next_of(sample, prompts, so_far)
        first_name, format_name = PROMPTS[sample.variant]
        nodes = sample.truth["nodes"]
        if not so_far:
            return Ask(messages.asked(_prompt(prompts, first_name), sample.task, nodes, text_of(sample)))
        first = so_far[0]
        if len(so_far) > 1:
            return corrected_reading(sample, first, so_far[1])
        parsed = parsed_of(sample, first)
        has_words = bool(first.text and first.text.strip())
        if parsed.status is ItemStatus.UNPARSABLE and has_words and format_name in prompts:
            said = messages.corrected(prompts[format_name], nodes, first.text or "")
            return Ask(said, CORRECTION, role=FORMAT, faults=parsed.faults)
        return reading_of(parsed)

    def schema(self, task: str, variant: str) -> ReplySchema:
        """No endpoint is asked for a form: an answer reasons first."""
        return ReplySchema("recite_graph", (ReplyField("relationships"),))

    def face(self, sample: Sample) -> Face:
        return judge_samples.face_of(sample) if sample.task == judge.JUDGE else face_of(sample)

    def score(self, sample: Sample, reading: Reading) -> Score | None:
        if sample.task == judge.JUDGE:
            return judging.score_of(sample, reading)
        return score_of(sample, reading)

    def deviations(self, settings: Settings) -> tuple[Deviation, ...]:
        """None: what a run chooses is told by its source, its prompts and its parameters."""
        return ()


def _prompt(prompts: Mapping[str, Prompt], name: str) -> Prompt:
    """Raises BadInput where it is missing."""
    if name not in prompts:
        raise BadInput(f"The prompt {name} is missing; a text is asked about with it.")
    return prompts[name]


PROTOCOL = Recite()
