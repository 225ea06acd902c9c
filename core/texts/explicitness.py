"""Explicitness of a ground truth's nodes in a text: 1 named, 2 implied, 3 absent (ReCITE, appendix R)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from core.graphs.names import fold_name
from core.texts.mentions import mentioned


class ExplicitnessLevel(IntEnum):
    EXPLICIT = 1
    IMPLICIT = 2
    ABSENT = 3


@dataclass(frozen=True, slots=True)
class Explicitness:
    """Shares of nodes labelled 1 or 2 (`share`) and labelled 1 (`strict`); None without nodes. Appendix K swaps the two
    words; its formulas are the same."""

    share: float | None
    strict: float | None
    counts: Mapping[ExplicitnessLevel, int]


class RepeatedKeys(dict[str, Any]):
    """A JSON object that remembers duplicate keys."""

    def __init__(self, pairs: Sequence[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        seen = set[str]()
        self.repeated = tuple(dict.fromkeys(key for key, _ in pairs if key in seen or seen.add(key)))  # type: ignore[func-returns-value]


def levels_document(text: str) -> Any:
    """Parse a JSON document whose objects remember duplicate keys, which a plain reader drops. Raises
    json.JSONDecodeError, RecursionError."""
    return json.loads(text, object_pairs_hook=RepeatedKeys)


def read_levels(document: Any, names: Iterable[str]) -> tuple[Mapping[str, ExplicitnessLevel], tuple[str, ...]]:
    """Return the level of every node from `{"scores": {name: 1 | 2 | 3}}`, and the faults as sentences. Every name must
    be there exactly, once, with a level. A repeated key is a fault, since the intended level is unknown."""
    node_names = tuple(dict.fromkeys(names))
    scores = document.get("scores") if isinstance(document, dict) else None
    if not isinstance(scores, dict):
        return {}, ('There are no scores; expected {"scores": {"name of a node": 1, 2 or 3}}.',)
    repeated = tuple(name for name in getattr(scores, "repeated", ()) if name in node_names)
    levels = {
        name: ExplicitnessLevel(score)
        for name in node_names
        if isinstance(score := scores.get(name), int) and not isinstance(score, bool) and score in (1, 2, 3)
    }
    missing = [name for name in node_names if name not in scores]
    extra = [name for name in scores if name not in set(node_names)]
    outside = [name for name in node_names if name in scores and name not in levels]
    faults = []
    if missing:
        faults.append(f"{len(missing)} of {len(node_names)} nodes have no level: {_listed(missing)}.")
    faults += [f"“{name}” has two levels." for name in repeated]
    if extra:
        faults.append(f"{_listed(extra)}: no such node in the graph.")
    faults += [f"“{name}” has the level {_shown(scores[name])}; expected 1, 2 or 3." for name in outside]
    return levels, tuple(faults)


def explicitness(levels: Iterable[ExplicitnessLevel]) -> Explicitness:
    """Return the two shares of one text, or pooled over the nodes of several."""
    labelled = tuple(levels)
    counts = {level: labelled.count(level) for level in ExplicitnessLevel}
    if not labelled:
        return Explicitness(None, None, counts)
    strict = counts[ExplicitnessLevel.EXPLICIT] / len(labelled)
    return Explicitness(
        (counts[ExplicitnessLevel.EXPLICIT] + counts[ExplicitnessLevel.IMPLICIT]) / len(labelled), strict, counts
    )


def trivial_levels(names: Iterable[str], text: str) -> Mapping[str, ExplicitnessLevel]:
    """Return the baseline's levels: 1 if the folded name is in the text at word boundaries, else 3."""
    node_names = tuple(dict.fromkeys(names))
    mentioned_names = {fold_name(name) for name in mentioned(text, node_names)}
    return {
        name: ExplicitnessLevel.EXPLICIT if fold_name(name) in mentioned_names else ExplicitnessLevel.ABSENT
        for name in node_names
    }


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(f"“{name}”" for name in names[:5])
    return f"{shown} and {len(names) - 5} more" if len(names) > 5 else shown


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else f"{text[:39]}…"
