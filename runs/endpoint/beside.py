"""Long work on what came, done beside the event loop: no other request waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

LONG = 64_000
"""Bytes, or characters of a text, from which on reading goes to a thread; a shorter one costs less than the way there.
"""
T = TypeVar("T")


async def beside(size: int, work: Callable[[], T]) -> T:
    """What `work` returns or raises. `size`: of what it works on."""
    return work() if size < LONG else await asyncio.to_thread(work)
