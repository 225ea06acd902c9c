"""Whether and when a failed request is asked again, by what went wrong. The only place that decides it.

The decision is a value, so that a ledger can keep it, a page can count down to it and a test can read it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from runs.endpoint.faults import FINAL, STOPS_RUN, RequestFault, SendError

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
"""How often a request is sent in all when it keeps failing so. What is paid again (a reply that came but cannot be
used) is tried less often than what costs nothing. Kinds that are not here are sent once. Items of runs are never given
up for NOT_REACHED: their run waits (`runs/endpoint/breaker.py`)."""


@dataclass(frozen=True, slots=True)
class Policy:
    """`base_s`: the first wait, doubled each time up to `longest_s`; `patience_s`: a longer wait that a provider asks
    for is not waited out."""

    attempts: Mapping[RequestFault, int] = field(default_factory=lambda: ATTEMPTS)
    base_s: float = 1.0
    longest_s: float = 60.0
    patience_s: float = 300.0


STANDARD = Policy()


@dataclass(frozen=True, slots=True)
class RetryDecision:
    """`wait_s`: ask again after so many seconds, or None: give up, for `reason`. `stops_run`: no other request of
    this model would fare better now."""

    wait_s: float | None
    reason: str = ""
    stops_run: bool = False


def decide(error: SendError, attempt: int, chance: float, policy: Policy = STANDARD) -> RetryDecision:
    """What to do after the `attempt`-th try (from 1) of a request failed. `chance`: a random number in [0, 1).

    The wait is half fixed and half random ("equal jitter"), so that requests which failed together do not come back
    together. A provider's own wait is never undercut. Waits for a reply that came but cannot be used are short.
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
    """Seconds after the `attempt`-th try (from 1), half of them fixed and half by chance."""
    return min(policy.longest_s, policy.base_s * 2.0 ** (attempt - 1)) * (0.5 + chance / 2)
