"""Child process `python -m runs.steps.making`."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from core.errors import EdgewiseError

ROOT = Path(__file__).resolve().parents[2]
COMMAND = [sys.executable, "-m", "runs.steps.making"]


async def begin(place: str, run_id: str, group_id: str) -> None:
    """Start one group in a child process, which ends with this task. Raises EdgewiseError with its message."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *COMMAND,
        run_id,
        group_id,
        cwd=ROOT,
        # Not an argument: everyone on the machine can read those, and a server's address contains a password.
        env={**os.environ, "EDGEWISE_STORE": place},
        stdin=pipe,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=pipe,
    )
    assert process.stderr is not None
    try:
        stderr = await process.stderr.read()
        status = await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if status:
        last = stderr.decode(errors="replace").strip().splitlines()[-1:] or [f"it ended with {status}"]
        raise EdgewiseError(f"A step over the whole run could not be worked out: {last[0]}")
