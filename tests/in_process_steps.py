"""Steps over a whole run are worked out by the worker itself, in tests' own process and in the forks of
`tests/forking.py`: a worker's child takes a second of processor time to load. That a child does it is shown by
`tests/runs/steps/test_group_progress.py`, and on real steps by `make soak`, whose workers all have one.
"""

from __future__ import annotations

import asyncio

from core.errors import EdgewiseError
from runs.steps import making, making_child

IN_A_CHILD = making_child.begin


async def begin_here(place: str, run_id: str, group_id: str) -> None:
    """As `making_child.begin`, with the words of a child that could not."""
    try:
        await asyncio.to_thread(making.compute, place, run_id, group_id)
    except (EdgewiseError, RuntimeError) as error:
        raise EdgewiseError(f"A step over the whole run could not be worked out: {error}") from error


def work_out_here() -> None:
    """From now on, in this process."""
    making_child.begin = begin_here
