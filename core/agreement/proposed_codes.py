"""The effect of models' proposals on coding: answers coded with proposals compared to those drawn to go without."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from statistics import median

from core.agreement.codes import CodedAnswer, code_agreement
from core.estimate import Estimate, ratio, undefined

LONGEST_GAP_S = 600.0
"""A longer time between two answers is a break, not work on the second one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CodedWithProposals:
    """An answer of a list that all its people have submitted.

    Attributes:
        with_proposals: it is not in the random share without
        codings: the codes that each coder gave it
        seconds: times since the same coder's previous answer, as `seconds_of` returns them
        proposed: codes that models propose for it, times coders
        accepted, rejected: coders' decisions on them"""

    with_proposals: bool
    coded: CodedAnswer
    seconds: Sequence[float] = ()
    proposed: int = 0
    accepted: int = 0
    rejected: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalArm:
    """Answers with or without proposals.

    Attributes:
        answers: their number
        alpha: Krippendorff's alpha of whole sets of codes, between people
        codes: mean number of codes that a coder gives an answer; `n` counts codings
        seconds: median time of a coder for an answer; `n` counts times
        accepted: share, 0–1, of decided proposals; `n` counts decisions
        undecided: proposals that their coder did not decide on"""

    with_proposals: bool
    answers: int
    alpha: Estimate
    codes: Estimate
    seconds: Estimate
    accepted: Estimate
    undecided: int


def proposal_arms(coded: Sequence[CodedWithProposals]) -> tuple[ProposalArm, ProposalArm]:
    """Return the answers with proposals and those without. Both are drawn at random, so a difference between them is
    the effect of proposals, or chance."""
    with_them, without = (_arm([each for each in coded if each.with_proposals is arm], arm) for arm in (True, False))
    return with_them, without


def _arm(coded: Sequence[CodedWithProposals], with_proposals: bool) -> ProposalArm:
    sizes = [len(codes) for each in coded for codes in each.coded.codings]
    seconds = [second for each in coded for second in each.seconds]
    accepted, rejected = sum(each.accepted for each in coded), sum(each.rejected for each in coded)
    decided = accepted + rejected
    mean = ratio(sum(sizes), len(sizes), "no answer is coded")
    share = ratio(accepted, decided, "no proposal is decided on" if with_proposals else "nothing is proposed")
    return ProposalArm(
        with_proposals=with_proposals,
        answers=len(coded),
        alpha=code_agreement([each.coded for each in coded]).alpha,
        codes=Estimate(mean.value, n=len(sizes), reason=mean.reason),
        seconds=Estimate(median(seconds), n=len(seconds)) if seconds else undefined("no time is known", 0),
        accepted=Estimate(share.value, n=decided, reason=share.reason),
        undecided=sum(each.proposed for each in coded) - decided,
    )


def seconds_of(coded_at: Mapping[str, datetime]) -> dict[str, float]:
    """Return item → seconds since the previous answer of the same coder; without their first one, and without breaks.

    >>> from datetime import timedelta
    >>> first = datetime(2026, 12, 1)
    >>> seconds_of({"b": first + timedelta(seconds=9), "a": first, "c": first + timedelta(hours=1)})
    {'b': 9.0}
    """
    times = sorted(coded_at.items(), key=lambda pair: pair[1])
    gaps = {item: (at - before).total_seconds() for (_, before), (item, at) in pairwise(times)}
    return {item: gap for item, gap in gaps.items() if gap <= LONGEST_GAP_S}
