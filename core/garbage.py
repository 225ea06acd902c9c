"""Python's search for cyclic garbage, put off while it would cost much and find nothing."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def garbage_collection_off() -> Iterator[None]:
    """No search inside, in any thread: it walks all that was made since the last one, and stops everybody meanwhile.

    Whoever found it on turns it on again, so threads may overlap. Also a decorator.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
