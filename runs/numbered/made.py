"""Questions that a window was made of, remembered until they are sent, so that none is made twice.

Only this process remembers: what it has forgotten, or another has written, is made again of the sample's slots.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice
from threading import Lock

from core.messages import Messages

MOST = 4_000
"""Items whose questions are remembered, some kilobyte each: two windows and what is in hand of a third. A run may get
further ahead of one of its models, that waits for its server."""


@dataclass(frozen=True, slots=True)
class MadeQuestion:
    """Of an item: its first messages as its protocol made them, and the hash of the request that they are."""

    messages: Messages
    request_hash: str


@dataclass(eq=False, slots=True)
class MadeQuestions:
    """By item, the oldest first. Written by one thread and taken by another."""

    _by_item: dict[str, MadeQuestion] = field(default_factory=dict)
    _guard: Lock = field(default_factory=Lock)

    def keep(self, questions: Iterable[tuple[str, MadeQuestion]]) -> None:
        """Remember these, and forget the oldest of too many."""
        with self._guard:
            self._by_item.update(questions)
            for item_id in list(islice(self._by_item, max(0, len(self._by_item) - MOST))):
                del self._by_item[item_id]

    def take(self, item_id: str) -> MadeQuestion | None:
        """What is remembered of an item; it is forgotten then."""
        with self._guard:
            return self._by_item.pop(item_id, None)
