"""Outcomes of items, derived from stored replies by the protocol.

Only stored data is used, so that a run can be scored again at any time, and an item's rounds resume after a crash.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.errors import Missing
from core.runs.states import ItemStatus
from core.steps import StepKind
from core.words import counted, quoted
from prompts.loader import Prompt
from protocols import PROTOCOLS
from protocols.exchanges import Answered, Ask
from protocols.protocol import BenchmarkProtocol
from protocols.replies.finish_reasons import flag_of
from protocols.samples import AnswerScore, Sample
from protocols.steps import steps_of_settings
from runs.endpoint.offload import offload
from store.runs.items import ItemOutcome, StoredReply, StoredRunSample

UNSCORED = AnswerScore(is_right=None)
MOST_FAULTS_SHOWN = 20  # faults that an item lists in words; the rest is counted


def protocol_of(name: str) -> BenchmarkProtocol:
    """Return a protocol. Raises Missing for an unknown one."""
    protocol = PROTOCOLS.get(name)
    if protocol is None:
        raise Missing(
            f"The run follows the protocol {quoted(name)}; this Edgewise knows {', '.join(sorted(PROTOCOLS))}."
        )
    return protocol


@dataclass(frozen=True, slots=True)
class Turn:
    """A request of an item and its reply."""

    ask: Ask  # its messages name texts by hash
    model: str  # card of the run that was asked
    reply: StoredReply


def next_of(
    protocol: BenchmarkProtocol,
    sample: StoredRunSample,
    prompts: Mapping[str, Prompt],
    turns: Sequence[Turn],
    most_rounds: int = 1,
) -> Ask | ItemOutcome:
    """Return the item's next request, or its outcome. If the protocol still asks after `most_rounds`, the item is
    incomplete, with the faults for which it would ask."""
    plain_sample = sample_of(sample)
    answers = [
        Answered(
            ask=turn.ask,
            text=reply.text,
            finish_reason=reply.finish_reason,
            refusal=reply.refusal,
            logprobs=reply.logprobs,
        )
        for turn in turns
        for reply in [turn.reply]
    ]
    step = protocol.next(plain_sample, prompts, answers)
    if isinstance(step, Ask):
        if len(turns) < most_rounds:
            return step
        left = in_words(step.faults) or f"{step.purpose} would be asked next"
        fault = f"no whole answer after {counted(most_rounds, 'round')}: {left}"
        return ItemOutcome(status=ItemStatus.INCOMPLETE.value, fault=fault)
    unknown = dict.fromkeys(flag for turn in turns if (flag := flag_of(turn.reply.finish_reason)))
    score = (None if step.status is ItemStatus.INCOMPLETE else protocol.score(plain_sample, step)) or UNSCORED
    return ItemOutcome(
        status=step.status.value,
        predicted=score.predicted,
        rung=step.parse_stage,
        fault=in_words(step.faults),
        parsed=step.value,
        repaired=step.repaired,
        probabilities=None if step.probabilities is None else dict(step.probabilities),
        score=score.value,
        is_right=score.is_right,
        parts=score.parts,
        flags=[*step.flags, *unknown] or None,
    )


async def next_paired(
    protocol: BenchmarkProtocol,
    sample: StoredRunSample,
    prompts: Mapping[str, Prompt],
    turns: Sequence[Turn],
    most_rounds: int = 1,
) -> Ask | ItemOutcome:
    """Call `next_of`; long replies are read in a thread so that the event loop stays free."""
    size = sum(len(turn.reply.text or "") for turn in turns)
    return await offload(size, lambda: next_of(protocol, sample, prompts, turns, most_rounds))


def outcome_of(protocol: BenchmarkProtocol, sample: StoredRunSample, reply: StoredReply) -> ItemOutcome:
    """Return the outcome of a reply when no further request is possible."""
    outcome = next_of(protocol, sample, {}, [Turn(Ask(sample.messages), "", reply)])
    assert isinstance(outcome, ItemOutcome), "one round is all there is"
    return outcome


def rounds_of(protocol: BenchmarkProtocol, settings: Mapping[str, Any]) -> int:
    """Return the maximum number of requests within one item of a run with these settings."""
    return max((step.rounds for step in steps_of_settings(protocol, settings) if step.kind is StepKind.ASK), default=1)


def in_words(faults: Sequence[str]) -> str:
    """Join faults to one sentence without its full stop; of many, the first and the number of the rest."""
    more = f" (and {len(faults) - MOST_FAULTS_SHOWN:,} more)" if len(faults) > MOST_FAULTS_SHOWN else ""
    return "; ".join(faults[:MOST_FAULTS_SHOWN]) + more


def sample_of(stored: StoredRunSample) -> Sample:
    """Return the sample for its protocol, without messages."""
    return Sample(
        task=stored.task,
        variant=stored.variant,
        key=stored.key,
        subject=stored.subject,
        step=stored.step,
        hash=stored.hash,
        answer=stored.answer,
        truth=stored.truth,
        facts=stored.facts,
        slots=stored.slots or {},
    )
