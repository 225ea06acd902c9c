"""Processes that begin with everything imported.

A run of the browser tests starts some hundred servers and seeding scripts, each of which would import Streamlit, pandas
and our services anew: two seconds of processor time. Here one process a worker imports them once and forks. What runs
in the fork is what `uvicorn server:app` and `python -c` would run, in an environment of its own.
"""

from __future__ import annotations

import gc
import importlib
import inspect
import json
import os
import pkgutil
import signal
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
SPARING = "--sparing"  # not in `make soak`


class Nursery:
    """The end of it that tests hold."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.browser.nursery", *([SPARING] if are_cheap() else [])],
            cwd=ROOT,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "STREAMLIT_SERVER_PORT": "8501"},
        )

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

    def close(self) -> None:
        self._process.kill()
        self._process.wait()

    def _fork(self, asked: Mapping[str, Any]) -> int:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())


def main() -> None:
    import pages
    import services

    for name in IMPORTED:
        importlib.import_module(name)
    for room in (services, pages):
        for module in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
            importlib.import_module(module.name)
    # Each server would read what is installed, which takes 0.16 s of processor time.
    manifest_scanner = importlib.import_module("streamlit.components.v2.manifest_scanner")
    found = manifest_scanner.scan_component_manifests()
    manifest_scanner.scan_component_manifests = lambda: found
    # Streamlit asks once a process whether it runs in a shell; Python then looks up the file of every module: 0.5 s.
    inspect.stack()
    if SPARING in sys.argv:
        hash_cheaply()
        fork_readers()
    configure_mappers()
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody here waits for them; whoever asked does
    for line in sys.stdin:
        asked = json.loads(line)
        child = os.fork()
        if child == 0:
            _child(asked)
        sys.__stdout__.write(f"{child}\n")  # type: ignore[union-attr]
        sys.__stdout__.flush()  # type: ignore[union-attr]


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
