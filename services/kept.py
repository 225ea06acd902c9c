"""Values that take long to work out, each kept for as long as the stamp of what it rests on is the same.

For what a screen asks of every graph or figure at every click. A stamp changes whenever the value may: versions, and
the number of those that have them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

Stamp = TypeVar("Stamp")
Value = TypeVar("Value")


class Kept(Generic[Stamp, Value]):
    """Of each store that this process has open: key → its stamp, and its value when it had this stamp."""

    def __init__(self) -> None:
        self._by_store: dict[str, dict[str, tuple[Stamp, Value]]] = {}
        self._guard = threading.Lock()

    def values(
        self, store: str, now: Mapping[str, Stamp], work_out: Callable[[list[str]], Mapping[str, Value]]
    ) -> dict[str, Value]:
        """The value of each key of `now`, which gives the stamps that they have in the store of this URL.

        `work_out` is handed those that are not kept with this stamp and returns the value of each; two who ask at once
        may both work out the same.
        """
        with self._guard:
            known = self._by_store.get(store, {})
        fresh = [key for key, stamp in now.items() if key not in known or known[key][0] != stamp]
        if fresh:
            found = work_out(fresh)
            new = {key: (now[key], found[key]) for key in fresh}
            known = known | new
            with self._guard:  # another dictionary: others may be reading the one before
                self._by_store[store] = self._by_store.get(store, {}) | new
        return {key: known[key][1] for key in now}
