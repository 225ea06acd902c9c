"""Whether a model refuses everything: its first requests, refused in the same words, say that no other fares better.

A provider that knows no such model usually answers 404, and the run stops. A proxy before it answers 400, which
otherwise is about one request: a text too long, a parameter out of range. So it is the first requests of a run that
decide, and all of them: once one of them ended otherwise, each request stands for itself.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from runs.endpoint.faults import RequestFault, SendError

ALIKE = 5
"""First requests of a model, to different questions, that must be refused alike."""
ABOUT_ONE = ("context_length_exceeded", "string_above_max_length", "content_filter", "content_policy_violation")
"""Codes of refusals that are about one text, however often they come: the model is there."""
_ID = re.compile(r"\b(?:[a-z]+[-_])?[0-9a-f]{8,}(?:-[0-9a-f]{4,})*\b", re.IGNORECASE)


class FirstRequests:
    """Of every model of one run, in one process. `fine`: models that have answered before."""

    def __init__(self, fine: Collection[str] = ()) -> None:
        self._fine = set(fine)
        self._ends: dict[str, dict[str, str]] = {}

    def sent(self, model: str, request_hash: str) -> None:
        """A request is about to leave; the first few are remembered."""
        ends = self._ends.setdefault(model, {})
        if model not in self._fine and len(ends) < ALIKE:
            ends.setdefault(request_hash, "")

    def ended(self, model: str, request_hash: str, error: SendError | None) -> bool:
        """A request has ended for good, with an answer (None) or without; whether the model is to be asked no more."""
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
        """Somebody wants the model asked again."""
        self._ends.pop(model, None)
