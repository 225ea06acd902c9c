"""The loopback model server for tests of model runs: one process a test worker, clean for every test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from benchmarks.running_server import RunningServer, running_server
from store.engine import Store

KEY = "sk-proj-Canary7Qm2Xw9Lr4Tz8Nb5Vc3Kd6"
"""A key of no provider; no test may find it in anything that is kept."""


@pytest.fixture(scope="session")
def _server() -> Iterator[RunningServer]:
    with running_server() as server:
        yield server


@pytest.fixture
def model_server(_server: RunningServer, monkeypatch: pytest.MonkeyPatch) -> RunningServer:
    """Without script, latency and log; `CANARY_API_KEY` holds the canary key."""
    monkeypatch.setenv("CANARY_API_KEY", KEY)
    _server.play({})
    _server.forget()
    return _server


@pytest.fixture
def store(store_url: str) -> Iterator[Store]:
    """A migrated, empty store; a test marked `both` runs once on each database."""
    opened = Store(store_url)
    yield opened
    opened.close()


@pytest.fixture
def sqlite_store(sqlite_url: str) -> Iterator[Store]:
    """The same on SQLite only."""
    opened = Store(sqlite_url)
    yield opened
    opened.close()
