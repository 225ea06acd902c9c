"""What a release of ground truth holds, how it is hashed, and how two of them differ. Pure.

The content of one figure is plain JSON: `figure`, `paper`, `nodes`, `edges`, `provenance`, `text` and `levels`, each of
the two null where there is none to hand on, and `left_out` with the reasons. Nodes are sorted by name and edges by
source, sink, sign and delay, so that drawing the same graph in another order changes nothing.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from core.graphs.record import GraphRecord

FORMAT, VERSION = "edgewise ground truth", 2

Content = Mapping[str, Any]
"""One figure's frozen content."""


def canonical(value: object) -> bytes:
    """JSON with sorted keys and without spaces, in UTF-8: the same value always gives the same bytes.

    Raises ValueError for NaN and infinity.

    >>> canonical({"b": 1, "a": "é"})
    b'{"a":"\\xc3\\xa9","b":1}'
    """
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return text.encode("utf-8", "surrogatepass")


def hash_of(value: object) -> str:
    """SHA-256 (hex) of the canonical JSON."""
    return hashlib.sha256(canonical(value)).hexdigest()


def release_hash(hashes: Mapping[str, str]) -> str:
    """One hash for a whole release: SHA-256 (hex) of the lines "figure hash", sorted.

    >>> release_hash({"b": "2", "a": "1"}) == release_hash({"a": "1", "b": "2"})
    True
    """
    lines = "".join(f"{figure} {sha256}\n" for figure, sha256 in sorted(hashes.items()))
    return hashlib.sha256(lines.encode("utf-8")).hexdigest()


def frozen_graph(record: GraphRecord) -> dict[str, Any]:
    """The nodes and edges of a graph as a release keeps them.

    Notes stay behind: they are words of people at work, and may name people. An edge's flag goes along.
    """
    name = {key: node.name for key, node in record.nodes.items()}
    nodes = sorted(({"name": node.name, "origin": node.origin} for node in record.nodes.values()), key=canonical)
    edges = [
        {
            "source": name[edge.source_id],
            "sink": name[edge.sink_id],
            "sign": edge.sign.value if edge.sign else None,
            "delay": edge.delay,
            "flag": edge.flag.value if edge.flag else None,
            "origin": edge.origin,
        }
        for edge in record.edges.values()
    ]
    return {"nodes": nodes, "edges": sorted(edges, key=lambda e: (e["source"], e["sink"], canonical(e)))}


# --- two releases -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FigureName:
    """A figure and what its paper was called then."""

    figure_id: str
    title: str
    label: str


@dataclass(frozen=True, slots=True)
class EdgeChange:
    """An arrow in both whose sign or delay differs: the words for it before and after."""

    source: str
    sink: str
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureDiff:
    """What became of one figure that both releases hold.

    `edges_added` and `edges_removed`: (source, sink). `re_signed`: sign or delay changed. `besides`: which other parts
    differ ("paper", "figure", "provenance", "text", "levels", "origins and flags").
    """

    name: FigureName
    nodes_added: tuple[str, ...]
    nodes_removed: tuple[str, ...]
    edges_added: tuple[tuple[str, str], ...]
    edges_removed: tuple[tuple[str, str], ...]
    re_signed: tuple[EdgeChange, ...]
    besides: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReleaseDiff:
    """What the later of two releases has more, fewer and otherwise; in the order of titles."""

    added: tuple[FigureName, ...]
    removed: tuple[FigureName, ...]
    changed: tuple[FigureDiff, ...]

    @property
    def is_empty(self) -> bool:
        return not (self.added or self.removed or self.changed)

    @property
    def edge_counts(self) -> tuple[int, int, int]:
        """(added, removed, re-signed) edges of the figures that both hold."""
        parts = [(len(each.edges_added), len(each.edges_removed), len(each.re_signed)) for each in self.changed]
        added, removed, signed = (sum(part) for part in zip(*parts, strict=True)) if parts else (0, 0, 0)
        return added, removed, signed

    def as_json(self) -> dict[str, Any]:
        """Plain JSON, for manifests and the command line."""
        plain: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        return plain


def compare_releases(before: Mapping[str, Content], after: Mapping[str, Content]) -> ReleaseDiff:
    """What leads from `before` to `after`: figure id → content."""
    return ReleaseDiff(
        added=_names(after[figure] for figure in after.keys() - before.keys()),
        removed=_names(before[figure] for figure in before.keys() - after.keys()),
        changed=tuple(
            sorted(
                (
                    _figure_diff(before[figure], after[figure])
                    for figure in before.keys() & after.keys()
                    if _compared(before[figure]) != _compared(after[figure])
                ),
                key=lambda each: _order(each.name),
            )
        ),
    )


