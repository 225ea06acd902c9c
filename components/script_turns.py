"""Turns of one person's script runs: a few at once, the others wait.

Otherwise a hundred pages opened at once would block the interpreter for all users until they are drawn."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from weakref import WeakValueDictionary

from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData

PERSON = "person"
"""Streamlit's name of the header in which the gate names the person."""

AT_ONCE = 2
APART_S = 0.02
"""Seconds within which the script that a message starts asks for its turn, and between a person's messages."""


class ScriptTurns:
    """Limits of script runs per person. `with turns.take(person_id)`, around a script run: waits while `at_once` others
    of this person have a turn. `await turns.come(person_id)`, before a message that starts a script run: waits while
    runs of this person wait, so that a burst of messages starts no thread for each. Messages of a person whose runs do
    not wait pass at once; the others pass in the order of arrival. A new connection waits too, but starts no run."""

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self._at_once = at_once
        self._free: dict[str, threading.Semaphore] = {}
        self._waiting = Counter[str]()
        self._lock = threading.Lock()
        self._last: dict[str, float] = {}
        # Each lock lives for as long as a message waits in it.
        self._lines: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @contextmanager
    def take(self, person_id: str) -> Iterator[None]:
        free = self._free.setdefault(person_id, threading.Semaphore(self._at_once))
        if not free.acquire(blocking=False):
            self._count(person_id, 1)
            try:
                free.acquire()
            finally:
                self._count(person_id, -1)
        try:
            yield
        finally:
            free.release()

    async def come(self, person_id: str, *, starts_run: bool = True) -> None:
        line = self._lines.setdefault(person_id, asyncio.Lock())
        async with line:
            while self._waiting[person_id] or time.monotonic() - self._last.get(person_id, -APART_S) < APART_S:
                await asyncio.sleep(APART_S)
            if starts_run:
                self._last[person_id] = time.monotonic()

    def _count(self, person_id: str, change: int) -> None:
        with self._lock:
            self._waiting[person_id] += change


TURNS = ScriptTurns()
_run_script = ScriptRunner._run_script


def person_of(runner: ScriptRunner) -> str:
    """Return the person of a page, as the gate named them to Streamlit; empty outside of the server."""
    return str(runner._user_info.get(PERSON) or "")


def run_in_turn(runner: ScriptRunner, rerun_data: RerunData) -> None:
    """Run a script as Streamlit does, in a turn of its person, with the callbacks before the page is drawn."""
    person = person_of(runner)
    with TURNS.take(person) if person else nullcontext():
        _run_script(runner, rerun_data)


def take_turns() -> None:
    """Make every script run of this process take a turn."""
    ScriptRunner._run_script = run_in_turn  # type: ignore[method-assign, assignment]
