"""The sign vocabulary. An edge has +, − or nothing (unknown); None and mixed belong to triplets only."""

from __future__ import annotations

from enum import StrEnum

from core.errors import UnknownSign
from core.words import quoted


class Sign(StrEnum):
    """Direction of an effect. The member NONE ("no effect") is a finding; Python's None means "not known"."""

    PLUS = "+"
    MINUS = "-"
    NONE = "None"
    MIXED = "mixed"


EDGE_SIGNS = (Sign.PLUS, Sign.MINUS)

_EDGE_SPELLINGS = {
    "+": Sign.PLUS,
    "plus": Sign.PLUS,
    "positive": Sign.PLUS,
    "1": Sign.PLUS,
    "+1": Sign.PLUS,
    "s": Sign.PLUS,
    "-": Sign.MINUS,
    "−": Sign.MINUS,
    "–": Sign.MINUS,
    "minus": Sign.MINUS,
    "negative": Sign.MINUS,
    "-1": Sign.MINUS,
    "o": Sign.MINUS,
}


def parse_edge_sign(text: str | None) -> Sign | None:
    """Return an edge's sign from any spelling in the field; empty means unknown. Raises UnknownSign for anything else:
    a wrong sign must never become an unknown one.

    >>> parse_edge_sign("−"), parse_edge_sign("positive"), parse_edge_sign("")
    (<Sign.MINUS: '-'>, <Sign.PLUS: '+'>, None)
    """
    cleaned = (text or "").strip().lower()
    if cleaned in ("", "?", "unknown"):
        return None
    try:
        return _EDGE_SPELLINGS[cleaned]
    except KeyError:
        raise UnknownSign(f"The sign {quoted(text or '')} is not known; an edge takes +, - or nothing.") from None
