"""Supervisor of a worker process: starts it after the server, restarts it when it dies, and ends it with the server."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SETTLED_S = 5.0  # From the server's start to the worker's: the first screens come first.
FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 60.0
LOOK_S = 0.5  # between two checks of the worker and of our own end
WELL_AFTER_S = 60.0  # A worker that ran this long has started successfully.
GRACE_S = 4.0  # For requests in flight: the server and its worker end within ten seconds together.


class WorkerSupervisor:
    """Thread with one worker process.

    `is_ready`: the server answers. `is_ending`: it is shutting down; the worker ends while the server closes
    connections to browsers. The worker ends when its input does, so it never outlives this process.
    """

    def __init__(
        self,
        place: str,
        is_ready: Callable[[], bool],
        is_ending: Callable[[], bool] = lambda: False,
        *,
        settled_s: float = SETTLED_S,
    ) -> None:
        self._command = [sys.executable, "-m", "runs", "--kept", "--grace", str(GRACE_S)]
        # A relative path is resolved here; the worker starts in another folder.
        address = place if "://" in place else str(Path(place).expanduser().resolve())
        # Not an argument: everyone on the machine can read those, and a server's address contains a password.
        self._environment = {**os.environ, "EDGEWISE_STORE": address}
        self._is_ready = is_ready
        self._is_told = is_ending
        self._settled_s = settled_s
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._keep, name="worker keeper", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """End the worker: it stores what arrives within its grace period, and is killed after it."""
        self._ending.set()
        self._thread.join(GRACE_S + 5)

    def _is_ending(self, wait_s: float = 0.0) -> bool:
        return self._ending.wait(wait_s) or self._is_told()

    def _keep(self) -> None:
        while not self._is_ready():
            if self._is_ending(0.2):
                return
        wait_s, pause_s = self._settled_s, FIRST_PAUSE_S
        while not self._is_ending(wait_s):
            started = time.monotonic()
            status = self._one_life()
            if self._is_ending():
                return
            wait_s = FIRST_PAUSE_S if time.monotonic() - started > WELL_AFTER_S else pause_s
            pause_s = min(LONGEST_PAUSE_S, 2 * wait_s)
            sys.stderr.write(f"The worker of model runs ended ({status}); it starts again in {wait_s:.0f} s.\n")

    def _one_life(self) -> int:
        """Run one worker until it dies or this process ends; return its exit status."""
        pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
        with subprocess.Popen(self._command, cwd=ROOT, env=self._environment, stdin=pipe, stdout=nowhere) as process:  # noqa: S603 - our own
            while process.poll() is None:
                if self._is_ending(LOOK_S):
                    return _end(process)
            return process.returncode


def _end(process: subprocess.Popen[bytes]) -> int:
    assert process.stdin is not None
    process.stdin.close()
    try:
        return process.wait(GRACE_S + 3)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait()
