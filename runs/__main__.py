"""`python -m runs`: a worker for one study (`runs/process.py`), loaded and ended without looking for garbage."""

from __future__ import annotations

import atexit
import gc
import sys


def main(arguments: list[str] | None = None) -> int:
    """Work until told to stop; returns the exit status."""
    # Modules stay. Looking through them for garbage while they grow is an eighth of the start, and as long at the end.
    gc.disable()
    atexit.register(gc.freeze)
    from runs.process import main as work
    from settings import GARBAGE

    gc.freeze()
    gc.set_threshold(*GARBAGE)
    gc.enable()
    return work(arguments)


if __name__ == "__main__":
    sys.exit(main())
