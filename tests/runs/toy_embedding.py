"""A protocol that embeds: the texts of each paper get vectors, and what is made of them says how long these are and
which other text is nearest. As a program it is a worker of runs that follow it: `python -m tests.runs.toy_embedding
STORE`."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from core.steps import Span, Step, StepKind
from core.vectors import LEXICAL
from protocols import PROTOCOLS
from protocols.samples import Samples, content_hash
from protocols.step_values import VECTORS, Inputs, Making, StepOutput, Texts, Value
from protocols.steps import names_of_steps
from runs.queues import queue_of
from runs.steps.stepped_run import insert_sources, stepped_run
from store.engine import Store
from store.runs import runs
from store.runs.runs import NewRun
from tests.runs.begun import BUDGET, now, work
from tests.runs.toy_protocol import MANIFEST, Toy

STEPS = (
    Step(name="near", title="Neighbours", kind=StepKind.EMBED, takes=("texts",), span=Span.GROUP),
    Step(name="nearest", title="Nearest", kind=StepKind.MAKE, takes=("near",), span=Span.GROUP),
)


class EmbeddingToy(Toy):
    name = "toy_that_embeds"
    title = short_title = "Toy that embeds"
    roles: Mapping[str, Any] = {}

    def steps(self, settings: Mapping[str, Any]) -> tuple[Step, ...]:
        return STEPS

    def to_embed(self, step: Step, inputs: Inputs, settings: Mapping[str, Any]) -> Texts:
        return Texts(settings["embedder"], tuple(value.value for value in inputs.values["texts"]))

    def samples(
        self, step: Step, inputs: Inputs, settings: Mapping[str, Any], start: int = 0, count: int | None = None
    ) -> Samples:
        raise AssertionError("it asks nothing")

    def make(self, step: Step, inputs: Inputs, settings: Mapping[str, Any]) -> Making:
        vectors = {value.key: value.value for value in inputs.values[VECTORS]}
        given = [value.value for value in inputs.values["near"]]
        return Making(
            tuple(
                StepOutput(inputs.key, {"text": text, "length": len(vectors[text]), "nearest": _nearest(text, vectors)})
                for text in given[:2]
            )
        )


def _nearest(text: str, vectors: Mapping[str, Sequence[float]]) -> str:
    def near(other: str) -> float:
        return sum(one * two for one, two in zip(vectors[text], vectors[other], strict=True))

    return max((other for other in vectors if other != text), key=near, default="")


TOY = EmbeddingToy()


def register() -> None:
    PROTOCOLS[TOY.name] = TOY  # type: ignore[index]


def texts(count: int, papers: int = 1, *, shared: Sequence[str] = ()) -> list[Value]:
    """Texts of papers, each of which has the shared ones too."""
    said = [(f"p{number % papers}", f"cause {number} of wages") for number in range(count)]
    said += [(f"p{paper}", text) for paper in range(papers) for text in shared]
    return [Value(key=key, value=text, hash=content_hash(text)) for key, text in said]


def begin(store: Store, model: Mapping[str, Any], given: Sequence[Value], *, budget: Mapping[str, Any] = BUDGET) -> str:
    """A queued run over these texts; its id."""
    name = f"{model['endpoint']['name']}/{model['model']}" if model else LEXICAL
    run = NewRun(
        title="A run that embeds",
        protocol=TOY.name,
        protocol_version=TOY.version,
        settings={
            "models": {name: {**model, "embeds": True}} if model else {},
            "budget": dict(budget),
            **names_of_steps(STEPS),
            "repeats": 1,
            "wanted": {"embedder": name, "source": {"collections": []}},
        },
        manifest=MANIFEST,
        created_by="terminal",
    )
    with store.writing() as session:
        inserted = runs.insert_run(session, run, (), (), now())
        found = stepped_run(session, inserted.run_id)
        assert found is not None
        insert_sources(session, found, {"texts": given}, now())
        queue_of(store).submit(session, inserted.run_id, ())
    return inserted.run_id


if __name__ == "__main__":
    register()
    work(Store(sys.argv[1]))
