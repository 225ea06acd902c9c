"""The worker of `edgewise.py run`, started before the command line itself is loaded: both take as long to load, and
`run` is over as soon as the later one is. Imports nothing that takes time.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from subprocess import Popen

ROOT = Path(__file__).resolve().parents[2]
WITHOUT_WORK = frozenset({"--dry-run", "--queue", "--help"})
_begun: list[Popen[bytes]] = []


def begin(arguments: Sequence[str]) -> None:
    """Start the worker if these words of a command line will want one."""
    if list(arguments[:1]) == ["run"] and WITHOUT_WORK.isdisjoint(arguments):
        _begun.append(start())


def worker() -> Popen[bytes]:
    """The one that was started ahead, else a new one. It does nothing until it is told on its input, line by line:
    "client" has it load what asks models, a study's address has it begin; it ends with its input."""
    return _begun.pop() if _begun else start()


def start() -> Popen[bytes]:
    """A process of its own: it can be stopped without losing an answer. A study's address is handed over on its input:
    a list of processes would show a password in it."""
    paths = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    return subprocess.Popen(
        [sys.executable, "-m", "runs", "--once", "--when-told"],
        env={**os.environ, "PYTHONPATH": paths},
        stdin=subprocess.PIPE,
    )
