r"""Vensim model files (.mdl): the sketch of a model read as one causal graph.

The format, from Vensim's help, "Sketch Information" and "Objects" (vensim.com/documentation/ref_sketch_format.html
and 24305.html), and from the files of real models:

- The sketch follows the equations. Every view begins with a line `\\\---///`, a version line, `*` and its name and
  a line `$` of fonts; `///---\\\` ends the last one. One object a line; objects are numbered per
  view.
- `10,id,name,x,y,w,h,shape,bits,…` is a variable. Bit 1 of `bits` allows arrows into it; without it the variable
  is a shadow ("ghost") of one defined elsewhere. `11,…` is a valve: where bit 32 of its shape is set, the next
  `10` line is the name of its flow. `12,…` is a cloud, a comment or a loop mark; bit 4 of its `bits` says that its
  text is the next line. `30` and `31` are pictures.
- `1,id,from,to,shape,hidden,polarity,thickness,font,delay,…` is an arrow. Its polarity is the code of a character
  (43 +, 45 -, 83 S, 79 O; 0 none), bit 1 of `delay` is the delay mark (Vensim sets 65 instead of 64 and 193
  instead of 192 on the arrows into DELAY functions), and a thickness above 20 draws the pipe of a flow.

A variable drawn several times is one node, regardless of its capitals, underscores and views.
An arrow to a valve points to its flow. A pipe is an edge from the flow to the stock it ends at: + into the stock
(shape 4), − out of it (shape 100), for a flow adds to one and takes from the other. A pipe with arrowheads at both
ends, or of another shape, has no sign. Variables of Vensim's own (Time; TIME STEP and its like, if drawn as shadows)
are no nodes; they and their arrows are counted in notices. Arrows at comments, clouds and pictures are none between
variables and are counted in a notice. Views are set below each other, since each has the same corner.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush

from core.errors import UnreadableFile
from core.graphs.layouts.layout import Point
from exchange.edge_rows import EdgeCollector, ImportedGraph
from exchange.vensim_arrows import SketchArrow, add_edges
from exchange.vensim_names import CLOCK, RESERVED, name_key, split_name, without_brackets
from exchange.vensim_writing import obstacle, write

__all__ = ["is_mine", "obstacle", "read", "write"]

_SKETCH, _END = "\\\\\\---///", "///---\\\\\\"
_ARROW, _VARIABLE, _VALVE, _COMMENT, _PICTURES = "1", "10", "11", "12", ("30", "31")
_CLOUD = "48"
_PIPE = 20
"""Arrows thicker than this are drawn as double lines: the pipes of flows."""
_SIGNS = {0: "", 32: "", 63: "?", 43: "+", 45: "-", 83: "S", 115: "s", 79: "O", 111: "o"}
_FIELDS = ("id", "from", "to", "shape", "hidden", "polarity", "thickness", "font", "delay")
_WHOLE = re.compile(r"\s*(-?[0-9]{1,9})\s*")
_OBJECT = re.compile(r"[0-9]{1,2},[0-9]+,")
_VIEW_GAP = 120.0
"""Pixels between the lowest variable of one view and the origin of the next."""


def is_mine(text: str) -> bool:
    """Return True for a Vensim model: it starts with {UTF-8}, or contains a sketch."""
    start = text.lstrip("\ufeff \t\r\n")
    return start[:7].upper() == "{UTF-8}" or start.startswith(_SKETCH) or f"\n{_SKETCH}" in text


def read(text: str, filename: str) -> ImportedGraph:
    """Read all views of a model as one graph; faults have their line. Raises UnreadableFile if the file has no
    sketch: equations show dependencies, but not their signs."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    starts = [i for i, line in enumerate(lines) if line.startswith(_SKETCH)]
    if not starts:
        raise UnreadableFile(
            f"{filename} has no sketch (no line that begins with {_SKETCH}), so it draws no arrows; open it in "
            "Vensim, draw variables and arrows in a view, and save it as .mdl again."
        )
    return _Sketch(filename).read(lines, starts)


@dataclass(slots=True)
class _View:
    names: dict[int, str] = field(default_factory=dict)
    """Name of a variable or valve, "" for a drawn object that is no variable."""
    broken: dict[int, int] = field(default_factory=dict)
    """Line of each unreadable variable."""
    valves: set[int] = field(default_factory=set)
    built_in: set[int] = field(default_factory=set)
    """Vensim's own variables."""
    unnamed: int | None = None
    """The valve whose name is the next variable's."""


