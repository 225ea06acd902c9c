"""Turns of one person's script runs: a few at once, the others wait for theirs.

A hundred pages opened at once would otherwise take the interpreter from everyone else for as long as they are drawn.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

AT_ONCE = 2
APART_S = 0.02
"""Seconds from a message to when its script asks for a turn; whoever sends many sees them taken so far apart."""


class ScriptTurns:
    """`with turns.take(person_id)`, around a script run: waits while `at_once` others of this person have a turn. A
    thread that has one takes no second.

    `await turns.come(person_id)`, before a message that starts a script run: waits while runs of this person wait, so
    that a burst of messages starts no thread for each. A person whose runs do not wait is let through at once.
    """

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self._at_once = at_once
        self._free: dict[str, threading.Semaphore] = {}
        self._waiting = Counter[str]()
        self._lock = threading.Lock()
        self._own = threading.local()
        self._last: dict[str, float] = {}

    @contextmanager
    def take(self, person_id: str) -> Iterator[None]:
        if getattr(self._own, "has_turn", False):
            yield
            return
        free = self._free.setdefault(person_id, threading.Semaphore(self._at_once))
        if not free.acquire(blocking=False):
            self._count(person_id, 1)
            try:
                free.acquire()
            finally:
                self._count(person_id, -1)
        self._own.has_turn = True
        try:
            yield
        finally:
            self._own.has_turn = False
            free.release()

    async def come(self, person_id: str) -> None:
        while self._waiting[person_id] or time.monotonic() - self._last.get(person_id, -APART_S) < APART_S:
            await asyncio.sleep(APART_S)
        self._last[person_id] = time.monotonic()

    def _count(self, person_id: str, change: int) -> None:
        with self._lock:
            self._waiting[person_id] += change


TURNS = ScriptTurns()
