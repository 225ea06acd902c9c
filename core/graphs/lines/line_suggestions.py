"""A suggested correction of a faulty line, if a single repair gives it one meaning."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress

from core.graphs.edge import Edge
from core.graphs.lines.arrows import FORWARD, free_arrows, glued_arrows, quote_around
from core.graphs.lines.line_reading import read_line
from core.graphs.lines.line_tokens import LineFailure, Repair
from core.graphs.lines.write import format_edge, quote_name


def offer_for(failure: LineFailure) -> str:
    """Return the first repair that is itself a valid line; "" if none is. A repair is applied to the original line
    only, never to a repaired one: one repair, no chain of them."""
    offer = next(filter(None, (_REPAIRS[repair](text) for repair, text in failure.repairs)), "")
    if offer:
        with suppress(LineFailure):
            read_line(offer)
            return offer
    return ""


def _quoted(line: str) -> str:
    """Return the line with every name in quotes, signs on the arrows; "" if it cannot be read."""
    try:
        read = read_line(line)
    except LineFailure:
        return ""
    if read.node is not None:
        return quote_name(read.node)
    formatted = [format_edge(Edge(*triple), signs=True) for triple in read.edges]
    if len(formatted) == 1:
        return formatted[0]
    return " ".join(line.split())


def _unquoted(line: str) -> str:
    """Repair misplaced quotes: return the line without any, if it then has one meaning."""
    bare = line.replace('"', " ")
    return _quoted(bare) or quote_around(bare, glued_arrows(bare))


def _requoted(line: str) -> str:
    """Double a quote inside a name, and drop an unpaired one at its edge."""
    ends = [place for arrow in free_arrows(line) for place in (arrow.start, arrow.end)]
    edges = [0, *ends, len(line)]
    names = [line[start:end].strip() for start, end in zip(edges[::2], edges[1::2], strict=True)]
    if len(names) > 1 and any('"' in name.strip('"') for name in names):
        return quote_around(line, free_arrows(line))
    return _unquoted(line)


def _trimmed(line: str) -> str:
    """Drop the comma, full stop or semicolon that ends the line, as in lists pasted from code."""
    bare = line.rstrip(" \t,;.")
    return _quoted(bare) if bare.strip() and bare != line.rstrip() else ""


def _sign_on_arrow(line: str) -> str:
    moved = re.sub(rf"((?:{FORWARD}))\s+\(?([-+−–])\)?\s+", r"\1\2 ", line, count=1)
    return _quoted(moved) if moved != line else ""


def _separated(line: str) -> str:
    """Repair a line without an arrow: two cells of a table or a bare > make an edge, anything else a node."""
    parts = re.split(r"\t|(?<! ) ++~?> +", line)
    if len(parts) == 2 and all(part.strip() for part in parts):
        return f"{quote_name(parts[0].strip())} -> {quote_name(parts[1].strip())}"
    return quote_name(line.strip())


_REPAIRS: dict[Repair, Callable[[str], str]] = {
    Repair.AS_IT_IS: str,
    Repair.QUOTED: _quoted,
    Repair.TRIMMED: _trimmed,
    Repair.UNQUOTED: _unquoted,
    Repair.REQUOTED: _requoted,
    Repair.SIGN_ON_ARROW: _sign_on_arrow,
    Repair.SEPARATED: _separated,
}
