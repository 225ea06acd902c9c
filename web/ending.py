"""The server ends when it is told to, whatever its threads do.

A thread in a long call of C code (a regular expression, an archive) can hold the interpreter's lock for minutes, and
then no handler of a signal runs, since handlers are Python too. What does run is the few lines of C in which the
interpreter notes a signal: they write its number into a pipe. At its other end waits this file, run as a small process
of its own. A server that has not ended some seconds after SIGTERM or Ctrl+C is ended by it, with whatever it has
started; one that ends by itself is left in peace.
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
"""Ten seconds are promised, and what service managers give at least."""
TO_DIE_S, TO_FOLLOW_S = 0.5, 1.5
SIGNS = (signal.SIGTERM, signal.SIGINT)
_begun: list[subprocess.Popen[bytes]] = []


def end_when_told() -> None:
    """From now on this process ends at most ten seconds after SIGTERM or SIGINT.

    To be called once the handlers of both are set, by the main thread; anywhere else, and on Windows, it does nothing.
    """
    if _begun or os.name != "posix" or threading.current_thread() is not threading.main_thread():
        return
    told, tell = os.pipe()
    os.set_blocking(tell, False)
    command = [sys.executable, "-I", "-S", __file__, str(os.getpid()), str(PATIENCE_S)]
    # In a session of its own: Ctrl+C in a terminal is for us.
    watching = subprocess.Popen(command, stdin=told, stdout=subprocess.DEVNULL, start_new_session=True)  # noqa: S603 - our own
    _begun.append(watching)
    os.close(told)
    signal.set_wakeup_fd(tell, warn_on_full_buffer=False)
    for sign in SIGNS:
        _handle_once(sign)


def _handle_once(sign: signal.Signals) -> None:
    """Let the system forget the handler of `sign` when it has come once.

    So a second one ends the process by itself, with the status of that signal, even if no Python runs any more.
    """
    handle = getattr(ctypes.CDLL(None), "sysv_signal", None)
    if handle is None:
        return  # not glibc: what hangs is killed instead
    handle.restype, handle.argtypes = ctypes.c_void_p, (ctypes.c_int, ctypes.c_void_p)
    handle(sign, handle(sign, signal.SIG_DFL))


# --- the process at the other end -------------------------------------------------------------------------------


def watch(server: int, patience_s: float) -> None:
    """Wait for the server's end, and bring it about if it was told to end and does not."""
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
    """The signal that told the server to end; None if it ended without one."""
    while came := os.read(0, 64):
        for number in came:
            if number in SIGNS:
                return signal.Signals(number)
    return None


def _ends(deadline: float) -> bool:
    """Whether the server's end of the pipe closes until then, as it does with the server."""
    while (left := deadline - time.monotonic()) > 0:
        if select.select([0], [], [], left)[0] and not os.read(0, 64):
            return True
    return False


def _living() -> dict[tuple[int, str], int]:
    """Every process, by its id and when it began, with its parent's id.

    Linux alone says so; elsewhere what the server started ends with its pipes.
    """
    found = {}
    for place in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            facts = place.read_text(errors="replace").rpartition(")")[2].split()
            found[int(place.parent.name), facts[19]] = int(facts[1])
    return found


if __name__ == "__main__":
    for ignored in (*SIGNS, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_IGN)
    watch(int(sys.argv[1]), float(sys.argv[2]))
