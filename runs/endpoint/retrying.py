"""Retry policy: whether and when a failed request is sent again. No other module decides it.

The decision is a value, so that a ledger can store it, a page can count down to it and a test can read it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from runs.endpoint.faults import FINAL, STOPS_RUN, RequestFault, SendError

# Maximum number of tries by fault; other faults are not retried. Replies that came but cannot be used are paid again,
# so they are tried less often. Items of runs are never given up for NOT_REACHED: their run waits
# (`runs/endpoint/breaker.py`).
ATTEMPTS: Mapping[RequestFault, int] = {
    RequestFault.RATE_LIMITED: 8,
    RequestFault.SERVER_ERROR: 6,
    RequestFault.NOT_REACHED: 6,
    RequestFault.CONNECTION: 6,
    RequestFault.TIMEOUT: 4,
    RequestFault.CUT_OFF: 4,
    RequestFault.DEADLINE: 3,
    RequestFault.NOT_JSON: 3,
    RequestFault.HTML: 3,
    RequestFault.NO_CHOICES: 3,
    RequestFault.NO_CONTENT: 3,
    RequestFault.BAD_SHAPE: 3,
}


@dataclass(frozen=True, slots=True)
class Policy:
    attempts: Mapping[RequestFault, int] = field(default_factory=lambda: ATTEMPTS)
    base_s: float = 1.0  # the first wait, doubled each time up to `longest_s`
    longest_s: float = 60.0
    patience_s: float = 300.0  # the longest wait that a provider may ask for


STANDARD = Policy()


@dataclass(frozen=True, slots=True)
class RetryDecision:
    wait_s: float | None  # None: give up, for `reason`
    reason: str = ""
    stops_run: bool = False  # no other request of this model would succeed now


def decide(error: SendError, attempt: int, chance: float, policy: Policy = STANDARD) -> RetryDecision:
    """Decide what follows the failure of try number `attempt` (from 1). `chance`: a random number in [0, 1).

    The wait is half fixed and half random ("equal jitter"), so that requests that failed together are not retried
    together. It is never shorter than the provider asks.
    """
    if error.kind in FINAL:
        return RetryDecision(None, str(error), stops_run=error.kind in STOPS_RUN)
    asked_s = error.retry_after_s
    if asked_s is not None and asked_s > policy.patience_s:
        reason = (
            f"{error} It asks for a wait of {asked_s:,.0f} s, longer than the maximum of {policy.patience_s:,.0f} s."
        )
        return RetryDecision(None, reason, stops_run=True)
    most = policy.attempts.get(error.kind, 1)
    if attempt >= most:
        return RetryDecision(None, f"{error} Tried {attempt} time{'s' if attempt > 1 else ''}.")
    wait_s = pause_s(attempt, chance, policy)
    if asked_s is not None:
        wait_s = max(asked_s + policy.base_s * chance, wait_s)
    return RetryDecision(wait_s, str(error))


def pause_s(attempt: int, chance: float, policy: Policy = STANDARD) -> float:
    """Return the wait in seconds after try number `attempt` (from 1)."""
    return min(policy.longest_s, policy.base_s * 2.0 ** (attempt - 1)) * (0.5 + chance / 2)
