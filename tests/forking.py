"""Our own programs in a fork of a process that has loaded what they load, for tests that start many of them.

A worker of model runs takes half a second of processor time and more to load, and two hundred tests start one. Here
one process loads it once and forks. What runs in the fork is what `python -m NAME ARGUMENTS` would run, in an
environment of its own; whoever asked holds it as it would hold a `subprocess.Popen`. What a program loads, and how it
starts, is shown by tests that start it as a shell does. Workers look up as often as those of the tests' own process
(`tests/fast_polling.py`).
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
MOST_BYTES = 1 << 18
STATUS_BYTES = 8
ENVIRONMENT: dict[str, str] = {}
"""What a nursery's own process is told besides, whatever the environment is in which a test first asks for it."""


class Nursery:
    """A process that has loaded `modules`. Its first program starts it; safe to share between threads."""

    def __init__(self, *modules: str) -> None:
        self._modules = modules
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._socket: socket.socket | None = None

    def fork(self, asked: Mapping[str, Any], descriptors: Sequence[int]) -> None:
        """Have the fork begin with these descriptors as input, output and errors; the last one hears of its end."""
        message = json.dumps(asked).encode("utf-8", "surrogateescape")
        assert len(message) < MOST_BYTES
        with self._lock:
            if self._socket is None:
                self._start()
            assert self._socket is not None
            socket.send_fds(self._socket, [message], list(descriptors))

    def descriptor(self) -> int | None:
        """The descriptor of the socket by which it is asked; None before it starts."""
        return None if self._socket is None else self._socket.fileno()

    def begin(self) -> None:
        """Start it now, so that forks of this process share it."""
        with self._lock:
            if self._socket is None:
                self._start()

    def _start(self) -> None:
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        for option in (socket.SO_SNDBUF, socket.SO_RCVBUF):
            self._socket.setsockopt(socket.SOL_SOCKET, option, MOST_BYTES)
        command = [sys.executable, "-m", "tests.forking", str(theirs.fileno()), *self._modules]
        nowhere = subprocess.DEVNULL
        self._process = subprocess.Popen(
            command,
            cwd=ROOT,
            env={**os.environ, **ENVIRONMENT},
            stdin=nowhere,
            stdout=nowhere,
            pass_fds=[theirs.fileno()],
        )
        theirs.close()

    def close(self) -> None:
        if self._socket is not None and self._process is not None:
            self._socket.close()
            self._process.wait(30)
            self._socket = self._process = None


class Forked(subprocess.Popen[Any]):
    """`Forked(nursery, [sys.executable, "-m", NAME, *ARGUMENTS], …)`, with Popen's options for streams, folder and
    environment. The process is the nursery's child, which tells when and how it ended."""

    def __init__(self, nursery: Nursery, command: Sequence[str | os.PathLike[str]], **options: Any) -> None:
        self._nursery = nursery
        self._told = -1
        super().__init__(command, **options)

    def _execute_child(self, command: Sequence[Any], *rest: Any) -> None:
        said = dict(zip(_OPTIONS, rest, strict=True))
        words = [os.fspath(word) for word in command]
        assert words[:2] == [sys.executable, "-m"], words
        assert not any(said[name] for name in ("preexec_fn", "pass_fds", "shell", "startupinfo")), said
        environment = os.environ if said["env"] is None else said["env"]
        asked = {
            "words": words[2:],
            "environment": {os.fsdecode(name): os.fsdecode(value) for name, value in environment.items()},
            "folder": os.fspath(said["cwd"] or Path.cwd()),
            "is_session": said["start_new_session"],
        }
        streams = [said["p2cread"], said["c2pwrite"], said["errwrite"]]
        told, tells = os.pipe()
        try:
            self._nursery.fork(asked, [*(own if given == -1 else given for own, given in enumerate(streams)), tells])
        finally:
            os.close(tells)
        self._close_pipe_fds(  # type: ignore[attr-defined]
            *(said[name] for name in ("p2cread", "p2cwrite", "c2pread", "c2pwrite", "errread", "errwrite"))
        )
        self._told = told
        self.pid = int(os.read(told, STATUS_BYTES))
        self._child_created = True

    def _ended(self, is_patient: bool) -> tuple[int, int]:
        """Return what `os.waitpid` does."""
        if not select.select([self._told], [], [], None if is_patient else 0)[0]:
            return 0, 0
        status = os.read(self._told, STATUS_BYTES)
        os.close(self._told)
        return self.pid, int(status)

    def _try_wait(self, wait_flags: int) -> tuple[int, int]:
        return self._ended(is_patient=not wait_flags & os.WNOHANG)

    def _internal_poll(self, _deadstate: int | None = None, *_: Any) -> int | None:
        if self.returncode is None and self._told != -1 and self._waitpid_lock.acquire(False):  # type: ignore[attr-defined]
            try:
                pid, status = self._ended(is_patient=False) if self.returncode is None else (0, 0)
                if pid:
                    self.returncode = os.waitstatus_to_exitcode(status)
            finally:
                self._waitpid_lock.release()  # type: ignore[attr-defined]
        return self.returncode


