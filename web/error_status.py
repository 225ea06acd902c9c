"""The HTTP status of each kind of error."""

from __future__ import annotations

from core.errors import BadInput, Busy, Conflict, EdgewiseError, Missing, Refused, SignedOut, StoreUnavailable, TooLarge


def status_of(error: EdgewiseError) -> int:
    kinds: tuple[tuple[type[EdgewiseError], int], ...] = (
        (SignedOut, 401),
        (Refused, 403),
        (Missing, 404),
        (Conflict, 409),
        (TooLarge, 413),
        (BadInput, 422),
        (Busy, 503),
        (StoreUnavailable, 503),
    )
    return next((status for kind, status in kinds if isinstance(error, kind)), 500)
