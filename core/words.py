"""Formats of numbers and texts, the same on every screen."""

from __future__ import annotations

import re

_HALVES = re.compile("[\ud800-\udfff]")
_LINE_ENDS = re.compile("\r\n?")
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def counted(number: int, word: str) -> str:
    """ "1 edge", "2,000 edges"; "entry" becomes "entries", "reply" "replies", "key" "keys"."""
    plural = f"{word[:-1]}ies" if word.endswith("y") and word[-2:-1] not in "aeiou" else f"{word}s"
    return f"{number:,} {word if number == 1 else plural}"


def quoted(text: str) -> str:
    """Return the text in typographic quotation marks, as messages quote input; a character that prints nothing is
    written as its escape.

    >>> quoted("Late handover"), quoted("a\\tb")
    ('“Late handover”', '“a\\\\tb”')
    """
    return f"“{''.join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)}”"


def lasting(seconds: float) -> str:
    """Format a duration of 0 s or more.

    >>> lasting(8.2), lasting(200), lasting(180), lasting(7_500)
    ('8 s', '3 min 20 s', '3 min', '2 h 5 min')
    """
    whole_s = round(seconds)
    if whole_s >= 3_600:
        first, second = (whole_s // 3_600, "h"), (whole_s % 3_600 // 60, "min")
    else:
        first, second = (whole_s // 60, "min"), (whole_s % 60, "s")
    parts = [f"{number} {unit}" for number, unit in (first, second) if number]
    return " ".join(parts) or "0 s"


def sentence_case(text: str) -> str:
    """Return the text with an initial capital, for table headings; a symbol stays a symbol.

    >>> sentence_case("edge F1"), sentence_case("κ of signs")
    ('Edge F1', 'κ of signs')
    """
    return text[:1].upper() + text[1:] if text[:1].isascii() else text


def whole(text: str) -> str:
    r"""Return the text with U+FFFD in place of every half of a surrogate pair, which no store, JSON file or screen can
    hold. Python has such halves where the name of a file is no UTF-8.

    >>> whole("bad\udcff.csv") == "bad\ufffd.csv"
    True
    """
    return text if text.isascii() else _HALVES.sub("\ufffd", text)  # `isascii` takes constant time


def replace_controls(text: str) -> str:
    r"""Return the text with U+FFFD in place of every control character but tab and newline, and of every half of a
    surrogate pair; `\r\n` and `\r` become `\n`. None is dropped, since a PDF has such characters where something is
    printed (a minus, a ligature).

    >>> replace_controls("e\x0ccient\r\nx = \x005") == "e\ufffdcient\nx = \ufffd5"
    True
    """
    return text if text.isprintable() else _CONTROLS.sub("\ufffd", plain_line_ends(text))


def control_in(text: str) -> str:
    r"""Return the first character that `replace_controls` would replace and its position from 1, for use in a sentence;
    "" if there is none.

    >>> control_in("\x0crac{1}{2}")
    'a control character (U+000C) at position 1'
    """
    match = _CONTROLS.search(text)
    return f"a control character (U+{ord(match[0]):04X}) at position {match.start() + 1:,}" if match else ""


def plain_line_ends(text: str) -> str:
    return _LINE_ENDS.sub("\n", text)


def minus(text: str) -> str:
    """Return a sign or a number with a minus in place of its hyphen.

    >>> minus("-0.31")
    '−0.31'
    """
    return text.replace("-", "−")


def ends(low: str, high: str) -> str:
    """Return an interval as every screen and table writes it: an en dash, the unit once, and spaces if there is a
    minus.

    >>> ends("16.0%", "60.0%"), ends("−0.06", "0.35")
    ('16.0–60.0%', '−0.06 – 0.35')
    """
    for unit in ("%", " pp"):
        if high.endswith(unit):
            low = low.removesuffix(unit)
    return f"{low} – {high}" if any(sign in low + high for sign in "−-") else f"{low}–{high}"
