"""Meaning of a status other than 200, and the wait that the provider asks for."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime

from core.words import quoted
from runs.endpoint.error_kinds import MEANINGS, error_in, is_too_large, kind_in_words, kind_of_status
from runs.endpoint.faults import RequestFault, SendError
from runs.endpoint.reply import words_of

# Faults that pass; some providers report them under 403, which otherwise means a key without the permission.
PASSING = (RequestFault.RATE_LIMITED, RequestFault.SERVER_ERROR, RequestFault.QUOTA)


def status_fault(status: int, headers: Mapping[str, str], raw: str) -> SendError:
    """Return the fault of a reply with this status (not 200); it may still contain keys."""
    try:
        body = json.loads(raw)
    except (ValueError, RecursionError):
        body = {}
    body = body if isinstance(body, dict) else {}
    kind = _kind(status, body)
    words = words_of(body)
    message = f"{MEANINGS[kind]} (HTTP {status})" + (f": {words}" if words else ".")
    if 300 <= status < 400:
        message = (
            f"The provider redirects to another address (HTTP {status}, {quoted(headers.get('location', ''))}): "
            "correct the address."
        )
    waits = retry_after_s(headers) if kind in PASSING else None
    return SendError(kind, message, retry_after_s=waits, http_status=status, raw=raw)


def _kind(status: int, body: Mapping[str, object]) -> RequestFault:
    """Return the fault by status, unless the body says what the status cannot: no credit, or an overload under 400."""
    kind, error = kind_of_status(status), error_in(body) or body
    named = kind_in_words(error)
    if kind is RequestFault.RATE_LIMITED:
        return RequestFault.BAD_REQUEST if is_too_large(error) else named if named is RequestFault.QUOTA else kind
    if kind is RequestFault.BAD_REQUEST or (status == 403 and named in PASSING):
        return named or kind
    return kind


def retry_after_s(headers: Mapping[str, str], *, now: float | None = None) -> float | None:
    """Return the seconds that `Retry-After` (or `retry-after-ms`) asks for; None if it does not.

    A date is compared with the reply's own `Date`, so that a wrong local clock does not matter; without that header
    `now` (Unix time) is used.
    """
    milliseconds = _seconds(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    header = headers.get("retry-after")
    seconds = _seconds(header)
    if seconds is not None or not header:
        return seconds
    until, sent = _moment(header), _moment(headers.get("date"))
    if until is None:
        return None
    return max(0.0, until - (sent if sent is not None else (time.time() if now is None else now)))


def _seconds(text: str | None) -> float | None:
    try:
        seconds = float((text or "").removesuffix("s"))  # "1.5s" is what some proxies write
    except ValueError:
        return None
    return max(0.0, seconds) if math.isfinite(seconds) else None


def _moment(text: str | None) -> float | None:
    try:
        moment = parsedate_to_datetime(text or "")
    except (ValueError, TypeError):
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
