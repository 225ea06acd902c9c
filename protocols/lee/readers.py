"""From a reply to True or False, or to a direction; and what that is worth."""

from __future__ import annotations

from core.runs.states import ItemStatus
from protocols.lee.tasks import schema_of
from protocols.replies.labels import read_reply
from protocols.samples import Sample, Score
from protocols.turns import Answered, Reading


def read(sample: Sample, reply: Answered) -> Reading:
    """Never raises."""
    parsed = read_reply(
        reply.text, schema=schema_of(sample.task), finish_reason=reply.finish_reason, refusal=reply.refusal
    )
    return Reading(
        status=parsed.status,
        label=parsed.label,
        value=None if parsed.value is None else dict(parsed.value),
        faults=(parsed.fault,) if parsed.fault else (),
        rung=parsed.rung,
        repaired=parsed.repaired,
    )


def score(sample: Sample, reading: Reading) -> Score | None:
    """The right answer is right, another is wrong, and so is a reply without any; one cut off or declined has no
    score."""
    if reading.status is ItemStatus.ANSWERED:
        return Score(reading.label == sample.answer, reading.label)
    return Score(is_right=False) if reading.status is ItemStatus.UNPARSABLE else None
