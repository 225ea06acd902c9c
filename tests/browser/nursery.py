"""Processes that begin with everything imported.

A run of the browser tests starts some hundred servers and seeding scripts, each of which would import Streamlit, pandas
and our services anew: two seconds of processor time. Here one process, which all workers of a run share, imports them
once and forks. What runs in the fork is what `uvicorn server:app` and `python -c` would run, in an environment of its
own.
"""

from __future__ import annotations

import gc
import importlib
import inspect
import json
import os
import pkgutil
import signal
import socket
import subprocess
import sys
import traceback
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
from sqlalchemy.orm import configure_mappers

from tests.cheap_passwords import SLOW_PASSWORDS, are_cheap, hash_as_in_use, hash_cheaply
from tests.forking import fork_readers
from tests.postgresql import one_at_a_time

ROOT = Path(__file__).resolve().parents[2]
# What needs no settings when it is imported; server.py is imported in the fork.
IMPORTED = (
    "pandas",
    "pyarrow.pandas_compat",
    "networkx",
    "openpyxl",
    "pyvis.network",
    "sqlmodel",
    "sqlalchemy.dialects.sqlite",
    "uvicorn",
    "uvicorn.protocols.websockets.auto",
    "uvicorn.protocols.http.auto",
    "uvicorn.lifespan.on",
    "streamlit",
    "streamlit.web.server.starlette.starlette_app",
    "streamlit.runtime.scriptrunner.magic_funcs",
    "streamlit.material_icon_names",
    "protocols.econcausal.tables",
)
DONE = "done"
LOOK_S = 2.0
"""So often it looks whether the run goes on."""
SPARING = "--sparing"  # not in `make soak`


class Nursery:
    """The end of it that tests hold. `folder` is the run's: the first worker that asks starts the process there, which
    ends with the process `run_id`."""

    def __init__(self, folder: Path, run_id: int) -> None:
        self._socket = folder / "socket"
        with one_at_a_time(folder):
            if not self._socket.exists():
                self._start(folder, run_id)

    def _start(self, folder: Path, run_id: int) -> None:
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(self._socket))
        listener.listen(64)  # whoever asks before it is ready waits
        listener.set_inheritable(True)
        given = [str(listener.fileno()), str(run_id), *([SPARING] if are_cheap() else [])]
        with (folder / "log").open("w") as log:
            subprocess.Popen(
                [sys.executable, "-m", "tests.browser.nursery", *given],
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=[listener.fileno()],
                env={**os.environ, "STREAMLIT_SERVER_PORT": "8501"},
            )
        listener.close()

    def serve(self, app: str, port: int, environment: Mapping[str, str], log: Path) -> psutil.Process:
        """Start `app`, as `uvicorn` names it, on `port`."""
        asked = {"app": app, "port": port, "environment": dict(environment), "out": str(log), "err": str(log)}
        return psutil.Process(self._fork(asked))

    def run(self, source: str, arguments: list[str], environment: Mapping[str, str], folder: Path) -> str:
        """Run `source` to its end; what it printed. Raises AssertionError with its traceback if it failed."""
        out, err = folder / "seed.out", folder / "seed.err"
        asked = {"source": source, "arguments": arguments, "environment": dict(environment)}
        pid = self._fork({**asked, "out": str(out), "err": str(err)})
        with suppress(psutil.NoSuchProcess):  # it may have ended already
            psutil.Process(pid).wait(60)
        said = err.read_text(errors="replace")
        assert said.rstrip().endswith(DONE), said
        return out.read_text().strip()

    def _fork(self, asked: Mapping[str, Any]) -> int:
        with socket.socket(socket.AF_UNIX) as asking:
            asking.settimeout(120)
            asking.connect(str(self._socket))
            asking.sendall(json.dumps(asked).encode() + b"\n")
            with asking.makefile() as answer:
                return int(answer.readline())


def main() -> None:
    import pages
    import services

    gc.disable()  # what is loaded stays
    for name in IMPORTED:
        importlib.import_module(name)
    for room in (services, pages):
        for module in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
            importlib.import_module(module.name)
    # Each server would read what is installed, which takes 0.16 s of processor time.
    from streamlit.components.v2 import manifest_scanner

    found = manifest_scanner.scan_component_manifests()

    def scanned(max_workers: int | None = None) -> list[tuple[manifest_scanner.ComponentManifest, Path]]:
        return found

    manifest_scanner.scan_component_manifests = scanned
    # Streamlit asks once a process whether it runs in a shell; Python then looks up the file of every module: 0.5 s.
    inspect.stack()
    if SPARING in sys.argv:
        hash_cheaply()
        fork_readers()
    configure_mappers()
    gc.freeze()
    gc.enable()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody here waits for them; whoever asked does
    listener, run_id = socket.socket(fileno=int(sys.argv[1])), int(sys.argv[2])
    listener.settimeout(LOOK_S)
    while psutil.pid_exists(run_id):
        with suppress(OSError):  # nobody asked, or whoever did is gone
            _answer(listener)


def _answer(listener: socket.socket) -> None:
    """Fork for whoever asks next, and tell them the number of the fork."""
    asking, _ = listener.accept()
    with asking, asking.makefile() as lines:
        line = lines.readline()
        if not line:
            return
        asked = json.loads(line)
        child = os.fork()
        if child == 0:
            listener.close()
            asking.close()
            _child(asked)
        asking.sendall(f"{child}\n".encode())


def _child(asked: Mapping[str, Any]) -> None:
    """Never returns."""
    code = 1
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.environ.clear()
        os.environ.update(asked["environment"])
        if asked["environment"].items() >= SLOW_PASSWORDS.items():
            hash_as_in_use()
        for number, name in enumerate((os.devnull, asked["out"], asked["err"])):
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC if number else os.O_RDONLY
            opened = os.open(name, flags | os.O_APPEND)
            os.dup2(opened, number)
            os.close(opened)
        if "port" in asked:
            import uvicorn

            if asked["app"] == "server:app":
                import server

                # Few tests read a document: its reader, a second of processor time, starts when it is needed.
                server.SETTLED_S = 3600.0
            uvicorn.run(asked["app"], port=asked["port"], proxy_headers=False)
        else:
            sys.argv = ["-c", *asked["arguments"]]
            exec(compile(asked["source"], "<seed>", "exec"), {"__name__": "__main__"})
        code = 0
    except BaseException:  # also an exit: the fork must never go on as the process it was forked from
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        if code == 0 and "port" not in asked:
            print(DONE, file=sys.stderr)
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    main()
