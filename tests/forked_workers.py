"""The workers of a run of all tests begin as forks of one process that has loaded every test and what tests load.

Each would load it for itself otherwise: ten seconds of processor time, four times. What a worker collects it collects
as ever, from modules that are there already. Meanwhile the processors that loading leaves idle begin what tests will
ask for: the process whose forks are servers, and PostgreSQL.
"""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from execnet import gateway_io
from execnet.gateway_base import Popen2IO

from tests.browser.serving import nursery
from tests.forking import Forked, Nursery
from tests.postgresql import CLUSTER, start_cluster

SEED = Nursery("tests.all_tests")
WORKER = [sys.executable, "-m", "tests.forked_worker"]


class _ForkedIO(gateway_io.Popen2IOMaster):
    """A worker's process, to whoever gives it work."""

    def __init__(self, _command: object, execmodel: Any) -> None:
        self.popen = Forked(SEED, WORKER, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        Popen2IO.__init__(self, self.popen.stdin, self.popen.stdout, execmodel=execmodel)


def fork_workers(config: pytest.Config) -> None:
    """Have this run's workers forked, if it is one of all tests: for a few, loading all would take longer."""
    if config.args_source is pytest.Config.ArgsSource.TESTPATHS:
        atexit.register(SEED.close)
        SEED.begin()
        if not config.getoption("quick"):
            nursery()
            start_cluster(Path(os.environ[CLUSTER]))
        pytest.MonkeyPatch().setattr(gateway_io, "Popen2IOMaster", _ForkedIO)  # until the process ends
