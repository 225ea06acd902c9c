"""The tally of a section: sums and counts of its labels, about 400 bytes, of which every score is a function.

So tables and pages read tallies and never verdicts. What the published program would have stopped at is told with its
sums.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.verdicts.labels import (
    ABSTRACTION,
    DIRECTION,
    EXPLICIT,
    GRAPH_ONLY,
    IMPLIED,
    IMPORTANCE,
    INFERENCE,
    LEGAL,
    MATCHES,
    MISSING,
    NO_MATCH,
    PRESENCE,
    REVERSED,
    SEMANTIC,
    Block,
    Section,
    number_of,
)
from core.verdicts.verdict import SectionVerdict, VerdictItem, inconsistencies_of
from core.words import counted

_FAILS = "the released code fails on"
CORRECT = "DIRECTION_CORRECT"
SUPPORTED = frozenset({EXPLICIT, IMPLIED, GRAPH_ONLY})


@dataclass(frozen=True, slots=True)
class WeighedSum:
    """Σ score × weight, Σ weight, and of how many items; `problem`: why there is none, empty if there is one."""

    total: float = 0.0
    weight: float = 0.0
    items: int = 0
    problem: str = ""


@dataclass(frozen=True, slots=True)
class EdgePatterns:
    """Of predicted edges (ReCITE, appendix O): how many have the right direction, the reversed one, and support in the
    text, among all of them and among those that the graph matches."""

    correct: int = 0
    reversed: int = 0
    supported: int = 0
    matched_correct: int = 0
    matched_reversed: int = 0
    matched_supported: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionTally:
    """`listed`: items that stand there; `matched`, `strict`: those that the graph matches, in either direction and in
    the right one; `absent`: why nothing is listed, empty where there is a list. `labels`: by block, then field, how
    often each legal label stands there, in their order. `odd`: inconsistencies by kind."""

    section: Section
    default: WeighedSum
    released: WeighedSum
    listed: int
    matched: int
    strict: int
    absent: str = ""
    patterns: EdgePatterns = field(default_factory=EdgePatterns)
    labels: Mapping[str, Mapping[str, tuple[int, ...]]] = field(default_factory=dict)
    odd: Mapping[str, int] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """The same as `read_tally` takes; what is empty is left out."""
        found: dict[str, Any] = {
            "section": self.section.value,
            "default": _sum_json(self.default),
            "released": _sum_json(self.released),
            "listed": self.listed,
            "matched": self.matched,
            "strict": self.strict,
            "absent": self.absent,
            "labels": {
                block: {name: list(counts) for name, counts in fields.items()} for block, fields in self.labels.items()
            },
            "odd": dict(self.odd),
        }
        if self.section is Section.EDGE_PRECISION:
            found["patterns"] = [getattr(self.patterns, name) for name in EdgePatterns.__slots__]
        return {name: value for name, value in found.items() if value not in ("", {})}


def read_tally(said: Mapping[str, Any]) -> SectionTally:
    """The tally that `SectionTally.as_json` wrote. Raises KeyError, TypeError or ValueError for what it did not."""
    return SectionTally(
        section=Section(said["section"]),
        default=_read_sum(said["default"]),
        released=_read_sum(said["released"]),
        listed=said["listed"],
        matched=said["matched"],
        strict=said["strict"],
        absent=said.get("absent", ""),
        patterns=EdgePatterns(*said.get("patterns", ())),
        labels={
            block: {name: tuple(counts) for name, counts in fields.items()}
            for block, fields in said.get("labels", {}).items()
        },
        odd=said.get("odd", {}),
    )


def _sum_json(found: WeighedSum) -> list[Any]:
    return [found.total, found.weight, found.items, *([found.problem] if found.problem else [])]


def _read_sum(said: list[Any]) -> WeighedSum:
    return WeighedSum(*said)


def tally_of(found: SectionVerdict) -> SectionTally:
    """The tally of a section as it was read, be it complete or not."""
    section, items = found.section, found.items
    return SectionTally(
        section=section,
        default=_default_sum(found),
        released=_released_sum(found),
        listed=len(items),
        matched=sum(is_match(section, item) for item in items),
        strict=sum(is_match(section, item, is_strict=True) for item in items),
        absent=found.problem,
        patterns=_patterns(items) if section is Section.EDGE_PRECISION else EdgePatterns(),
        labels=_counts(section, items),
        odd=dict(Counter(odd.kind.value for odd in inconsistencies_of(found))),
    )


def _counts(section: Section, items: tuple[VerdictItem, ...]) -> dict[str, dict[str, tuple[int, ...]]]:
    said: Counter[tuple[Block, str, str]] = Counter(
        (block, name, label) for item in items for (block, name), label in item.labels.items()
    )
    return {
        block.value: {
            name: tuple(said[block, name, label] for label in legal) for name, legal in LEGAL[section, block].items()
        }
        for block in section.blocks
    }


def _patterns(items: tuple[VerdictItem, ...]) -> EdgePatterns:
    counts: Counter[str] = Counter()
    for item in items:
        direction, text = item.label(Block.GRAPH, DIRECTION), item.label(Block.TEXT, PRESENCE)
        is_matched = is_match(Section.EDGE_PRECISION, item)
        for name, holds in (
            ("correct", direction == CORRECT),
            ("reversed", direction == REVERSED),
            ("supported", text in SUPPORTED),
        ):
            counts[name] += holds
            counts[f"matched_{name}"] += holds and is_matched
    return EdgePatterns(**counts)


# --- default ----------------------------------------------------------------------------------------------------


def composite(section: Section, item: VerdictItem, block: Block) -> float:
    """Mean of the three numbers of a block whose labels are all there, 0–1."""
    said = [field for field in LEGAL[section, block] if field != IMPORTANCE]
    return sum(number_of(field, item.label(block, field)) for field in said) / 3


def item_score(section: Section, item: VerdictItem) -> float:
    """What an item whose labels are all there is worth: the larger composite of its blocks, 0 for one without a
    match."""
    return max(
        0.0 if item.label(block, PRESENCE) == NO_MATCH else composite(section, item, block) for block in section.blocks
    )


def weight_of(section: Section, item: VerdictItem) -> float:
    """1 in precision, the importance in recall."""
    return 1.0 if Block.ITEM not in section.blocks else number_of(IMPORTANCE, item.label(Block.ITEM, IMPORTANCE))


def _default_sum(found: SectionVerdict) -> WeighedSum:
    if found.problem:
        return WeighedSum(problem=found.problem)
    if found.faults:
        return WeighedSum(problem=f"{found.faulty} of {counted(found.n, 'item')} are missing or have a fault")
    weights = [weight_of(found.section, item) for item in found.items]
    scores = [item_score(found.section, item) for item in found.items]
    return WeighedSum(sum(w * s for w, s in zip(weights, scores, strict=True)), sum(weights), len(found.items))


# --- as released --------------------------------------------------------------------------------------------------


class _Fails(Exception):
    """What the released program stops at."""


def _released_sum(found: SectionVerdict) -> WeighedSum:
    try:
        if not isinstance(found.raw, list):
            raise _Fails(f"{found.section.key}, which has no list of items")
        if Block.ITEM in found.section.blocks:
            weighed = [_released_recall(each) for each in found.raw]
        else:
            weighed = [(_released_precision(each), 1.0) for each in found.raw]
    except _Fails as fails:
        return WeighedSum(problem=f"{_FAILS} {fails}", items=len(found.raw) if isinstance(found.raw, list) else 0)
    return WeighedSum(
        sum(score * weight for score, weight in weighed), sum(weight for _, weight in weighed), len(weighed)
    )


def _released_precision(item: Any) -> float:
    """The larger composite of the two blocks, 0 only where neither has a match: what is left in one that has none
    counts, if the other has one."""
    if not isinstance(item, Mapping):
        raise _Fails("an item that is no mapping")
    blocks = [item.get(block.key, {}) for block in (Block.GRAPH, Block.TEXT)]
    if all(block is None or block == {} or _is_no_match(block) for block in blocks):
        return 0.0
    return max(_released_composite(block) for block in blocks)


def _released_recall(item: Any) -> tuple[float, float]:
    if not isinstance(item, Mapping):
        raise _Fails("an item that is no mapping")
    score = 0.0 if _is_no_match(item) else _released_composite(item)
    return score, number_of(IMPORTANCE, item.get(IMPORTANCE))


def _is_no_match(block: Any) -> bool:
    return isinstance(block, Mapping) and block.get(PRESENCE) == NO_MATCH


def _released_composite(block: Any) -> float:
    """The third part is inference if there is such a key, else direction, else likeness of meaning."""
    if not isinstance(block, Mapping):
        raise _Fails("a block that is null beside a match" if block is None else "a block that is no mapping")
    third = next((field for field in (INFERENCE, DIRECTION) if field in block), SEMANTIC)
    return sum(number_of(field, block.get(field)) for field in (PRESENCE, third, ABSTRACTION)) / 3


# --- matches with the graph ---------------------------------------------------------------------------------------


def is_match(section: Section, item: VerdictItem, *, is_strict: bool = False) -> bool:
    """Whether an item is matched by the graph. `is_strict`: one of the other direction, or without any, is none."""
    block = section.blocks[0]
    if item.label(block, PRESENCE) not in MATCHES:
        return False
    return not is_strict or item.label(block, DIRECTION) not in (REVERSED, MISSING)
