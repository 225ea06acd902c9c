"""Kumu's JSON: blueprints written by people, and backups of projects with their maps. A blueprint names elements by
label: {"elements": [{"label"}], "connections": [{"from", "to", "type", "direction"}]} (docs.kumu.io, "JSON /
Blueprints"). A backup gives each an `_id`, puts its fields into `attributes`, marks connections `delayed`, and lists
the places of elements in `maps`, with y downwards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from core.errors import BadRow
from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.graphs.layouts.layout import Point
from core.graphs.lines.write import quote_name
from core.graphs.names import LONGEST_NAME
from exchange.edge_json import EDGE_LISTS, load_json, unread_parts, write_json
from exchange.edge_meanings import EdgeRecordRow, add_rows, meanings_of
from exchange.edge_rows import EdgeCollector, ImportedGraph, field_of, listed, not_read, preference

_OUR_MAP = "Edgewise"
ENDS = {"source": "from", "sink": "to"}
NEEDS_SINK = "a connection needs an element to lead to"
_READ = frozenset({"label", "id", "from", "to", "connection type", "reversed", "x", "y", "position", "attributes"})
_MARKS = ("type", "direction", "sign", "delay", "flag", "note")


def is_mine(text: str) -> bool:
    """Return True for a blueprint or a backup: connections have from and to, elements have labels."""
    if '"connections"' not in text and '"elements"' not in text:
        return False
    try:
        value = load_json(text, "")
    except BadRow:
        return False
    if not isinstance(value, dict) or {"nodes", *EDGE_LISTS} & value.keys():
        return False
    elements, connections = value.get("elements", []), value.get("connections", [])
    if not isinstance(elements, list) or not isinstance(connections, list) or not (elements or connections):
        return not value.keys() - {"elements", "connections", "maps"} and elements == connections == []
    link_like = any(isinstance(one, dict) and {"from", "to"} <= one.keys() for one in connections)
    return link_like or any(isinstance(one, dict) and "label" in _texts(one) for one in elements)


def read(text: str, filename: str) -> ImportedGraph:
    """Return the graph of a blueprint or a backup, with the places of its first map that has any. As in Kumu, a
    blueprint's connection may create an unlisted element; this gives a notice. Raises BadRow if the text is not
    JSON, or `elements` or `connections` is not a list."""
    value = load_json(text, filename)
    elements, connections, maps = (_list(value, key, filename) for key in ("elements", "connections", "maps"))
    spots, title, notices = _spots(maps)
    collector = EdgeCollector(filename)
    collector.notices += notices
    names = _take_elements(collector, elements, spots)
    has_ids = any(isinstance(one, dict) and "_id" in one for one in elements)
    links = list(_links(collector, connections, names, has_ids))
    add_rows(collector, links, meanings_of(links), known=names.values(), sink=NEEDS_SINK)
    collector.notices += _left_out(value, elements, connections)
    return replace(collector.result(), title=title)


def write(graph: CausalGraph, places: Mapping[str, Point]) -> bytes:
    """Return a backup with one map for places; signs are connection types, flags and notes attributes."""
    ids = {name: f"elem-{number}" for number, name in enumerate(graph.nodes, start=1)}
    items: list[dict[str, Any]] = []
    for number, name in enumerate(graph.nodes, start=1):
        item: dict[str, Any] = {"_id": f"item-{number}", "element": ids[name]}
        if name in places:
            item["position"] = {"x": places[name].x, "y": places[name].y}
        items.append(item)
    connections = [_connection(edge, number, ids) for number, edge in enumerate(graph.edges, start=1)]
    lines = [{"_id": f"line-{number}", "connection": one["_id"]} for number, one in enumerate(connections, start=1)]
    return write_json(
        {
            "elements": [{"_id": ids[name], "attributes": {"label": name}} for name in graph.nodes],
            "connections": connections,
            "maps": [{"_id": "map-1", "name": _OUR_MAP, "elements": items, "connections": lines}],
        }
    )


def _connection(edge: Edge, number: int, ids: Mapping[str, str]) -> dict[str, Any]:
    attributes = {
        "connection type": edge.sign and edge.sign.value,
        "delay": "yes" if edge.delay else "",
        "flag": edge.flag and edge.flag.value,
        "note": edge.note,
    }
    return {
        "_id": f"conn-{number}",
        "from": ids[edge.source],
        "to": ids[edge.sink],
        "direction": "directed",
        "delayed": edge.delay,
        "attributes": {key: text for key, text in attributes.items() if text},
    }


def _take_elements(
    collector: EdgeCollector, elements: list[Any], spots: Mapping[str, tuple[float, float]]
) -> dict[str, str]:
    """Declare every element; return id and label → label, the names that connections may use."""
    by_id: dict[str, str] = {}
    labels: dict[str, str] = {}
    for number, element in enumerate(elements):
        if not isinstance(element, dict):
            collector.fault(None, f"elements[{number}]", str(element), 'an element is {"label": …}')
            continue
        texts = _texts(element)
        label = texts.get("label", "")
        calls = [_text(element[key]) for key in ("_id", "id") if key in element]
        by_id |= dict.fromkeys((call for call in calls if call), label)
        at = next((spots[call] for call in calls if call in spots), None) or _spot(element.get("position", element))
        collector.declare(label, None, f"elements[{number}].label", at)
        labels[label] = label
    return labels | by_id


def _links(
    collector: EdgeCollector, connections: list[Any], names: Mapping[str, str], has_ids: bool
) -> Iterator[EdgeRecordRow]:
    turned = []
    for number, connection in enumerate(connections):
        place = f"connections[{number}]"
        if not isinstance(connection, dict):
            collector.fault(None, place, str(connection), 'a connection is {"from": …, "to": …}')
            continue
        texts = _texts(connection)
        ends = {end: texts.get(end, "") for end in ("from", "to")}
        unknown = [end for end in ends if has_ids and ends[end] and ends[end] not in names]
        for end in unknown:
            collector.fault(None, f"{place}.{end}", ends[end], "there is no element with this id or label")
        if unknown:
            continue
        fields = {"direction": ""} | own_fields(texts)
        if kind := texts.get("connection type"):
            fields["type"] = kind
        fields |= {field: names.get(ends[end], ends[end]) for field, end in ENDS.items()}
        if texts.get("reversed") == "yes":
            turned.append(" -> ".join(quote_name(fields[end][:LONGEST_NAME]) for end in ("source", "sink")))
        yield EdgeRecordRow(fields, place=f"{place}.", shown=lambda field: ENDS.get(field, field))
    if turned:
        named = listed(list(dict.fromkeys(turned)), most=5)
        collector.notices.append(f"Marked reversed in Kumu and read from → to; check their direction: {named}.")


def own_fields(texts: Mapping[str, str]) -> dict[str, str]:
    """Return the texts of a connection's own fields, without its ends, by heading."""
    own: dict[str, str] = {}
    for heading in sorted(texts, key=preference):
        field = field_of(heading)
        if field in _MARKS and texts[heading]:
            own.setdefault(field, texts[heading])
    return own


