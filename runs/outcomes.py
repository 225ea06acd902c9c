"""From stored replies to what a run counts: read by its protocol, held against the sample, always the same.

The step sees what is stored and nothing else, so that a run can be scored again at any time, and the rounds of an item
be taken up again after a crash.
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
from protocols.protocol import BenchmarkProtocol
from protocols.replies.finish_reasons import flag_of
from protocols.samples import Sample, Score
from protocols.steps import steps_kept
from protocols.turns import Answered, Ask
from runs.endpoint.beside import beside
from store.runs.items import ItemOutcome, KeptReply, KeptSample

UNSCORED = Score(is_right=None)
MOST_TOLD = 20
"""Faults that an item tells in words; the rest is a number."""


def protocol_of(name: str) -> BenchmarkProtocol:
    """Raises Missing if this Edgewise does not know the protocol."""
    protocol = PROTOCOLS.get(name)
    if protocol is None:
        raise Missing(
            f"The run follows the protocol {quoted(name)}; this Edgewise knows {', '.join(sorted(PROTOCOLS))}."
        )
    return protocol


@dataclass(frozen=True, slots=True)
class Turn:
    """A request of an item and its reply. The messages of `ask` name their texts by hash; `model`: which card of the
    run was asked."""

    ask: Ask
    model: str
    reply: KeptReply


def next_of(
    protocol: BenchmarkProtocol,
    sample: KeptSample,
    prompts: Mapping[str, Prompt],
    turns: Sequence[Turn],
    most_rounds: int = 1,
) -> Ask | ItemOutcome:
    """What an item is asked next, or what its replies come to.

    A protocol that asks after `most_rounds` has not found all it needs: the item is incomplete, with the faults for
    which it would ask.
    """
    plain_sample = sample_of(sample)
    step = protocol.next(plain_sample, prompts, [_answered(turn) for turn in turns])
    if isinstance(step, Ask):
        return step if len(turns) < most_rounds else _incomplete(step, most_rounds)
    unknown = dict.fromkeys(flag for turn in turns if (flag := flag_of(turn.reply.finish_reason)))
    score = (None if step.status is ItemStatus.INCOMPLETE else protocol.score(plain_sample, step)) or UNSCORED
    return ItemOutcome(
        status=step.status.value,
        predicted=score.predicted,
        rung=step.rung,
        fault=in_words(step.faults),
        parsed=step.value,
        repaired=step.repaired,
        probabilities=None if step.probabilities is None else dict(step.probabilities),
        score=score.value,
        is_right=score.is_right,
        parts=score.parts,
        flags=[*step.flags, *unknown] or None,
    )


async def next_beside(
    protocol: BenchmarkProtocol,
    sample: KeptSample,
    prompts: Mapping[str, Prompt],
    turns: Sequence[Turn],
    most_rounds: int = 1,
) -> Ask | ItemOutcome:
    """The same inside a loop: long replies are read in a thread, so that no other request waits for it."""
    size = sum(len(turn.reply.text or "") for turn in turns)
    return await beside(size, lambda: next_of(protocol, sample, prompts, turns, most_rounds))


def outcome_of(protocol: BenchmarkProtocol, sample: KeptSample, reply: KeptReply) -> ItemOutcome:
    """What a reply says about its sample, where nobody can be asked again."""
    outcome = next_of(protocol, sample, {}, [Turn(Ask(sample.messages), "", reply)])
    assert isinstance(outcome, ItemOutcome), "one round is all there is"
    return outcome


def rounds_of(protocol: BenchmarkProtocol, settings: Mapping[str, Any]) -> int:
    """The most requests within one item of a run that keeps these settings."""
    return max((step.rounds for step in steps_kept(protocol, settings) if step.kind is StepKind.ASK), default=1)


def in_words(faults: Sequence[str]) -> str:
    """Faults as one sentence without its stop; of many the first, and how many more there are."""
    more = f" (and {len(faults) - MOST_TOLD:,} more)" if len(faults) > MOST_TOLD else ""
    return "; ".join(faults[:MOST_TOLD]) + more


def _incomplete(asks: Ask, rounds: int) -> ItemOutcome:
    left = in_words(asks.faults) or f"{asks.purpose} would be asked next"
    fault = f"no whole answer after {counted(rounds, 'round')}: {left}"
    return ItemOutcome(status=ItemStatus.INCOMPLETE.value, fault=fault)


def _answered(turn: Turn) -> Answered:
    reply = turn.reply
    return Answered(
        ask=turn.ask,
        text=reply.text,
        finish_reason=reply.finish_reason,
        refusal=reply.refusal,
        logprobs=reply.logprobs,
    )


def sample_of(stored: KeptSample) -> Sample:
    """The sample as protocols know it; what filled its prompt stands in its messages where these are kept."""
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
