"""EconCausal as a protocol: prompts, messages and labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.errors import BadInput
from core.messages import Messages, message
from core.runs.options import Settings, embedder_of
from core.runs.states import ItemStatus
from core.steps import Step
from core.vectors import LEXICAL
from prompts.loader import Prompt, find_prompt
from protocols.econcausal.baselines import BASELINES
from protocols.econcausal.options import FLAGS, OPTIONS, matches
from protocols.econcausal.probabilities import probabilities_in
from protocols.econcausal.sample_summaries import LISTED, question_of, summary_of
from protocols.econcausal.tasks import (
    AS_RELEASED,
    ASK,
    ASK_WITH_VECTORS,
    DEFAULTS,
    EMBED,
    PLACEHOLDERS,
    PROMPTS,
    RELEASED_NAMES,
    TASK1,
    TASKS,
    TITLE,
    TRIPLETS,
    VARIANT_TITLES,
    VERSION,
    check_variant,
    has_context,
    schema_of,
)
from protocols.exchanges import Answered, Ask, Reading
from protocols.protocol import BenchmarkProtocol, Deviation, SampleSummary
from protocols.replies.labels import read_label, score_label
from protocols.replies.schema import ReplySchema
from protocols.samples import AnswerScore, Sample, Samples
from protocols.step_values import Inputs, Texts

_EXAMPLE = frozenset({"number", "context", "treatment", "outcome", "sign"})


class EconCausal(BenchmarkProtocol):
    """EconCausal's tasks 1 to 3 (arXiv 2510.07231)."""

    name = "econcausal"
    title = TITLE
    short_title = "EconCausal"
    version = VERSION
    place = 1
    tasks = TASKS
    variant_titles = VARIANT_TITLES
    defaults = DEFAULTS
    placeholders = PLACEHOLDERS
    options = OPTIONS
    flags = FLAGS
    sources = (TRIPLETS,)
    baselines = BASELINES
    listed = LISTED
    released_names = RELEASED_NAMES

    def steps(self, settings: Settings) -> tuple[Step, ...]:
        """Return the steps; built-in vectors need none, those of an endpoint are requested first."""
        asks_for_vectors = matches(settings) and embedder_of(settings) != LEXICAL
        return (EMBED, ASK_WITH_VECTORS) if asks_for_vectors else (ASK,)

    def to_embed(self, step: Step, inputs: Inputs, settings: Settings) -> Texts | None:
        from protocols.econcausal.drawing import to_embed  # imported here, since workers never draw

        return to_embed(inputs, settings)

    def samples(
        self, step: Step, inputs: Inputs, settings: Settings, start: int = 0, count: int | None = None
    ) -> Samples:
        """Draw all samples and return a part."""
        from protocols.econcausal.drawing import draw

        return draw(inputs, settings).part(start, count)

    def bound(self, step: Step, inputs: Inputs, settings: Settings) -> Samples:
        from protocols.econcausal.drawing import bound

        return bound(inputs, settings)

    def prompt_names(self, task: str, variant: str) -> tuple[str, ...]:
        check_variant(task, variant)
        return PROMPTS[task, variant]

    def check_prompt(self, task: str, variant: str, prompt: Prompt) -> None:
        """Raise BadInput unless the prompt has exactly the placeholders of its variant."""
        needed = _needed(task, variant, prompt.name)
        names = {_RELEASED_PLACEHOLDERS.get(name, name) for name in prompt.placeholders}
        for missing in sorted(needed - names):
            raise BadInput(f"{prompt.source} has no {{{missing}}}; {task}, {variant}, needs it.")
        for extra in sorted(names - needed):
            raise BadInput(f"{prompt.source} has {{{extra}}}, which {task}, {variant}, does not provide.")
        if _RELEASED_PLACEHOLDERS.keys() & prompt.placeholders and "context" in prompt.placeholders:
            raise BadInput(f"{prompt.source} has {{context}} and {{context_new}}, two names for one value.")

    def next(self, sample: Sample, prompts: Mapping[str, Prompt], so_far: Sequence[Answered]) -> Ask | Reading:
        """Ask once; the reply is the answer."""
        if not so_far:
            return Ask(self._messages(sample, prompts))
        reading = read_label(so_far[-1], self.schema(sample.task, sample.variant))
        if reading.status is not ItemStatus.ANSWERED or not so_far[-1].logprobs:
            return reading
        return replace(reading, probabilities=probabilities_in({"content": so_far[-1].logprobs}))

    def _messages(self, sample: Sample, prompts: Mapping[str, Prompt]) -> Messages:
        names = self.prompt_names(sample.task, sample.variant)
        if not names:  # as released: the row's own question
            return (message("user", sample.slots["question"]),)
        values = dict(sample.slots)
        if len(names) > 1:
            example_prompt, blocks = find_prompt(prompts, names[1]), []
            for number, example in enumerate(sample.facts["examples"], 1):
                (block,) = example_prompt.render(
                    number=str(number),
                    treatment=example["treatment"],
                    outcome=example["outcome"],
                    context=example["context"],
                    sign=example["sign"],
                )
                blocks.append(block.text)
            values["examples"] = "\n\n".join(blocks)
        prompt = find_prompt(prompts, names[0])
        if "context_new" in prompt.placeholders:
            values["context_new"] = values.pop("context")
        return prompt.render(**values)

    def schema(self, task: str, variant: str) -> ReplySchema:
        return schema_of(task, variant)

    def summary(self, sample: Sample) -> SampleSummary:
        return summary_of(sample.facts, sample.key)

    def question(self, sample: Sample) -> str:
        return question_of(sample.facts, sample.key)

    def score(self, sample: Sample, reading: Reading) -> AnswerScore | None:
        return score_label(sample.answer, reading)

    def deviations(self, settings: Settings) -> tuple[Deviation, ...]:
        from protocols.econcausal.drawing import deviations

        return deviations(settings)


_RELEASED_PLACEHOLDERS = {"context_new": "context"}  # placeholder of released files → Edgewise's


def _needed(task: str, variant: str, name: str) -> frozenset[str]:
    if name == "econcausal/example":
        return _EXAMPLE
    if variant == AS_RELEASED:
        return frozenset()
    context = {"context"} if has_context(variant) else set()
    examples = set() if task == TASK1 else {"examples"}
    return frozenset({"treatment", "outcome"} | context | examples)


PROTOCOL = EconCausal()
