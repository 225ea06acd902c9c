"""A reply's text the way of every answer: given to its protocol, which says what it reads."""

from __future__ import annotations

from protocols import PROTOCOLS
from protocols.exchanges import Answered, Ask, Reading
from protocols.samples import Sample


def reading(sample: Sample, text: str, finish_reason: str = "stop") -> Reading:
    """What EconCausal reads in a text."""
    found = PROTOCOLS["econcausal"].next(sample, {}, [Answered(ask=Ask(()), text=text, finish_reason=finish_reason)])
    assert isinstance(found, Reading)
    return found
