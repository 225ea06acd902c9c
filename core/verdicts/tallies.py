"""The tally of a section: sums and counts of its labels, about 400 bytes, of which every score is a function. So tables
and pages read tallies and never verdicts. A sum includes the failure of the published program, if any."""

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
    LabelBlock,
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
    """Σ score × weight, Σ weight, and the number of items; `problem`: why there is none, empty if there is one."""

    total: float = 0.0
    weight: float = 0.0
    items: int = 0
    problem: str = ""


@dataclass(frozen=True, slots=True)
class EdgePatterns:
    """Predicted edges (ReCITE, appendix O) by direction and by support in the text, in total and among the matched
    ones."""

    correct: int = 0
    reversed: int = 0
    supported: int = 0
    matched_correct: int = 0
    matched_reversed: int = 0
    matched_supported: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionTally:
    section: Section
    default: WeighedSum
    released: WeighedSum
    listed: int  # items in the verdict
    matched: int  # matched by the graph, in either direction
    strict: int  # matched in the right direction
    absent: str = ""  # why nothing is listed, empty if there is a list
    patterns: EdgePatterns = field(default_factory=EdgePatterns)
    # block → field → count of each legal label, in their order
    labels: Mapping[str, Mapping[str, tuple[int, ...]]] = field(default_factory=dict)
    odd: Mapping[str, int] = field(default_factory=dict)  # inconsistencies by kind

    def as_json(self) -> dict[str, Any]:
        """Return JSON for `read_tally`, without empty values."""
        values: dict[str, Any] = {
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
            values["patterns"] = [getattr(self.patterns, name) for name in EdgePatterns.__slots__]
        return {name: value for name, value in values.items() if value not in ("", {})}


def read_tally(values: Mapping[str, Any]) -> SectionTally:
    """Return the tally from the JSON of `SectionTally.as_json`. Raises KeyError, TypeError or ValueError for other
    JSON."""
    return SectionTally(
        section=Section(values["section"]),
        default=_read_sum(values["default"]),
        released=_read_sum(values["released"]),
        listed=values["listed"],
        matched=values["matched"],
        strict=values["strict"],
        absent=values.get("absent", ""),
        patterns=EdgePatterns(*values.get("patterns", ())),
        labels={
            block: {name: tuple(counts) for name, counts in fields.items()}
            for block, fields in values.get("labels", {}).items()
        },
        odd=values.get("odd", {}),
    )


def _sum_json(weighed: WeighedSum) -> list[Any]:
    return [weighed.total, weighed.weight, weighed.items, *([weighed.problem] if weighed.problem else [])]


def _read_sum(values: list[Any]) -> WeighedSum:
    return WeighedSum(*values)


def tally_of(verdict: SectionVerdict) -> SectionTally:
    section, items = verdict.section, verdict.items
    return SectionTally(
        section=section,
        default=_default_sum(verdict),
        released=_released_sum(verdict),
        listed=len(items),
        matched=sum(is_match(section, item) for item in items),
        strict=sum(is_match(section, item, is_strict=True) for item in items),
        absent=verdict.problem,
        patterns=_patterns(items) if section is Section.EDGE_PRECISION else EdgePatterns(),
        labels=_counts(section, items),
        odd=dict(Counter(odd.kind.value for odd in inconsistencies_of(verdict))),
    )


def _counts(section: Section, items: tuple[VerdictItem, ...]) -> dict[str, dict[str, tuple[int, ...]]]:
    label_counts: Counter[tuple[LabelBlock, str, str]] = Counter(
        (block, name, label) for item in items for (block, name), label in item.labels.items()
    )
    return {
        block.value: {
            name: tuple(label_counts[block, name, label] for label in legal)
            for name, legal in LEGAL[section, block].items()
        }
        for block in section.blocks
    }


def _patterns(items: tuple[VerdictItem, ...]) -> EdgePatterns:
    counts: Counter[str] = Counter()
    for item in items:
        direction, text = item.label(LabelBlock.GRAPH, DIRECTION), item.label(LabelBlock.TEXT, PRESENCE)
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


def composite(section: Section, item: VerdictItem, block: LabelBlock) -> float:
    """Return the mean of the three numbers of a completely labelled block, 0–1."""
    scored_fields = [field for field in LEGAL[section, block] if field != IMPORTANCE]
    return sum(number_of(field, item.label(block, field)) for field in scored_fields) / 3


def item_score(section: Section, item: VerdictItem) -> float:
    """Return the score of a completely labelled item: the larger composite of its blocks, 0 for one without a match."""
    return max(
        0.0 if item.label(block, PRESENCE) == NO_MATCH else composite(section, item, block) for block in section.blocks
    )


def weight_of(section: Section, item: VerdictItem) -> float:
    """Return 1 in precision, the importance in recall."""
    return (
        1.0 if LabelBlock.ITEM not in section.blocks else number_of(IMPORTANCE, item.label(LabelBlock.ITEM, IMPORTANCE))
    )


def _default_sum(verdict: SectionVerdict) -> WeighedSum:
    if verdict.problem:
        return WeighedSum(problem=verdict.problem)
    if verdict.faults:
        return WeighedSum(problem=f"{verdict.faulty} of {counted(verdict.n, 'item')} are missing or have a fault")
    weights = [weight_of(verdict.section, item) for item in verdict.items]
    scores = [item_score(verdict.section, item) for item in verdict.items]
    return WeighedSum(sum(w * s for w, s in zip(weights, scores, strict=True)), sum(weights), len(verdict.items))


# --- as released --------------------------------------------------------------------------------------------------


class _Fails(Exception):
    """A failure of the released program."""


def _released_sum(verdict: SectionVerdict) -> WeighedSum:
    try:
        if not isinstance(verdict.raw, list):
            raise _Fails(f"{verdict.section.key}, which has no list of items")
        if LabelBlock.ITEM in verdict.section.blocks:
            weighed = [_released_recall(each) for each in verdict.raw]
        else:
            weighed = [(_released_precision(each), 1.0) for each in verdict.raw]
    except _Fails as fails:
        return WeighedSum(problem=f"{_FAILS} {fails}", items=len(verdict.raw) if isinstance(verdict.raw, list) else 0)
    return WeighedSum(
        sum(score * weight for score, weight in weighed), sum(weight for _, weight in weighed), len(weighed)
    )


def _released_precision(item: Any) -> float:
    """Return the larger composite of the two blocks, 0 only if neither has a match: the labels of a block without one
    count, if the other has one."""
    if not isinstance(item, Mapping):
        raise _Fails("an item that is no mapping")
    blocks = [item.get(block.key, {}) for block in (LabelBlock.GRAPH, LabelBlock.TEXT)]
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
    """Return the composite; the third part is inference if there is such a key, else direction, else semantic
    closeness."""
    if not isinstance(block, Mapping):
        raise _Fails("a block that is null beside a match" if block is None else "a block that is no mapping")
    third = next((field for field in (INFERENCE, DIRECTION) if field in block), SEMANTIC)
    return sum(number_of(field, block.get(field)) for field in (PRESENCE, third, ABSTRACTION)) / 3


# --- matches with the graph ---------------------------------------------------------------------------------------


def is_match(section: Section, item: VerdictItem, *, is_strict: bool = False) -> bool:
    """Return True if an item is matched by the graph. `is_strict`: an item in the other direction, or without any, is
    not."""
    block = section.blocks[0]
    if item.label(block, PRESENCE) not in MATCHES:
        return False
    return not is_strict or item.label(block, DIRECTION) not in (REVERSED, MISSING)
