"""The seven encodings by name, and the names each can represent: as they are, in quotation marks, or not at all."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum

from core.errors import InvalidName
from core.words import quoted


class Encoding(StrEnum):
    JSON = "json"
    ADJACENCY = "adjacency"
    MATRIX = "matrix"
    GRAPHML = "graphml"
    GRAPHVIZ = "graphviz"
    SINGLE = "single"
    MULTI = "multi"


# Beginning of the last line of adjacency, single and multi, which lists the nodes without edges.
LAST_LINE = "Nodes without relations"

_LINE_ENDS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
_ALLOWED_WHITE_SPACE = "\t\n\r"


def refuse_unwritable(names: Iterable[str], encoding: Encoding) -> None:
    """Raise InvalidName for the first name with a character that this encoding cannot represent, naming those that
    can."""
    for name in names:
        if name.isprintable():
            continue
        for place, character in enumerate(name, start=1):
            if _carries(encoding, character):
                continue
            what = "a line break" if character in _LINE_ENDS else f"the character U+{ord(character):04X}"
            start = name if len(name) <= 60 else f"{name[:59]}…"
            takers = [other.value for other in Encoding if all(_carries(other, each) for each in name)]
            help_ = f"use {', '.join(takers)}" if takers else "no encoding can; correct the name"
            raise InvalidName(
                f"The name {quoted(start)} contains {what} at position {place}, which {encoding.value} cannot carry; "
                f"{help_}."
            )


def twice_in(names: Iterable[str]) -> str | None:
    """Return the first name that is listed a second time; None if each is listed once."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


def in_quotes(name: str) -> str:
    r"""Return the name in quotation marks, with \" and \\ for " and \ inside.

    >>> print(in_quotes('the "rebound" effect'))
    "the \"rebound\" effect"
    """
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def written(name: str, needs_quotes: Callable[[str], bool]) -> str:
    """Return the name in a plain text: in quotation marks if it is empty, has blanks at its ends, begins as the last
    line does, or needs them in this encoding."""
    is_odd = not name or name != name.strip() or name.startswith(LAST_LINE) or needs_quotes(name)
    return in_quotes(name) if is_odd else name


def last_line(isolated: Sequence[str]) -> str:
    """Return the line of written names without edges; "" if there are none.

    >>> last_line(["Y", "Z"])
    'Nodes without relations: Y, Z.'
    """
    return f"{LAST_LINE}: {', '.join(isolated)}." if isolated else ""


def _carries(encoding: Encoding, character: str) -> bool:
    category = unicodedata.category(character)
    if category == "Cs":
        return False  # half of a surrogate pair is not a character
    if encoding is Encoding.JSON:
        return True
    if encoding is Encoding.GRAPHML:  # production Char of XML 1.0
        return (character >= " " and character not in "\ufffe\uffff") or character in _ALLOWED_WHITE_SPACE
    if encoding is Encoding.GRAPHVIZ:
        return category != "Cc" or character in _ALLOWED_WHITE_SPACE
    return category != "Cc" and character not in _LINE_ENDS
