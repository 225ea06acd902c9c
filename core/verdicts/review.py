"""What people do with verdicts: how their sheets are drawn, what they rule, and what a verdict is after review."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from core.verdicts.labels import GRAPH_ONLY, LEGAL, NO_MATCH, PRESENCE, Block, Section, na_of
from core.verdicts.verdict import VerdictItem

Field = tuple[Block, str]


class DrawnBy(StrEnum):
    """How the items of a sheet were chosen. Only RANDOM says how good a judge is: STRATIFIED does with its weights, the
    others are biased on purpose."""

    RANDOM = "random"
    STRATIFIED = "stratified"
    DISAGREEMENT = "disagreement"
    CHOSEN = "chosen"


class Ruling(StrEnum):
    """OVERRIDE changes one label; the others change none. TAKEN_BACK ends what was ruled about an item before."""

    OVERRIDE = "override"
    CONCEDED = "conceded"
    BOTH = "both"
    FLAGGED = "flagged"
    TAKEN_BACK = "taken back"


class OverrideReason(StrEnum):
    """Why a judge's label is wrong; other reasons are written."""

    GRAPH = "overlooked in the graph"
    TEXT = "overlooked in the text"
    LENIENT = "too lenient"
    HARSH = "too harsh"
    DIRECTION = "direction"
    ABSTRACTION = "abstraction"
    RUBRIC = "rubric unclear"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class LabelChange:
    """One label that a person put in the place of another."""

    number: int
    block: Block
    field: str
    before: str
    after: str


def fields_of(section: Section) -> tuple[Field, ...]:
    """The fields of an item of this section, in the order in which they are asked for."""
    return tuple((block, field) for block in section.blocks for field in LEGAL[section, block])


def is_legal(section: Section, block: Block, field: str, label: str) -> bool:
    return label in LEGAL.get((section, block), {}).get(field, ())


def after_presence(section: Section, block: Block, label: str) -> dict[Field, str]:
    """What a label of presence settles: without a match nothing is left to compare. Importance stays to be said.

    >>> after_presence(Section.EDGE_RECALL, Block.ITEM, NO_MATCH)[Block.ITEM, "directionality_label"]
    'DIRECTION_MISSING'
    """
    if label != NO_MATCH:
        return {}
    fields = list(LEGAL[section, block])
    later = fields[fields.index(PRESENCE) + 1 :]
    return {(block, field): na_of(section, field) for field in later}


def warnings_of(section: Section, labels: Mapping[Field, str]) -> tuple[str, ...]:
    """What is odd about a person's own labels of an item, in sentences: a warning, since another label may be meant.

    >>> match = {(Block.ITEM, PRESENCE): "PRESENCE_WEAK_MATCH", (Block.ITEM, "semantic_label"): "SEMANTIC_NA"}
    >>> warnings_of(Section.NODE_RECALL, match)[0].partition(" or ")[0]
    '“SEMANTIC_NA” is legal only with PRESENCE_NO_MATCH'
    """
    found = []
    for (block, field), label in labels.items():
        presence = labels.get((block, PRESENCE))
        settled = after_presence(section, block, NO_MATCH).get((block, field))
        if settled is None or presence in (None, GRAPH_ONLY):  # the text then has nothing to compare
            continue
        if presence != NO_MATCH and label == settled:
            found.append(
                f"“{label}” is legal only with {NO_MATCH} or where nothing can be compared; "
                "choose again or change presence."
            )
        elif presence == NO_MATCH and label != settled:
            found.append(f"“{label}” is beside {NO_MATCH}, where “{settled}” is due; choose again or change presence.")
    return tuple(found)


def patched(section: Section, items: Sequence[Mapping[str, Any]], changes: Iterable[LabelChange]) -> list[Any]:
    """The items of a verdict as it keeps them, with these labels in their places. A block that is missing is made."""
    found = copy.deepcopy(list(items))
    by_number: dict[int, Any] = {}
    for item in found:
        by_number.setdefault(item[section.number_key], item)
    for change in changes:
        item = by_number[change.number]
        holder = item
        if change.block.key:
            holder = item.get(change.block.key)
            if not isinstance(holder, dict):
                holder = item[change.block.key] = {}
        if change.after:
            holder[change.field] = change.after
        else:
            holder.pop(change.field, None)
    return found


def differing(section: Section, own: Mapping[Field, str], theirs: VerdictItem) -> tuple[Field, ...]:
    """Fields in which a person's label is not the judge's."""
    return tuple(place for place in fields_of(section) if own.get(place) != theirs.labels.get(place))
