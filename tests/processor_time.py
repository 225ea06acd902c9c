"""Code run in a process of its own that is ended after so much processor time: how long the machine waits is not asked.

What grows with the square, or hangs, is not done within a hundred times what it should take; a busy machine is.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_LIMITED = """
import resource, sys
sys.path.insert(0, sys.argv[2])
resource.setrlimit(resource.RLIMIT_CPU, (int(sys.argv[1]), int(sys.argv[1])))
exec(compile(sys.stdin.read(), "<limited>", "exec"))
"""


def within(seconds: int, program: str) -> list[str]:
    """The lines that a program prints until it is done, or until it has had `seconds` of processor time: then the
    last line is "ended". Fails if it ends in any other way."""
    done = subprocess.run(
        [sys.executable, "-c", _LIMITED, str(seconds), str(ROOT)],
        input=program,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode <= 0, done.stderr
    return [*done.stdout.splitlines(), *(["ended"] if done.returncode else [])]
