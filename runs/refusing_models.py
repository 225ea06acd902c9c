"""Detection of a model that refuses everything: its first requests are all refused in the same words.

A provider without such a model usually answers 404, and the run stops. A proxy before it answers 400, which otherwise
concerns one request: a text too long, a parameter out of range. So the first requests of a run decide, all of them:
once one of them ended differently, each refusal counts only for its own request.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from runs.endpoint.faults import RequestFault, SendError

ALIKE = 5  # First requests of a model, to different questions, that must be refused alike.
# Codes of refusals that concern one text, however often they come: the model exists.
ABOUT_ONE = ("context_length_exceeded", "string_above_max_length", "content_filter", "content_policy_violation")
_ID = re.compile(r"\b(?:[a-z]+[-_])?[0-9a-f]{8,}(?:-[0-9a-f]{4,})*\b", re.IGNORECASE)


class FirstRequests:
    """First requests of every model of one run, in one process. `fine`: models that have answered before."""

    def __init__(self, fine: Collection[str] = ()) -> None:
        self._fine = set(fine)
        self._ends: dict[str, dict[str, str]] = {}

    def sent(self, model: str, request_hash: str) -> None:
        """Record a request that is about to leave, if it is one of the first."""
        ends = self._ends.setdefault(model, {})
        if model not in self._fine and len(ends) < ALIKE:
            ends.setdefault(request_hash, "")

    def ended(self, model: str, request_hash: str, error: SendError | None) -> bool:
        """Record the final result of a request; return whether its model must no longer be asked."""
        ends = self._ends.get(model, {})
        if model in self._fine or request_hash not in ends:
            return False
        if (
            error is None
            or error.kind is not RequestFault.BAD_REQUEST
            or any(code in (error.raw or "") for code in ABOUT_ONE)
        ):
            self._fine.add(model)
            return False
        ends[request_hash] = f"{error.http_status} {_ID.sub('…', error.message)}"
        return len(ends) == ALIKE and len(set(ends.values())) == 1

    def forget(self, model: str) -> None:
        """Start over, because a person wants the model asked again."""
        self._ends.pop(model, None)
