"""Resource limits of a document. Measured on 45 hostile files: the danger is CPU time, not memory."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

MEGABYTE = 1_000_000
DPI_STEPS = (100, 150, 200, 300)
POINTS_PER_INCH = 72


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits of one request and of a child process."""

    max_bytes: int = 50 * MEGABYTE
    max_pages: int = 500
    max_pixels: int = 20_000_000
    cpu_s: int = 20  # of one request
    wall_s: float = 25.0  # of one request
    # a child's whole address space; the PDF library takes 0.4 GB before it opens anything
    memory_bytes: int = 1_500 * MEGABYTE
    max_file_bytes: int = 100 * MEGABYTE
    max_answer_bytes: int = 200 * MEGABYTE  # of a child's answer
    niceness: int = 0  # 0 to 19, as in nice(2): how far children yield to other processes

    def as_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Limits:
        return cls(**json.loads(text))


PICTURES = Limits(memory_bytes=2_200 * MEGABYTE, cpu_s=25, wall_s=45.0)
"""For reading a figure's pixels: 1.47 GB of address space for the largest picture measured, 3 to 9 s of work."""


FURTHER_SIZES = (1_000, 1_400, 2_400)
"""Longer sides in pixels at which a picture is read again, after its own: what all four show is more often right."""


FURTHER_CPU_S = 10
"""For each of them, in the background."""


DRAWING_CPU_S = 4
"""For one picture of a page or figure, while a person waits. Real ones take a tenth of it."""


def pixels(width: float, height: float, dpi: int) -> float:
    return width * height * (dpi / POINTS_PER_INCH) ** 2


def fitting_dpi(width: float, height: float, dpi: int, limits: Limits) -> int | None:
    """Return the largest step of DPI_STEPS, at most `dpi`, that keeps width x height points under the pixel limit.
    None if no step does: the area is too large to draw."""
    steps = [step for step in DPI_STEPS if step <= dpi and pixels(width, height, step) <= limits.max_pixels]
    return max(steps, default=None)