_OPTIONS = (
    *("executable", "preexec_fn", "close_fds", "pass_fds", "cwd", "env", "startupinfo", "creationflags", "shell"),
    *("p2cread", "p2cwrite", "c2pread", "c2pwrite", "errread", "errwrite"),
    *("restore_signals", "gid", "gids", "uid", "umask", "start_new_session", "process_group"),
)
"""What Popen of Python 3.11 and later hands on to start a child, after the command."""


WORKERS = Nursery("runs.process", "runs.endpoint.client", "runs.queue_postgres", "benchmarks.model_server")
"""Of `python -m runs` and of the model server that they ask; ends with the process of the tests."""
READERS = Nursery(
    "documents.pages", "exchange.file_reading", "exchange.wire", "exchange.kumu_sheets", "exchange.workbook"
)
"""Of `python -m documents.child` and `python -m services.exchange.import_child`, for servers of the browser tests. What
readers may take of the machine is tried on children that begin as in use (`tests/documents`)."""
atexit.register(WORKERS.close)
atexit.register(READERS.close)


def fork_model_servers() -> None:
    """Let every model server of this process begin as a fork: fifty files of tests start one, and it loads 0.7 s."""
    running_server = importlib.import_module("benchmarks.running_server")
    running_server.subprocess = SimpleNamespace(  # type: ignore[attr-defined]
        Popen=partial(Forked, WORKERS), PIPE=subprocess.PIPE
    )


def fork_readers() -> None:
    """Let every pool of this process and its forks take its children from one that has loaded what they load."""
    READERS.begin()
    child_process = importlib.import_module("documents.child_process")
    child_process.subprocess = SimpleNamespace(  # type: ignore[attr-defined]
        Popen=partial(Forked, READERS), PIPE=subprocess.PIPE, DEVNULL=subprocess.DEVNULL
    )


# --- the nursery's own process -----------------------------------------------------------------------------------


def main(descriptor: int, modules: Sequence[str]) -> None:
    gc.disable()
    for name in modules:
        importlib.import_module(name)
    if "runs.process" in modules and os.environ.get("EDGEWISE_TESTS_LOOK_OFTEN"):  # not in `make soak`
        importlib.import_module("tests.fast_polling").look_often()
        importlib.import_module("tests.in_process_steps").work_out_here()
    gc.freeze()
    gc.enable()
    asking = socket.socket(fileno=descriptor)
    asking.setblocking(False)
    woken, wakes = os.pipe()
    for end in (woken, wakes):
        os.set_blocking(end, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.set_wakeup_fd(wakes)
    tells: dict[int, int] = {}
    ends: list[socket.socket | int] = [asking, woken]
    while True:
        ready, _, _ = select.select(ends, [], [])
        if woken in ready:
            os.read(woken, 4096)
            _tell_of_the_dead(tells)
        if asking in ready:
            message, descriptors, _, _ = socket.recv_fds(asking, MOST_BYTES, 4)
            if not message:
                return
            child = os.fork()
            if child == 0:
                signal.set_wakeup_fd(-1)
                _run(json.loads(message.decode("utf-8", "surrogateescape")), descriptors[:3])
            os.write(descriptors[3], str(child).rjust(STATUS_BYTES).encode())
            tells[child] = descriptors[3]
            for each in descriptors[:3]:
                os.close(each)


def _tell_of_the_dead(tells: dict[int, int]) -> None:
    while tells:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == 0:
            return
        told = tells.pop(pid)
        with suppress(BrokenPipeError):  # nobody asks any more
            os.write(told, str(status).rjust(STATUS_BYTES).encode())
        os.close(told)


def _shared() -> list[int]:
    """Sockets of the nurseries that this process started."""
    loaded = sys.modules.get("tests.forking")  # this module, under the name by which others know it
    sockets = [] if loaded is None else [each.descriptor() for each in (loaded.WORKERS, loaded.READERS)]
    return sorted(each for each in sockets if each is not None)


def _close_all_but(kept: Sequence[int]) -> None:
    first = 3
    for each in (*kept, 1024):
        os.closerange(first, each)
        first = each + 1


def _run(asked: Mapping[str, Any], streams: Sequence[int]) -> None:
    """Never returns."""
    status = 1
    try:
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        _close_all_but(_shared())
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if asked["is_session"]:
            os.setsid()
        os.chdir(asked["folder"])
        os.environ.clear()
        os.environ.update(asked["environment"])
        time.tzset()
        name, *arguments = asked["words"]
        sys.argv = [name, *arguments]
        try:
            runpy.run_module(name, run_name="__main__", alter_sys=True)
            status = 0
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else int(end.code is not None)
            if isinstance(end.code, str):
                print(end.code, file=sys.stderr)
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
    except BaseException:
        traceback.print_exc()
    finally:
        for output in (sys.stdout, sys.stderr):
            with suppress(OSError):
                output.flush()
        os._exit(status & 0xFF)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
    os._exit(0)  # what it has loaded is not taken down piece by piece
