"""A protocol of up to three rounds for tests: one JSON object as answer, faults listed for another try, and prose given
to a helper card that puts it into form. It stands nowhere but in tests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any, cast

from core.labels import SIGN
from core.messages import Messages, message
from core.runs.filters import ListedFacts
from core.runs.states import ItemStatus
from core.steps import Step, StepKind
from prompts.loader import Prompt
from prompts.placeholders import Placeholders
from protocols import PROTOCOLS
from protocols.exchanges import Answered, Ask, Reading
from protocols.protocol import BenchmarkProtocol, ModelRole, SampleSummary
from protocols.replies.objects import ParsedObject, read_object
from protocols.replies.shapes import Key, LabelShape, ListShape, NumberShape, ObjectShape
from protocols.samples import AnswerScore, Sample

ROUNDS = 3
SHAPE = ObjectShape(
    (
        Key("links", ListShape(ObjectShape((Key("sign", LabelShape(SIGN)), Key("weight", NumberShape(0, 1)))), most=9)),
        Key("about", LabelShape(SIGN)),
    )
)
FORM = "toy/form"
FORM_TEXT = "=== system ===\n\n=== user ===\nPut into the form {form}: {said}\n"
PLACEHOLDERS = Placeholders(braces=frozenset({"form", "said"}))


class Toy:
    """A sample whose facts say `endless` is asked for ever, as far as the protocol goes."""

    name, title, short_title, version = "toy", "Toy", "toy", "toy-1"
    sources: tuple[str, ...] = ()
    tasks: tuple[Any, ...] = ()
    defaults: Mapping[str, Any] = {}
    placeholders = PLACEHOLDERS
    listed = ListedFacts(filters={}, searched=(), search_words="")
    tables = SimpleNamespace(presets={}, told="")
    variant_titles: Mapping[str, str] = {}
    roles: Mapping[str, ModelRole] = {"format": ModelRole(title="Correction of the form", kinds=("instruct",))}

    def __init__(self) -> None:
        self.asked: list[int] = []
        """How much was known at each call of `next`."""
        self.is_lenient = False
        """Takes any object for an answer, as a later version may."""

    def steps(self, settings: Mapping[str, Any]) -> tuple[Step, ...]:
        return (Step(name="ask", title="Answers", kind=StepKind.ASK, rounds=ROUNDS),)

    def next(self, sample: Sample, prompts: Mapping[str, Prompt], so_far: Sequence[Answered]) -> Ask | Reading:
        self.asked.append(len(so_far))
        if not so_far:
            return Ask((message("user", sample.slots["question"]),))
        last = so_far[-1]
        found = read_object(last.text, shape=SHAPE, finish_reason=last.finish_reason, refusal=last.refusal)
        faults = tuple(map(str, found.faults))
        if self.is_lenient and found.status is ItemStatus.UNPARSABLE:
            return Reading(status=ItemStatus.ANSWERED, value={}, flags=("taken as it is",))
        if found.status is not ItemStatus.UNPARSABLE:
            return _read(found, faults, len(so_far))
        if sample.facts.get("endless") or len(so_far) < ROUNDS:
            if not (last.text or "").lstrip().startswith(("{", "[")):
                said = f"{_place(sample, so_far)}: {last.text}"
                (form,) = prompts[FORM].render(form=SHAPE.right, said=said)
                return Ask((form,), "form corrected", "format", faults)
            return Ask(_again(sample, so_far, faults), "faults listed", faults=faults)
        return Reading(status=ItemStatus.INCOMPLETE, faults=faults)

    def summary(self, sample: Sample) -> SampleSummary:
        return SampleSummary(sample.key)

    question = BenchmarkProtocol.question
    in_words = BenchmarkProtocol.in_words

    def score(self, sample: Sample, reading: Reading) -> AnswerScore | None:
        if reading.status is not ItemStatus.ANSWERED:
            return AnswerScore(is_right=False) if reading.status is ItemStatus.UNPARSABLE else None
        about = reading.value.get("about")
        return AnswerScore(
            about == sample.answer, about, value=0.5, parts={"links": len(reading.value.get("links", ()))}
        )


def _place(sample: Sample, so_far: Sequence[Answered]) -> str:
    return f"item {sample.key.rpartition('/')[2]}, after {len(so_far)}"


def _again(sample: Sample, so_far: Sequence[Answered], faults: Sequence[str]) -> Messages:
    first, last = so_far[0].ask.messages, so_far[-1].text or ""
    listed = f"{_place(sample, so_far)}: {'; '.join(faults)}"
    return (*first, message("assistant", last), message("user", listed))


def _read(found: ParsedObject, faults: tuple[str, ...], rounds: int) -> Reading:
    return Reading(
        status=found.status,
        value=found.value,
        faults=faults,
        flags=(f"answered in round {rounds}",) if rounds > 1 and found.status is ItemStatus.ANSWERED else (),
        parse_stage=found.stage,
        repaired=found.repaired,
    )


@contextmanager
def toy_protocol() -> Iterator[Toy]:
    """The toy among the protocols."""
    toy, known = Toy(), cast("dict[str, Any]", PROTOCOLS)
    known[toy.name] = toy
    try:
        yield toy
    finally:
        del known[toy.name]
