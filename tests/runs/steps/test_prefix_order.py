"""Requests that begin alike leave one after the other, so that a provider finds what they begin with in its cache."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import pytest

from benchmarks.running_server import RunningServer
from core.messages import Message, Text, text_hash
from core.runs.states import RunState
from core.steps import Span, Step, StepKind
from protocols import PROTOCOLS
from protocols.exchanges import Answered, Ask, Reading
from protocols.samples import Sample, Samples, content_hash
from protocols.step_values import Inputs, Making, StepOutput
from store.engine import Store
from tests.everything import EVERYTHING
from tests.runs.begun import model, state, work
from tests.runs.toy_protocol import Toy, begin, texts

DOCUMENTS, QUESTIONS = 20 if EVERYTHING else 8, 26


class Documents(Toy):
    """Asks the same questions about each document, which stands first, as a part of its own."""

    name = "toy_of_documents"
    roles: Mapping[str, Any] = {}

    def steps(self, settings: Mapping[str, Any]) -> tuple[Step, ...]:
        return (
            Step(name="ask", title="Answers", kind=StepKind.ASK, takes=("texts",), span=Span.GROUP),
            Step(name="count", title="How many", kind=StepKind.MAKE, takes=("ask",), span=Span.GROUP),
        )

    def samples(
        self, step: Step, inputs: Inputs, settings: Mapping[str, Any], start: int = 0, count: int | None = None
    ) -> Samples:
        (document,) = inputs.values["texts"]
        return Samples(tuple(_sample(inputs.key, document.value, number) for number in range(QUESTIONS)))

    def next(self, sample: Sample, prompts: Mapping[str, Any], so_far: Sequence[Answered]) -> Ask | Reading:
        if so_far:
            return super().next(sample, prompts, so_far)
        said = Text(sample.slots["document"]), Text(sample.slots["question"])
        return Ask((Message("user", said),))

    def make(self, step: Step, inputs: Inputs, settings: Mapping[str, Any]) -> Making:
        return Making((StepOutput(inputs.key, len(inputs.values["ask"])),))


def _sample(key: str, document: str, number: int) -> Sample:
    return Sample(
        task="task1",
        variant="context",
        key=f"{key}/{number}",
        answer="+",
        slots={"document": document, "question": f" Question {number}?"},
        facts={},
        hash=content_hash([document, number]),
    )


def turns(server: RunningServer) -> int:
    """How many requests do not follow one about the same document."""
    about = {
        text_hash(f"Text number {document}. Question {number}?"): document
        for document in range(DOCUMENTS)
        for number in range(QUESTIONS)
    }
    asked = [about[entry["message_sha256"]] for entry in server.log()["entries"]]
    assert len(asked) == DOCUMENTS * QUESTIONS
    return 1 + sum(one != other for one, other in pairwise(asked))


def test_requests_about_one_document_leave_together(
    sqlite_store: Store, model_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten at a time, of which some take longer than others."""
    monkeypatch.setitem(PROTOCOLS, Documents.name, Documents())  # type: ignore[arg-type]
    monkeypatch.setattr("tests.runs.toy_protocol.NAME", Documents.name)
    monkeypatch.setattr("tests.runs.toy_protocol.REPEATS", 1)
    model_server.play({"rules": [{"share": 0.3, "seed": 1, "latency_ms": 15}, {"share": 0.3, "latency_ms": 5}]})
    run_id = begin(sqlite_store, model(model_server.url, concurrency=10), texts(DOCUMENTS))
    work(sqlite_store)
    assert state(sqlite_store, run_id)[0] is RunState.DONE
    # Of 20 documents with 26 questions each, at least 95 % follow one that begins alike; one a document cannot.
    assert turns(model_server) <= DOCUMENTS * 26 // 20
