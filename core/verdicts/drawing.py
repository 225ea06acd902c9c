"""Selection of verdict items for people: drawn at random, by strata, or where judges differ.

Items of one sheet are of one section of one answer, so that a text is read once. All draws are seeded: the same seed
gives the same order, and a further draw continues where the last one ended."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from core.verdicts.labels import DIRECTION, PRESENCE, Section
from core.verdicts.verdict import SectionVerdict, inconsistencies_of


@dataclass(frozen=True, slots=True)
class JudgedItems:
    """A section of an answer as one judge labelled it."""

    key: str  # the judge's item
    of: str  # what was judged, the same for all judges
    verdict: SectionVerdict
    judge: str = ""  # makes a seed draw the same items of the same run anywhere

    @property
    def section(self) -> Section:
        return self.verdict.section

    @property
    def name(self) -> str:
        return f"{self.judge}/{self.of}/{self.section.value}"


@dataclass(frozen=True, slots=True)
class DrawnSheet:
    """`weights`: number → the number of items that it represents, in a stratified draw."""

    key: str
    of: str
    section: Section
    numbers: tuple[int, ...]
    weights: Mapping[int, float] = field(default_factory=dict)


def in_order(seed: int, keys: Iterable[str]) -> list[str]:
    """Return keys in the order of the seed, independent of other keys."""
    return sorted(keys, key=lambda key: (_hash(seed, key), key))


def _hash(seed: int, key: str) -> bytes:
    return sha256(f"{seed}/{key}".encode("utf-8", "surrogatepass")).digest()


def random_blocks(sections: Sequence[JudgedItems], seed: int, most: int) -> list[DrawnSheet]:
    """Return every section split into blocks of at most `most` items, and the blocks in the seed's order: in any first
    part of the list, every block, and so every item, is equally likely."""
    blocks: dict[str, DrawnSheet] = {}
    for each in sections:
        numbers = sorted(
            (item.number for item in each.verdict.items if item.number is not None),
            key=lambda number: _hash(seed, f"{each.name}/{number}"),
        )
        for start in range(0, len(numbers), most):
            block = tuple(sorted(numbers[start : start + most]))
            blocks[f"{each.name}/block {start // most}"] = DrawnSheet(each.key, each.of, each.section, block)
    return [blocks[key] for key in in_order(seed, blocks)]


def blocks_for(blocks: Sequence[DrawnSheet], items: int) -> int:
    """Return the number of blocks for about `items` items; fixed before drawing, so that a block's size does not affect
    its selection."""
    total = sum(len(each.numbers) for each in blocks)
    return min(len(blocks), max(1, round(items * len(blocks) / total))) if total else 0


def stratified(sections: Sequence[JudgedItems], seed: int, items: int, most: int) -> list[DrawnSheet]:
    """Return equal numbers of items of each section × presence label, as far as available; each with its weight, the
    items of its stratum per drawn one."""
    strata: dict[tuple[Section, str], list[tuple[str, int]]] = defaultdict(list)
    by_key = {each.key: each for each in sections}
    for each in sections:
        for item in each.verdict.items:
            if item.number is not None:
                presence = item.label(each.section.blocks[0], PRESENCE) or ""
                strata[each.section, presence].append((each.key, item.number))
    shares = _shares({key: len(members) for key, members in strata.items()}, items)
    chosen: dict[str, dict[int, float]] = defaultdict(dict)
    for stratum, members in strata.items():
        ordered = sorted(members, key=lambda each: _hash(seed, f"{by_key[each[0]].name}/{each[1]}"))
        drawn = ordered[: shares[stratum]]
        for key, number in drawn:
            chosen[key][number] = len(members) / len(drawn)
    sheets = []
    for key in sorted(chosen, key=lambda key: _hash(seed, by_key[key].name)):
        numbers = sorted(chosen[key])
        for start in range(0, len(numbers), most):
            part = numbers[start : start + most]
            about = by_key[key]
            sheets.append(
                DrawnSheet(key, about.of, about.section, tuple(part), {number: chosen[key][number] for number in part})
            )
    return sheets


def _shares(sizes: Mapping[tuple[Section, str], int], items: int) -> dict[tuple[Section, str], int]:
    """`items` in equal parts; what a small stratum cannot give goes to the others."""
    shares = dict.fromkeys(sizes, 0)
    left = min(items, sum(sizes.values()))
    while left:
        open_ones = [key for key in sizes if shares[key] < sizes[key]]
        each = max(1, left // len(open_ones))
        for key in sorted(open_ones):
            added = min(each, sizes[key] - shares[key], left)
            shares[key] += added
            left -= added
    return shares


def disagreement(sections: Sequence[JudgedItems], items: int, most: int) -> list[DrawnSheet]:
    """Return items on which judges of the same answer differ in presence or direction, or whose labels contradict each
    other, those with most differences first. The first judge's verdict is shown."""
    by_answer: dict[tuple[str, Section], list[JudgedItems]] = defaultdict(list)
    for section in sections:
        by_answer[section.of, section.section].append(section)
    scored: list[tuple[int, str, int, str]] = []
    firsts: dict[str, JudgedItems] = {}
    for judgements in by_answer.values():
        first = judgements[0]
        firsts[first.key] = first
        for number, apart in _apart(judgements).items():
            if apart:
                scored.append((-apart, first.name, number, first.key))
    chosen: dict[str, list[int]] = defaultdict(list)
    for _many, _name, number, key in sorted(scored)[:items]:
        chosen[key].append(number)
    return [
        DrawnSheet(key, firsts[key].of, firsts[key].section, tuple(sorted(numbers[start : start + most])))
        for key, numbers in chosen.items()
        for start in range(0, len(numbers), most)
    ]


def _apart(judgements: Sequence[JudgedItems]) -> dict[int, int]:
    """Return number → pairs of judges and fields that differ, and contradictions of any judge."""
    differences: dict[int, int] = defaultdict(int)
    labels = [{number: item.labels for number, item in each.verdict.by_number.items()} for each in judgements]
    for place, one in enumerate(labels):
        for other in labels[place + 1 :]:
            for number in one.keys() & other.keys():
                fields = {each for each in (*one[number], *other[number]) if each[1] in (PRESENCE, DIRECTION)}
                differences[number] += sum(one[number].get(each) != other[number].get(each) for each in fields)
    for judgement in judgements:
        for odd in inconsistencies_of(judgement.verdict):
            differences[odd.item] += 1
    return differences
