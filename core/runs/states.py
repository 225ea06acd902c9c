"""States of a run, an item and an attempt. Each item has exactly one status."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class RunState(StrEnum):
    QUEUED = "queued"
    RUNNING = "running"
    # for a server that is retried until it is reached, for people, or for a blocked group; it resumes by itself
    WAITING = "waiting"
    PAUSED = "paused"
    STOPPED = "stopped"  # by itself, for a reason that it names (budget, quota, key), until someone resumes it
    DONE = "done"  # no item is pending, though some may have failed; it can be resumed
    CANCELLED = "cancelled"  # final


AT_WORK = (RunState.QUEUED, RunState.RUNNING, RunState.WAITING)  # states of a run that a worker processes


@dataclass(frozen=True, slots=True)
class Blocker:
    """A blocker of part of a run: the server of an endpoint (`name`), until it is reached again; or a model that
    refuses every request, until someone resumes the run."""

    name: str
    why: str
    since: datetime
    is_model: bool = False


class ItemStatus(StrEnum):
    """State of one sample asked of one model. Only ANSWERED has a label."""

    PENDING = "pending"
    ANSWERED = "answered"
    UNPARSABLE = "unparsable"  # no label of the closed list; wrong for accuracy
    TRUNCATED = "truncated"  # by the token limit
    INCOMPLETE = "incomplete"  # parts are missing after all rounds; in no score
    REFUSED = "refused"  # by the model or its provider
    EXCLUDED = "excluded"  # not asked, for a stored reason
    FAILED = "failed"  # no answer came; a resumed run asks again


class AttemptState(StrEnum):
    SENT = "sent"
    # it never left: no connection, no key, or the run was halted first; the provider does not know it
    UNSENT = "unsent"
    ANSWERED = "answered"
    ERROR = "error"
    UNCERTAIN = "uncertain"  # the worker died between sending and storing; the provider may have answered, and charged


# Kind of an answered attempt whose reported usage is impossible; its message quotes the usage.
IMPLAUSIBLE_USAGE = "implausible_usage"


class ModelKind(StrEnum):
    REASONING = "reasoning"
    INSTRUCT = "instruct"
    BASELINE = "baseline"
    HUMAN = "human"


NEVER_ASKED = (ModelKind.BASELINE, ModelKind.HUMAN)  # no request is sent to these

# As the tables check them.
RUN_STATES, ITEM_STATUSES, ATTEMPT_STATES, MODEL_KINDS = (
    tuple(each.value for each in kind) for kind in (RunState, ItemStatus, AttemptState, ModelKind)
)


def ended(by_status: Mapping[ItemStatus, int]) -> int:
    """Return the number of finished items: neither pending, nor failed and to be asked again on resuming."""
    return sum(by_status.values()) - by_status.get(ItemStatus.PENDING, 0) - by_status.get(ItemStatus.FAILED, 0)


def progress_text(by_status: Mapping[ItemStatus, int]) -> str:
    """Return the progress of a run in words, the same in every list, page and command; its parts add up.

    >>> progress_text({ItemStatus.ANSWERED: 1294, ItemStatus.FAILED: 506})
    '1,294 of 1,800 answered, 506 failed'
    """
    others = [status for status in ItemStatus if status not in (ItemStatus.ANSWERED, ItemStatus.PENDING)]
    parts = [f"{by_status.get(ItemStatus.ANSWERED, 0):,} of {sum(by_status.values()):,} answered"]
    parts += [f"{by_status[each]:,} {each.value}" for each in (*others, ItemStatus.PENDING) if by_status.get(each)]
    return ", ".join(parts)


def format_blockers(blockers: Sequence[Blocker], local: Callable[[datetime], datetime], now: datetime) -> str:
    """Return why part of a run is blocked, and for servers since when, in the reader's local time: "the server h:4000
    refuses connections since 14:05"; "" without a blocker."""
    return "; ".join(
        f"{each.name}: {each.why}" if each.is_model else f"{each.why} since {_clock(local(each.since), local(now))}"
        for each in blockers
    )


def _clock(at: datetime, now: datetime) -> str:
    return f"{at:%H:%M}" if at.date() == now.date() else f"{at.day} {at:%b}, {at:%H:%M}"