class _Sketch:
    def __init__(self, filename: str) -> None:
        self._rows = EdgeCollector(filename)
        self._spelling: dict[str, str] = {}
        self._repeated: dict[str, None] = {}
        self._places: dict[str, tuple[bool, Point]] = {}
        self._arrows: list[SketchArrow] = []
        self._counts: Counter[str] = Counter()
        self._stray: list[int] = []
        self._views = 0
        self._heights: list[tuple[float, str]] = []
        """Places by their height, the lowest first; one that was replaced stays until it is met."""
        self._top = 0.0

    def read(self, lines: Sequence[str], starts: Sequence[int]) -> ImportedGraph:
        last = starts[-1]
        end = next((i for i in range(last, len(lines)) if lines[i].startswith(_END)), None)
        if end is None:
            self._rows.notices.append(f"The sketch has no last line {_END}; the file may be cut short.")
        for start, stop in zip(starts, [*starts[1:], len(lines) if end is None else end], strict=True):
            self._read_view(lines, start, stop)
        add_edges(self._arrows, self._rows, self._counts)
        self._add_notices()
        return replace(self._rows.result(), places={name: at for name, (_, at) in self._places.items()})

    def _read_view(self, lines: Sequence[str], start: int, stop: int) -> None:
        view = _View()
        arrows: list[tuple[int, str]] = []
        self._views += 1
        for line, kind, rest in self._objects(lines, start, stop):
            if kind == _ARROW:
                arrows.append((line, rest))
            elif kind == _VARIABLE:
                self._read_variable(line, rest, view)
            else:
                self._read_drawing(line, kind, rest, view)
        for line, rest in arrows:
            arrow = self._read_arrow(line, rest, view)
            if arrow is not None:
                self._arrows.append(arrow)
        while self._heights and self._places[self._heights[0][1]][1].y != -self._heights[0][0]:
            heappop(self._heights)
        self._top = (-self._heights[0][0] if self._heights else -_VIEW_GAP) + _VIEW_GAP

    def _objects(self, lines: Sequence[str], start: int, stop: int) -> Iterator[tuple[int, str, str]]:
        """Yield line (1-based), kind and fields after the kind; titles and the texts of comments are skipped."""
        i = start + 1
        for mark in ("V", "*", "$"):
            if i < stop and lines[i].startswith(mark):
                i += 1
        while i < stop:
            kind, _, rest = lines[i].partition(",")
            i += 1
            if kind in (_ARROW, _VARIABLE, _VALVE, _COMMENT, *_PICTURES):
                yield i, kind, rest
                bits = (_whole(rest.split(",", 8)[7:8]) or 0) if kind == _COMMENT else 0
                if i < stop and (bits & 4 or (bits & 8 and not _OBJECT.match(lines[i]))):
                    i += 1
            elif lines[i - 1].strip():
                self._stray.append(i)

    def _number(self, line: int, text: str, view: _View) -> int | None:
        number = _whole([text])
        if number is None:
            self._rows.fault(line, "id", text, "an object's number is a whole number")
        elif number in view.names or number in view.broken:
            self._rows.fault(line, "id", text, "another object of this view has this number; the first is kept")
            return None
        return number

    def _read_variable(self, line: int, rest: str, view: _View) -> None:
        valve, view.unnamed = view.unnamed, None
        text, _, after = rest.partition(",")
        number = self._number(line, text, view)
        if number is None:
            return
        name_and_fields = split_name(after)
        if name_and_fields is None:
            self._rows.fault(line, "name", after, 'the name opens a quote (") that is not closed before a comma')
        if name_and_fields is not None and self._is_built_in(*name_and_fields):
            view.names[number] = ""
            view.built_in.add(number)
            self._counts["built-in"] += 1
            return
        name = None if name_and_fields is None else self._node(line, name_and_fields[0])
        if name_and_fields is None or name is None:
            view.broken[number] = line
            return
        view.names[number] = name
        if valve is not None:
            view.names[valve] = name
        self._set_place(line, name, name_and_fields[1].split(","))

    def _is_built_in(self, text: str, fields: str) -> bool:
        """Return True for one of Vensim's own variables; those that a model may define must be drawn as shadows."""
        key, bits = name_key(without_brackets(text)), _whole(fields.split(",")[5:6])
        return key == CLOCK or (key in RESERVED and key not in self._spelling and bits is not None and not bits & 1)

    def _node(self, line: int, text: str) -> str | None:
        """Return the name as first spelled; None if it is faulty."""
        text = without_brackets(text)
        key = name_key(text)
        if (known := self._spelling.get(key)) is not None:
            self._repeated.setdefault(known)
            self._counts["spelled"] += " ".join(text.split()) != known
            return known
        name = self._rows.add_node(text, line, "name")
        if name is not None:
            self._spelling[key] = name
        return name

    def _set_place(self, line: int, name: str, fields: Sequence[str]) -> None:
        """Use the first place of a variable where it is defined, else of its first shadow."""
        numbers = []
        for axis, text in zip("xy", [*fields, "", ""][:2], strict=True):
            try:
                numbers.append(float(text))
            except ValueError:
                numbers.append(math.nan)
            if not math.isfinite(numbers[-1]):
                self._rows.fault(line, axis, text, "a variable's place is a number; the variable is kept without it")
                return
        bits = _whole(fields[5:6])
        is_defined = bits is None or bool(bits & 1)
        known = self._places.get(name)
        if known is None or (is_defined and not known[0]):
            at = Point(numbers[0], numbers[1] + (self._top if self._views > 1 else 0.0))
            self._places[name] = (is_defined, at)
            heappush(self._heights, (-at.y, name))

    def _read_drawing(self, line: int, kind: str, rest: str, view: _View) -> None:
        fields = rest.split(",", 8)
        number = self._number(line, fields[0], view)
        if number is None:
            return
        view.names[number] = ""
        if kind == _VALVE:
            view.valves.add(number)
            shape = _whole(fields[6:7]) or 0
            view.unnamed = number if shape & 32 else None
        else:
            self._counts["cloud" if kind == _COMMENT and fields[1:2] == [_CLOUD] else "comment"] += 1

    def _read_arrow(self, line: int, rest: str, view: _View) -> SketchArrow | None:
        fields = dict(zip(_FIELDS, rest.split(","), strict=False))
        if len(fields) < len(_FIELDS):
            self._rows.fault(
                line, "", f"1,{rest}", f"an arrow has the fields 1,{','.join(_FIELDS)},…; the line is short"
            )
            return None
        values: dict[str, int] = {}
        for name in _FIELDS:
            number = 0 if name == "font" else _whole([fields[name]])
            if number is None:
                self._rows.fault(line, name, fields[name], "a whole number")
                return None
            values[name] = number
        if values["polarity"] not in _SIGNS:
            expected = "a polarity is 43 (+), 45 (-), 83 (S), 79 (O) or 0 (none)"
            self._rows.fault(line, "polarity", fields["polarity"], expected)
            return None
        source, sink = (self._end(line, end, values[end], view) for end in ("from", "to"))
        if source is None or sink is None:
            return None
        if view.built_in & {values["from"], values["to"]}:
            self._counts["of built-in"] += 1
            return None
        self._counts["hidden"] += values["hidden"] != 0
        is_pipe = values["thickness"] > _PIPE and values["from"] in view.valves
        sign, valve = _SIGNS[values["polarity"]], values["from"] if is_pipe else None
        return SketchArrow(
            line=line,
            view=self._views,
            source=source,
            sink=sink,
            sign=sign,
            delay=bool(values["delay"] & 1),
            pipe=valve,
            shape=values["shape"],
        )

    def _end(self, line: int, field: str, number: int, view: _View) -> str | None:
        """Return the variable at an end of an arrow, "" for none, None (and a fault) for a missing object."""
        if number in view.broken:
            expected = f"the variable of line {view.broken[number]}, which could not be read"
        elif number in view.names:
            return view.names[number]
        else:
            expected = "no object of this view has this number; an arrow joins two of its variables"
        self._rows.fault(line, field, str(number), expected)
        return None

    def _add_notices(self) -> None:
        counts, add = self._counts, self._rows.notices.append
        if self._views > 1:
            add(f"The {self._views} views were read as one graph and placed one below another.")
        if self._repeated:
            some = ", ".join(list(self._repeated)[:5]) + (", …" if len(self._repeated) > 5 else "")
            add(f"Variables drawn more than once, as shadows, each of them one node: {len(self._repeated)} ({some}).")
        if counts["spelled"]:
            add(f"Of these, spelled differently (capitals, underscores), first spelling kept: {counts['spelled']}.")
        for word, sentence in _SENTENCES.items():
            if counts[word]:
                add(sentence.format(counts[word]))
        if self._stray:
            places = ", ".join(map(str, self._stray[:5])) + (", …" if len(self._stray) > 5 else "")
            add(f"Lines of the sketch left out, because they are unknown objects: {len(self._stray)} (line {places}).")


_SENTENCES = {
    "comment": "Comments, loop marks and pictures left out, because they are not variables: {}.",
    "built-in": "Variables of Vensim's own (such as Time) left out: {}.",
    "of built-in": "Arrows from or to them left out: {}.",
    "cloud": "Clouds left out, where flows begin or end outside the model: {}.",
    "hidden": "Arrows that are hidden in the sketch and were read like the others: {}.",
    "again": "Arrows drawn in more than one view and read once: {}.",
    "pipe": "Edges that come from the pipes of flows, + into a stock and - out of it: {}.",
    "either way": "Of these pipes, those that may flow either way, so that their sign is unknown: {}.",
    "astray": "Arrows left out because they begin or end at a comment, a cloud or a flow without a name: {}.",
    "nameless": "Pipes left out because their flow has no name: {}.",
}
"""Notices about counts, in order."""


def _whole(texts: Sequence[str]) -> int | None:
    match = _WHOLE.fullmatch(texts[0]) if texts else None
    return int(match[1]) if match else None
