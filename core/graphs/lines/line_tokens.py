"""A typed line split into its names, arrows and semicolons, or its fault and possible repairs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto

from core.graphs.lines.arrows import (
    ANY_ARROW,
    arrow_at,
    end_of_name,
    free_arrows,
    glued_arrows,
    quote_around,
)
from core.sign import Sign
from core.words import quoted

END_SIGN = re.compile(r"\s\((?P<mark>[-+−–±/?]{1,4})\)\s*$")
_SIGN_BEHIND = re.compile(r"\((?P<mark>[-+−–±/?]{1,4})\)")
_LEADING_SIGN = re.compile(r"(?P<mark>[-+−–]|\([-+−–]\))\s+(?=\S)")
_CURLY_QUOTED = re.compile(r"[“”„«].*[“”»]", re.DOTALL)
SIGN_MARKS = {"": None, "+": Sign.PLUS, "-": Sign.MINUS, "−": Sign.MINUS, "–": Sign.MINUS}


class Repair(Enum):
    """Ways to correct a faulty line; `core.graphs.lines.line_suggestions` applies them."""

    AS_IT_IS = auto()
    QUOTED = auto()
    TRIMMED = auto()
    UNQUOTED = auto()
    REQUOTED = auto()
    SIGN_ON_ARROW = auto()
    SEPARATED = auto()


class LineFailure(Exception):
    """An invalid line: the reason, and the repairs to try with their texts, likeliest first."""

    def __init__(self, message: str, *repairs: tuple[Repair, str]) -> None:
        super().__init__(message)
        self.message = message
        self.repairs = repairs


@dataclass(frozen=True, slots=True)
class Name:
    """A name as written: `text` without its quotes, and the sign in brackets after it."""

    text: str
    is_quoted: bool
    mark: str = ""


@dataclass(frozen=True, slots=True)
class ArrowToken:
    direction: str  # forward, back or both
    mark: str


Token = Name | ArrowToken | str  # a str is ";"


def tokens_of(line: str) -> list[Token]:
    """Return names, arrows and semicolons in their order. Raises LineFailure for quotes, glued arrows and empty
    places."""
    tokens: list[Token] = []
    place = 0
    while True:
        name, place = _next_name(line, place)
        tokens.append(name)
        place = _skip_space(line, place)
        if place == len(line):
            return tokens
        if line[place] == ";":
            tokens.append(";")
            place += 1
            continue
        arrow = arrow_at(line, place)
        assert arrow is not None, "a name ends at the end of the line, a semicolon or an arrow"
        mark = arrow.mark
        if mark not in SIGN_MARKS or (arrow.direction == "back" and mark):
            raise LineFailure(
                f"The sign {quoted(mark)} is not known here: {_excerpt(line)}. An edge takes ->+, ->- or a plain ->.",
                (Repair.QUOTED, line[: arrow.end - len(mark)] + line[arrow.end :]),
            )
        tokens.append(ArrowToken(arrow.direction, mark))
        place = arrow.end


def _next_name(line: str, place: int) -> tuple[Name, int]:
    place = _skip_space(line, place)
    if line.startswith('"', place):
        return _quoted_name(line, place)
    end = end_of_name(line, place)
    written = line[place:end]
    if not written.strip():
        raise LineFailure(_empty_place(line, place, end), (Repair.TRIMMED, line))
    return _plain_name(written.rstrip(), line), end


def _quoted_name(line: str, place: int) -> tuple[Name, int]:
    closed = line.find('"', place + 1)
    while closed >= 0 and line.startswith('""', closed):
        closed = line.find('"', closed + 2)
    if closed < 0:
        raise LineFailure(
            "A quote is opened and not closed. Close it; a quote inside a name is doubled.",
            (Repair.UNQUOTED, line),
        )
    mark, end = _sign_behind(line, closed + 1)
    follows = _skip_space(line, end)
    if follows < len(line) and line[follows] != ";" and arrow_at(line, follows) is None:
        if ANY_ARROW.match(line, follows):
            raise LineFailure(
                "An arrow needs white space or a quote on both sides; put both names in quotes.",
                (Repair.UNQUOTED, line),
            )
        tail = _excerpt(line[follows:])
        raise LineFailure(
            f"Text follows a closing quote: {tail}. After it comes an arrow, ; or the end of the line; "
            "a quote inside a name is doubled.",
            (Repair.TRIMMED, line),
            (Repair.UNQUOTED, line),
        )
    return Name(line[place + 1 : closed].replace('""', '"'), True, mark), end


def _sign_behind(line: str, place: int) -> tuple[str, int]:
    """Return the sign in brackets after a name in quotes, if only ; or the end follows it, and the position after
    it."""
    match = _SIGN_BEHIND.match(line, _skip_space(line, place))
    end = _skip_space(line, match.end()) if match is not None else place
    return (match.group("mark"), end) if match is not None and line[end : end + 1] in ("", ";") else ("", place)


def _plain_name(written: str, line: str) -> Name:
    if _CURLY_QUOTED.fullmatch(written):
        raise LineFailure(
            'The name is in curly quotes; use straight ones (").', (Repair.QUOTED, re.sub("[“”„«»]", '"', line))
        )
    if '"' in written:
        message = (
            "The quotes are not balanced: each name in quotes is opened and closed, a quote inside is doubled."
            if line.count('"') % 2
            else "There is a quote inside a name without quotes; put the whole name in quotes and double the quote "
            "inside."
        )
        raise LineFailure(message, (Repair.REQUOTED, line))
    if (lead := _LEADING_SIGN.match(written)) is not None and line[: line.find(written)].strip():
        mark = lead.group("mark").strip("()")
        raise LineFailure(
            f"A sign is separate from its arrow: {_excerpt(written)}. Write it on the arrow, ->{mark}, "
            "or put the name in quotes.",
            (Repair.SIGN_ON_ARROW, line),
        )
    if ANY_ARROW.search(written):
        raise _glued(line)
    sign = END_SIGN.search(written)
    if sign is None:
        return Name(written, False)
    return Name(written[: sign.start()], False, sign.group("mark"))


def _empty_place(line: str, start: int, end: int) -> str:
    if not line[:start].strip():
        return "The source is empty; write a name before the arrow."
    if end < len(line) and line[end] == ";":
        return "A name is missing before ;"
    return "The sink is empty; write a name after the arrow or the ;"


def _glued(line: str) -> LineFailure:
    """Return the failure of a line whose unquoted name has an arrow inside: with another, free arrow on the line the
    glued one most likely belongs to a name (`NH4->NO3 rate -> Yield`), alone it is most likely the edge."""
    as_edges = quote_around(line, glued_arrows(line))
    free = free_arrows(line)
    as_names = quote_around(line, free)
    return LineFailure(
        "An arrow touches a name, so it could be part of it. An arrow needs white space on both sides; "
        f"write {as_edges} or, if the arrow belongs to the name, {as_names}.",
        (Repair.AS_IT_IS, as_names if free else as_edges),
    )


def _excerpt(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}…"


def _skip_space(line: str, place: int) -> int:
    while place < len(line) and line[place].isspace():
        place += 1
    return place
