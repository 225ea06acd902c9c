"""What both of Kumu's forms mean by a connection: its direction, and its type as a sign."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from core.errors import UnknownSign
from core.graphs.lines.write import quote_name
from core.graphs.names import LONGEST_NAME
from core.sign import parse_edge_sign
from exchange.edge_rows import EdgeCollector, field_of, preference

_UNDIRECTED = "an undirected connection says nothing about cause; make it directed (from acts on to) or mutual"
_DIRECTIONS = "a direction is directed, mutual or undirected"


@dataclass(frozen=True, slots=True)
class KumuLink:
    """A connection with its texts as they stand in the file.

    `fields` are ours (source, sink, delay, flag, note, and sign where the file has a column for it beside the type);
    `kind` is the connection's type. `shown` says how a field is called in faults, `line` is its row.
    """

    fields: Mapping[str, str]
    direction: str = ""
    kind: str = ""
    line: int | None = None
    shown: Mapping[str, str] = field(default_factory=dict)


def take_links(collector: EdgeCollector, links: Sequence[KumuLink], listed: Iterable[str]) -> None:
    """Add connections as edges, mutual ones as two; what is no cause or no sign is a fault or a notice.

    `listed` are the labels of the elements. Kumu makes an element that a connection names and nobody listed; so do
    we, with a notice.

    The type of a connection is its sign. If not one type of the file is a sign, they mean something else: they are
    named and not kept. A file with both has faulty rows.
    """
    kinds = [link.kind for link in links if link.kind.strip() and not link.fields.get("sign", "").strip()]
    are_signs = any(_is_sign(kind) for kind in kinds)
    dropped = [link.kind for link in links if link.kind.strip() and link.fields.get("sign", "").strip()]
    dropped = [kind for kind in dropped if not _is_sign(kind)] + ([] if are_signs else kinds)
    if dropped:
        collector.notices.append(f"Types of connections that are not signs were not kept: {some(dropped)}.")
    known = {label.strip() for label in listed} | {""}
    ends = (end.strip() for link in links for end in (link.fields["source"], link.fields["sink"]))
    if made := [end for end in dict.fromkeys(ends) if end not in known]:
        collector.notices.append(f"Connections name elements that are not listed; they were added: {some(made)}.")
    for link in links:
        _take(collector, link, are_signs)
    _notice(collector, "no direction; each was read as from → to", [one for one in links if not one.direction.strip()])
    _notice(collector, "both directions; each was read as two edges", [one for one in links if _is_mutual(one)])


def own_fields(texts: Mapping[str, str]) -> dict[str, str]:
    """Of the texts of a row or an object, by their headings, those that stand for delay, flag, note and sign; the
    type is left to `KumuLink.kind`."""
    found: dict[str, str] = {}
    for heading in sorted(texts, key=preference):
        field = field_of(heading)
        if field in ("delay", "flag", "note", "sign") and heading.strip().casefold() != "type" and texts[heading]:
            found.setdefault(field, texts[heading])
    return found


def some(names: Iterable[str]) -> str:
    """The first five different ones, and how many there are more."""
    listed = list(dict.fromkeys(name.strip() for name in names))
    return ", ".join(listed[:5]) + (f" and {len(listed) - 5} more" if len(listed) > 5 else "")


def _take(collector: EdgeCollector, link: KumuLink, are_signs: bool) -> None:
    before = len(collector.faults)
    direction = link.direction.strip().casefold()
    if direction not in ("", "directed", "mutual"):
        expected = _UNDIRECTED if direction == "undirected" else _DIRECTIONS
        collector.fault(link.line, "direction", link.direction, expected)
    elif not link.fields.get("sink", "").strip():
        collector.fault(link.line, "sink", "", "a connection needs an element to lead to")
    else:
        fields = dict(link.fields)
        if not fields.get("sign", "").strip():
            fields["sign"] = link.kind if are_signs else ""
        collector.add_edge(fields, link.line)
        if _is_mutual(link) and len(collector.faults) == before:
            collector.add_edge(fields | {"source": fields["sink"], "sink": fields["source"]}, link.line)
    for number in range(before, len(collector.faults)):
        fault = collector.faults[number]
        collector.faults[number] = replace(fault, field=link.shown.get(fault.field, fault.field))


def _notice(collector: EdgeCollector, what: str, links: Sequence[KumuLink]) -> None:
    if links:
        ends = ((one.fields[end][:LONGEST_NAME] for end in ("source", "sink")) for one in links)
        named = some(" -> ".join(map(quote_name, pair)) for pair in ends)
        number = "1 connection says" if len(links) == 1 else f"{len(links)} connections say"
        collector.notices.append(f"{number} {what}: {named}.")


def _is_mutual(link: KumuLink) -> bool:
    return link.direction.strip().casefold() == "mutual"


def _is_sign(kind: str) -> bool:
    try:
        parse_edge_sign(kind)
    except UnknownSign:
        return False
    return True
