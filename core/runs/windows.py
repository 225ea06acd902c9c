"""Runs whose samples are numbered and written window by window: what a run keeps of that, and what is left to write."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

NUMBERED = "by_number"
"""The part of a run's manifest that says so; it is missing where all samples were written when the run began."""
WINDOW = 1_000
"""Items that are written in one transaction: some 0.07 s of the processor, so that nobody waits long for it on a busy
machine either."""
FEW = 1_000
"""Pending items of a run below which its next ones are written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbered:
    """`parts`: (task, variant, samples); `items`: by model, how often each sample is
    asked; `version`: of the protocol that numbered them; `sources`: by name, the hash of the text that holds what the
    samples are derived of."""

    parts: tuple[tuple[str, str, int], ...]
    items: Mapping[str, int]
    version: str
    sources: Mapping[str, str]

    @property
    def samples(self) -> int:
        return sum(many for _task, _variant, many in self.parts)

    @property
    def window(self) -> int:
        """Samples of one window.

        >>> Numbered(parts=(), items={"a": 2, "b": 1}, version="1", sources={}).window
        333
        """
        return max(1, WINDOW // max(1, sum(self.items.values())))

    def unwritten(self, next_place: int) -> dict[str, int]:
        """Items that are still to be written, by model. `next_place`: the number of the next sample to write."""
        left = self.samples - next_place
        return {model: left * times for model, times in self.items.items() if left}

    def as_json(self) -> dict[str, Any]:
        return {
            "parts": [list(part) for part in self.parts],
            "items": dict(self.items),
            "version": self.version,
            "sources": dict(self.sources),
        }


def numbered(manifest: Mapping[str, Any]) -> Numbered | None:
    """What a run's manifest says of its numbers; None where it has none."""
    said = manifest.get(NUMBERED)
    return None if said is None else read_numbered(said)


def read_numbered(said: Mapping[str, Any]) -> Numbered:
    """As `Numbered.as_json` has written it."""
    return Numbered(
        parts=tuple((task, variant, many) for task, variant, many in said["parts"]),
        items=said["items"],
        version=said["version"],
        sources=said["sources"],
    )
