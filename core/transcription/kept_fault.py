"""A typed line that could not be read, kept until it is corrected or discarded."""

from __future__ import annotations

from dataclasses import dataclass

from core.graphs.lines.parse import LineFault


@dataclass(frozen=True, slots=True)
class KeptFault(LineFault):
    """A faulty line waiting for correction, and the act it came with: the same line typed again is another, and one
    that was corrected or discarded does not come back."""

    act_id: str = ""
