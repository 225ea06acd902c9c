"""Stopping a command that asks models: it and everything that it started ends, and nothing more is sent."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable
from typing import Any

import psutil

from benchmarks.running_server import RunningServer

PATIENCE_S = 60
ENDS_S = 10
"""Replies of the loopback server arrive in milliseconds; service managers wait ten seconds at least."""


def until(found: Callable[[], Any]) -> Any:
    deadline = time.monotonic() + PATIENCE_S
    while not (one := found()):
        assert time.monotonic() < deadline, "it did not come about"
        time.sleep(0.02)
    return one


def seconds_to_last_request(process: subprocess.Popen[Any], sign: signal.Signals, server: RunningServer) -> float:
    """Send the signal while requests leave. Returns the seconds until the last one arrived, negative if before the
    signal; fails if a process outlives it."""
    before = server.log()["requests"]
    until(lambda: server.log()["requests"] > before + 4 or process.poll() is not None)
    assert process.poll() is None, process.communicate()
    everyone = [psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)]
    at = time.time()
    os.kill(process.pid, sign)
    process.wait(ENDS_S)
    deadline = time.monotonic() + ENDS_S
    while left := [each for each in everyone if each.is_running() and each.status() != psutil.STATUS_ZOMBIE]:
        if time.monotonic() > deadline:
            for each in left:
                each.kill()
            raise AssertionError(f"{len(left)} of its processes outlived {sign.name}: {left}")
        time.sleep(0.02)
    return float(server.log()["entries"][-1]["at"] - at)
