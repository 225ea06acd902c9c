"""Calling a command as a shell does, in this process or in one of its own, and reading what it answers with.

In this process a call takes a tenth of the time: nothing is imported anew. A process of its own is for what only it
has: signals, limits, the encoding of its streams, a server.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import chdir
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

from typer import testing
from typer.testing import CliRunner

import edgewise

ROOT = Path(__file__).resolve().parents[2]
PLAIN = {
    name: value for name, value in os.environ.items() if not name.startswith(("EDGEWISE_", "STREAMLIT_", "COVERAGE"))
}
Run = subprocess.CompletedProcess[bytes]
Write = Callable[[str, object], Path]

# Reading all commands anew from their functions would take nine tenths of a call.
testing._get_command = cache(testing._get_command)  # type: ignore[attr-defined]


def run(*arguments: str | Path, typed: str = "", **environment: str) -> Run:
    """The command in this process, at the root of the repository; standard input is empty unless something is `typed`.

    What a process would end of with a traceback is raised.
    """
    words = [str(argument) for argument in arguments]
    with chdir(ROOT), patch.dict(os.environ, {**PLAIN, **environment}, clear=True):
        done = CliRunner().invoke(edgewise.app, words, input=typed, prog_name="edgewise.py")
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return Run(["edgewise.py", *words], done.exit_code, done.stdout_bytes, done.stderr_bytes)


def run_alone(*arguments: str | Path, **environment: str) -> Run:
    """The same in a process of its own."""
    return subprocess.run(
        [sys.executable, "edgewise.py", *map(str, arguments)],
        cwd=ROOT,
        env={**PLAIN, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=120,
        check=False,
    )


def said(done: Run, status: int = 0) -> Any:
    """The one JSON document on standard output."""
    assert done.returncode == status, (done.returncode, done.stdout, done.stderr)
    assert b"Traceback" not in done.stderr
    return json.loads(done.stdout)