def _compared(content: Content) -> bytes:
    """The parts of a content whose difference counts as a change."""
    return canonical({key: part for key, part in content.items() if key not in ("version", "left_out")})


def name_of(content: Content) -> FigureName:
    """A figure's id, its paper's title and its label (its place, if it has no label)."""
    figure = content["figure"]
    return FigureName(figure["id"], content["paper"]["title"], figure["label"] or figure["place"])


def _names(contents: Iterable[Content]) -> tuple[FigureName, ...]:
    return tuple(sorted((name_of(content) for content in contents), key=_order))


def _order(name: FigureName) -> tuple[str, str, str]:
    return (name.title.casefold(), name.label, name.figure_id)


def _figure_diff(before: Content, after: Content) -> FigureDiff:
    old_nodes, new_nodes = ({node["name"] for node in content["nodes"]} for content in (before, after))
    old, new = _marks(before), _marks(after)
    both = sorted(old.keys() & new.keys())
    return FigureDiff(
        name=name_of(after),
        nodes_added=tuple(sorted(new_nodes - old_nodes)),
        nodes_removed=tuple(sorted(old_nodes - new_nodes)),
        edges_added=tuple(sorted(new.keys() - old.keys())),
        edges_removed=tuple(sorted(old.keys() - new.keys())),
        re_signed=tuple(EdgeChange(*pair, old[pair], new[pair]) for pair in both if old[pair] != new[pair]),
        besides=_besides(before, after),
    )


def _marks(content: Content) -> dict[tuple[str, str], str]:
    """(source, sink) → its signs and delays in words; two arrows may differ in nothing else."""
    marks: dict[tuple[str, str], list[str]] = defaultdict(list)
    for edge in content["edges"]:
        words = (edge["sign"] or "no sign") + (" with delay" if edge["delay"] else "")
        marks[edge["source"], edge["sink"]].append(words)
    return {pair: " and ".join(sorted(words)) for pair, words in marks.items()}


_MARKS = {"sign", "delay", "source", "sink", "name"}


def _besides(before: Content, after: Content) -> tuple[str, ...]:
    parts = [part for part in ("paper", "figure", "provenance") if before[part] != after[part]]
    parts += [part for part in ("text", "levels") if before[part] != after[part]]
    kept = [
        [{key: value for key, value in each.items() if key not in _MARKS} | {"at": _at(each)} for each in content[kind]]
        for content in (before, after)
        for kind in ("nodes", "edges")
    ]
    if _differ_where_both_stand(kept[0], kept[2]) or _differ_where_both_stand(kept[1], kept[3]):
        parts.append("origins and flags")
    return tuple(parts)


def _at(element: Mapping[str, Any]) -> str:
    return str(element["name"]) if "name" in element else f"{element['source']}\x1f{element['sink']}"


def _differ_where_both_stand(before: list[dict[str, Any]], after: list[dict[str, Any]]) -> bool:
    old, new = ({each["at"]: each for each in elements} for elements in (before, after))
    return any(old[at] != new[at] for at in old.keys() & new.keys())


# --- is it what was frozen? -------------------------------------------------------------------------------------


def faults_of(manifest: Mapping[str, Any], sha256: str, contents: Mapping[str, Content]) -> tuple[str, ...]:
    """Sentences about every place where a release is not what its hashes say; () if it is untouched.

    contents: figure id → content, as they are now. `sha256`: the release's own, kept outside its manifest.
    """
    said = {str(item.get("figure")): str(item.get("sha256")) for item in manifest.get("items", [])}
    found = {figure: hash_of(content) for figure, content in contents.items()}
    faults = [
        f"Figure {figure}: its content has the hash {found[figure][:12]}…, the manifest says {said[figure][:12]}…."
        for figure in sorted(said.keys() & found.keys())
        if said[figure] != found[figure]
    ]
    faults += [f"Figure {each} is in the manifest but has no content." for each in sorted(said.keys() - found)]
    faults += [f"Figure {each} has content and is not in the manifest." for each in sorted(found.keys() - said)]
    if manifest.get("content_sha256") != release_hash(said):
        faults.append("The manifest's list of hashes does not give its own overall hash.")
    if hash_of(manifest) != sha256:
        faults.append("The manifest itself was changed: its hash is not the one kept beside it.")
    return tuple(faults)
