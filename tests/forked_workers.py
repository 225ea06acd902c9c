"""The workers of a run begin with everything loaded: forks of one process (`tests/loaded.py`).

Each would load our code, Streamlit, scipy and the others anew, some five seconds of processor time, and the process
that its browser tests fork their servers from half of it once more.
"""

from __future__ import annotations

import subprocess
import sys
from typing import Any

from execnet import gateway_io
from execnet.gateway_base import ExecModel, Popen2IO

from tests.forking import Forked, Nursery

LOADED = Nursery("tests.loaded")


class _ForkedWorker(gateway_io.Popen2IOMaster):
    def __init__(self, args: Any, execmodel: ExecModel) -> None:
        command = [sys.executable, "-m", "tests.worker"]
        self.popen = Forked(LOADED, command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        Popen2IO.__init__(self, self.popen.stdin, self.popen.stdout, execmodel=execmodel)


def fork_workers() -> None:
    """From now on, in the process that starts them."""
    gateway_io.Popen2IOMaster = _ForkedWorker  # type: ignore[misc]
