"""A protocol of several steps that is no benchmark: each text is asked three times, what was said is made one label,
all labels are put in order, each is asked about once more, and people decide on what came of it.

As a program it is the child of a worker that knows this protocol (`runs/steps/making.py`).
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from core.analysis.presets import ProtocolTables
from core.errors import BadInput
from core.messages import message
from core.runs.filters import ListedFacts
from core.runs.states import ItemStatus
from core.steps import Span, Step, StepKind
from prompts.loader import Prompt
from prompts.placeholders import Placeholders
from protocols import PROTOCOLS
from protocols.econcausal.tasks import schema_of
from protocols.exchanges import Answered, Ask, Reading
from protocols.protocol import BenchmarkProtocol, ModelRole, SampleSummary, Task
from protocols.replies.labels import read_reply
from protocols.replies.schema import ReplySchema
from protocols.samples import AnswerScore, Sample, Samples, content_hash
from protocols.step_values import Inputs, Making, StepOutput, Value
from protocols.steps import names_of_steps
from runs.queues import queue_of
from runs.steps import making, making_child
from runs.steps.stepped_run import insert_sources, stepped_run
from store.engine import Store
from store.runs import runs
from store.runs.runs import NewRun
from tests.runs.begun import BUDGET, now, rows

NAME = "toy_of_steps"
REPEATS = 3
MANIFEST: Mapping[str, Any] = {
    "hashes": {},
    "prompts": [],
    "prompts_folder": "",
    "made": {},
    "parameters": {},
    "deviations": [],
    "excluded": [],
    "notices": [],
}
COMMAND = [sys.executable, "-m", "tests.runs.toy_protocol"]
STEPS = (
    Step(name="rule", title="Ruling", kind=StepKind.DECIDE, takes=("again",), span=Span.ALL),
    Step(name="again", title="Asked again", kind=StepKind.ASK, takes=("order", "texts"), span=Span.GROUP, role="judge"),
    Step(name="order", title="Order", kind=StepKind.MAKE, takes=("label",), span=Span.ALL),
    Step(name="label", title="One label", kind=StepKind.MAKE, takes=("ask",), span=Span.GROUP),
    Step(name="ask", title="Answers", kind=StepKind.ASK, takes=("texts",)),
)

NO_TABLES = ProtocolTables()


class Toy(BenchmarkProtocol):
    name = NAME
    title = short_title = "Toy of steps"
    version = "1"
    tasks = (Task("task1", "Toy", ("context",)),)
    defaults: Mapping[str, Any] = {"prompts": "built in"}
    placeholders = Placeholders()
    sources = ("texts",)
    roles: Mapping[str, ModelRole] = {"judge": ModelRole(title="Judge", kinds=("instruct",))}
    listed = ListedFacts(filters={}, searched=(), search_words="")
    tables = NO_TABLES

    def steps(self, settings: Mapping[str, Any]) -> tuple[Step, ...]:
        return STEPS

    def samples(
        self, step: Step, inputs: Inputs, settings: Mapping[str, Any], start: int = 0, count: int | None = None
    ) -> Samples:
        (text,) = inputs.values["texts"]
        if text.value == "refuse":
            raise BadInput(f"The text of {text.key} is none.")
        if step.name == "ask":
            return Samples((_sample(step.name, inputs.key, text.value),))
        (order,) = inputs.values["order"]
        return Samples((_sample(step.name, inputs.key, f"{text.value} {order.value['label']} {order.value['place']}"),))

    def make(self, step: Step, inputs: Inputs, settings: Mapping[str, Any]) -> Making:
        if step.name == "label":
            said = Counter(value.value["predicted_sign"] for value in inputs.values["ask"])
            return Making(
                (StepOutput(inputs.key, {"label": max(sorted(said), key=said.__getitem__), "of": said.total()}),)
            )
        labels = sorted(inputs.values["label"], key=lambda value: (value.value["label"], value.key))
        return Making(
            tuple(
                StepOutput(each.key, {"label": each.value["label"], "place": place}, rests_on=(each.hash,))
                for place, each in enumerate(labels)
            )
        )

    def prompt_names(self, task: str, variant: str) -> tuple[str, ...]:
        return ()

    def check_prompt(self, task: str, variant: str, prompt: Prompt) -> None:
        """It has none."""

    def next(self, sample: Sample, prompts: Mapping[str, Any], so_far: Sequence[Answered]) -> Ask | Reading:
        if not so_far:
            return Ask((message("user", f"Which sign? {sample.slots['text']}"),))
        schema = schema_of(sample.task, sample.variant)
        said = read_reply(so_far[-1].text, schema=schema, finish_reason=so_far[-1].finish_reason)
        value = None if said.value is None else dict(said.value)
        return Reading(status=said.status, label=said.label, value=value, faults=(said.fault,) if said.fault else ())

    def summary(self, sample: Sample) -> SampleSummary:
        return SampleSummary(sample.key)

    def schema(self, task: str, variant: str) -> ReplySchema:
        return schema_of(task, variant)

    def score(self, sample: Sample, reading: Reading) -> AnswerScore | None:
        return AnswerScore(None, reading.label) if reading.status is ItemStatus.ANSWERED else None


TOY = Toy()


def _sample(step: str, key: str, text: str) -> Sample:
    return Sample(
        task="task1",
        variant="context",
        key=f"{step}/{key}",
        answer="+",
        slots={"text": text},
        facts={"paper": key},
        hash=content_hash([step, text]),
    )


def register() -> None:
    """Have this process, and the children of its workers, know the protocol."""
    PROTOCOLS[NAME] = TOY  # type: ignore[index]
    making_child.COMMAND[:] = COMMAND


def texts(count: int, *, refused: Sequence[int] = ()) -> list[Value]:
    said = ["refuse" if number in refused else f"Text number {number}." for number in range(count)]
    return [Value(key=f"p{number:02}", value=text, hash=content_hash(text)) for number, text in enumerate(said)]


def begin(store: Store, model: Mapping[str, Any], given: Sequence[Value], *, source: str = "texts") -> str:
    """A queued run over these texts; its id."""
    run = NewRun(
        title="A run of several steps",
        protocol=NAME,
        protocol_version=TOY.version,
        settings={
            "models": {"m": dict(model), "j": dict(model)},
            "roles": {"judge": "j"},
            "budget": dict(BUDGET),
            **names_of_steps(STEPS),
            "repeats": REPEATS,
            "wanted": {"source": {"collections": []}},
        },
        manifest=MANIFEST,
        created_by="terminal",
    )
    with store.writing() as session:
        inserted = runs.insert_run(session, run, (), (), now())
        found = stepped_run(session, inserted.run_id)
        assert found is not None
        insert_sources(session, found, {source: given}, now())
        queue_of(store).submit(session, inserted.run_id, ())
    return inserted.run_id


def told(store: Store, run_id: str) -> str:
    """All that a run came to, in one order, without ids, times, places and shards: JSON to compare byte for byte."""
    groups = rows(store, "SELECT step, key, state, reason, inputs_hash FROM run_group WHERE run_id = :run", run=run_id)
    made = rows(
        store,
        "SELECT g.step, g.key, m.key, m.place, m.hash, CAST(m.value AS TEXT), CAST(m.flags AS TEXT),"
        " CAST(m.rests_on AS TEXT), CAST(m.ruling AS TEXT) FROM run_made m JOIN run_group g ON g.id = m.group_id"
        " WHERE g.run_id = :run",
        run=run_id,
    )
    items = rows(
        store,
        "SELECT g.step, g.key, s.key, s.sample_hash, CAST(s.messages AS TEXT), i.model, i.repeat, i.status,"
        " i.predicted, CAST(i.parsed AS TEXT), i.request_hash FROM run_item i JOIN run_sample s ON s.id = i.sample_id"
        " JOIN run_group g ON g.id = s.group_id WHERE g.run_id = :run",
        run=run_id,
    )
    return json.dumps([sorted([str(each) for each in row] for row in some) for some in (groups, made, items)])


if __name__ == "__main__":
    register()
    sys.exit(making.main())
