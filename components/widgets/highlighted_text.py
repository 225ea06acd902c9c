"""A text as HTML with highlighted places, each with short names of what it contains; every word is escaped."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from html import escape

from core.triplets.phrases import HighlightedText

_MARK = "color:inherit;border-radius:2px;padding:0 1px"
_BRIGHT = f"background:rgba(255,214,0,.35);{_MARK}"
_FAINT = f"background:none;text-decoration:underline dotted;{_MARK}"


def highlighted_text(marked: HighlightedText, names: Sequence[str], faint: Collection[int] = ()) -> str:
    """Return the HTML. `names`: of each phrase; a place of several phrases has each of their names once.

    A place of `faint` phrases alone, by their numbers, is underlined."""
    parts = []
    for part in marked.parts:
        text = escape(part.text)
        if part.phrases:
            style = _FAINT if all(each in faint for each in part.phrases) else _BRIGHT
            labels = ", ".join(dict.fromkeys(names[each] for each in part.phrases))
            text = f'<mark style="{style}">{text}<sup>{escape(labels)}</sup></mark>'
        parts.append(text)
    return "".join(parts)
