"""Suspension of Python's cyclic garbage collection while it would cost much and find nothing."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def garbage_collection_off() -> Iterator[None]:
    """Turn off garbage collection inside, in all threads: each collection walks all new objects and stops every thread.
    It is on again afterwards if it was on before, so threads may overlap. Also a decorator."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
