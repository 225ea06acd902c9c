"""Watchdog that kills the server if SIGTERM does not stop it in time.

A thread in a long C call (a regular expression, an archive) can hold the interpreter's lock for minutes, and then no
signal handler runs, since handlers are Python code. The interpreter's C code still writes the signal's number into a
pipe. This file, run as a small process, reads the pipe. If the server has not ended some seconds after SIGTERM or
Ctrl+C, it kills the server and its children.
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

PATIENCE_S = 8.0
"""Ten seconds are documented, and are the usual timeout of service managers."""
TO_DIE_S, TO_FOLLOW_S = 0.5, 1.5
SIGNS = (signal.SIGTERM, signal.SIGINT)
_watchdogs: list[subprocess.Popen[bytes]] = []


def end_on_signal() -> None:
    """Start the watchdog: this process then ends at most ten seconds after SIGTERM or SIGINT. Call it from the main
    thread once the handlers of both are set; elsewhere, and on Windows, it does nothing."""
    if _watchdogs or os.name != "posix" or threading.current_thread() is not threading.main_thread():
        return
    read_end, write_end = os.pipe()
    os.set_blocking(write_end, False)
    command = [sys.executable, "-I", "-S", __file__, str(os.getpid()), str(PATIENCE_S)]
    # In a session of its own, so that Ctrl+C in a terminal reaches the server only.
    watching = subprocess.Popen(command, stdin=read_end, stdout=subprocess.DEVNULL, start_new_session=True)  # noqa: S603 - our own
    _watchdogs.append(watching)
    os.close(read_end)
    signal.set_wakeup_fd(write_end, warn_on_full_buffer=False)
    for sign in SIGNS:
        _handle_once(sign)


def _handle_once(sign: signal.Signals) -> None:
    """Restore the default handler of `sign` after its first signal, so that a second one ends the process by itself,
    with the status of that signal, even if no Python code can run."""
    handle = getattr(ctypes.CDLL(None), "sysv_signal", None)
    if handle is None:
        return  # not glibc: what hangs is killed instead
    handle.restype, handle.argtypes = ctypes.c_void_p, (ctypes.c_int, ctypes.c_void_p)
    handle(sign, handle(sign, signal.SIG_DFL))


# --- the process at the other end -------------------------------------------------------------------------------


def watch(server: int, patience_s: float) -> None:
    """Wait for the server to end, and kill it if it was signalled and does not end in time."""
    sign = _first_sign()
    if sign is None or _ends(time.monotonic() + patience_s):
        return
    sys.stderr.write(f"The server did not end within {patience_s:g} s of {sign.name}; ending it now.\n")
    sys.stderr.flush()
    began = time.monotonic()
    started = {one for one, parent in _living().items() if parent == server and one[0] != os.getpid()}
    for last in (sign, signal.SIGKILL):
        if os.getppid() == server:
            os.kill(server, last)
        if _ends(time.monotonic() + TO_DIE_S):
            break
    while (left := started & _living().keys()) and time.monotonic() < began + TO_FOLLOW_S:
        time.sleep(0.05)
    for pid, _since in left:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _first_sign() -> signal.Signals | None:
    """Return the signal that the server received; None if it ended without one."""
    while came := os.read(0, 64):
        for number in came:
            if number in SIGNS:
                return signal.Signals(number)
    return None


def _ends(deadline: float) -> bool:
    """Return True if the server's end of the pipe closes before the deadline, as it does when the server ends."""
    while (left := deadline - time.monotonic()) > 0:
        if select.select([0], [], [], left)[0] and not os.read(0, 64):
            return True
    return False


def _living() -> dict[tuple[int, str], int]:
    """Return (process id, start time) → parent's id, for every process. Only Linux has /proc; elsewhere the server's
    children end with its pipes."""
    parents = {}
    for place in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            facts = place.read_text(errors="replace").rpartition(")")[2].split()
            parents[int(place.parent.name), facts[19]] = int(facts[1])
    return parents


if __name__ == "__main__":
    for ignored in (*SIGNS, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_IGN)
    watch(int(sys.argv[1]), float(sys.argv[2]))
