"""Calling a command as a shell does, and reading the one JSON document that it answers with."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
Run = subprocess.CompletedProcess[bytes]
Write = Callable[[str, object], Path]


def run(*arguments: str | Path, typed: str = "") -> Run:
    return subprocess.run(
        [sys.executable, "edgewise.py", *map(str, arguments)],
        cwd=ROOT,
        input=typed.encode(),
        capture_output=True,
        timeout=120,
        check=False,
    )


def said(done: Run, status: int = 0) -> Any:
    """The one JSON document on standard output."""
    assert done.returncode == status, (done.returncode, done.stdout, done.stderr)
    assert b"Traceback" not in done.stderr
    return json.loads(done.stdout)
