"""One Streamlit script served alone, for tests of a component without the rest of Edgewise."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def served(folder: Path, source: str) -> Iterator[str]:
    """The address of a Streamlit that runs `source`; it stops at the end. Its log lies in `folder`."""
    script = folder / "component_app.py"
    script.write_text(source, encoding="utf-8")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", str(script), f"--server.port={port}"]
    options = ["--server.address=127.0.0.1", "--server.headless=true", "--browser.gatherUsageStats=false"]
    log = folder / "log.txt"
    with log.open("w") as out:
        server = subprocess.Popen(
            command + options, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=out, stderr=out
        )
        try:
            _await_health(f"http://127.0.0.1:{port}", server, log)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            try:
                server.wait(10)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait(10)


def _await_health(base: str, server: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        if server.poll() is not None:
            break
        try:
            with urllib.request.urlopen(f"{base}/_stcore/health", timeout=2) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    pytest.fail(f"streamlit did not start within 60 s:\n{log.read_text()}")
