"""Reader of one typed line: the edges it means, or the node it declares."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.errors import InvalidName
from core.graphs.lines.arrows import free_arrow
from core.graphs.lines.line_tokens import END_SIGN, SIGN_MARKS, ArrowToken, LineFailure, Name, Repair, Token, tokens_of
from core.graphs.lines.write import quote_name
from core.graphs.names import clean_name
from core.sign import Sign

LONGEST_LINE = 20_000  # maximum characters of a line: over sixty names of the longest kind

_LIST_MARK = re.compile(r"(\d{1,3}[.)]|[-*•–—‣◦·])\s+(?=\S)")
_Triple = tuple[str, str, Sign | None]


@dataclass(frozen=True, slots=True)
class ReadLine:
    edges: tuple[_Triple, ...] = ()
    node: str | None = None
    list_mark: str = ""


def read_line(line: str) -> ReadLine:
    if len(line) > LONGEST_LINE:
        raise LineFailure(f"The line has {len(line):,} characters; a line may have at most {LONGEST_LINE:,}.")
    rest = line.strip()
    mark = ""
    if (match := _LIST_MARK.match(rest)) is not None:
        mark, rest = match.group(1), rest[match.end() :]
        if not rest.startswith('"'):
            raise LineFailure(
                f"The line begins with “{mark}”, which may be a list mark or belong to the name. "
                "Leave it out, or put the name in quotes.",
                (Repair.QUOTED, rest),
            )
    tokens = tokens_of(rest)
    name = tokens[0]
    if len(tokens) > 1 or not isinstance(name, Name):
        return ReadLine(edges=_edges(tokens, rest), list_mark=mark)
    if name.mark:
        raise LineFailure("A sign without an arrow; write source ->+ sink.")
    if not name.is_quoted:
        raise LineFailure(
            "There is no arrow; write source -> sink with white space around the arrow. "
            "A name in quotes alone declares a node without edges.",
            (Repair.SEPARATED, rest),
        )
    return ReadLine(node=_clean(name), list_mark=mark)


def _edges(tokens: list[Token], line: str) -> tuple[_Triple, ...]:
    """Return the edges of `name arrow name (arrow name)* (; name)*`; in `A -> B; C` the last arrow leads to B and to
    C."""
    groups: list[list[Name]] = [[]]
    arrows: list[ArrowToken] = []
    for token in tokens:
        if isinstance(token, Name):
            groups[-1].append(token)
        elif isinstance(token, ArrowToken):
            arrows.append(token)
            groups.append([])
    if not arrows:
        raise LineFailure("The line has several names and no arrow; write source -> sink.")
    if len(groups[0]) > 1:
        raise _several_sources(groups[0], line)
    if any(len(group) > 1 for group in groups[1:-1]):
        raise LineFailure("Several sinks, separated by ;, can only be at the end of a line; use a line for each.")
    if any(name.mark for name in [name for group in groups[1:-1] for name in group]):
        raise LineFailure("A sign in brackets can only be at the end; write it on the arrow, ->+ or ->-.")
    cleaned = [[_clean(name if place else _whole(name)) for name in group] for place, group in enumerate(groups)]
    triples: list[_Triple] = []
    for place, arrow in enumerate(arrows):
        source = cleaned[place][0]
        for name, written in zip(cleaned[place + 1], groups[place + 1], strict=True):
            sign = _sign_of(arrow.mark, written, line)
            forward, back = (source, name, sign), (name, source, sign)
            triples += {"forward": [forward], "back": [back], "both": [forward, back]}[arrow.direction]
    return tuple(triples)


def _whole(name: Name) -> Name:
    """Keep the "(+)" of a first name in the name: only sinks have a sign in brackets."""
    return Name(f"{name.text} ({name.mark})", False) if name.mark and not name.is_quoted else name


def _sign_of(arrow_mark: str, name: Name, line: str) -> Sign | None:
    if name.mark and name.mark not in SIGN_MARKS:
        raise LineFailure(
            f"The sign ({name.mark}) is not known; an edge takes (+), (-) or nothing. "
            "If it belongs to the name, put the name in quotes.",
            (Repair.QUOTED, END_SIGN.sub("", line)),
        )
    on_arrow, behind = SIGN_MARKS[arrow_mark], SIGN_MARKS[name.mark]
    if on_arrow is not None and behind is not None and on_arrow is not behind:
        raise LineFailure(f"The arrow says {on_arrow.value} and the end of the line ({name.mark}); keep one of them.")
    return on_arrow if behind is None else behind


def _clean(name: Name) -> str:
    try:
        return clean_name(name.text)
    except InvalidName as error:
        raise LineFailure(str(error)) from None


def _several_sources(names: list[Name], line: str) -> LineFailure:
    if any(name.is_quoted for name in names):
        return LineFailure("A line has one source; use a line for each.")
    arrow = free_arrow(line, 0)
    assert arrow is not None, "an arrow behind names without quotes is free"
    source, rest = line[: arrow.start].strip(), line[arrow.start :]
    return LineFailure(
        f"The source contains a ;, which separates sinks. If it belongs to the name, write it in quotes: "
        f"{quote_name(source)}; if these are several sources, use a line for each.",
        (Repair.QUOTED, f"{quote_name(source)} {rest}"),
    )
