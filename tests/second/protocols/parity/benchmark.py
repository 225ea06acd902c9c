"""Two tasks asked of whole numbers, with prompts, options, baselines and tables of their own."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from core.errors import BadInput
from core.labels import YES_NO
from core.runs.filters import ListedFacts
from core.runs.options import OptionFlag, OptionKind, RunOption, Settings
from core.steps import Step, StepKind
from prompts.loader import Prompt
from prompts.placeholders import Placeholders
from protocols.baselines import BaselineAnswerer
from protocols.exchanges import Answered, Ask, Reading
from protocols.protocol import BenchmarkProtocol, Deviation, SampleSummary, Task, deviations_from
from protocols.replies.labels import read_label, score_label
from protocols.replies.schema import ReplyField, ReplySchema
from protocols.samples import AnswerScore, Excluded, Sample, Samples, content_hash
from protocols.step_values import Inputs
from protocols.task_variants import pairs_of

NAME, TITLE, VERSION = "parity", "Even and prime", "parity-1"
TASKS = (Task("even", "Is a number even?", ("plain", "terse")), Task("prime", "Is a number prime?", ("plain",)))
SCHEMA = ReplySchema("parity", (ReplyField("answer", YES_NO), ReplyField("reasoning")))
DEFAULTS: Mapping[str, Any] = {"order": "up", "skip": None, "prompts": "built in", "temperature": 0.0, "max_tokens": 50}
USUAL_HIGHEST = 12
OPTIONS = (
    RunOption(
        name="highest",
        has_flag=True,
        source="numbers",
        title="Highest number",
        kind=OptionKind.WHOLE,
        default=USUAL_HIGHEST,
        least=1,
        most=1_000,
    ),
    RunOption(
        name="order",
        title="Order of numbers",
        kind=OptionKind.CHOICE,
        default="up",
        choices={"up": "smallest first", "down": "largest first"},
    ),
    RunOption(
        name="skip",
        title="Leave out multiples of",
        of="even",
        kind=OptionKind.WHOLE,
        least=2,
        most=100,
        when=lambda settings: "even" in settings["tasks"],
    ),
    RunOption(name="thing", title="Numbers of what", kind=OptionKind.TEXT, default="things"),
)


def _text(label: str) -> str:
    return json.dumps({"answer": label, "reasoning": "This is a baseline."})


def _most(samples: Sequence[Sample]) -> str | None:
    said = [sample.answer for sample in samples]
    return max(YES_NO.classes, key=said.count) if said else None


BASELINES: Mapping[str, BaselineAnswerer] = {
    "always-no": BaselineAnswerer(title="always no", reply=lambda sample, _of_all: _text("no")),
    "most-said": BaselineAnswerer(
        title="the most frequent answer",
        reply=lambda sample, of_all: None if of_all is None else _text(of_all),
        of_all=_most,
    ),
    "last-digit": BaselineAnswerer(
        title="a look at the last digit",
        reply=lambda sample, _of_all: _text("yes" if int(sample.facts["number"]) % 2 == 0 else "no"),
        tasks=("even",),
    ),
}


class Parity(BenchmarkProtocol):
    name, title, short_title, version, place = NAME, TITLE, "Parity", VERSION, 2
    tasks, defaults, options, baselines = TASKS, DEFAULTS, OPTIONS, BASELINES
    variant_titles: Mapping[str, str] = {"terse": "in few words"}
    sources = ("numbers",)
    flags = (
        OptionFlag(
            name="whether", takes="values", sets="tasks", help="What is asked of a number, as --tasks: even, prime."
        ),
    )
    placeholders = Placeholders(braces=frozenset({"number", "thing"}))
    listed = ListedFacts(filters={"digits": "Digits"}, searched=("number",), search_words="Number")

    def steps(self, settings: Settings) -> tuple[Step, ...]:
        return (Step(name="ask", title="Answers", kind=StepKind.ASK, takes=("numbers",)),)

    def samples(
        self, step: Step, inputs: Inputs, settings: Settings, start: int = 0, count: int | None = None
    ) -> Samples:
        numbers = sorted((each.value for each in inputs.values["numbers"]), reverse=settings["order"] == "down")
        samples: list[Sample] = []
        excluded: list[Excluded] = []
        made: dict[str, Any] = {}
        for task, variant in pairs_of(TITLE, TASKS, settings):
            asked = 0
            for number in numbers:
                if task == "even" and settings["skip"] and number % settings["skip"] == 0:
                    reason = f"it is a multiple of {settings['skip']}"
                    excluded.append(Excluded(f"number {number}", reason, task=task, variant=variant))
                elif settings["most_samples"] is None or asked < settings["most_samples"]:
                    samples.append(_sample(task, variant, number, settings["thing"] or DEFAULTS.get("thing", "things")))
                    asked += 1
            made[f"{task}/{variant}"] = {"repeats": 0, "found": asked, "asked": asked}
        return Samples(tuple(samples), tuple(excluded), made).part(start, count)

    def prompt_names(self, task: str, variant: str) -> tuple[str, ...]:
        return (f"parity/{task}" if variant == "plain" else f"parity/{task}_{variant}",)

    def check_prompt(self, task: str, variant: str, prompt: Prompt) -> None:
        if "number" not in prompt.placeholders:
            raise BadInput(f"{prompt.source} has no {{number}}.")

    def next(self, sample: Sample, prompts: Mapping[str, Prompt], so_far: Sequence[Answered]) -> Ask | Reading:
        if not so_far:
            (name,) = self.prompt_names(sample.task, sample.variant)
            return Ask(prompts[name].render(**sample.slots))
        return read_label(so_far[-1], SCHEMA)

    def summary(self, sample: Sample) -> SampleSummary:
        facts = sample.facts
        return SampleSummary(f"number {facts['number']}", labels={"digits": tuple(facts["digits"])})

    def schema(self, task: str, variant: str) -> ReplySchema:
        return SCHEMA

    def score(self, sample: Sample, reading: Reading) -> AnswerScore | None:
        return score_label(sample.answer, reading)

    def deviations(self, settings: Settings) -> tuple[Deviation, ...]:
        return deviations_from(DEFAULTS, {name: settings[name] for name in ("order", "skip")})


def _sample(task: str, variant: str, number: int, thing: str) -> Sample:
    is_prime = number > 1 and all(number % other for other in range(2, number))
    answer = "yes" if (number % 2 == 0 if task == "even" else is_prime) else "no"
    slots = {"number": str(number), "thing": thing}
    return Sample(
        task=task,
        variant=variant,
        key=f"n{number}",
        answer=answer,
        slots=slots,
        facts={"number": str(number), "digits": [str(len(str(number)))]},
        hash=content_hash([VERSION, task, variant, slots, answer]),
    )


PROTOCOL = Parity()
