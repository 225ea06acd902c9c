"""Arrows of a Vensim sketch as edges: signs of flow pipes, and links drawn in several views."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from exchange.edge_rows import EdgeCollector

_INTO, _OUT_OF = 4, 100
"""Shapes of a pipe that ends at a stock with and without an arrowhead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SketchArrow:
    """One arrow between two objects of a view; an end without a variable is ""."""

    line: int
    view: int
    source: str
    sink: str
    sign: str
    delay: bool
    pipe: int | None
    """Number of the valve at which a flow's pipe starts; None for an arrow."""
    shape: int


def add_edges(arrows: Sequence[SketchArrow], rows: EdgeCollector, counts: Counter[str]) -> None:
    """Add every arrow between two variables to `rows`, in order, and count special ones in `counts`. An arrow
    without a sign that another view draws with one is the same arrow. In `counts`: "again" (drawn in several views),
    "astray" and "nameless" (arrows and pipes without a variable at an end), "pipe" (signs from flows) and "either
    way" (pipes whose sign is unknown)."""
    heads = Counter((arrow.view, arrow.pipe) for arrow in arrows if arrow.pipe is not None and arrow.shape == _INTO)
    signed: dict[tuple[str, str], set[int]] = {}
    for arrow in arrows:
        if arrow.sign.strip("?"):
            signed.setdefault((arrow.source, arrow.sink), set()).add(arrow.view)
    seen: dict[tuple[str, str, str], int] = {}
    for arrow in arrows:
        if not arrow.source or not arrow.sink:
            counts["astray"] += arrow.pipe is None
            counts["nameless"] += arrow.pipe is not None and bool(arrow.sink)
            continue
        sign = arrow.sign
        if arrow.pipe is not None and not sign:
            # + into the stock, − out of it; arrowheads at both ends leave the direction open.
            is_inflow = arrow.shape == _INTO and heads[arrow.view, arrow.pipe] == 1
            sign = "-" if arrow.shape == _OUT_OF else "+" if is_inflow else ""
            counts["pipe"] += 1
            counts["either way"] += not sign
        views = signed.get((arrow.source, arrow.sink), set())
        elsewhere = len(views) > (arrow.view in views)
        first = seen.setdefault((arrow.source, arrow.sink, sign), arrow.view)
        if first != arrow.view or (elsewhere and not sign and not arrow.delay):
            counts["again"] += 1
            continue
        delay = "yes" if arrow.delay else ""
        rows.add_edge({"source": arrow.source, "sink": arrow.sink, "sign": sign, "delay": delay}, arrow.line)
