"""`python -m runs`: a worker for one study, until it is told to stop (SIGTERM, SIGINT, or the end of its input)."""

from __future__ import annotations

import argparse
import asyncio
import logging
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime
from pathlib import Path

from core.errors import EdgewiseError, StoreTrouble
from runs.queue import LOST_AFTER_S
from runs.queue_sqlite import PlaceTaken, only_worker
from runs.redaction import guard_logs
from runs.retrying import STANDARD, Policy
from runs.worker import AT_ONCE, SIGN_OF_LIFE_S, Pace, Worker
from settings import read_settings
from store.engine import Store
from store.migrate import migrate

TAKEN = 3
"""Exit status when another worker is at work on the study."""
UNKEPT = 4
"""Exit status when something could not be kept."""


def main(arguments: list[str] | None = None) -> int:
    said = _arguments(arguments)
    logging.basicConfig(level=said.log.upper(), format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    guard_logs()
    place = said.store or read_settings().store
    try:
        with _opened(place) as store, only_worker(store) if store.is_sqlite else nullcontext():
            return asyncio.run(_work(store, said))
    except EdgewiseError as error:
        sys.stderr.write(f"{error}\n")
        return TAKEN if isinstance(error, PlaceTaken) else 1


def _arguments(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m runs", description=__doc__)
    parser.add_argument("--store", help="SQLite path or PostgreSQL URL; default: EDGEWISE_STORE, else the demo")
    parser.add_argument("--once", action="store_true", help="end when no run is left to work on")
    parser.add_argument("--while-input", action="store_true", help="end when standard input does, as its parent does")
    parser.add_argument("--shards", type=int, default=AT_ONCE, help="shards of 100 items in hand at once")
    parser.add_argument("--grace", type=float, default=20.0, help="seconds to wait for answers when told to stop")
    parser.add_argument("--sign-of-life", type=float, default=SIGN_OF_LIFE_S, help="seconds between signs of life")
    parser.add_argument("--lost-after", type=float, default=LOST_AFTER_S, help="seconds of silence: a worker is dead")
    parser.add_argument("--first-wait", type=float, default=STANDARD.base_s, help="seconds before a second try")
    parser.add_argument("--log", default="warning", choices=["debug", "info", "warning", "error"])
    return parser.parse_args(arguments)


@contextmanager
def _opened(place: str) -> Iterator[Store]:
    path = Path(place).expanduser()
    if "://" not in place and not path.is_file():
        raise StoreTrouble(f"There is no study at {path}.")
    store = Store(place)
    try:
        migrate(store)
        yield store
    finally:
        store.close()


async def _work(store: Store, said: argparse.Namespace) -> int:
    pace = Pace(
        sign_of_life_s=said.sign_of_life, lost_after_s=said.lost_after, at_once=said.shards,
        retries=Policy(base_s=said.first_wait),
    )  # fmt: skip
    worker = Worker(store, clock=lambda: datetime.now(UTC), pace=pace)
    loop = asyncio.get_running_loop()
    for sign in (signal.SIGTERM, signal.SIGINT):
        _on_signal(loop, sign, worker)
    if said.while_input:
        threading.Thread(target=_wait_for_end, args=(loop, worker), daemon=True).start()
    unkept = await worker.run(is_once=said.once, grace_s=said.grace)
    return UNKEPT if unkept else 0


def _on_signal(loop: asyncio.AbstractEventLoop, sign: signal.Signals, worker: Worker) -> None:
    try:
        loop.add_signal_handler(sign, worker.stop.set)
    except NotImplementedError:  # Windows
        signal.signal(sign, lambda *_: loop.call_soon_threadsafe(worker.stop.set))


def _wait_for_end(loop: asyncio.AbstractEventLoop, worker: Worker) -> None:
    """Whoever started us holds the other end of standard input; when it dies, however, the pipe ends."""
    while sys.stdin.buffer.read(1024):
        pass
    loop.call_soon_threadsafe(worker.stop.set)


if __name__ == "__main__":
    sys.exit(main())
