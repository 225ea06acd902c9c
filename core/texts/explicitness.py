"""How explicit the nodes of a ground truth are in a text: 1 named, 2 implied, 3 absent (ReCITE, appendix R)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from core.graphs.names import fold_name
from core.texts.mentions import mentioned


class Level(IntEnum):
    """How a text speaks of a node."""

    EXPLICIT = 1
    IMPLICIT = 2
    ABSENT = 3


@dataclass(frozen=True, slots=True)
class Explicitness:
    """`share`: labelled 1 or 2; `strict`: labelled 1, both of all nodes (None without nodes). Appendix K uses the two
    words the other way round; its formulas stand."""

    share: float | None
    strict: float | None
    counts: Mapping[Level, int]


class RepeatedKeys(dict[str, Any]):
    """A JSON object that remembers the keys it gave twice."""

    def __init__(self, pairs: Sequence[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        seen = set[str]()
        self.repeated = tuple(dict.fromkeys(key for key, _ in pairs if key in seen or seen.add(key)))  # type: ignore[func-returns-value]


def levels_document(text: str) -> Any:
    """A JSON document whose objects keep what a plain reader drops: that a key stands there twice.

    Raises json.JSONDecodeError, RecursionError.
    """
    return json.loads(text, object_pairs_hook=RepeatedKeys)


def read_levels(document: Any, names: Iterable[str]) -> tuple[Mapping[str, Level], tuple[str, ...]]:
    """The level of every node by `{"scores": {name: 1 | 2 | 3}}`, and what is wrong in sentences; every name must
    stand there as it is, once, with a level. A repeated key is a fault: which of two was meant is unknown."""
    wanted = tuple(dict.fromkeys(names))
    scores = document.get("scores") if isinstance(document, dict) else None
    if not isinstance(scores, dict):
        return {}, ('There are no scores; expected {"scores": {"name of a node": 1, 2 or 3}}.',)
    repeated = tuple(name for name in getattr(scores, "repeated", ()) if name in wanted)
    levels = {name: Level(scores[name]) for name in wanted if name in scores and _is_level(scores[name])}
    missing = [name for name in wanted if name not in scores]
    extra = [name for name in scores if name not in set(wanted)]
    outside = [name for name in wanted if name in scores and name not in levels]
    faults = []
    if missing:
        faults.append(f"{len(missing)} of {len(wanted)} nodes have no level: {_listed(missing)}.")
    faults += [f"“{name}” has two levels." for name in repeated]
    if extra:
        faults.append(f"{_listed(extra)}: no such node in the graph.")
    faults += [f"“{name}” has the level {_shown(scores[name])}; expected 1, 2 or 3." for name in outside]
    return levels, tuple(faults)


def explicitness(levels: Iterable[Level]) -> Explicitness:
    """The two shares of one text, or pooled over the nodes of several."""
    labelled = tuple(levels)
    counts = {level: labelled.count(level) for level in Level}
    if not labelled:
        return Explicitness(None, None, counts)
    strict = counts[Level.EXPLICIT] / len(labelled)
    return Explicitness((counts[Level.EXPLICIT] + counts[Level.IMPLICIT]) / len(labelled), strict, counts)


def trivial_levels(names: Iterable[str], text: str) -> Mapping[str, Level]:
    """The baseline labeller: 1 if the folded name stands in the text at word boundaries, else 3."""
    wanted = tuple(dict.fromkeys(names))
    found = {fold_name(name) for name in mentioned(text, wanted)}
    return {name: Level.EXPLICIT if fold_name(name) in found else Level.ABSENT for name in wanted}


def _is_level(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value in (1, 2, 3)


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(f"“{name}”" for name in names[:5])
    return f"{shown} and {len(names) - 5} more" if len(names) > 5 else shown


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else f"{text[:39]}…"
