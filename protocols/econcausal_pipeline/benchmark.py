"""EconCausal's four stages as a run sees them: from papers to triplets in context that critics accept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from core.errors import BadInput
from core.runs.filters import ListedFacts
from core.runs.options import RunOption, Settings, embedder_of
from core.runs.states import ItemStatus
from core.steps import Step
from core.words import quoted
from prompts import Prompt
from protocols.baselines import Baseline
from protocols.econcausal_pipeline import asking
from protocols.econcausal_pipeline.baselines import BASELINES
from protocols.econcausal_pipeline.given import given_steps, make_given, with_given
from protocols.econcausal_pipeline.making import make_consensus, make_evidence, make_filter, phrases_of
from protocols.econcausal_pipeline.settings import check_settings, deviations_of
from protocols.econcausal_pipeline.tasks import (
    CONSENSUS,
    DEFAULTS,
    EVIDENCE,
    EXTRACT,
    FILTER,
    FLAGS,
    FROM_FILES,
    NAME,
    OPTIONS,
    PAPERS,
    PLACEHOLDERS,
    PROMPTS,
    RELEASED_NAMES,
    ROLES,
    SHORT_TITLE,
    SOURCE_OPTIONS,
    TASKS,
    TITLE,
    VERSION,
    steps_of,
)
from protocols.making import Inputs, Making, Texts
from protocols.protocol import Deviation, Face, Role, Sample, Samples, Score, Task
from protocols.replies.schema import ReplyField, ReplySchema
from protocols.turns import Answered, Ask, Reading

if TYPE_CHECKING:
    from core.results.presets import ProtocolTables


class EconCausalPipeline:
    """Triplets from papers (EconCausal, arXiv 2510.07231, section 3.1 and appendices A and B)."""

    name, version, title = NAME, VERSION, TITLE
    short_title = SHORT_TITLE
    place = 1
    tasks: tuple[Task, ...] = TASKS
    variant_titles: Mapping[str, str] = MappingProxyType({})
    defaults: Mapping[str, Any] = DEFAULTS
    placeholders = PLACEHOLDERS
    options: tuple[RunOption, ...] = (*SOURCE_OPTIONS, *OPTIONS)
    flags = FLAGS
    sources = (PAPERS, FROM_FILES)
    roles: Mapping[str, Role] = ROLES
    baselines: Mapping[str, Baseline] = BASELINES
    listed = ListedFacts(
        filters={},
        searched=("paper", "title", "treatment", "outcome"),
        search_words="Paper, phrase",
        shown={"paper": "Paper", "number": "Candidate", "treatment": "Treatment", "outcome": "Outcome", "sign": "Sign"},
        is_right_or_wrong=False,
    )

    @property
    def tables(self) -> ProtocolTables:
        from protocols.econcausal_pipeline.tables import TABLES

        return TABLES

    def steps(self, settings: Settings) -> tuple[Step, ...]:
        """As `BenchmarkProtocol`. Raises BadInput as `check_settings`."""
        check_settings(settings)
        return with_given(steps_of(settings), settings)

    def to_embed(self, step: Step, inputs: Inputs, settings: Settings) -> Texts | None:
        return Texts(embedder_of(settings), phrases_of(inputs))

    def space(self, step: Step, inputs: Inputs, settings: Settings) -> None:
        return None

    def samples(
        self, step: Step, inputs: Inputs, settings: Settings, start: int = 0, count: int | None = None
    ) -> Samples:
        found = asking.samples_of(step, inputs, settings)
        return replace(found, samples=found.samples[start : None if count is None else start + count])

    def bound(self, step: Step, inputs: Inputs, settings: Settings) -> None:
        return None

    def make(self, step: Step, inputs: Inputs, settings: Settings) -> Making:
        if step.name in given_steps(settings):
            return make_given(step, inputs, settings)
        match step.name:
            case name if name == CONSENSUS:
                return make_consensus(inputs, settings)
            case name if name == EVIDENCE:
                return make_evidence(inputs, settings)
            case name if name == FILTER:
                return make_filter(inputs, settings)
        raise BadInput(f"{self.title} makes nothing in the step {quoted(step.name)}.")

    def prompt_names(self, task: str, variant: str) -> tuple[str, ...]:
        return PROMPTS[task]

    def released_names(self, name: str) -> tuple[str, ...]:
        return RELEASED_NAMES.get(name, ())

    def check_prompt(self, task: str, variant: str, prompt: Prompt) -> None:
        asking.check_prompt(prompt)

    def next(self, sample: Sample, prompts: Mapping[str, Prompt], so_far: Sequence[Answered]) -> Ask | Reading:
        return asking.next_of(sample, prompts, so_far)

    def schema(self, task: str, variant: str) -> ReplySchema:
        """Baselines answer in the form of the prompt; no endpoint is asked for one."""
        return ReplySchema(task, (ReplyField(task),))

    def face(self, sample: Sample) -> Face:
        facts = sample.facts
        if sample.task == EXTRACT or "treatment" not in facts:
            return Face(str(facts["paper"]))
        return Face(str(facts["paper"]), f"{facts['treatment']} → {facts['outcome']} ({facts['sign']})")

    def score(self, sample: Sample, reading: Reading) -> Score | None:
        """Nothing is right or wrong here; people score what is collected. What a critic scored is kept in parts."""
        if reading.status is not ItemStatus.ANSWERED or "scores" not in (reading.value or {}):
            return None
        return Score(None, parts=reading.value["scores"])

    def deviations(self, settings: Settings) -> tuple[Deviation, ...]:
        return deviations_of(settings)


PROTOCOL = EconCausalPipeline()
