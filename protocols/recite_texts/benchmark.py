"""Making texts of papers as a run sees it: its steps, what each asks and makes, and how answers are read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from core.errors import BadInput
from core.runs.filters import ListedFacts
from core.runs.options import Flag, RunOption, Settings
from core.runs.states import ItemStatus
from core.steps import Step
from core.words import quoted
from prompts import Prompt
from protocols.baselines import Baseline
from protocols.making import Inputs, Making, Texts
from protocols.protocol import Deviation, Face, Role, Sample, Samples, Score, Task
from protocols.recite_texts import asking
from protocols.recite_texts.levels import compared, levels_of
from protocols.recite_texts.making import guard_markdown, make_parts, make_texts
from protocols.recite_texts.markdown import read_markdown
from protocols.recite_texts.normalising import followed, told
from protocols.recite_texts.tasks import (
    DEFAULTS,
    GUARDS,
    MARKDOWN,
    NAME,
    NORMALISE,
    OPTIONS,
    PAPERS,
    PLACEHOLDERS,
    PROMPTS,
    RAW,
    RELEASED_NAMES,
    ROLES,
    TASKS,
    TEXT,
    TITLE,
    VERSION,
    steps_of_tasks,
)
from protocols.replies.schema import ReplyField, ReplySchema
from protocols.turns import Answered, Ask, Reading

if TYPE_CHECKING:
    from core.results.presets import ProtocolTables


class ReciteTexts:
    """Texts of papers (ReCITE, arXiv 2505.18931, appendices R, T, U)."""

    name, version, title = NAME, VERSION, TITLE
    short_title = "ReCITE texts"
    place = 2
    tasks: tuple[Task, ...] = TASKS
    variant_titles: Mapping[str, str] = MappingProxyType({})
    defaults: Mapping[str, Any] = DEFAULTS
    placeholders = PLACEHOLDERS
    options: tuple[RunOption, ...] = OPTIONS
    flags: tuple[Flag, ...] = ()
    sources = (PAPERS,)
    roles: Mapping[str, Role] = ROLES
    baselines: Mapping[str, Baseline] = MappingProxyType({})
    listed = ListedFacts(
        filters={},
        searched=("paper", "title"),
        search_words="Paper",
        shown={"paper": "Paper", "part": "Part", "by": "Text of"},
        is_right_or_wrong=False,
    )

    @property
    def tables(self) -> ProtocolTables:
        from protocols.recite_texts.tables import TABLES

        return TABLES

    def steps(self, settings: Settings) -> tuple[Step, ...]:
        """As `BenchmarkProtocol`. Raises BadInput as `steps_of_tasks`."""
        return steps_of_tasks(settings)

    def to_embed(self, step: Step, inputs: Inputs, settings: Settings) -> Texts | None:
        return None

    def space(self, step: Step, inputs: Inputs, settings: Settings) -> None:
        return None

    def samples(
        self, step: Step, inputs: Inputs, settings: Settings, start: int = 0, count: int | None = None
    ) -> Samples:
        found = asking.samples_of(step, inputs)
        return replace(found, samples=found.samples[start : None if count is None else start + count])

    def bound(self, step: Step, inputs: Inputs, settings: Settings) -> None:
        return None

    def make(self, step: Step, inputs: Inputs, settings: Settings) -> Making:
        match step.name:
            case name if name == RAW:
                return make_parts(inputs)
            case name if name == GUARDS:
                return guard_markdown(inputs)
            case name if name == TEXT:
                return make_texts(inputs)
        raise BadInput(f"{self.title} makes nothing in the step {quoted(step.name)}.")

    def prompt_names(self, task: str, variant: str) -> tuple[str, ...]:
        return PROMPTS[task]

    def released_names(self, name: str) -> tuple[str, ...]:
        return RELEASED_NAMES.get(name, ())

    def check_prompt(self, task: str, variant: str, prompt: Prompt) -> None:
        asking.check_prompt(prompt)

    def next(self, sample: Sample, prompts: Mapping[str, Prompt], so_far: Sequence[Answered]) -> Ask | Reading:
        """As `BenchmarkProtocol`: the paper and its graph are in the sample's truth, so that every round is made of
        that and of the replies before it."""
        if not so_far:
            return Ask(asking.first_messages_of(sample.task, prompts, sample, sample.truth["text"]), _purpose(sample))
        if sample.task == MARKDOWN:
            return read_markdown(so_far[-1], sample.facts["part"], sample.facts["parts"])
        if sample.task == NORMALISE:
            return self._next_round(sample, prompts, so_far)
        about = {name: sample.facts[name] for name in ("figure", "truth")}
        levels = levels_of(sample.truth, about, so_far)
        if levels.ended is not None:
            return levels.ended
        messages = asking.again(sample.task, prompts, so_far[-1], levels.faults)
        return Ask(messages, "faults listed", faults=levels.faults)

    def _next_round(self, sample: Sample, prompts: Mapping[str, Prompt], so_far: Sequence[Answered]) -> Ask | Reading:
        now = followed(sample.truth, so_far)
        if now.ended is not None:
            return now.ended
        if not now.tries:
            messages = asking.first_messages_of(sample.task, prompts, sample, now.text)
            return Ask(messages, f"round {now.round}")
        messages = asking.again(sample.task, prompts, so_far[-1], [told(each) for each in now.faults])
        return Ask(
            messages, f"round {now.round}, faults listed", faults=tuple(told(each, now.round) for each in now.faults)
        )

    def schema(self, task: str, variant: str) -> ReplySchema:
        """Nobody answers without a model, and no endpoint is asked for a form."""
        return ReplySchema(task, (ReplyField(task),))

    def face(self, sample: Sample) -> Face:
        facts = sample.facts
        if sample.task == MARKDOWN:
            return Face(facts["paper"], f"part {facts['part']} of {facts['parts']}" if facts["parts"] > 1 else "")
        return Face(facts["paper"], f"text of {facts['by']}" if facts["by"] else "")

    def score(self, sample: Sample, reading: Reading) -> Score | None:
        """Nothing is right or wrong; levels are kept beside the trivial ones."""
        if reading.status is not ItemStatus.ANSWERED or sample.task in (MARKDOWN, NORMALISE):
            return None
        return Score(None, parts=compared(sample.truth, reading.value))

    def deviations(self, settings: Settings) -> tuple[Deviation, ...]:
        """None: what a text may lose and invent is a setting of the study, which each text names."""
        return ()


def _purpose(sample: Sample) -> str:
    return "round 1" if sample.task == NORMALISE else "answer"


PROTOCOL = ReciteTexts()
