"""The reading of figures as a run sees it: what asks a figure, and what an answer says of it. No answer is scored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from core.errors import BadInput
from core.messages import message
from core.runs.options import RunOption, Settings
from core.runs.states import ItemStatus
from core.steps import Step
from core.words import quoted
from prompts import Prompt
from protocols.baselines import Baseline
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
from protocols.making import Inputs
from protocols.one_step import OneStep
from protocols.protocol import Deviation, Face, Role, Sample, Samples, Score, Task
from protocols.replies.schema import ReplySchema
from protocols.turns import Answered, Ask, Reading

if TYPE_CHECKING:
    from core.results.presets import ProtocolTables


class FigureReading(OneStep):
    """Edges of a figure, asked of a model that takes pictures."""

    name, title, short_title, version, place = NAME, TITLE, "Figure reading", VERSION, 9
    tasks: tuple[Task, ...] = TASKS
    variant_titles: Mapping[str, str] = VARIANT_TITLES
    defaults: Mapping[str, Any] = DEFAULTS
    placeholders = PLACEHOLDERS
    options: tuple[RunOption, ...] = OPTIONS
    sources = (FIGURES,)
    roles: Mapping[str, Role] = MappingProxyType({})
    baselines: Mapping[str, Baseline] = MappingProxyType({})
    listed = LISTED
    ask = ASK

    @property
    def tables(self) -> ProtocolTables:
        from protocols.figures.tables import TABLES

        return TABLES

    def space(self, step: Step, inputs: Inputs, settings: Settings) -> None:
        return None

    def samples(
        self, step: Step, inputs: Inputs, settings: Settings, start: int = 0, count: int | None = None
    ) -> Samples:
        found = samples_of(inputs, settings)
        end = None if count is None else start + count
        return replace(found, samples=found.samples[start:end])

    def prompt_names(self, task: str, variant: str) -> tuple[str, ...]:
        """As `BenchmarkProtocol`. Raises BadInput for a variant that there is not."""
        if (task, variant) != (TASK, VARIANT):
            raise BadInput(f"{self.title} has no variant {quoted(variant)} of {quoted(task)}; there is {VARIANT}.")
        return (READ, AGAIN)

    def released_names(self, name: str) -> tuple[str, ...]:
        return ()

    def check_prompt(self, task: str, variant: str, prompt: Prompt) -> None:
        """As `BenchmarkProtocol`: each prompt says all that it is about, and the picture is a part of its own."""
        needed = NEEDED[prompt.name]
        for missing in sorted(needed - prompt.placeholders):
            raise BadInput(f"{prompt.source} has no {{{missing}}}, which {prompt.name} needs.")
        for strange in sorted(prompt.placeholders - needed):
            raise BadInput(f"{prompt.source} has {{{strange}}}, which {prompt.name} does not provide.")
        if prompt.name == READ and "picture" not in prompt.apart:
            raise BadInput(f"{prompt.source} needs the first line === apart: picture ===.")

    def next(self, sample: Sample, prompts: Mapping[str, Prompt], so_far: Sequence[Answered]) -> Ask | Reading:
        """As `BenchmarkProtocol`: the figure once, and once more with what is wrong with the answer."""
        if not so_far:
            return Ask(_prompt(prompts, READ).render(**sample.slots, picture=picture_of(sample.facts)))
        names = len(sample.facts["names"])
        reading = read_answer(names, so_far[-1], len(so_far))
        if reading.status is not ItemStatus.UNPARSABLE or len(so_far) >= ROUNDS:
            return reading
        faults = "\n".join(f"- {fault}" for fault in reading.faults)
        told = _prompt(prompts, AGAIN).render(faults=faults, last=str(names), next=str(names + 1))
        text = so_far[-1].text or ""
        said = (message("assistant", text),) if text.strip() else ()  # not every endpoint takes an empty one
        return Ask((*so_far[0].ask.messages, *said, *told), "faults listed", faults=reading.faults)

    def schema(self, task: str, variant: str) -> ReplySchema:
        return SCHEMA

    def face(self, sample: Sample) -> Face:
        facts = sample.facts
        return Face(str(facts["label"] or facts["place"] or sample.key), str(facts["title"]))

    def score(self, sample: Sample, reading: Reading) -> Score | None:
        """None: nobody knows here what is drawn."""
        return None

    def deviations(self, settings: Settings) -> tuple[Deviation, ...]:
        return ()


def _prompt(prompts: Mapping[str, Prompt], name: str) -> Prompt:
    """Raises BadInput where it is missing."""
    if name not in prompts:
        raise BadInput(f"The prompt {name} is missing; a figure is asked about with it.")
    return prompts[name]


PROTOCOL = FigureReading()
