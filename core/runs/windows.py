"""Runs whose samples are numbered and written in windows: the stored numbering, and what is left to write."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

# Key of the numbering in a run's manifest; missing if all samples were written when the run began.
NUMBERED = "by_number"
WINDOW = 1_000  # items written in one transaction: about 0.07 s of processor time, so that other users do not wait
FEW = 1_000  # pending items of a run below which the next window is written


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberedWindow:
    parts: tuple[tuple[str, str, int], ...]  # (task, variant, samples)
    items: Mapping[str, int]  # model → how often each sample is asked
    version: str  # of the protocol that numbered them
    sources: Mapping[str, str]  # name → hash of the text from which the samples are derived

    @property
    def samples(self) -> int:
        return sum(many for _task, _variant, many in self.parts)

    @property
    def window(self) -> int:
        """Samples of one window.

        >>> NumberedWindow(parts=(), items={"a": 2, "b": 1}, version="1", sources={}).window
        333
        """
        return max(1, WINDOW // max(1, sum(self.items.values())))

    def unwritten(self, next_place: int) -> dict[str, int]:
        """Return the items still to be written, by model. `next_place`: the number of the next sample to write."""
        left = self.samples - next_place
        return {model: left * times for model, times in self.items.items() if left}

    def as_json(self) -> dict[str, Any]:
        return {
            "parts": [list(part) for part in self.parts],
            "items": dict(self.items),
            "version": self.version,
            "sources": dict(self.sources),
        }


def numbered(manifest: Mapping[str, Any]) -> NumberedWindow | None:
    stored = manifest.get(NUMBERED)
    return None if stored is None else read_numbered(stored)


def read_numbered(stored: Mapping[str, Any]) -> NumberedWindow:
    return NumberedWindow(
        parts=tuple((task, variant, many) for task, variant, many in stored["parts"]),
        items=stored["items"],
        version=stored["version"],
        sources=stored["sources"],
    )
