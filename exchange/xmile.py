"""XMILE files (.xmile, .stmx, .itmx), as Stella writes them, read as one causal graph.

Follows the XMILE 1.0 standard (OASIS, docs.oasis-open.org/xmile/xmile/v1.0): stocks, flows, auxiliaries and graphical
functions (section 4) are nodes, named by section 3.2.2. Connectors drawn in views (6.1.6) are edges, with their
`polarity` (+, - or none; s and o are read too) and `delay_mark`. An alias (6.1.7) is its variable. Because a stock
accumulates its inflows and loses its outflows (3.1.1), each inflow is an edge flow → stock with +, each outflow one
with −. Equations are not read: they show dependencies, but not their signs.

A submodel's variables are named Model.variable; an input that a module connects (4.7.1) is the variable it comes from.
A connector at a module only says that one of the module's variables is connected, so it is counted, not read. A place
is an object's centre, or its upper left corner if it has a width and a height (5.1.2). Views are placed below each
other. Undeclared built-ins (Time, DT and similar) are no nodes, nor are connectors at them edges; both are counted.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

from core.errors import UnknownSign, UnreadableFile
from core.graphs.layouts.layout import Point
from core.sign import parse_edge_sign
from exchange.edge_rows import EdgeCollector, ImportedGraph
from exchange.xmile_names import BUILT_IN, name_key, plain_name
from exchange.xmile_writing import obstacle, write
from exchange.xml_reading import Element, attribute, children, find, line_of, local, parse_xml, prefix_notice, text_of

__all__ = ["obstacle", "read", "write"]

_VARIABLES = ("stock", "flow", "aux", "gf")
_VIEW_GAP = 120.0
"""Pixels between the lowest variable of one view and the origin of the next."""


def read(content: bytes, filename: str) -> ImportedGraph:
    """Read every model of the file as one graph; faults have their line. Raises UnreadableFile or BadRow if it is no
    XML (see `parse_xml`), no XMILE, or has no model."""
    root = parse_xml(content, filename)
    if local(root.tag).lower() != "xmile":
        raise UnreadableFile(
            f"{filename}: the first element is <{local(root.tag)}>; an XMILE file begins with <xmile>."
        )
    models = list(children(root, "model"))
    if not models:
        raise UnreadableFile(f"{filename} contains no <model>, so it has no variables.")
    return _File(filename).read(root, models)


@dataclass(slots=True)
class _Model:
    element: Element
    prefix: str
    """The model's own name, "" for the outermost one."""
    own: dict[str, Element] = field(default_factory=dict)
    """Its declared variables, by name key."""
    modules: set[str] = field(default_factory=set)


