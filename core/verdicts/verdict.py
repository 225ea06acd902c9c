"""A parsed verdict, checked against the vocabulary: items with their legal labels, faults, inconsistencies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from core.verdicts.labels import (
    DIRECTION,
    GRAPH_ONLY,
    IMPORTANCE,
    LEGAL,
    MATCHES,
    NO_MATCH,
    PRESENCE,
    WORDING,
    LabelBlock,
    Section,
    na_of,
)
from core.words import counted

MOST_ITEMS = 2_000  # of a section; a higher number is out of range
LONGEST_FOUND = 60


class InconsistencyReason(StrEnum):
    MISSING_ITEM = "missing item"
    REPEATED_ITEM = "repeated item"
    OUT_OF_RANGE = "number out of range"
    MISSING_LABEL = "missing label"
    ILLEGAL_LABEL = "illegal label"
    MISSING_BLOCK = "missing block"
    NOT_AN_ITEM = "not an item"
    OTHER_SECTION = "other section"
    UNREADABLE = "unreadable"


class VerdictOddity(StrEnum):
    """Legal labels that contradict each other; they are counted and scored as they are."""

    GRAPH_ONLY_WITHOUT_MATCH = "graph only without a graph match"
    TEXT_LABEL_WITH_MATCH = "text label beside a graph match"
    LABEL_WITHOUT_MATCH = "label beside no match"
    DIRECTION_WITHOUT_MATCH = "direction beside no match"


@dataclass(frozen=True, slots=True)
class VerdictFault:
    """One fault. `item`: its number, None without one; `found`: the faulty value, shortened."""

    section: str
    why: InconsistencyReason
    item: int | None = None
    block: str | None = None
    field: str | None = None
    found: str | None = None

    def __str__(self) -> str:
        """Return a sentence for a judge that is asked again, and for people."""
        section = Section(self.section) if self.section in set(Section) else None
        place = [section.key if section else self.section]
        if self.item is not None:
            place.append(f"item {self.item}")
        if self.block and LabelBlock(self.block).key:
            place.append(LabelBlock(self.block).key)
        if self.field:
            place.append(self.field)
        sentence = f"{', '.join(place)}: {self.why.value}"
        if self.why is InconsistencyReason.ILLEGAL_LABEL and section and self.block and self.field:
            *others, last = LEGAL[section, LabelBlock(self.block)][self.field]
            return f"{', '.join(place)}: found {self.found!r}; expected {', '.join(others)} or {last}."
        return f"{sentence}, found {self.found}." if self.found is not None else f"{sentence}."


@dataclass(frozen=True, slots=True)
class Inconsistency:
    section: Section
    item: int
    kind: VerdictOddity


@dataclass(frozen=True, slots=True)
class VerdictItem:
    number: int | None  # None if it cannot be read
    labels: Mapping[tuple[LabelBlock, str], str]  # legal labels by block and field
    wording: int = WORDING  # version of the meaning of labels when given, as in `core.verdicts.labels`

    def label(self, block: LabelBlock, field: str) -> str | None:
        return self.labels.get((block, field))


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionVerdict:
    section: Section
    items: tuple[VerdictItem, ...]
    n: int  # expected number of items
    raw: Any  # the value under its key
    faults: tuple[VerdictFault, ...] = ()
    problem: str = ""  # why it has no items at all, empty if it has a list of them

    @property
    def is_complete(self) -> bool:
        """True if every item is there exactly once, with every label legal in its place."""
        return not self.problem and not self.faults

    @property
    def by_number(self) -> dict[int, VerdictItem]:
        """Items by their number; of a repeated number the first."""
        return {item.number: item for item in reversed(self.items) if item.number is not None}

    @property
    def faulty(self) -> int:
        """Number of expected items that are missing or have a fault."""
        return len({fault.item for fault in self.faults if fault.item is not None}) or len(self.faults)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The sections that a verdict has. `others`: unknown keys."""

    sections: Mapping[Section, SectionVerdict]
    others: tuple[str, ...] = ()

    @property
    def is_complete(self) -> bool:
        return len(self.sections) == len(Section) and all(each.is_complete for each in self.sections.values())

    @property
    def faults(self) -> tuple[VerdictFault, ...]:
        return tuple(fault for each in self.sections.values() for fault in each.faults)

    @property
    def inconsistencies(self) -> tuple[Inconsistency, ...]:
        return tuple(odd for each in self.sections.values() for odd in inconsistencies_of(each))


def read_verdict(
    parsed: Mapping[str, Any], sizes: Mapping[Section, int] | None = None, *, wording: int = WORDING
) -> Verdict:
    """Check parsed JSON against the vocabulary. Nothing is dropped and nothing raises.

    `sizes`: expected numbers of items; by default a section's length, or its highest number. A number may be written as
    digits in quotes. `wording`: the version under which the labels were given.

    >>> found = read_verdict({"node_recall_evaluations": [{"node_number": 2, "presence_label": "strong"}]})
    >>> [fault.why.value for fault in found.faults][:3]
    ['missing item', 'missing label', 'illegal label']
    """
    known = {section.key: section for section in Section}
    expected_sizes = sizes or {}
    sections = {
        known[key]: _section(known[key], value, expected_sizes.get(known[key]), wording)
        for key, value in parsed.items()
        if key in known
    }
    others = tuple(key for key in parsed if key not in known)
    return Verdict({section: sections[section] for section in Section if section in sections}, others)


