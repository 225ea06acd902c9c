"""Content of a ground truth release, its hashes, and the differences of two releases. Pure.

The content of one figure is plain JSON: `figure`, `paper`, `nodes`, `edges`, `provenance`, `text` and `levels` (null
where they may not be released), `left_out` with the reasons, and `flags` where people flagged a sample of the figure
as bad: their reasons. Nodes are sorted by name and edges by source, sink,
sign and delay, so that the order of drawing changes nothing."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from core.graphs.record import GraphRecord

FORMAT, VERSION = "edgewise ground truth", 2

Content = Mapping[str, Any]  # of one figure, frozen


class TruthOrigin(StrEnum):
    """Origin of a figure's ground truth."""

    ADJUDICATED = "adjudicated"  # from two transcriptions
    SINGLE = "single"  # one person's transcription as it is
    IMPORTED = "imported"  # a graph imported as ground truth


class SingleTruths(StrEnum):
    """Rule by which a figure's only transcription is ground truth, a setting of the study."""

    NEVER = "never"
    REVIEWED = "reviewed"  # accepted by a reviewer
    SUBMITTED = "submitted"  # reviewed or not


# How a release names origins in the provenance of a figure; releases of earlier versions have the first only.
MADE_BY = {
    TruthOrigin.ADJUDICATED: "adjudication",
    TruthOrigin.SINGLE: "one transcription",
    TruthOrigin.IMPORTED: "import",
}


def origin_of(content: Content) -> TruthOrigin:
    """Return the origin of a frozen figure's ground truth."""
    made_by = content["provenance"]["made_by"]
    return next((origin for origin, words in MADE_BY.items() if words == made_by), TruthOrigin.IMPORTED)


def count_origins(contents: Iterable[Content]) -> dict[TruthOrigin, int]:
    """Return origin → number of figures, in the order of `TruthOrigin`, without origins that no figure has."""
    origins = [origin_of(content) for content in contents]
    return {origin: origins.count(origin) for origin in TruthOrigin if origin in origins}


def canonical(value: object) -> bytes:
    """Return JSON with sorted keys and without spaces, in UTF-8: equal values give equal bytes. Raises ValueError for
    NaN and infinity.

    >>> canonical({"b": 1, "a": "é"})
    b'{"a":"\\xc3\\xa9","b":1}'
    """
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return text.encode("utf-8", "surrogatepass")


def hash_of(value: object) -> str:
    return hashlib.sha256(canonical(value)).hexdigest()


def release_hash(hashes: Mapping[str, str]) -> str:
    """Return the hash of a whole release: SHA-256 (hex) of the lines "figure hash", sorted.

    >>> release_hash({"b": "2", "a": "1"}) == release_hash({"a": "1", "b": "2"})
    True
    """
    lines = "".join(f"{figure} {sha256}\n" for figure, sha256 in sorted(hashes.items()))
    return hashlib.sha256(lines.encode("utf-8")).hexdigest()


def frozen_graph(record: GraphRecord) -> dict[str, Any]:
    """Return the nodes and edges of a graph as released. Notes are left out, since they may name people; an edge's flag
    is released."""
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
    """A figure and the title of its paper at the time."""

    figure_id: str
    title: str
    label: str


