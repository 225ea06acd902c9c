"""Samples of proposed codes: one failure each, with the codebook of its list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import BadInput
from core.runs.codebook import Code
from core.runs.options import Settings
from protocols.proposed_codes.tasks import FAILURES, TASK, TASKS, TITLE, VARIANT, VERSION
from protocols.samples import Excluded, Sample, Samples, content_hash
from protocols.step_values import Inputs, Value
from protocols.task_variants import pairs_of

NOTHING = "(none)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """An answer of a coding list; of one that is not sent, the texts are empty.

    Attributes:
        item: its ID in this study
        answered_at: when the answer came, in ISO form; an item that is asked again has another answer
        list_id, run: the list, and the number of the run that was asked
        title: of its sample, for people
        question: the messages that were sent
        truth, answer: in words
        trouble: why it is not sent; empty if it is"""

    item: str
    answered_at: str
    list_id: str
    run: int
    title: str
    codebook: int
    codes: tuple[Code, ...]
    question: str = ""
    truth: str = ""
    answer: str = ""
    reply: str = ""
    reasoning: str = ""
    trouble: str = ""


def samples_of(inputs: Inputs, settings: Settings) -> Samples:
    """Return a sample for each failure of the list that is sent. Raises BadInput for an unknown task or variant, a
    number of samples, and baselines: what is coded without proposals is drawn with the list."""
    if not pairs_of(TITLE, TASKS, settings):
        return Samples(())
    if settings.get("most_samples") is not None:
        raise BadInput("A model proposes codes for a whole list. Leave the number of samples empty.")
    failures: Sequence[Value] = inputs.values[FAILURES]
    excluded = tuple(
        Excluded(each.value.title, each.value.trouble, None, TASK, VARIANT) for each in failures if each.value.trouble
    )
    sent = [each.value for each in failures if not each.value.trouble]
    provenance = {f"{TASK}/{VARIANT}": {"failures": len(failures), "asked": len(sent)}}
    return Samples(tuple(map(sample_of, sent)), excluded, provenance)


def sample_of(failure: Failure) -> Sample:
    slots = {
        "codebook": "\n".join(f"- {code.name}: {code.definition}" for code in failure.codes),
        "question": failure.question or NOTHING,
        "truth": failure.truth or NOTHING,
        "answer": failure.answer or NOTHING,
        "reply": failure.reply or NOTHING,
        "reasoning": failure.reasoning or NOTHING,
    }
    return Sample(
        task=TASK,
        variant=VARIANT,
        key=failure.item,
        answer=None,
        slots=slots,
        facts={
            "item": failure.item,
            "answered_at": failure.answered_at,
            "list": failure.list_id,
            "run": failure.run,
            "title": failure.title,
            "codebook": failure.codebook,
        },
        hash=content_hash([VERSION, slots]),
        truth={
            "codes": [code.name for code in failure.codes],
            "reply": failure.reply,
            "reasoning": failure.reasoning,
        },
    )
