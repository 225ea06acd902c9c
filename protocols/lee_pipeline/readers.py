"""How an extraction is read: relations of an abstract, each with its direction and method; and every fault told."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from core.labels import DIRECTION, LabelSet
from core.runs.states import ItemStatus
from protocols.replies.objects import read_object
from protocols.replies.places import PlaceFault, in_words
from protocols.replies.shapes import Key, LabelShape, ListShape, ObjectShape, TextShape
from protocols.turns import Answered

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
    """What a reply says. `value` (JSON) only of an answered one, without `faults`; these are sentences without their
    stops."""

    status: ItemStatus
    value: Any = None
    faults: tuple[str, ...] = ()
    stage: str = ""
    repaired: str | None = None
    is_object: bool = False


def read_extraction(reply: Answered) -> ReadExtraction:
    """An empty list says that the abstract claims nothing.

    `value`: {"relations": [{"X", "d", "Y", "method"}]}, an equal relation once; `method` is "none" where none is said.
    """
    found = read_object(reply.text, shape=RELATIONS, finish_reason=reply.finish_reason, refusal=reply.refusal)
    faults = tuple(found.faults)
    if found.status is ItemStatus.ANSWERED:
        faults = tuple(
            PlaceFault((number, name), in_words(each[name]), "a phrase with a letter or a digit")
            for number, each in enumerate(found.value)
            for name in ("X", "Y")
            if not any(character.isalnum() for character in each[name])
        )
    if faults or found.status is not ItemStatus.ANSWERED:
        more = len(faults) - MOST_LISTED
        return ReadExtraction(
            status=ItemStatus.UNPARSABLE if found.status is ItemStatus.ANSWERED else found.status,
            faults=(*map(str, faults[:MOST_LISTED]), *([f"{more:,} more faults"] if more > 0 else [])),
            stage=found.stage,
            repaired=found.repaired,
            is_object=isinstance(found.value, dict | list),
        )
    rows: dict[tuple[str, str, str], dict[str, str]] = {}
    for each in found.value:
        treatment, outcome = (" ".join(each[name].split()) for name in ("X", "Y"))
        key = treatment, each["d"], outcome
        rows.setdefault(key, {"X": treatment, "d": each["d"], "Y": outcome, "method": each.get("method") or NO_METHOD})
    return ReadExtraction(
        status=ItemStatus.ANSWERED,
        value={"relations": list(rows.values())},
        stage=found.stage,
        repaired=found.repaired,
        is_object=True,
    )
