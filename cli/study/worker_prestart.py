"""Prestart of the worker of `edgewise.py run`, before the command line is loaded: both take as long to load. Imports
nothing slow."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from subprocess import Popen

ROOT = Path(__file__).resolve().parents[2]
WITHOUT_WORK = frozenset({"--dry-run", "--queue", "--help"})
_prestarted: list[Popen[bytes]] = []


def begin(arguments: Sequence[str]) -> None:
    """Start the worker if a command line with these arguments needs one."""
    if list(arguments[:1]) == ["run"] and WITHOUT_WORK.isdisjoint(arguments):
        _prestarted.append(start())


def worker() -> Popen[bytes]:
    """Return the prestarted worker, or a new one. It waits for lines on its input: "client" loads the model client,
    a study's address starts the work; it ends with its input."""
    return _prestarted.pop() if _prestarted else start()


def start() -> Popen[bytes]:
    """Start a separate process, which can be stopped without losing a reply. A study's address is passed on its
    input: it may contain a password, which a process list would show."""
    paths = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    return subprocess.Popen(
        [sys.executable, "-m", "runs", "--once", "--when-told"],
        env={**os.environ, "PYTHONPATH": paths},
        stdin=subprocess.PIPE,
    )
