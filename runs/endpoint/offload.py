"""Long work on a reply, run in a thread so that the event loop stays free."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

LONG = 64_000  # Bytes or characters; a shorter text is read faster than a thread starts.
T = TypeVar("T")


async def offload(size: int, work: Callable[[], T]) -> T:
    """Return the result of `work`, run in a thread if its input has `LONG` bytes or more."""
    return work() if size < LONG else await asyncio.to_thread(work)
