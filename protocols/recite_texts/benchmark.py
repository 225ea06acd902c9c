"""Generation of texts as a protocol: steps, requests, values and readings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.runs.filters import ListedFacts
from core.runs.options import Settings
from core.runs.states import ItemStatus
from core.steps import Step
from prompts.loader import Prompt
from protocols.exchanges import Answered, Ask, Reading
from protocols.protocol import BenchmarkProtocol, SampleSummary
from protocols.recite_texts import asking
from protocols.recite_texts.levels import compared, levels_of
from protocols.recite_texts.making import guard_markdown, make_parts, make_texts
from protocols.recite_texts.markdown import read_markdown
from protocols.recite_texts.normalising import fault_text, followed
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
from protocols.samples import AnswerScore, Sample, Samples
from protocols.step_values import Inputs, Making


class ReciteTexts(BenchmarkProtocol):
    """Texts of papers (ReCITE, arXiv 2505.18931, appendices R, T, U)."""

    name, version, title = NAME, VERSION, TITLE
    short_title = "ReCITE texts"
    place = 2
    tasks = TASKS
    defaults = DEFAULTS
    placeholders = PLACEHOLDERS
    options = OPTIONS
    sources = (PAPERS,)
    roles = ROLES
    released_names = RELEASED_NAMES
    listed = ListedFacts(
        filters={},
        searched=("paper", "title"),
        search_words="Paper",
        shown={"paper": "Paper", "part": "Part", "by": "Text of"},
        is_right_or_wrong=False,
    )

    def steps(self, settings: Settings) -> tuple[Step, ...]:
        """Return the steps. Raises BadInput as `steps_of_tasks`."""
        return steps_of_tasks(settings)

    def samples(
        self, step: Step, inputs: Inputs, settings: Settings, start: int = 0, count: int | None = None
    ) -> Samples:
        return asking.samples_of(step, inputs).part(start, count)

    def make(self, step: Step, inputs: Inputs, settings: Settings) -> Making:
        make = {RAW: make_parts, GUARDS: guard_markdown, TEXT: make_texts}.get(step.name)
        return make(inputs) if make else super().make(step, inputs, settings)

    def prompt_names(self, task: str, variant: str) -> tuple[str, ...]:
        return PROMPTS[task]

    def check_prompt(self, task: str, variant: str, prompt: Prompt) -> None:
        asking.check_prompt(prompt)

    def next(self, sample: Sample, prompts: Mapping[str, Prompt], so_far: Sequence[Answered]) -> Ask | Reading:
        """Return the next request or the reading. The sample's truth has the paper and its graph, so every round can be
        derived from it and the replies."""
        if not so_far:
            messages = asking.first_messages_of(sample.task, prompts, sample, sample.truth["text"])
            return Ask(messages, "round 1" if sample.task == NORMALISE else "answer")
        if sample.task == MARKDOWN:
            return read_markdown(so_far[-1], sample.facts["part"], sample.facts["parts"])
        if sample.task == NORMALISE:
            now = followed(sample.truth, so_far)
            if now.ended is not None:
                return now.ended
            if not now.tries:
                messages = asking.first_messages_of(sample.task, prompts, sample, now.text)
                return Ask(messages, f"round {now.round}")
            messages = asking.again(sample.task, prompts, so_far[-1], [fault_text(each) for each in now.faults])
            return Ask(
                messages,
                f"round {now.round}, faults listed",
                faults=tuple(fault_text(each, now.round) for each in now.faults),
            )
        about = {name: sample.facts[name] for name in ("figure", "truth")}
        levels = levels_of(sample.truth, about, so_far)
        if levels.ended is not None:
            return levels.ended
        messages = asking.again(sample.task, prompts, so_far[-1], levels.faults)
        return Ask(messages, "faults listed", faults=levels.faults)

    def summary(self, sample: Sample) -> SampleSummary:
        facts = sample.facts
        if sample.task == MARKDOWN:
            return SampleSummary(
                facts["paper"], f"part {facts['part']} of {facts['parts']}" if facts["parts"] > 1 else ""
            )
        return SampleSummary(facts["paper"], f"text of {facts['by']}" if facts["by"] else "")

    def score(self, sample: Sample, reading: Reading) -> AnswerScore | None:
        """Return levels in comparison with trivial ones; nothing is right or wrong."""
        if reading.status is not ItemStatus.ANSWERED or sample.task in (MARKDOWN, NORMALISE):
            return None
        return AnswerScore(None, parts=compared(sample.truth, reading.value))


PROTOCOL = ReciteTexts()