def _section(section: Section, value: Any, size: int | None, wording: int) -> SectionVerdict:
    if not isinstance(value, list):
        fault = VerdictFault(section.value, InconsistencyReason.UNREADABLE, found=in_short(value))
        return SectionVerdict(
            section=section,
            items=(),
            n=size or 0,
            raw=value,
            faults=(fault,),
            problem=f"{section.key} is {in_short(value)}, not a list of items",
        )
    read = [_item(section, each, wording) for each in value]
    numbers = [item.number for item, _ in read if item.number is not None and 1 <= item.number <= MOST_ITEMS]
    n = size if size is not None else max([len(value), *numbers])
    faults = [*_numbering(section, [item for item, _ in read], n), *(fault for _, some in read for fault in some)]
    return SectionVerdict(section=section, items=tuple(item for item, _ in read), n=n, raw=value, faults=tuple(faults))


def _numbering(section: Section, items: list[VerdictItem], n: int) -> Iterator[VerdictFault]:
    seen: set[int] = set()
    for item in items:
        if item.number is None:
            continue
        if not 1 <= item.number <= n:
            yield VerdictFault(section.value, InconsistencyReason.OUT_OF_RANGE, item.number, found=str(item.number))
        elif item.number in seen:
            yield VerdictFault(section.value, InconsistencyReason.REPEATED_ITEM, item.number)
        seen.add(item.number)
    for number in range(1, n + 1):
        if number not in seen:
            yield VerdictFault(section.value, InconsistencyReason.MISSING_ITEM, number)


def _item(section: Section, value: Any, wording: int) -> tuple[VerdictItem, list[VerdictFault]]:
    if not isinstance(value, Mapping):
        fault = VerdictFault(section.value, InconsistencyReason.NOT_AN_ITEM, found=in_short(value))
        return VerdictItem(None, {}), [fault]
    number = _number(value.get(section.number_key))
    faults: list[VerdictFault] = []
    if number is None:
        shown = in_short(value.get(section.number_key)) if section.number_key in value else None
        faults.append(
            VerdictFault(section.value, InconsistencyReason.NOT_AN_ITEM, field=section.number_key, found=shown)
        )
    labels: dict[tuple[LabelBlock, str], str] = {}
    for block in section.blocks:
        holder = value.get(block.key) if block.key else value
        if not isinstance(holder, Mapping):
            shown = in_short(holder) if block.key in value else None
            faults.append(
                VerdictFault(section.value, InconsistencyReason.MISSING_BLOCK, number, block.value, found=shown)
            )
            continue
        for field, legal in LEGAL[section, block].items():
            label = holder.get(field)
            if isinstance(label, str) and label in legal:
                labels[block, field] = label
            elif label is None:
                faults.append(
                    VerdictFault(section.value, InconsistencyReason.MISSING_LABEL, number, block.value, field)
                )
            else:
                shown = label[:LONGEST_FOUND] if isinstance(label, str) else in_short(label)
                faults.append(
                    VerdictFault(section.value, InconsistencyReason.ILLEGAL_LABEL, number, block.value, field, shown)
                )
    return VerdictItem(number, labels, wording), faults


def _number(value: Any) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    return int(value) if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10 else None


def in_short(value: Any) -> str:
    match value:
        case None:
            return "null"
        case str():
            return repr(value if len(value) <= LONGEST_FOUND else f"{value[:LONGEST_FOUND]}…")
        case Mapping():
            return "a mapping"
        case list():
            return f"a list of {counted(len(value), 'entry')}"
        case _:
            return str(value)[:LONGEST_FOUND]


# --- inconsistencies ----------------------------------------------------------------------------------------------


def inconsistencies_of(section: SectionVerdict) -> Iterator[Inconsistency]:
    """Yield the inconsistencies of items that have a number, each kind once per item."""
    for item in section.items:
        if item.number is not None:
            for kind in dict.fromkeys(_odd(section.section, item)):
                yield Inconsistency(section.section, item.number, kind)


def _odd(section: Section, item: VerdictItem) -> Iterator[VerdictOddity]:
    if section is Section.EDGE_PRECISION:
        graph, text = item.label(LabelBlock.GRAPH, PRESENCE), item.label(LabelBlock.TEXT, PRESENCE)
        if text == GRAPH_ONLY and graph == NO_MATCH:
            yield VerdictOddity.GRAPH_ONLY_WITHOUT_MATCH
        if graph in MATCHES and text is not None and text != GRAPH_ONLY:
            yield VerdictOddity.TEXT_LABEL_WITH_MATCH
    for (block, field), label in item.labels.items():
        if field in (PRESENCE, IMPORTANCE) or item.label(block, PRESENCE) != NO_MATCH:
            continue
        if label != na_of(section, field):
            is_direction = section is Section.EDGE_RECALL and field == DIRECTION
            yield VerdictOddity.DIRECTION_WITHOUT_MATCH if is_direction else VerdictOddity.LABEL_WITHOUT_MATCH
