"""Python's search for cyclic garbage, put off while it would cost much and find nothing."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def garbage_collection_off() -> Iterator[None]:
    """Search for no garbage inside, in any thread: a search walks all objects made since the last one, and stops every
    thread.

    It is on again afterwards if it was on before, so threads may overlap. Also a decorator.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
