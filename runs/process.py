"""Worker process of one study; it runs until SIGTERM, SIGINT or the end of its input."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from core.errors import EdgewiseError, StoreUnavailable
from core.words import counted
from runs.endpoint.breaker import PAUSES, Pauses
from runs.endpoint.redaction import guard_logs
from runs.endpoint.retrying import STANDARD, Policy
from runs.queue import LOST_AFTER_S
from runs.queue_sqlite import PlaceTaken, only_worker
from runs.worker import AT_ONCE, SIGN_OF_LIFE_S, Pace, Worker, load_openai
from settings import read_settings
from store.engine import Store
from store.migrate import migrate

CLIENT = "client"  # input line that loads the library for model requests
TAKEN = 3  # Exit status if another worker is running on the study.
PLACE_S = 1.0
UNKEPT = 4  # Exit status if something could not be stored.
STORE_S = 8.0  # Wait of a stopping worker for a store that does not answer; never longer than for replies.
LOOK_S = 0.1


def main(arguments: list[str] | None = None) -> int:
    options = _arguments(arguments)
    logging.basicConfig(level=options.log.upper(), format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    guard_logs()
    ends = ProcessEnd(min(STORE_S, options.grace))
    place = _await_address() if options.when_told else ""
    if place is None:
        return 0
    if options.kept or options.when_told:
        ends.watch_input()
    if options.kept and hasattr(os, "nice"):
        os.nice(5)  # screens come first if both share a processor
    try:
        with _opened(place or options.store or read_settings().store) as store, _place(store, ends, waits=options.kept):
            return 0 if ends.has_come else asyncio.run(_work(store, options, ends))
    except EdgewiseError as error:
        sys.stderr.write(f"{error}\n")
        return TAKEN if isinstance(error, PlaceTaken) else 1
    finally:
        ends.is_over.set()


def _await_address() -> str | None:
    """Wait for a line with a study's address, which may be empty; None if the input ends without one. A line "client"
    before it means that a run will ask models."""
    try:
        while line := sys.stdin.buffer.readline():
            words = line.decode(errors="surrogateescape").rstrip("\n")
            if words != CLIENT:
                return words
            # During the wait, not after it: the library takes as long to load as everything else together.
            threading.Thread(target=load_openai, daemon=True).start()
    except KeyboardInterrupt:
        pass
    return None


class ProcessEnd:
    """The reasons to end this process: a signal, or the end of its input. `store_s`: wait for the store after that."""

    def __init__(self, store_s: float) -> None:
        self.is_over = threading.Event()
        self._store_s = store_s
        self._came = threading.Event()
        self._tell: Callable[[], object] = self._came.set
        self._worker: Worker | None = None

    @property
    def has_come(self) -> bool:
        return self._came.is_set()

    def watch_input(self) -> None:
        """End with standard input: the parent holds its other end, so the pipe ends when the parent dies."""
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        # Not through sys.stdin: a thread that waits in its buffer holds a lock that the interpreter needs to exit.
        while os.read(sys.stdin.fileno(), 1024):
            pass
        self.come()

    def wait(self, seconds: float) -> None:
        self._came.wait(seconds)

    def come(self) -> None:
        if not self.has_come:
            threading.Thread(target=self._wait_for_store, daemon=True).start()
        self._came.set()
        self._tell()

    def _wait_for_store(self) -> None:
        """End the process if only the store delays its end: threads that wait for a lost store cannot be cancelled."""
        answered_at = time.monotonic()
        while not self.is_over.wait(LOOK_S):
            now = time.monotonic()
            if self._worker is not None and self._worker.awaits_replies:
                answered_at = now
            elif now - answered_at > self._store_s:
                unwritten = self._worker.unwritten if self._worker is not None else 0
                sys.stderr.write(
                    f"The worker was told to stop, and the store has not answered for {self._store_s:g} s. "
                    f"{counted(unwritten, 'entry')} could not be stored; "
                    "requests on their way are listed as uncertain when a worker starts again.\n"
                )
                sys.stderr.flush()
                os._exit(UNKEPT)

    def listen(self, worker: Worker) -> None:
        """Pass the end on to the worker, including an end that came earlier."""
        self._worker = worker
        loop = asyncio.get_running_loop()
        self._tell = lambda: loop.call_soon_threadsafe(worker.stop.set)
        for sign in (signal.SIGTERM, signal.SIGINT):
            try:
                loop.add_signal_handler(sign, self.come)
            except NotImplementedError:  # Windows
                signal.signal(sign, lambda *_: self.come())
        if self.has_come:
            worker.stop.set()


@contextmanager
def _place(store: Store, ends: ProcessEnd, *, waits: bool) -> Iterator[None]:
    """Become the only worker of a study in a file; a server has several. Raises PlaceTaken unless it `waits`."""
    if not store.is_sqlite:
        yield
        return
    while not ends.has_come:
        try:
            with only_worker(store):
                yield
                return
        except PlaceTaken:
            if not waits:
                raise
        ends.wait(PLACE_S)
    yield


def _arguments(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m runs", description=__doc__)
    parser.add_argument("--store", help="SQLite path or PostgreSQL URL; default: EDGEWISE_STORE, else the demo")
    parser.add_argument("--once", action="store_true", help="end when no run is left to work on")
    parser.add_argument(
        "--when-told", action="store_true", help="open the study that a line of the input names; end with the input"
    )
    parser.add_argument(
        "--kept", action="store_true", help="kept by a server: wait for one's place, end with its input"
    )
    parser.add_argument("--shards", type=int, default=AT_ONCE, help="shards of 100 items in hand at once")
    parser.add_argument("--grace", type=float, default=20.0, help="seconds to wait for answers when told to stop")
    parser.add_argument("--sign-of-life", type=float, default=SIGN_OF_LIFE_S, help="seconds between signs of life")
    parser.add_argument("--lost-after", type=float, default=LOST_AFTER_S, help="seconds of silence: a worker is dead")
    parser.add_argument("--first-wait", type=float, default=STANDARD.base_s, help="seconds before a second attempt")
    parser.add_argument(
        "--first-pause", type=float, default=PAUSES.first_s, help="seconds before a lost server is tried"
    )
    parser.add_argument("--longest-pause", type=float, default=PAUSES.longest_s, help="what that pause grows to")
    parser.add_argument("--log", default="warning", choices=["debug", "info", "warning", "error"])
    return parser.parse_args(arguments)


@contextmanager
def _opened(place: str) -> Iterator[Store]:
    path = Path(place).expanduser()
    if "://" not in place and not path.is_file():
        raise StoreUnavailable(f"There is no study at {path}.")
    store = Store(place)
    try:
        migrate(store)
        yield store
    finally:
        store.close()


async def _work(store: Store, options: argparse.Namespace, ends: ProcessEnd) -> int:
    pace = Pace(
        sign_of_life_s=options.sign_of_life,
        lost_after_s=options.lost_after,
        at_once=options.shards,
        retries=Policy(base_s=options.first_wait),
        pauses=Pauses(options.first_pause, options.longest_pause),
    )
    worker = Worker(store, clock=lambda: datetime.now(UTC), pace=pace)
    ends.listen(worker)
    unkept = await worker.run(is_once=options.once, grace_s=options.grace)
    return UNKEPT if unkept else 0
