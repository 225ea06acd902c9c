"""Reading of extractions: relations of an abstract with direction and method, and faults."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from core.labels import DIRECTION, LabelSet
from core.runs.states import ItemStatus
from protocols.exchanges import Answered
from protocols.replies.objects import read_object
from protocols.replies.places import PlaceFault, in_words
from protocols.replies.shapes import Key, LabelShape, ListShape, ObjectShape, TextShape

_METHODS = ("RCT", "IV", "DiD", "RDD", "panel", "other", "none")
METHODS = LabelSet("method", _METHODS, MappingProxyType({method.lower(): method for method in _METHODS}))
NO_METHOD = "none"
LONGEST_PHRASE, MOST_RELATIONS, MOST_LISTED = 400, 100, 20
_PHRASE = TextShape(LONGEST_PHRASE, fewest=1)
RELATIONS = ListShape(
    ObjectShape(
        (
            Key("X", _PHRASE),
            Key("d", LabelShape(DIRECTION)),
            Key("Y", _PHRASE),
            Key("method", LabelShape(METHODS), is_required=False),
        )
    ),
    most=MOST_RELATIONS,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadExtraction:
    """Result of reading a reply."""

    status: ItemStatus
    value: Any = None  # JSON; only if answered
    faults: tuple[str, ...] = ()  # sentences without a full stop; only if not answered
    stage: str = ""
    repaired: str | None = None
    is_object: bool = False


def read_extraction(reply: Answered) -> ReadExtraction:
    """Read {"relations": [{"X", "d", "Y", "method"}]}, without repeats; a missing `method` is "none". An empty list
    means that the abstract claims nothing."""
    parsed = read_object(reply.text, shape=RELATIONS, finish_reason=reply.finish_reason, refusal=reply.refusal)
    faults = tuple(parsed.faults)
    if parsed.status is ItemStatus.ANSWERED:
        faults = tuple(
            PlaceFault((number, name), in_words(each[name]), "a phrase with a letter or a digit")
            for number, each in enumerate(parsed.value)
            for name in ("X", "Y")
            if not any(character.isalnum() for character in each[name])
        )
    if faults or parsed.status is not ItemStatus.ANSWERED:
        more = len(faults) - MOST_LISTED
        return ReadExtraction(
            status=ItemStatus.UNPARSABLE if parsed.status is ItemStatus.ANSWERED else parsed.status,
            faults=(*map(str, faults[:MOST_LISTED]), *([f"{more:,} more faults"] if more > 0 else [])),
            stage=parsed.stage,
            repaired=parsed.repaired,
            is_object=isinstance(parsed.value, dict | list),
        )
    rows: dict[tuple[str, str, str], dict[str, str]] = {}
    for row in parsed.value:
        treatment, outcome = (" ".join(row[name].split()) for name in ("X", "Y"))
        key = treatment, row["d"], outcome
        rows.setdefault(key, {"X": treatment, "d": row["d"], "Y": outcome, "method": row.get("method") or NO_METHOD})
    return ReadExtraction(
        status=ItemStatus.ANSWERED,
        value={"relations": list(rows.values())},
        stage=parsed.stage,
        repaired=parsed.repaired,
        is_object=True,
    )
