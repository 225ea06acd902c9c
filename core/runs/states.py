"""The words of model runs: states of a run, of an item, of an attempt. Each item is in exactly one status."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class RunState(StrEnum):
    """`waiting`: for a server that cannot be reached, which is tried again and again; it goes on by itself; or, in a
    run of several steps, for people, or for what blocks a group. `stopped`:
    by itself, for a reason it names (budget, quota, key), until somebody resumes it; `done`: no item is pending,
    though some may have failed; both can be resumed. `cancelled` is final."""

    QUEUED = "queued"
    RUNNING = "running"
    WAITING = "waiting"
    PAUSED = "paused"
    STOPPED = "stopped"
    DONE = "done"
    CANCELLED = "cancelled"


AT_WORK = (RunState.QUEUED, RunState.RUNNING, RunState.WAITING)
"""States of a run that a worker has to do with."""


@dataclass(frozen=True, slots=True)
class Hindrance:
    """What part of a run cannot go on for: the server of an endpoint (`name`), until it is reached again; or a model
    that refuses everything, until somebody resumes the run."""

    name: str
    why: str
    since: datetime
    is_model: bool = False


class ItemStatus(StrEnum):
    """What became of one sample asked of one model. Only ANSWERED carries a label.

    UNPARSABLE: an answer that is no label of the closed list, wrong for accuracy. TRUNCATED: cut off by the token
    limit. INCOMPLETE: parts of it are missing after all rounds; in no score. REFUSED: the model or its provider
    declined. EXCLUDED: not asked, for a reason that stands beside it. FAILED: no answer came; a resumed run asks again.
    """

    PENDING = "pending"
    ANSWERED = "answered"
    UNPARSABLE = "unparsable"
    TRUNCATED = "truncated"
    INCOMPLETE = "incomplete"
    REFUSED = "refused"
    EXCLUDED = "excluded"
    FAILED = "failed"


class AttemptState(StrEnum):
    """UNCERTAIN: the worker died between sending and keeping; the provider may have answered, and charged. UNSENT: it
    never left, since no connection was made, no key was there, or its run was halted first (then it has no kind of
    fault); the provider knows nothing of it."""

    SENT = "sent"
    UNSENT = "unsent"
    ANSWERED = "answered"
    ERROR = "error"
    UNCERTAIN = "uncertain"


IMPLAUSIBLE_USAGE = "implausible_usage"
"""Kind of an answered attempt whose reported usage cannot be true; its message quotes the usage."""


class ModelKind(StrEnum):
    REASONING = "reasoning"
    INSTRUCT = "instruct"
    BASELINE = "baseline"
    HUMAN = "human"


NEVER_ASKED = (ModelKind.BASELINE, ModelKind.HUMAN)
"""Kinds of models that no request is sent to."""

RUN_STATES, ITEM_STATUSES, ATTEMPT_STATES, MODEL_KINDS = (
    tuple(each.value for each in kind) for kind in (RunState, ItemStatus, AttemptState, ModelKind)
)
"""Their words, as the tables check them."""


def ended(by_status: Mapping[ItemStatus, int]) -> int:
    """Items that need nothing more: all but those that wait, and those that a resumed run asks again."""
    return sum(by_status.values()) - by_status.get(ItemStatus.PENDING, 0) - by_status.get(ItemStatus.FAILED, 0)


def standing(by_status: Mapping[ItemStatus, int]) -> str:
    """How far a run is, in the words that every list, page, command and overview says it in: the statuses' own, all of
    which add up.

    >>> standing({ItemStatus.ANSWERED: 1294, ItemStatus.FAILED: 506})
    '1,294 of 1,800 answered, 506 failed'
    """
    others = [status for status in ItemStatus if status not in (ItemStatus.ANSWERED, ItemStatus.PENDING)]
    parts = [f"{by_status.get(ItemStatus.ANSWERED, 0):,} of {sum(by_status.values()):,} answered"]
    parts += [f"{by_status[each]:,} {each.value}" for each in (*others, ItemStatus.PENDING) if by_status.get(each)]
    return ", ".join(parts)


def hindered(found: Sequence[Hindrance], local: Callable[[datetime], datetime], now: datetime) -> str:
    """Why part of a run cannot go on, and of servers since when, by the clock on the reader's wall: "the server h:4000
    refuses connections since 14:05"; empty where nothing is in the way."""
    return "; ".join(
        f"{each.name}: {each.why}" if each.is_model else f"{each.why} since {_clock(local(each.since), local(now))}"
        for each in found
    )


def _clock(at: datetime, now: datetime) -> str:
    return f"{at:%H:%M}" if at.date() == now.date() else f"{at.day} {at:%b}, {at:%H:%M}"