def _texts(item: Mapping[str, Any]) -> dict[str, str]:
    """Return the fields of an element or a connection, with its attributes, by name in lower case."""
    attributes = item.get("attributes")
    pairs = [*attributes.items()] if isinstance(attributes, dict) else []
    fields: dict[str, str] = {}
    for key, value in [*item.items(), *pairs]:
        text = _text(value)
        if text:
            fields.setdefault(key.strip().casefold(), text)
    if fields.get("delayed") == "no":  # Kumu writes it on every connection; Edgewise's own attribute may differ
        del fields["delayed"]
    return fields


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value) if isinstance(value, str | int | float) else ""


def _spots(maps: list[Any]) -> tuple[dict[str, tuple[float, float]], str, list[str]]:
    """Return the places of elements by id in the first map with any; its name; and a notice of other maps."""
    placing = []
    for one in maps:
        items = one.get("elements", []) if isinstance(one, dict) else []
        entries = [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
        spots = {_text(item.get("element")): spot for item in entries if (spot := _spot(item.get("position")))}
        placing.append((spots, _text(one.get("name")) if isinstance(one, dict) else ""))
    filled = [entry for entry in placing if entry[0]]
    spots, name = (filled or placing or [({}, "")])[0]
    others = [title or "without a name" for _, title in filled[1:]]
    notices = [f"Places were taken from the map {name}; not from: {listed(others, most=5)}."] if others else []
    return spots, "" if name == _OUR_MAP else name, notices


def _spot(position: object) -> tuple[float, float] | None:
    if not isinstance(position, dict):
        return None
    x, y = position.get("x"), position.get("y")
    if isinstance(x, bool) or isinstance(y, bool) or not isinstance(x, int | float) or not isinstance(y, int | float):
        return None
    return float(x), float(y)


def _left_out(value: Mapping[str, Any], elements: list[Any], connections: list[Any]) -> Iterable[str]:
    loops = value.get("loops")
    if isinstance(loops, list) and loops:
        titles = [_texts(one).get("label", "without a name") if isinstance(one, dict) else str(one) for one in loops]
        yield f"Loops that Kumu names are computed again from the edges, not read: {listed(titles, most=5)}."
    yield from not_read("Keys", unread_parts(value, {"elements", "connections", "maps", "loops"}))
    for items, what in ((elements, "elements"), (connections, "connections")):
        keys = (key for item in items if isinstance(item, dict) for key in _texts(item) if not key.startswith("_"))
        yield from not_read(f"Fields of {what}", (key for key in keys if not _is_read(key, what)))


def _is_read(key: str, what: str) -> bool:
    if what == "elements":
        return key in _READ and key not in ("from", "to", "connection type", "reversed")
    return key != "label" and (key in _READ or field_of(key) in _MARKS)


def _list(value: object, key: str, file: str) -> list[Any]:
    entries: object = value.get(key, []) if isinstance(value, dict) else None
    if not isinstance(entries, list):
        expected = 'a Kumu file is {"elements": [{"label": …}], "connections": [{"from": …, "to": …}]}'
        raise BadRow(file, None, key, "", expected)
    return entries
