"""Review of verdicts by people: the selection of sheets, rulings, and the verdict after review."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from core.verdicts.labels import GRAPH_ONLY, LEGAL, NO_MATCH, PRESENCE, LabelBlock, Section, na_of
from core.verdicts.verdict import VerdictItem

Field = tuple[LabelBlock, str]


class DrawnBy(StrEnum):
    """Selection of a sheet's items. Only RANDOM measures a judge without bias, STRATIFIED does with its weights; the
    others are biased on purpose."""

    RANDOM = "random"
    STRATIFIED = "stratified"
    DISAGREEMENT = "disagreement"
    CHOSEN = "chosen"


class VerdictRuling(StrEnum):
    """A ruling; only OVERRIDE changes a label. TAKEN_BACK withdraws the earlier rulings on an item."""

    OVERRIDE = "override"
    CONCEDED = "conceded"
    BOTH = "both"
    FLAGGED = "flagged"
    TAKEN_BACK = "taken back"


class OverrideReason(StrEnum):
    """Reason why a judge's label is wrong; other reasons are written."""

    GRAPH = "overlooked in the graph"
    TEXT = "overlooked in the text"
    LENIENT = "too lenient"
    HARSH = "too harsh"
    DIRECTION = "direction"
    ABSTRACTION = "abstraction"
    RUBRIC = "rubric unclear"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class LabelChange:  # one label replaced by a person
    number: int
    block: LabelBlock
    field: str
    before: str
    after: str


def fields_of(section: Section) -> tuple[Field, ...]:
    """Return the fields of an item of this section, in the order of the form."""
    return tuple((block, field) for block in section.blocks for field in LEGAL[section, block])


def is_legal(section: Section, block: LabelBlock, field: str, label: str) -> bool:
    return label in LEGAL.get((section, block), {}).get(field, ())


def after_presence(section: Section, block: LabelBlock, label: str) -> dict[Field, str]:
    """Return the labels that follow from a label of presence: without a match nothing is left to compare. Importance
    stays open.

    >>> after_presence(Section.EDGE_RECALL, LabelBlock.ITEM, NO_MATCH)[LabelBlock.ITEM, "directionality_label"]
    'DIRECTION_MISSING'
    """
    if label != NO_MATCH:
        return {}
    fields = list(LEGAL[section, block])
    later = fields[fields.index(PRESENCE) + 1 :]
    return {(block, field): na_of(section, field) for field in later}


def warnings_of(section: Section, labels: Mapping[Field, str]) -> tuple[str, ...]:
    """Return contradictions in a person's own labels of an item, as sentences: warnings, since another label may be
    intended.

    >>> match = {(LabelBlock.ITEM, PRESENCE): "PRESENCE_WEAK_MATCH", (LabelBlock.ITEM, "semantic_label"): "SEMANTIC_NA"}
    >>> warnings_of(Section.NODE_RECALL, match)[0].partition(" or ")[0]
    '“SEMANTIC_NA” is legal only with PRESENCE_NO_MATCH'
    """
    warnings = []
    for (block, field), label in labels.items():
        presence = labels.get((block, PRESENCE))
        settled = after_presence(section, block, NO_MATCH).get((block, field))
        if settled is None or presence in (None, GRAPH_ONLY):  # the text then has nothing to compare
            continue
        if presence != NO_MATCH and label == settled:
            warnings.append(
                f"“{label}” is legal only with {NO_MATCH} or where nothing can be compared; "
                "choose again or change presence."
            )
        elif presence == NO_MATCH and label != settled:
            warnings.append(
                f"“{label}” is beside {NO_MATCH}, where “{settled}” is due; choose again or change presence."
            )
    return tuple(warnings)


def patched(section: Section, items: Sequence[Mapping[str, Any]], changes: Iterable[LabelChange]) -> list[Any]:
    """Return the items of a verdict as stored, with these labels in place. A missing block is created."""
    patched_items = copy.deepcopy(list(items))
    by_number: dict[int, Any] = {}
    for item in patched_items:
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
    return patched_items


def differing(section: Section, own: Mapping[Field, str], judge_item: VerdictItem) -> tuple[Field, ...]:
    """Return fields in which a person's label is not the judge's."""
    return tuple(place for place in fields_of(section) if own.get(place) != judge_item.labels.get(place))
