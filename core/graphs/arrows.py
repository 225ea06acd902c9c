"""Arrows in a line that a person typed: what they look like, which of them stand free of names."""

from __future__ import annotations

import re

from core.graphs.write import quote_name

# Shafts are bounded, so that a line of a million dashes is scanned once.
_BOTH = r"<-{1,8}>|<=>|[↔⟷⇔]"
_BACK = r"<-{1,8}|[←⟵⇐]"
FORWARD = r"-{1,8}>|={1,8}>|[→⟶➔➝➜➞⇒⟹]"
ANY_ARROW = re.compile(f"{_BOTH}|{_BACK}|{FORWARD}")
ARROW = re.compile(rf'(?:(?P<both>{_BOTH})|(?P<back>{_BACK})|(?P<forward>{FORWARD}))(?P<mark>[^\w\s"();]*)(?=[\s"]|$)')
GLUED_ARROW = re.compile(rf"(?:(?P<both>{_BOTH})|(?P<back>{_BACK})|(?P<forward>{FORWARD}))(?P<mark>[-+−–]?)")


def direction_of(found: re.Match[str]) -> str:
    """both, back or forward."""
    return next(name for name in ("both", "back", "forward") if found.group(name))


def free_arrow(line: str, place: int) -> int:
    """Where the next arrow with white space, a quote or nothing on both sides begins, or -1."""
    for found in ARROW.finditer(line, place):
        before = line[found.start() - 1] if found.start() else " "
        if before.isspace() or before == '"' or found.start() == place:
            return found.start()
    return -1


def free_arrows(line: str) -> list[re.Match[str]]:
    arrows: list[re.Match[str]] = []
    place = 0
    while (start := free_arrow(line, place)) >= 0:
        found = ARROW.match(line, start)
        assert found is not None, "a free arrow is an arrow"
        arrows.append(found)
        place = found.end()
    return arrows


def quote_around(line: str, arrows: list[re.Match[str]]) -> str:
    """What stands between `arrows`, each in quotes; directions, signs and several sinks are kept."""
    written, place = "", 0
    for arrow in arrows:
        shaft = {"both": "<->", "back": "<-", "forward": "->"}[direction_of(arrow)]
        written += f"{quote_name(line[place : arrow.start()].strip())} {shaft}{arrow.group('mark')} "
        place = arrow.end()
    return written + "; ".join(quote_name(sink.strip()) for sink in line[place:].split(";"))
