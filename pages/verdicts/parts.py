"""What the tables of judges have in common."""

from __future__ import annotations

from core.estimate import Estimate
from core.words import ends

NO_VALUE = "–"


def told(found: Estimate, places: int = 2) -> str:
    """A value with its interval, a dash where there is none."""
    if found.value is None:
        return NO_VALUE
    between = ""
    if found.low is not None and found.high is not None:
        between = ends(_number(found.low, places), _number(found.high, places))
    return f"{_number(found.value, places)}{f' ({between})' if between else ''}"


def _number(value: float, places: int) -> str:
    words = f"{value:.{places}f}".replace("-", "−")
    return words.removeprefix("−") if not float(f"{value:.{places}f}") else words
