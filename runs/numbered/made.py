"""Questions made for a window, remembered until they are sent, so that none is made twice.

Only this process remembers them: forgotten ones, and those that another process wrote, are derived from the slots.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice
from threading import Lock

from core.messages import Messages

# Items whose questions are remembered, some kilobytes each: two windows and the started part of a third. A run may get
# further ahead of one of its models that waits for its server.
MOST = 4_000


@dataclass(frozen=True, slots=True)
class MadeQuestion:
    """First messages of an item, and the hash of their request."""

    messages: Messages
    request_hash: str


@dataclass(eq=False, slots=True)
class MadeQuestions:
    """Questions by item, the oldest first; one thread writes them, another removes them."""

    _by_item: dict[str, MadeQuestion] = field(default_factory=dict)
    _guard: Lock = field(default_factory=Lock)

    def keep(self, questions: Iterable[tuple[str, MadeQuestion]]) -> None:
        """Remember questions; forget the oldest beyond `MOST`."""
        with self._guard:
            self._by_item.update(questions)
            for item_id in list(islice(self._by_item, max(0, len(self._by_item) - MOST))):
                del self._by_item[item_id]

    def take(self, item_id: str) -> MadeQuestion | None:
        """Return and forget the question of an item."""
        with self._guard:
            return self._by_item.pop(item_id, None)
