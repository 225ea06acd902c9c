"""A causal graph as a Vensim model file: A FUNCTION OF equations and one view with the sketch. Vensim opens it as a
causal loop diagram of its own sketch tool. Places are integers, as sketches require; nodes without a place get one.
Arrows have 128 in their delay field, as in diagrams without equations, and 129 with a delay mark."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.graphs.layouts.layout import Point, bends, place
from core.sign import Sign
from exchange.vensim_names import CLOCK, RESERVED, is_bracketed, name_key, quoted

_POLARITY = {None: 0, Sign.PLUS: 43, Sign.MINUS: 45}
_CONTROL = """\
********************************************************
\t.Control
********************************************************~
\t\tSimulation Control Parameters
\t|

FINAL TIME  = 100
\t~\tMonth
\t~\tThe final time for the simulation.
\t|

INITIAL TIME  = 0
\t~\tMonth
\t~\tThe initial time for the simulation.
\t|

SAVEPER  = \n        TIME STEP
\t~\tMonth [0,?]
\t~\tThe frequency with which output is stored.
\t|

TIME STEP  = 1
\t~\tMonth [0,?]
\t~\tThe time step for the simulation.
\t|

\\\\\\---/// Sketch information - do not modify anything except names
V300  Do not put anything below this section - it will be ignored
*View 1
$192-192-192,0,Times New Roman|12||0-0-0|0-0-0|0-0-255|-1--1--1|-1--1--1|96,96,100,0
"""
_SETTINGS = """\
///---\\\\\\
:L\x7f<%^E!@
9:Current
15:0,0,0,0,0,0
19:100,0
27:0,
34:0,
35:Date
36:YYYY-MM-DD
37:2000
38:1
39:1
40:2
41:0
42:1
24:0
25:0
26:0
"""
"""Settings that Vensim writes after a sketch, with the values of a new model."""

_LETTER, _LINE, _WIDEST = 3.2, 9, 60  # half sizes of a letter, a line and the widest label, in pixels


def write(graph: CausalGraph, places: Mapping[str, Point] | None = None) -> bytes:
    """Return the graph as a .mdl file in UTF-8; `places` (y downwards) are rounded to whole pixels. Does not check
    `obstacle`: with one, Vensim would read another graph."""
    known_places = {name: point for name, point in (places or {}).items() if name in set(graph.nodes)}
    spots = place(graph.nodes, [edge.pair for edge in graph.edges], known_places)
    parts = ["{UTF-8}\n", *_equations(graph), _CONTROL, *_sketch(graph, spots), _SETTINGS]
    return "".join(parts).encode("utf-8")


def obstacle(graph: CausalGraph) -> str:
    """Return why Vensim cannot express this graph, with a remedy; "" if it can."""
    seen: dict[str, str] = {}
    for name in graph.nodes:
        if is_bracketed(name):
            return f"Vensim reads “{name}” as a shadow of “{name[1:-1].strip()}”; rename it without < and >."
        if name_key(name) == CLOCK:
            return f"Vensim sets “{name}” itself, so it cannot be a variable of the graph; rename it."
        first = seen.setdefault(name_key(name), name)
        if first != name:
            return (
                f"Vensim takes “{first}” and “{name}” for one variable: it ignores capitals and treats underscores as "
                "spaces. Merge or rename them."
            )
    for edge in graph.edges:
        if name_key(edge.sink) in RESERVED:
            return f"Vensim sets “{edge.sink}” itself, so no arrow can point to it; rename it."
    return ""


def _equations(graph: CausalGraph) -> Iterator[str]:
    causes: dict[str, dict[str, None]] = {name: {} for name in graph.nodes}
    for edge in graph.edges:
        causes[edge.sink].setdefault(edge.source)
    for name, sources in causes.items():
        if name_key(name) not in RESERVED:
            listed = "\\\n\t\t,".join(map(quoted, sources))  # a backslash continues a line
            yield f"{quoted(name)}  = A FUNCTION OF( {listed})\n\t~\t\n\t~\t\t|\n\n"


def _sketch(graph: CausalGraph, spots: Mapping[str, Point]) -> Iterator[str]:
    numbers = {name: number for number, name in enumerate(graph.nodes, start=1)}
    for name, number in numbers.items():
        lines = math.ceil(len(name) * _LETTER / _WIDEST)
        width = _WIDEST if lines > 1 else max(20, math.ceil(len(name) * _LETTER) + 4)
        x, y = _pixel(spots[name].x), _pixel(spots[name].y)
        yield f"10,{number},{quoted(name)},{x},{y},{width},{_LINE * lines + 2},8,3,0,0,0,0,0,0\n"
    for number, (edge, (x, y)) in enumerate(_handles(graph.edges, spots), start=len(numbers) + 1):
        ends = f"{numbers[edge.source]},{numbers[edge.sink]}"
        yield f"1,{number},{ends},1,0,{_POLARITY[edge.sign]},0,0,{128 | edge.delay},0,-1--1--1,,1|({x},{y})|\n"


def _handles(edges: Sequence[Edge], spots: Mapping[str, Point]) -> Iterator[tuple[Edge, tuple[int, int]]]:
    """Yield each edge with the point through which its arc passes: the middle of the curve that separates lines."""
    for edge, bend in zip(edges, bends(spots, [edge.pair for edge in edges]), strict=True):
        start, end = spots[edge.source], spots[edge.sink]
        if edge.is_self_loop:
            yield edge, (_pixel(start.x), _pixel(start.y) - 60)
            continue
        across, down = end.x - start.x, end.y - start.y
        aside = (0.25 + abs(bend) / 4) * math.sin(bend * math.pi / 2)  # half the height of the bow's own point
        yield edge, (_pixel(start.x + across / 2 + aside * down), _pixel(start.y + down / 2 - aside * across))


def _pixel(length: float) -> int:
    return round(length)