@dataclass(frozen=True, slots=True)
class EdgeChange:
    """An edge of both releases whose sign or delay differs, with its marks in words."""

    source: str
    sink: str
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureDiff:
    name: FigureName
    nodes_added: tuple[str, ...]
    nodes_removed: tuple[str, ...]
    edges_added: tuple[tuple[str, str], ...]  # (source, sink)
    edges_removed: tuple[tuple[str, str], ...]
    re_signed: tuple[EdgeChange, ...]  # sign or delay changed
    # other parts that differ: "paper", "figure", "provenance", "text", "levels", "flags", "origins and flags"
    besides: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReleaseDiff:
    """Differences of two releases, in the order of titles."""

    added: tuple[FigureName, ...]
    removed: tuple[FigureName, ...]
    changed: tuple[FigureDiff, ...]

    @property
    def is_empty(self) -> bool:
        return not (self.added or self.removed or self.changed)

    @property
    def edge_counts(self) -> tuple[int, int, int]:
        """(added, removed, re-signed) edges of the figures in both."""
        parts = [(len(each.edges_added), len(each.edges_removed), len(each.re_signed)) for each in self.changed]
        added, removed, signed = (sum(part) for part in zip(*parts, strict=True)) if parts else (0, 0, 0)
        return added, removed, signed

    def as_json(self) -> dict[str, Any]:
        plain: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        return plain


def compare_releases(before: Mapping[str, Content], after: Mapping[str, Content]) -> ReleaseDiff:
    """Return the differences from `before` to `after`, both figure id → content."""
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
    return canonical({key: part for key, part in content.items() if key not in ("version", "left_out")})


def name_of(content: Content) -> FigureName:
    """Return a figure's id, its paper's title and its label (its place, if it has no label)."""
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
        besides=_other_changes(before, after),
    )


def _marks(content: Content) -> dict[tuple[str, str], str]:
    """Return (source, sink) → its signs and delays in words, sorted: parallel edges may differ in nothing else."""
    marks: dict[tuple[str, str], list[str]] = defaultdict(list)
    for edge in content["edges"]:
        words = (edge["sign"] or "no sign") + (" with delay" if edge["delay"] else "")
        marks[edge["source"], edge["sink"]].append(words)
    return {pair: " and ".join(sorted(words)) for pair, words in marks.items()}


_MARKS = {"sign", "delay", "source", "sink", "name"}


def _other_changes(before: Content, after: Content) -> tuple[str, ...]:
    parts = [
        part
        for part in ("paper", "figure", "provenance", "text", "levels", "flags")
        if before.get(part) != after.get(part)
    ]
    elements = [
        [
            {key: value for key, value in each.items() if key not in _MARKS}
            | {"at": each.get("name", (each.get("source"), each.get("sink")))}
            for each in content[kind]
        ]
        for content in (before, after)
        for kind in ("nodes", "edges")
    ]
    if _shared_differ(elements[0], elements[2]) or _shared_differ(elements[1], elements[3]):
        parts.append("origins and flags")
    return tuple(parts)


def _shared_differ(before: list[dict[str, Any]], after: list[dict[str, Any]]) -> bool:
    old, new = ({each["at"]: each for each in elements} for elements in (before, after))
    return any(old[at] != new[at] for at in old.keys() & new.keys())


# --- integrity --------------------------------------------------------------------------------------------------


def faults_of(manifest: Mapping[str, Any], sha256: str, contents: Mapping[str, Content]) -> tuple[str, ...]:
    """Return a sentence for each place where a release does not match its hashes; () if it is unchanged. `contents`:
    figure id → content, as they are now. `sha256`: the release's own, stored outside its manifest."""
    listed = {str(item.get("figure")): str(item.get("sha256")) for item in manifest.get("items", [])}
    actual = {figure: hash_of(content) for figure, content in contents.items()}
    faults = [
        f"Figure {figure}: its content has the hash {actual[figure][:12]}…, the manifest says {listed[figure][:12]}…."
        for figure in sorted(listed.keys() & actual.keys())
        if listed[figure] != actual[figure]
    ]
    faults += [f"Figure {each} is in the manifest but has no content." for each in sorted(listed.keys() - actual)]
    faults += [f"Figure {each} has content and is not in the manifest." for each in sorted(actual.keys() - listed)]
    if manifest.get("content_sha256") != release_hash(listed):
        faults.append("The manifest's list of hashes does not give its own overall hash.")
    if hash_of(manifest) != sha256:
        faults.append("The manifest itself was changed: its hash is not the one kept beside it.")
    return tuple(faults)
