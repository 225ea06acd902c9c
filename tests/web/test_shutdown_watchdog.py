"""A process that was told to end does so, also when a thread holds the interpreter's lock."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from tests.everything import usual

ROOT = Path(__file__).resolve().parents[2]
SERVER = """
import re, signal, subprocess, sys, threading, time
from web import shutdown_watchdog

shutdown_watchdog.PATIENCE_S = float(sys.argv[1])
signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job is begun with it ignored
shutdown_watchdog.end_on_signal()
child = subprocess.Popen(["sleep", "600"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print(child.pid, shutdown_watchdog._watchdogs[0].pid, flush=True)
held_up = {
    "by the lock": lambda: re.match(r"(a*)*b", "a" * 40),  # hours, in C
    "by a thread": lambda: [time.sleep(0.01) for _ in iter(int, 1)],  # for ever, in Python
    "by nothing": lambda: None,
}[sys.argv[2]]


def begin():
    print("begun", flush=True)
    held_up()


threading.Thread(target=begin).start()
try:
    time.sleep(600)
finally:
    if sys.argv[2] != "by the lock":
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        if sys.argv[2] == "by nothing":
            child.kill()
            child.wait()
"""


ENDED = [("by the lock", signal.SIGTERM), ("by a thread", signal.SIGTERM)]
INTERRUPTED = ("by the lock", signal.SIGINT)


def begun(patience_s: float, held_up: str) -> tuple[subprocess.Popen[str], int, int]:
    """The process, its child, and who watches it."""
    process = subprocess.Popen(
        [sys.executable, "-c", SERVER, str(patience_s), held_up],
        cwd=ROOT,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    child, watching = map(int, process.stdout.readline().split())
    assert process.stdout.readline() == "begun\n"
    time.sleep(0.2)
    return process, child, watching


def gone(pid: int) -> bool:
    deadline = time.monotonic() + 20
    while psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


@pytest.mark.parametrize(
    ("held_up", "sign"),
    usual([*ENDED, INTERRUPTED], INTERRUPTED),
)
def test_what_does_not_end_by_itself_is_ended_with_the_status_of_the_signal(held_up: str, sign: signal.Signals) -> None:
    process, child, watching = begun(0.3, held_up)
    process.send_signal(sign)
    _said, complained = process.communicate(timeout=60)
    assert process.returncode == -sign
    assert complained == f"The server did not end within 0.3 s of {sign.name}; ending it now.\n"
    assert gone(child)
    assert gone(watching)


def test_what_ends_by_itself_is_left_in_peace() -> None:
    process, _child, watching = begun(30, "by nothing")
    process.send_signal(signal.SIGTERM)
    _said, complained = process.communicate(timeout=60)
    assert (process.returncode, complained) == (143, "")
    assert gone(watching)


def test_nobody_watches_a_process_that_was_killed() -> None:
    process, child, watching = begun(30, "by the lock")
    process.kill()
    process.communicate(timeout=60)
    assert gone(watching)
    os.kill(child, signal.SIGKILL)
