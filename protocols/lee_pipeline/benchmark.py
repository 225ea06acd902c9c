"""Lee et al.'s pipeline as a protocol: from abstracts to relations, and to filtered questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.errors import BadInput
from core.runs.filters import ListedFacts
from core.runs.options import Settings, embedder_of
from core.steps import Step
from prompts.loader import Prompt
from protocols.exchanges import Answered, Ask, Reading
from protocols.lee.sample_summaries import summary_of
from protocols.lee_pipeline import asking, making
from protocols.lee_pipeline.baselines import BASELINES
from protocols.lee_pipeline.tasks import (
    ABSTRACTS,
    CODES,
    CONSENSUS,
    DEFAULTS,
    EASY,
    ENTITIES,
    EXTRACT,
    FILTER,
    FLAGS,
    JEL,
    NAME,
    NEEDED,
    OPTIONS,
    PHRASES,
    PLACEHOLDERS,
    PROMPTS,
    QUESTIONS,
    ROLES,
    SHORT_TITLE,
    TASKS,
    TITLE,
    VERSION,
    chosen,
    small_cards,
    steps_of,
)
from protocols.protocol import BenchmarkProtocol, Deviation, SampleSummary, deviations_from
from protocols.replies.labels import score_label
from protocols.samples import AnswerScore, Sample, Samples
from protocols.step_values import Inputs, Making, Texts

NO_SMALL = "Easy is what all small models answer rightly; choose one at least (the paper: three)."


class LeePipeline(BenchmarkProtocol):
    """Relations from abstracts, and questions about them (Lee et al. 2025, section 3)."""

    name, version, title, short_title = NAME, VERSION, TITLE, SHORT_TITLE
    place = 5
    tasks = TASKS
    defaults = DEFAULTS
    placeholders = PLACEHOLDERS
    options = OPTIONS
    flags = FLAGS
    sources = (ABSTRACTS, CODES)
    roles = ROLES
    baselines = BASELINES
    listed = ListedFacts(
        filters={},
        searched=("paper", "title", "treatment", "outcome"),
        search_words="Paper, phrase",
        shown={"paper": "Paper", "given": "Given", "question": "Question ID"},
        is_right_or_wrong=False,
    )

    def steps(self, settings: Settings) -> tuple[Step, ...]:
        """Return the steps. Raises BadInput for one of the tasks alone, repeats, an unreachable threshold, and no small
        models."""
        known = [task.name for task in TASKS]
        if settings.get("tasks") and set(settings["tasks"]) != set(known):
            raise BadInput(f"{SHORT_TITLE}: its tasks go together. Choose both: {', '.join(known)}.")
        if (settings.get("repeats") or 1) > 1:
            raise BadInput(
                f"Repeats: found {settings['repeats']}; expected 1. How often an abstract is extracted is its own "
                f"option: {chosen(settings, 'extractions')}."
            )
        making.rule_of(settings)
        making.question_rule(settings)
        if settings.get("roles") and not small_cards(settings):
            raise BadInput(NO_SMALL)
        return steps_of(settings if settings.get("roles") else {**settings, "roles": {"small": ("any",)}})

    def to_embed(self, step: Step, inputs: Inputs, settings: Settings) -> Texts | None:
        texts = making.phrases_of(inputs) if step.name == PHRASES else making.titles_of(inputs)
        return Texts(embedder_of(settings), texts)

    def samples(
        self, step: Step, inputs: Inputs, settings: Settings, start: int = 0, count: int | None = None
    ) -> Samples:
        return asking.samples_of(step, inputs, settings).part(start, count)

    def make(self, step: Step, inputs: Inputs, settings: Settings) -> Making:
        makers = {
            CONSENSUS: making.make_consensus,
            ENTITIES: making.make_entities,
            JEL: making.make_jel,
            QUESTIONS: making.make_questions,
            FILTER: making.make_filter,
        }
        make = makers.get(step.name)
        return make(inputs, settings) if make else super().make(step, inputs, settings)

    def prompt_names(self, task: str, variant: str) -> tuple[str, ...]:
        return PROMPTS[task]

    def check_prompt(self, task: str, variant: str, prompt: Prompt) -> None:
        prompt.check(NEEDED[prompt.name])

    def next(self, sample: Sample, prompts: Mapping[str, Prompt], so_far: Sequence[Answered]) -> Ask | Reading:
        return asking.next_of(sample, prompts, so_far)

    def summary(self, sample: Sample) -> SampleSummary:
        if sample.task == EXTRACT:
            return SampleSummary(str(sample.facts["paper"]), str(sample.facts["title"]))
        summary = summary_of(sample.facts)
        return SampleSummary(summary.title, summary.detail)

    def score(self, sample: Sample, reading: Reading) -> AnswerScore | None:
        """Score a small model's answer; extractions have no score, since people validate the collected relations."""
        return score_label(sample.answer, reading) if sample.task == EASY else None

    def deviations(self, settings: Settings) -> tuple[Deviation, ...]:
        names = ("extractions", "agreeing", "similarity", "embedder", "method_needed", "scope", "share_true")
        used = {name: settings.get(name) for name in names}
        return deviations_from(self.defaults, {**used, "embedder": embedder_of(settings)})


PROTOCOL = LeePipeline()
