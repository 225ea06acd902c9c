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
        _begun.append(start("--once", when_told=True))


def worker() -> Popen[bytes]:
    """The one that was started ahead, else a new one. It does nothing until it is told on its input, line by line:
    "client" has it load what asks models, a study's address has it begin; untold it ends with its input."""
    return _begun.pop() if _begun else start("--once", when_told=True)


def start(*how: str, place: str | None = None, when_told: bool = False) -> Popen[bytes]:
    """A process of its own: it holds little in memory, and can be stopped without losing an answer. A study's address
    is handed over in its environment or on its input: a list of processes would show a password in it."""
    paths = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, "PYTHONPATH": paths}
    return subprocess.Popen(  # noqa: S603 - our own interpreter and module, no shell
        [sys.executable, "-m", "runs", *how, *(["--when-told"] if when_told else [])],
        env=environment if place is None else {**environment, "EDGEWISE_STORE": place},
        stdin=subprocess.PIPE if when_told else None,
    )
