"""`python -m runs`: a worker for one study, started with the garbage collector off (`runs/process.py`)."""

from __future__ import annotations

import atexit
import gc
import sys


def main(arguments: list[str] | None = None) -> int:
    """Run the worker until it is stopped; return its exit status."""
    # Modules are never freed. Scanning them while they load takes an eighth of the start-up, and as long at exit.
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