class _File:
    def __init__(self, filename: str) -> None:
        self._rows = EdgeCollector(filename)
        self._models: dict[str, _Model] = {}
        self._names: dict[tuple[str, str], str | None] = {}
        self._sources: dict[tuple[str, str], tuple[str, str]] = {}
        self._origins: dict[tuple[str, str], tuple[tuple[str, str], bool]] = {}
        """Result of `_origin` for each, and whether it is in a cycle or leads to one."""
        self._meant: dict[tuple[str, str], tuple[str, str] | Literal[""] | None] = {}
        self._places: dict[str, Point] = {}
        self._ghosts: set[str] = set()
        self._counts: Counter[str] = Counter()
        self._top = 0.0

    def read(self, root: Element, models: list[Element]) -> ImportedGraph:
        self._rows.notices += prefix_notice(root)
        for index, element in enumerate(models):
            prefix = plain_name(attribute(element, "name") or "") if index else ""
            key = name_key(prefix)
            if key in self._models:
                value = attribute(element, "name") or ""
                self._rows.fault(line_of(element), "model", value, "another model has this name; the first is kept")
                continue
            self._models[key] = _Model(element, prefix)
        for key, model in self._models.items():
            self._read_modules(key, model)
            self._declare(model)
        for key, model in self._models.items():
            self._read_variables(key, model)
        for key, model in self._models.items():
            for view in _views(model.element):
                self._read_view(key, model, view)
        for key, model in self._models.items():
            self._read_flows(key, model)
        self._add_notices()
        title = find(header, "name") if (header := find(root, "header")) is not None else None
        named = replace(self._rows.result(), places=self._places)
        return named if title is None else replace(named, title=" ".join(text_of(title).split()))

    # --- names --------------------------------------------------------------------------------------------------

    def _read_modules(self, key: str, model: _Model) -> None:
        for module in _declared(model.element, "module"):
            name = plain_name(attribute(module, "name") or "")
            model.modules.add(name_key(name))
            for connect in children(module, "connect"):
                inner = self._qualified(name_key(name), attribute(connect, "to") or "")
                outer = self._qualified(key, attribute(connect, "from") or "")
                self._sources.setdefault(inner, outer)

    @staticmethod
    def _qualified(model: str, text: str) -> tuple[str, str]:
        """Return the variable of a connection: `variable` in this model, `Module.variable`, or `.variable` in the
        outermost."""
        before, dot, after = text.rpartition(".")
        if not dot or text.lstrip().startswith('"'):
            return model, name_key(plain_name(text))
        return name_key(plain_name(before.rpartition(".")[2])), name_key(plain_name(after))

    def _declare(self, model: _Model) -> None:
        for element in _declared(model.element, *_VARIABLES):
            if (text := attribute(element, "name")) is not None:
                model.own.setdefault(name_key(plain_name(text)), element)
            elif local(element.tag) != "gf":
                self._rows.fault(line_of(element), "name", "", f"a <{local(element.tag)}> needs a name")

    def _read_variables(self, key: str, model: _Model) -> None:
        for name, element in model.own.items():
            if self._origin((key, name)) != (key, name):
                self._counts["input"] += 1  # the variable it comes from is the node
                continue
            shown = plain_name(attribute(element, "name") or "")
            shown = f"{model.prefix}.{shown}" if model.prefix else shown
            self._names[key, name] = self._rows.add_node(shown, line_of(element), "name")

    def _origin(self, own: tuple[str, str]) -> tuple[str, str]:
        """Return the variable an input comes from, through nested modules; itself if nothing is connected. In a
        cycle of connections one variable represents all."""
        way: dict[tuple[str, str], None] = {}
        while own not in self._origins and own not in way:
            way[own] = None
            source = self._sources.get(own)
            if source is None or source[0] not in self._models or source[1] not in self._models[source[0]].own:
                self._origins[own] = (own, False)
            else:
                own = source
        if own not in self._origins:
            circle = list(way)[list(way).index(own) :]
            self._origins.update(dict.fromkeys(circle, (min(circle), True)))
        origin, is_circle = self._origins[own]
        for one in reversed(way):
            if one not in self._origins:
                origin = min(one, origin) if is_circle else origin
                self._origins[one] = (origin, is_circle)
        return self._origins[next(iter(way), own)][0]

    def _node(self, key: str, text: str, line: int | None, field: str) -> str | None:
        """Return the node of a name inside a model, by `_meaning`; None comes with a fault."""
        if (key, text) not in self._meant:  # thousands of connectors may name one alias
            self._meant[key, text] = self._meaning(key, text)
        variable = self._meant[key, text]
        if isinstance(variable, tuple):
            name = self._names.get(self._origin(variable))
            if name is None:
                self._rows.fault(line, field, text, "the name of this variable could not be read; see the fault there")
            return name
        if variable is None:
            self._rows.fault(line, field, text, "no variable of this model has this name")
        return variable

    def _meaning(self, key: str, text: str) -> tuple[str, str] | Literal[""] | None:
        """Return the variable of a model that a name refers to, "" for a module or a built-in, None for an
        undeclared one."""
        model, name = self._models[key], plain_name(text)
        tried = [name_key(name)]
        if name.endswith("]"):
            tried.append(name_key(re.sub(r"\[[^\[\]]*\]$", "", name)))  # an element of an array
        for candidate in tried:
            if candidate in model.own:
                return key, candidate
            if candidate in model.modules:
                return ""
        other_model, inner = self._qualified(key, text)
        if other_model in self._models and inner in self._models[other_model].own:
            return other_model, inner
        return "" if name_key(name) in BUILT_IN else None

    # --- views and flows ----------------------------------------------------------------------------------------

    def _read_view(self, key: str, model: _Model, view: Element) -> None:
        self._counts["view"] += 1
        aliases: dict[str, tuple[str, int | None]] = {}
        lowest = -math.inf
        for drawn in children(view, *_VARIABLES, "alias"):
            line = line_of(drawn)
            text = attribute(drawn, "name") or ""
            if local(drawn.tag) == "alias":
                of = find(drawn, "of")
                text = "" if of is None else text_of(of)
                aliases[attribute(drawn, "uid") or ""] = (text, line)
            name = self._node(key, text, line, "of" if local(drawn.tag) == "alias" else "name") if text else ""
            if not text:
                self._rows.fault(line, "name", "", f"a drawn <{local(drawn.tag)}> names its variable")
            if name and (at := self._place(drawn)) is not None:
                self._counts["alias"] += name in self._places or local(drawn.tag) == "alias"
                lowest = max(lowest, at.y)
                if name not in self._places or (name in self._ghosts and local(drawn.tag) != "alias"):
                    self._places[name] = at
                    (self._ghosts.add if local(drawn.tag) == "alias" else self._ghosts.discard)(name)
        for connector in children(view, "connector"):
            self._read_connector(key, connector, aliases)
        self._top = max(self._top, lowest + _VIEW_GAP)

    def _place(self, drawn: Element) -> Point | None:
        values = []
        for axis, size in (("x", "width"), ("y", "height")):
            text = attribute(drawn, axis) or ""
            place, extent = _number(text), _number(attribute(drawn, size) or "0")
            if place is None or extent is None:
                if text:
                    self._rows.fault(line_of(drawn), axis, text, "a place is a number; the variable is kept without it")
                return None
            values.append(place + extent / 2)
        return Point(values[0], values[1] + self._top)

    def _read_connector(self, key: str, connector: Element, aliases: dict[str, tuple[str, int | None]]) -> None:
        line = line_of(connector)
        self._counts["connector"] += 1
        ends, is_built_in = [], False
        for side in ("from", "to"):
            end = find(connector, side)
            alias = find(end, "alias") if end is not None else None
            text = text_of(end) if end is not None else ""
            if alias is not None:
                uid = attribute(alias, "uid") or ""
                text = aliases.get(uid, ("", None))[0]
                if not text:
                    self._rows.fault(line, side, uid, "no alias of this view has this uid")
                    return
            elif not text.strip():
                self._rows.fault(line, side, "", f"a connector says in <{side}> which variable it joins")
                return
            ends.append(self._node(key, text, line, side))
            is_built_in |= ends[-1] == "" and name_key(plain_name(text)) in BUILT_IN
        polarity = (attribute(connector, "polarity") or "").strip()
        try:
            parse_edge_sign(polarity := "" if polarity.lower() == "none" else polarity)
        except UnknownSign:
            self._rows.fault(line, "polarity", polarity, "a polarity is +, - or none (also s and o)")
            return
        source, sink = ends
        if source is None or sink is None:
            return
        if not source or not sink:
            self._counts["built-in" if is_built_in else "module"] += 1
            return
        delay = attribute(connector, "delay_mark") or ""
        self._rows.add_edge({"source": source, "sink": sink, "sign": polarity, "delay": delay}, line)

    def _read_flows(self, key: str, model: _Model) -> None:
        for stock in _declared(model.element, "stock"):
            text = attribute(stock, "name")
            if text is None:
                continue
            for flow in children(stock, "inflow", "outflow"):
                line, kind = line_of(flow), local(flow.tag)
                source, sink = self._node(key, text_of(flow), line, kind), self._node(key, text, line, "name")
                if source and sink:
                    self._counts["flow"] += 1
                    self._rows.add_edge({"source": source, "sink": sink, "sign": "+-"[kind == "outflow"]}, line)

    def _add_notices(self) -> None:
        if not self._counts["connector"]:
            self._rows.notices.append("The file draws no connectors; edges come from its flows only.")
        if self._counts["view"] < 2:
            self._counts["view"] = 0
        self._rows.notices += [text.format(self._counts[word]) for word, text in _NOTICES.items() if self._counts[word]]


_NOTICES = {
    "view": "Views read as one graph and placed one below another: {}.",
    "alias": "Copies (aliases, ghosts) read as the variable they stand for: {}.",
    "input": "Inputs of modules read as the variable connected to them: {}.",
    "module": "Connectors left out because they begin or end at a module, not at a variable: {}.",
    "built-in": "Connectors left out because they begin or end at what is built in, such as Time or DT: {}.",
    "flow": "Edges that come from flows, + into a stock and - out of it: {}.",
}
"""Notices about counts, in order."""


def _declared(model: Element, *tags: str) -> Iterator[Element]:
    return (element for variables in children(model, "variables") for element in children(variables, *tags))


def _views(model: Element) -> Iterator[Element]:
    """Yield the views that draw variables; those of the interface have none."""
    for views in children(model, "views"):
        for view in children(views, "view"):
            if next(children(view, *_VARIABLES, "alias", "connector"), None) is not None:
                yield view


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
