"""Workers that commands on a study start beside themselves."""

from __future__ import annotations

import subprocess
from functools import partial
from types import SimpleNamespace

import pytest

from cli.study import worker_prestart
from tests.forking import WORKERS, Forked


@pytest.fixture
def as_a_shell_does() -> None:
    """For a test whose worker loads what it needs itself."""


@pytest.fixture(autouse=True)
def forked_workers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """They begin with what they load, half a second of processor time, already loaded."""
    if "as_a_shell_does" not in request.fixturenames:
        starting = SimpleNamespace(**{**vars(subprocess), "Popen": partial(Forked, WORKERS)})
        monkeypatch.setattr(worker_prestart, "subprocess", starting)
