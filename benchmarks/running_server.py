"""A model server in a process of its own, for as long as a `with` lasts."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
WAIT_S = 30


@dataclass(frozen=True)
class RunningServer:
    """`url`: what a client takes as its base address, ending in /v1. `pid`: of the server's process."""

    url: str
    pid: int

    def log(self) -> dict[str, Any]:
        """Return `requests`, `most_in_flight`, `connections` and `entries` (one object a request)."""
        entries: dict[str, Any] = json.loads(self._ask("GET", "/log"))
        return entries

    def forget(self) -> None:
        self._ask("DELETE", "/log")

    def play(self, script: Mapping[str, Any]) -> None:
        """Replace the script and reset its counts of `times`. Raises urllib's HTTPError for a bad script."""
        self._ask("PUT", "/script", json.dumps(script).encode())

    def _ask(self, method: str, path: str, body: bytes | None = None) -> bytes:
        request = urllib.request.Request(self.url.removesuffix("/v1") + path, data=body, method=method)
        with urllib.request.urlopen(request, timeout=WAIT_S) as response:
            return bytes(response.read())


@contextmanager
def running_server(*arguments: str, port: int = 0) -> Iterator[RunningServer]:
    """Starts `python -m benchmarks.model_server` on a free port and stops it at the end; it also stops by itself when
    this process dies. `arguments`: of its command line, such as `--latency-ms 20`."""
    command = [sys.executable, "-m", "benchmarks.model_server", "--port", str(port), "--with-parent", *arguments]
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        if "http://" not in line:
            raise RuntimeError(f"the model server did not start: {line!r}, exit code {process.wait(WAIT_S)}")
        yield RunningServer(line.split()[-1], process.pid)
    finally:
        process.stdin.close()
        process.stdout.close()
        process.terminate()
        process.wait(WAIT_S)
