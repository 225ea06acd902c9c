"""Limits of the pages of a list."""

from __future__ import annotations

from core.errors import BadInput

MOST_LINES = 500

# Longer than any list; databases refuse much larger numbers, each with a message of its own.
LAST_OFFSET = 1_000_000_000


def check_page(offset: int, limit: int) -> None:
    """Raise BadInput for an offset outside 0–1,000,000,000, or a limit outside 1–500."""
    if not 0 <= offset <= LAST_OFFSET or not 1 <= limit <= MOST_LINES:
        raise BadInput(
            f"Found limit {limit} and offset {offset}; a limit of 1 to {MOST_LINES} and an offset of 0 to "
            f"{LAST_OFFSET:,} are needed."
        )
