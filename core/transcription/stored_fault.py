"""A typed line that could not be read, stored until it is corrected or discarded."""

from __future__ import annotations

from dataclasses import dataclass

from core.graphs.lines.parse import LineFault


@dataclass(frozen=True, slots=True)
class StoredFault(LineFault):
    """A faulty line waiting for correction, and the act it came with: the same line typed again is another one, and a
    corrected or discarded line does not come back."""

    act_id: str = ""
