"""Workers of the tests' own process, and those forked by `tests/forking.py`, look up ten times a second, so that a test
waits for a worker's work and not for its next look. Others, and those that `make soak` kills, look as in use.
"""

from __future__ import annotations

import os
from types import ModuleType

from runs import queue_postgres, queue_sqlite, runner, supervisor, worker
from tests import forking

OFTEN_S = 0.1
OFTEN = "EDGEWISE_TESTS_LOOK_OFTEN"
"""In the environment of a process whose forks are to look often too."""
LOOKS: tuple[tuple[ModuleType, str], ...] = (
    (worker, "WATCH_S"),
    (queue_sqlite, "IDLE_S"),
    (queue_postgres, "POLL_S"),
    (runner, "TROUBLE_S"),
    (supervisor, "LOOK_S"),
)
AS_IN_USE = {name: float(getattr(module, name)) for module, name in LOOKS}
"""Seconds between two looks, by the name of each."""


def look_often() -> None:
    """From now on, in this process and in the forks of `tests/forking.py`."""
    os.environ[OFTEN] = forking.ENVIRONMENT[OFTEN] = "1"
    for module, name in LOOKS:
        setattr(module, name, OFTEN_S)
