"""Words for numbers, as every screen says them."""

from __future__ import annotations


def counted(number: int, word: str) -> str:
    """ "1 edge", "2,000 edges"; "entry" becomes "entries"."""
    plural = f"{word[:-1]}ies" if word.endswith("ry") else f"{word}s"
    return f"{number:,} {word if number == 1 else plural}"


def minus(text: str) -> str:
    """A sign or a number with a minus in place of its hyphen.

    >>> minus("-0.31")
    '−0.31'
    """
    return text.replace("-", "−")
