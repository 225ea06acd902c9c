"""From a stored reply to what a run counts: read by the protocol's schema, held against the sample, always the same.

The step sees what is stored and nothing else, so that a run can be scored again at any time.
"""

from __future__ import annotations

from collections.abc import Mapping

from core.errors import Missing
from core.runs.states import ItemStatus
from protocols import PROTOCOLS
from protocols.protocol import BenchmarkProtocol, Sample, Score
from protocols.replies.labels import read_reply
from runs.endpoint.beside import beside
from store.runs.items import ItemOutcome, KeptReply, KeptSample

UNSCORED = Score(is_right=None)


def protocol_of(name: str) -> BenchmarkProtocol:
    """Raises Missing if this Edgewise does not know the protocol."""
    found = PROTOCOLS.get(name)
    if found is None:
        raise Missing(f"The run follows the protocol {name!r}; this Edgewise knows {', '.join(sorted(PROTOCOLS))}.")
    return found


def outcome_of(protocol: BenchmarkProtocol, sample: KeptSample, reply: KeptReply) -> ItemOutcome:
    """What a reply says about its sample."""
    schema = protocol.schema(sample.task, sample.variant)
    parsed = read_reply(reply.text, schema=schema, finish_reason=reply.finish_reason, refusal=reply.refusal)
    asked, is_answered = sample_of(sample), parsed.status is ItemStatus.ANSWERED
    score = protocol.score(asked, parsed) or UNSCORED
    return ItemOutcome(
        status=parsed.status.value,
        predicted=score.predicted,
        rung=parsed.rung,
        fault=parsed.fault,
        parsed=None if parsed.value is None else dict(parsed.value),
        repaired=parsed.repaired,
        probabilities=_chances(protocol.probabilities(reply.logprobs, asked)) if is_answered else None,
        score=score.value,
        is_right=score.is_right,
        parts=score.parts,
    )


async def outcome_beside(protocol: BenchmarkProtocol, sample: KeptSample, reply: KeptReply) -> ItemOutcome:
    """The same inside a loop: a long reply is read in a thread, so that no other request waits for it."""
    return await beside(len(reply.text or ""), lambda: outcome_of(protocol, sample, reply))


def _chances(found: Mapping[str, float] | None) -> dict[str, float] | None:
    return None if found is None else dict(found)


def sample_of(kept: KeptSample) -> Sample:
    """The sample as protocols know it; what filled its prompt stands in its messages where these are kept."""
    return Sample(
        task=kept.task,
        variant=kept.variant,
        key=kept.key,
        subject=kept.subject,
        step=kept.step,
        hash=kept.hash,
        answer=kept.answer,
        truth=kept.truth,
        facts=kept.facts,
        slots=kept.slots or {},
    )
