"""Entities of HTML in strangers' texts."""

from __future__ import annotations

import html
import re

_LONG_NUMBER = re.compile(r"&#(\d{8,}+);?")


def unescaped(text: str) -> str:
    """The text with its entities as the characters they stand for; a number of no character is U+FFFD.

    >>> unescaped("a &amp; b&#" + "9" * 5000 + ";") == "a & b\N{REPLACEMENT CHARACTER}"
    True
    """
    return html.unescape(_LONG_NUMBER.sub(_shorter, text))


def _shorter(found: re.Match[str]) -> str:
    """Without zeros in front; no character has more than seven digits, and Python refuses to read thousands."""
    digits = found.group(1).lstrip("0") or "0"
    return f"&#{digits};" if len(digits) < 8 else "\N{REPLACEMENT CHARACTER}"
