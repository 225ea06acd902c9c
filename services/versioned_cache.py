"""Cache of expensive values, valid while the stamp of what they depend on is the same.

For what a screen needs of every graph or figure at every click. A stamp changes whenever the value may: versions, and
the number of rows that have them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

Stamp = TypeVar("Stamp")
Value = TypeVar("Value")


class VersionedCache(Generic[Stamp, Value]):
    """Per store that this process has open: key → stamp, and the value for this stamp."""

    def __init__(self) -> None:
        self._by_store: dict[str, dict[str, tuple[Stamp, Value]]] = {}
        self._guard = threading.Lock()

    def values(
        self, store: str, now: Mapping[str, Stamp], compute: Callable[[list[str]], Mapping[str, Value]]
    ) -> dict[str, Value]:
        """Return the value of each key of `now`, which has the current stamps in the store of this URL.

        `compute` receives the keys that are not cached with this stamp and returns their values. Concurrent callers
        may compute the same.
        """
        with self._guard:
            known = self._by_store.get(store, {})
        fresh = [key for key, stamp in now.items() if key not in known or known[key][0] != stamp]
        if fresh:
            computed = compute(fresh)
            new = {key: (now[key], computed[key]) for key in fresh}
            known = known | new
            with self._guard:  # a new dictionary: other threads may be reading the old one
                self._by_store[store] = self._by_store.get(store, {}) | new
        return {key: known[key][1] for key in now}
