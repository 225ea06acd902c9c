"""Servers of browser tests: forked from the run's nursery, on ports that they hand on."""

from __future__ import annotations

import os
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path

import psutil

from tests.browser.nursery import ROOT, Nursery

NURSERY = "EDGEWISE_TEST_NURSERY"  # its folder, and the run's process: handed to xdist's workers
RUN = "EDGEWISE_TEST_RUN"
_free_again: list[int] = []


@cache
def nursery() -> Nursery:
    """The run's; begun with the first study that is seeded."""
    return Nursery(Path(os.environ[NURSERY]), int(os.environ[RUN]))


def environment_with(ours: Mapping[str, str]) -> dict[str, str]:
    """Ours, and what a server needs of this process's."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("EDGEWISE_")}
    return {**kept, "STREAMLIT_SERVER_PORT": "8501", "PYTHONPATH": str(ROOT), **ours}


def take_port() -> int:
    """That of a server that has stopped if there is one: to a browser the next server is then the same site, and it
    need neither fetch nor compile Streamlit's scripts again."""
    for port in [*_free_again, 0]:
        with socket.socket() as probe, suppress(OSError):
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
            if port:
                _free_again.remove(port)
            return int(probe.getsockname()[1])
    raise AssertionError("no port is free")


def hand_on(port: int) -> None:
    """Nobody listens there any more."""
    _free_again.append(port)


def begin(app: str, port: int, ours: Mapping[str, str], log: Path) -> psutil.Process:
    """Serve `app` ("module:name") with these variables. Raises AssertionError with its log if it does not answer."""
    process = nursery().serve(app, port, environment_with(ours), log)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.is_running():
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=2):
                return process
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    end(process)
    raise AssertionError("the server did not start:\n" + log.read_text(errors="replace"))


def end(process: psutil.Process) -> None:
    """Stop it, in good order if it can."""
    with suppress(psutil.NoSuchProcess):
        process.terminate()
        try:
            process.wait(10)
        except psutil.TimeoutExpired:
            process.kill()
            process.wait()
