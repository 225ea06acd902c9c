"""HTML entities in untrusted texts."""

from __future__ import annotations

import html
import re

_LONG_NUMBER = re.compile(r"&#(\d{8,}+);?")


def unescaped(text: str) -> str:
    """Return the text with its entities replaced by characters; an invalid number is U+FFFD.

    >>> unescaped("a &amp; b&#" + "9" * 5000 + ";") == "a & b\N{REPLACEMENT CHARACTER}"
    True
    """
    return html.unescape(_LONG_NUMBER.sub(_shorter, text))


def _shorter(match: re.Match[str]) -> str:
    """Strip leading zeros: no character has more than seven digits, and Python refuses to parse thousands."""
    digits = match.group(1).lstrip("0") or "0"
    return f"&#{digits};" if len(digits) < 8 else "\N{REPLACEMENT CHARACTER}"
