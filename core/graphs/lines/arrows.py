"""Arrows in a typed line: their forms, and which of them are separate from names. Every function reads the line once,
regardless of the number of arrows: a line has up to 20,000 characters, and other users wait meanwhile."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from core.graphs.lines.write import quote_name

# Shafts are bounded, so that a line of a million dashes is scanned once.
_BOTH = r"<-{1,8}>|<=>|[↔⟷⇔]"
_BACK = r"<-{1,8}|[←⟵⇐]"
FORWARD = r"-{1,8}>|={1,8}>|[→⟶➔➝➜➞⇒⟹]"
ANY_ARROW = re.compile(f"(?P<both>{_BOTH})|(?P<back>{_BACK})|(?P<forward>{FORWARD})")
_SIGN = re.compile("[-+−–]?")

# Characters of an arrow with its sign; an arrow before white space or a quote ends where its run of these does.
_RUN = re.compile(r'[^\w\s"();]+')
_RUN_OR_SEMICOLON = re.compile(rf"{_RUN.pattern}|;")


class WrittenArrow(NamedTuple):
    """An arrow in a line: its position, forward, back or both, and the text at its head (a sign, if anything)."""

    start: int
    end: int
    direction: str
    mark: str


def arrow_at(line: str, place: int) -> WrittenArrow | None:
    """Return the arrow at `place`, if white space, a quote or nothing follows it and its mark."""
    run = _RUN.match(line, place)
    return _arrow_in(line, place, run.end()) if run is not None and ANY_ARROW.match(line, place) else None


def free_arrow(line: str, place: int) -> WrittenArrow | None:
    """Return the next arrow with white space, a quote or nothing on both sides; a quote or a name may end at
    `place`."""
    return next(_free_arrows(line, place, _RUN.finditer(line, place)), None)


def end_of_name(line: str, place: int) -> int:
    """Return the end of a name without quotes: the next free arrow or semicolon, or the end of the line."""
    for run in _RUN_OR_SEMICOLON.finditer(line, place):
        if run.group() == ";":
            return run.start()
        for arrow in _free_arrows(line, place, iter([run])):
            return arrow.start
    return len(line)


def free_arrows(line: str) -> list[WrittenArrow]:
    return list(_free_arrows(line, 0, _RUN.finditer(line)))


def glued_arrows(line: str) -> list[WrittenArrow]:
    """Return everything that looks like an arrow, with a sign at its head, also within names."""
    arrows: list[WrittenArrow] = []
    place = 0
    while (match := ANY_ARROW.search(line, place)) is not None:
        sign = _SIGN.match(line, match.end())
        assert sign is not None, "a sign may be missing"
        arrows.append(WrittenArrow(match.start(), sign.end(), str(match.lastgroup), sign.group()))
        place = sign.end()
    return arrows


def quote_around(line: str, arrows: Sequence[WrittenArrow]) -> str:
    """Put the texts between `arrows` in quotes; directions, signs and several sinks are kept."""
    written, place = [], 0
    for arrow in arrows:
        shaft = {"both": "<->", "back": "<-", "forward": "->"}[arrow.direction]
        written.append(f"{quote_name(line[place : arrow.start].strip())} {shaft}{arrow.mark} ")
        place = arrow.end
    return "".join(written) + "; ".join(quote_name(sink.strip()) for sink in line[place:].split(";"))


def _free_arrows(line: str, place: int, runs: Iterator[re.Match[str]]) -> Iterator[WrittenArrow]:
    for run in runs:
        arrow = _arrow_in(line, run.start(), run.end())
        if arrow is not None and (
            arrow.start == place or line[arrow.start - 1].isspace() or line[arrow.start - 1] == '"'
        ):
            yield arrow
            place = arrow.end


def _arrow_in(line: str, start: int, end: int) -> WrittenArrow | None:
    """Return the first arrow of a run, with the rest of the run as its mark, if the run ends as an arrow does."""
    if end < len(line) and not line[end].isspace() and line[end] != '"':
        return None
    match = ANY_ARROW.search(line, start, end)
    return match and WrittenArrow(match.start(), end, str(match.lastgroup), line[match.end() : end])
