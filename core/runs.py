"""The words of model runs: states of a run, of an item, of an attempt. Each item is in exactly one status."""

from __future__ import annotations

from enum import StrEnum


class RunState(StrEnum):
    """`stopped`: by itself, for a reason it names (budget, quota, key); `done`: no item is pending, though some may
    have failed; both can be resumed. `cancelled` is final."""

    QUEUED = "queued"
    RUNNING = "running"
    PAUSED = "paused"
    STOPPED = "stopped"
    DONE = "done"
    CANCELLED = "cancelled"


class ItemStatus(StrEnum):
    """What became of one sample asked of one model. Only ANSWERED carries a label.

    UNPARSABLE: an answer that is no label of the closed list, wrong for accuracy. TRUNCATED: cut off by the token
    limit. REFUSED: the model or its provider declined. EXCLUDED: not asked, for a reason that stands beside it.
    FAILED: no answer came; a resumed run asks again.
    """

    PENDING = "pending"
    ANSWERED = "answered"
    UNPARSABLE = "unparsable"
    TRUNCATED = "truncated"
    REFUSED = "refused"
    EXCLUDED = "excluded"
    FAILED = "failed"


class AttemptState(StrEnum):
    """UNCERTAIN: the worker died between sending and keeping; the provider may have answered, and charged."""

    SENT = "sent"
    ANSWERED = "answered"
    ERROR = "error"
    UNCERTAIN = "uncertain"


class ModelKind(StrEnum):
    REASONING = "reasoning"
    INSTRUCT = "instruct"
    BASELINE = "baseline"
    HUMAN = "human"


RUN_STATES, ITEM_STATUSES, ATTEMPT_STATES, MODEL_KINDS = (
    tuple(each.value for each in kind) for kind in (RunState, ItemStatus, AttemptState, ModelKind)
)
"""Their words, as the tables check them."""
