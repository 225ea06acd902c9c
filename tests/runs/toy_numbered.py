"""A protocol whose samples are numbers and nothing else. Of each pair of a row and a column it asks which way their
difference goes, so that a hundred thousand samples are told by two numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from core.analysis.groupings import by_label
from core.analysis.metrics import ACCURACY
from core.analysis.presets import Part, Preset, ProtocolTables
from core.messages import message
from core.runs.filters import ListedFacts
from core.runs.windows import NUMBERED, NumberedWindow
from core.steps import Step, StepKind
from protocols import PROTOCOLS
from protocols.baselines import BaselineAnswerer
from protocols.exchanges import Answered, Ask, Reading
from protocols.numbered_samples import Space, SpacePart
from protocols.protocol import SampleSummary, Task
from protocols.samples import AnswerScore, Sample, Samples, content_hash
from protocols.step_values import Inputs, Value
from runs.numbered.windows import sources_of
from runs.queues import queue_of
from store.engine import Store
from store.runs import runs
from store.runs.runs import NewRun
from tests.runs.begun import BUDGET, now
from tests.runs.toy_protocol import MANIFEST, Toy

NAME, SOURCE = "differences", "sides"
VARIANTS = ("plain", "terse")
WORDS: Mapping[str, str] = {
    "plain": "Two numbers are given. Answer with one JSON object that says the sign of their difference.",
    "terse": "One JSON object.",
}
KINDS = ("wages", "prices", "exports", "hours")
DIGITS = by_label("digit", "Last digit", "none")


TABLES = ProtocolTables(
    presets={
        "main": Preset(
            key="main", title="By digit", told="Accuracy by the last digit.", parts=(Part((ACCURACY,), DIGITS),)
        )
    },
    told="accuracy by the last digit",
    labels_of=lambda facts: {"digit": (facts["digit"],)},
    cluster_of=lambda facts: facts["kind"],
)


class Differences(Toy):
    name, version = NAME, "differences-1"
    title = short_title = "Differences"
    place = 9
    tasks = (Task("differ", "Differences", VARIANTS),)
    sources = (SOURCE,)
    roles: Mapping[str, Any] = MappingProxyType({})
    listed = ListedFacts(
        filters={"digit": "Last digit", "kind": "Kind"}, searched=("kind", "words"), search_words="Kind; words"
    )
    baselines: Mapping[str, BaselineAnswerer] = MappingProxyType(
        {
            "always-plus": BaselineAnswerer(title="always +", reply=lambda _sample, _of_all: '{"predicted_sign": "+"}'),
            "most-said": BaselineAnswerer(title="most", reply=lambda _s, said: said, of_all=lambda _samples: "+"),
        }
    )
    tables = TABLES

    def steps(self, settings: Mapping[str, Any]) -> tuple[Step, ...]:
        return (Step(name="ask", title="Answers", kind=StepKind.ASK, takes=(SOURCE,)),)

    def space(self, step: Step, inputs: Inputs, settings: Mapping[str, Any]) -> Space:
        pairs = _pairs(inputs)
        return Space(tuple(SpacePart("differ", variant, pairs) for variant in settings["variants"]))

    def samples(
        self, step: Step, inputs: Inputs, settings: Mapping[str, Any], start: int = 0, count: int | None = None
    ) -> Samples:
        pairs, variants = _pairs(inputs), settings["variants"]
        end = pairs * len(variants) if count is None else start + count
        columns = inputs.values[SOURCE][0].value["columns"]
        return Samples(
            tuple(self._sample(variants[number // pairs], number % pairs, columns) for number in range(start, end))
        )

    def _sample(self, variant: str, number: int, columns: int) -> Sample:
        one, other = divmod(number, columns)
        return Sample(
            task="differ",
            variant=variant,
            key=f"{one}-{other}",
            answer="+" if one > other else "-" if one < other else "None",
            slots={"one": str(one), "other": str(other)},
            facts={"kind": KINDS[one % 4], "words": f"{KINDS[other % 4]} number {number}", "digit": str(one % 10)},
            hash=content_hash([self.version, variant, one, other]),
        )

    def next(self, sample: Sample, prompts: Mapping[str, Any], so_far: Sequence[Answered]) -> Ask | Reading:
        if not so_far:
            one, other = sample.slots["one"], sample.slots["other"]
            asked = f"What is the sign of {one} minus {other}?"
            return Ask((message("system", WORDS[sample.variant]), message("user", asked)))
        return super().next(replace(sample, task="task1", variant="context"), prompts, so_far)  # its schema

    def schema(self, task: str, variant: str) -> Any:
        return super().schema("task1", "context")

    def summary(self, sample: Sample) -> SampleSummary:
        facts = sample.facts
        return SampleSummary(sample.key, facts["words"], {"digit": (facts["digit"],), "kind": (facts["kind"],)})

    def score(self, sample: Sample, reading: Reading) -> AnswerScore | None:
        return None if reading.label is None else AnswerScore(reading.label == sample.answer, reading.label)

    def prompt_names(self, task: str, variant: str) -> tuple[str, ...]:
        return ()


DIFFERENCES = Differences()


def _pairs(inputs: Inputs) -> int:
    (sides,) = inputs.values[SOURCE]
    return int(sides.value["rows"]) * int(sides.value["columns"])


def register() -> None:
    PROTOCOLS[NAME] = DIFFERENCES  # type: ignore[index]


def sides(rows: int, columns: int) -> list[Value]:
    said = {"rows": rows, "columns": columns}
    return [Value(key="", value=said, hash=content_hash(said))]


def begin(
    store: Store,
    models: Mapping[str, Mapping[str, Any]],
    rows: int,
    columns: int,
    *,
    variants: Sequence[str] = VARIANTS[:1],
    repeats: int = 1,
    budget: Mapping[str, Any] = BUDGET,
) -> str:
    """A queued run past all services; its id."""
    hashes, texts = sources_of({SOURCE: sides(rows, columns)})
    numbers = NumberedWindow(
        parts=tuple(("differ", variant, rows * columns) for variant in variants),
        items={name: 1 if said["kind"] == "baseline" else repeats for name, said in models.items()},
        version=DIFFERENCES.version,
        sources=hashes,
    )
    run = NewRun(
        title="Differences",
        protocol=NAME,
        protocol_version=DIFFERENCES.version,
        settings={
            "models": {name: dict(said) for name, said in models.items()},
            "budget": dict(budget),
            "repeats": repeats,
            "wanted": {"source": {"collections": []}, "variants": list(variants)},
        },
        manifest={**MANIFEST, NUMBERED: numbers.as_json()},
        created_by="terminal",
        next_place=0,
    )
    with store.writing() as session:
        inserted = runs.insert_run(session, run, (), (), now(), texts)
        queue_of(store).submit(session, inserted.run_id, ())
    return inserted.run_id
