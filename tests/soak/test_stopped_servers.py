"""A served study is stopped by each signal while its worker asks: no process is left, and nothing more is sent."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.running_server import running_server
from store.engine import Store
from tests.runs.begun import begin, fall_silent, model
from tests.runs.stopping import seconds_to_last_request
from tests.soak.table import scaled

ROOT = Path(__file__).resolve().parents[2]
SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGKILL)
ROUNDS = scaled(3)


@pytest.mark.both
@pytest.mark.proof(
    "T3", "served study stopped while its worker asks", gate="0 processes left; 0 requests later than 1 s after it"
)
def test_a_stopped_server_sends_nothing_more(
    store_url: str, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("EDGEWISE_")}
    environment["EDGEWISE_HOME"] = str(tmp_path / "home")
    store, latest = Store(store_url), dict.fromkeys(SIGNALS, -1.0)
    with running_server("--latency-ms", "20") as server:
        begin(store, {"m": model(server.url)}, 10_000 * ROUNDS)
        for _ in range(ROUNDS):
            for sign in SIGNALS:
                with socket.socket() as free:
                    free.bind(("127.0.0.1", 0))
                    port = free.getsockname()[1]
                command = [sys.executable, "edgewise.py", "serve", "--local", "--store", store_url, "--port", str(port)]
                process = subprocess.Popen(
                    command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
                )
                latest[sign] = max(latest[sign], seconds_to_last_request(process, sign, server))
                fall_silent(store)
    assert max(latest.values()) < 1
    store.close()
    record_property(
        "what", f"served study stopped while its worker asks, {'SQLite' if store.is_sqlite else 'PostgreSQL'}"
    )
    record_property("repetitions", ROUNDS * len(SIGNALS))
    named = ", ".join(f"{sign.name} {max(0.0, seconds):.2f} s" for sign, seconds in latest.items())
    record_property("figure", f"0 processes left; last request at most: {named} after it")
