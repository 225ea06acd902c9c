"""EconCausal's four stages as a protocol: from papers to triplets in context that critics accept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.runs.filters import ListedFacts
from core.runs.options import Settings, embedder_of
from core.runs.states import ItemStatus
from core.steps import Step
from prompts.loader import Prompt
from protocols.econcausal_pipeline import asking
from protocols.econcausal_pipeline.baselines import BASELINES
from protocols.econcausal_pipeline.imported_steps import given_steps, make_given, with_given
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
    TASKS,
    TITLE,
    VERSION,
    steps_of,
)
from protocols.exchanges import Answered, Ask, Reading
from protocols.protocol import BenchmarkProtocol, Deviation, SampleSummary
from protocols.samples import AnswerScore, Sample, Samples
from protocols.step_values import Inputs, Making, Texts


class EconCausalPipeline(BenchmarkProtocol):
    """Triplets from papers (EconCausal, arXiv 2510.07231, section 3.1 and appendices A and B)."""

    name, version, title = NAME, VERSION, TITLE
    short_title = SHORT_TITLE
    place = 1
    tasks = TASKS
    defaults = DEFAULTS
    placeholders = PLACEHOLDERS
    options = OPTIONS
    flags = FLAGS
    sources = (PAPERS, FROM_FILES)
    roles = ROLES
    baselines = BASELINES
    released_names = RELEASED_NAMES
    listed = ListedFacts(
        filters={},
        searched=("paper", "title", "treatment", "outcome"),
        search_words="Paper, phrase",
        shown={"paper": "Paper", "number": "Candidate", "treatment": "Treatment", "outcome": "Outcome", "sign": "Sign"},
        is_right_or_wrong=False,
    )

    def steps(self, settings: Settings) -> tuple[Step, ...]:
        """Return the steps. Raises BadInput as `check_settings`."""
        check_settings(settings)
        return with_given(steps_of(settings), settings)

    def to_embed(self, step: Step, inputs: Inputs, settings: Settings) -> Texts | None:
        return Texts(embedder_of(settings), phrases_of(inputs))

    def samples(
        self, step: Step, inputs: Inputs, settings: Settings, start: int = 0, count: int | None = None
    ) -> Samples:
        return asking.samples_of(step, inputs, settings).part(start, count)

    def make(self, step: Step, inputs: Inputs, settings: Settings) -> Making:
        if step.name in given_steps(settings):
            return make_given(step, inputs, settings)
        make = {CONSENSUS: make_consensus, EVIDENCE: make_evidence, FILTER: make_filter}.get(step.name)
        return make(inputs, settings) if make else super().make(step, inputs, settings)

    def prompt_names(self, task: str, variant: str) -> tuple[str, ...]:
        return PROMPTS[task]

    def check_prompt(self, task: str, variant: str, prompt: Prompt) -> None:
        asking.check_prompt(prompt)

    def next(self, sample: Sample, prompts: Mapping[str, Prompt], so_far: Sequence[Answered]) -> Ask | Reading:
        return asking.next_of(sample, prompts, so_far)

    def summary(self, sample: Sample) -> SampleSummary:
        facts = sample.facts
        if sample.task == EXTRACT or "treatment" not in facts:
            return SampleSummary(str(facts["paper"]))
        return SampleSummary(str(facts["paper"]), f"{facts['treatment']} → {facts['outcome']} ({facts['sign']})")

    def score(self, sample: Sample, reading: Reading) -> AnswerScore | None:
        """Return critics' scores as parts; nothing is right or wrong, since people score the collected triplets."""
        if reading.status is not ItemStatus.ANSWERED or "scores" not in (reading.value or {}):
            return None
        return AnswerScore(None, parts=reading.value["scores"])

    def deviations(self, settings: Settings) -> tuple[Deviation, ...]:
        return deviations_of(settings)


PROTOCOL = EconCausalPipeline()
