"""Verdicts drawn by a seed, as the values that YAML gives: coherent, incoherent, and with every fault."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any

from core.verdicts.labels import (
    ABSTRACTION,
    DIRECTION,
    IMPORTANCE,
    INFERENCE,
    LEGAL,
    NO_MATCH,
    PRESENCE,
    SEMANTIC,
    LabelBlock,
    Section,
    na_of,
)

ALL_LABELS = sorted({label for fields in LEGAL.values() for legal in fields.values() for label in legal})
HOSTILE: tuple[Any, ...] = (None, "", 3, True, [], {}, "presence_strong_match", "STRONG_MATCH", ["PRESENCE_NO_MATCH"])
BEST = {
    PRESENCE: "PRESENCE_STRONG_MATCH",
    ABSTRACTION: "ABSTRACTION_ALIGNED",
    DIRECTION: "DIRECTION_CORRECT",
    INFERENCE: "INFERENCE_DIRECT",
}


def perfect(nodes: int, edges: int) -> dict[str, Any]:
    """The verdict of a graph that is the truth."""

    def best(section: Section, block: LabelBlock, field: str) -> str:
        if field == SEMANTIC:
            return "SEMANTIC_COMPLETE" if section is Section.NODE_RECALL else "SEMANTIC_STRONG"
        if field == IMPORTANCE:
            return LEGAL[section, block][field][0]
        is_text = section is Section.EDGE_PRECISION and block is LabelBlock.TEXT
        return "PRESENCE_GRAPH_ONLY" if field == PRESENCE and is_text else BEST[field]

    return {
        section.key: [
            _item(section, number, partial(best, section))
            for number in range(1, (nodes if "node" in section.value else edges) + 1)
        ]
        for section in Section
    }


def drawn(draw: random.Random, *, is_coherent: bool = False, most: int = 6) -> dict[str, Any]:
    """A whole verdict with legal labels. `is_coherent`: nothing but NA stands beside no match."""

    def item(section: Section, number: int) -> dict[str, Any]:
        made = _item(section, number, lambda block, field: draw.choice(LEGAL[section, block][field]))
        for block in section.blocks if is_coherent else ():
            holder = made[block.key] if block.key else made
            if holder[PRESENCE] == NO_MATCH:
                others = [field for field in LEGAL[section, block] if field not in (PRESENCE, IMPORTANCE)]
                holder.update({field: na_of(section, field) for field in others})
        return made

    return {section.key: [item(section, n) for n in range(1, draw.randint(1, most) + 1)] for section in Section}


def _item(section: Section, number: int, label_of: Callable[[LabelBlock, str], str]) -> dict[str, Any]:
    item: dict[str, Any] = {section.number_key: number}
    for block in section.blocks:
        labels = {field: label_of(block, field) for field in LEGAL[section, block]}
        item.update({block.key: labels} if block.key else labels)
    return item


def spoilt(draw: random.Random) -> dict[str, Any]:
    """A verdict with faults of every kind: labels of other places, missing and null blocks, items that are none,
    sections that are absent, null or empty, and keys of the other kind of item."""
    said = drawn(draw)
    for section in Section:
        items = said[section.key]
        fate = draw.random()
        if fate < 0.08:
            del said[section.key]
            continue
        if fate < 0.16:
            said[section.key] = draw.choice([None, [], {}, "none", {"items": []}])
            continue
        for item in items:
            _spoil(draw, section, item)
        if draw.random() < 0.15:
            items.append(draw.choice([None, "an item", 4, []]))
        if draw.random() < 0.2:
            items.append(dict(items[0]) if isinstance(items[0], dict) else items[0])
        if draw.random() < 0.1:
            items.pop(0)
        draw.shuffle(items)
    return said


def _spoil(draw: random.Random, section: Section, item: dict[str, Any]) -> None:
    for block in section.blocks:
        fate = draw.random()
        if block.key and fate < 0.12:
            if fate < 0.04:
                del item[block.key]
            else:
                item[block.key] = None if fate < 0.08 else {}
            continue
        holder = item[block.key] if block.key else item
        for field in LEGAL[section, block]:
            fate = draw.random()
            if fate < 0.06:
                holder[field] = draw.choice(ALL_LABELS)
            elif fate < 0.1:
                holder[field] = draw.choice(HOSTILE)
            elif fate < 0.14:
                del holder[field]
        if draw.random() < 0.08:
            holder[draw.choice([SEMANTIC, DIRECTION, INFERENCE])] = draw.choice(ALL_LABELS)
    if draw.random() < 0.06:
        item[section.number_key] = draw.choice([0, -1, 999, "2", "two", None, 1.5])
