"""Which verdict items are laid before people: drawn at random, by strata, or where judges differ.

Items of one sheet are of one section of one answer, so that a text is read once. All draws are seeded: the same seed
gives the same order, and a further draw goes on where the last one ended.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from core.verdicts.labels import DIRECTION, PRESENCE, Section
from core.verdicts.verdict import SectionVerdict, inconsistencies_of


@dataclass(frozen=True, slots=True)
class JudgedItems:
    """A section of an answer as one judge labelled it. `key`: the judge's item; `of`: what was judged, the same for
    every judge of it; `judge`: who judged, so that a seed draws the same of the same run anywhere."""

    key: str
    of: str
    verdict: SectionVerdict
    judge: str = ""

    @property
    def section(self) -> Section:
        return self.verdict.section

    @property
    def name(self) -> str:
        return f"{self.judge}/{self.of}/{self.section.value}"


@dataclass(frozen=True, slots=True)
class DrawnSheet:
    """`weights`: number → how many items one stands for, of a stratified draw."""

    key: str
    of: str
    section: Section
    numbers: tuple[int, ...]
    weights: Mapping[int, float] = field(default_factory=dict)


def in_order(seed: int, keys: Iterable[str]) -> list[str]:
    """Keys as the seed orders them, whatever else is among them."""
    return sorted(keys, key=lambda key: (_hash(seed, key), key))


def _hash(seed: int, key: str) -> bytes:
    return sha256(f"{seed}/{key}".encode("utf-8", "surrogatepass")).digest()


def random_blocks(found: Sequence[JudgedItems], seed: int, most: int) -> list[DrawnSheet]:
    """Every section cut into blocks of at most `most` items in the seed's order, and the blocks in the seed's order:
    any first part of the list is a draw in which every block, and so every item, is equally likely."""
    blocks: dict[str, DrawnSheet] = {}
    for each in found:
        numbers = sorted(
            (item.number for item in each.verdict.items if item.number is not None),
            key=lambda number: _hash(seed, f"{each.name}/{number}"),
        )
        for start in range(0, len(numbers), most):
            block = tuple(sorted(numbers[start : start + most]))
            blocks[f"{each.name}/block {start // most}"] = DrawnSheet(each.key, each.of, each.section, block)
    return [blocks[key] for key in in_order(seed, blocks)]


def blocks_for(blocks: Sequence[DrawnSheet], items: int) -> int:
    """How many blocks are drawn for about so many items; said before any is drawn, so that no block's size decides
    whether it is."""
    total = sum(len(each.numbers) for each in blocks)
    return min(len(blocks), max(1, round(items * len(blocks) / total))) if total else 0


def stratified(found: Sequence[JudgedItems], seed: int, items: int, most: int) -> list[DrawnSheet]:
    """As many items of each section × presence label as of the others, as far as there are any; each with its weight,
    the items of its stratum to one drawn."""
    strata: dict[tuple[Section, str], list[tuple[str, int]]] = defaultdict(list)
    by_key = {each.key: each for each in found}
    for each in found:
        for item in each.verdict.items:
            if item.number is not None:
                presence = item.label(each.section.blocks[0], PRESENCE) or ""
                strata[each.section, presence].append((each.key, item.number))
    shares = _shares({key: len(those) for key, those in strata.items()}, items)
    chosen: dict[str, dict[int, float]] = defaultdict(dict)
    for stratum, those in strata.items():
        ordered = sorted(those, key=lambda each: _hash(seed, f"{by_key[each[0]].name}/{each[1]}"))
        drawn = ordered[: shares[stratum]]
        for key, number in drawn:
            chosen[key][number] = len(those) / len(drawn)
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
            given = min(each, sizes[key] - shares[key], left)
            shares[key] += given
            left -= given
    return shares


def disagreement(found: Sequence[JudgedItems], items: int, most: int) -> list[DrawnSheet]:
    """Items on which judges of the same answer differ in presence or direction, or whose labels contradict each other,
    those that differ most first. Shown is the first judge's verdict."""
    by_answer: dict[tuple[str, Section], list[JudgedItems]] = defaultdict(list)
    for each in found:
        by_answer[each.of, each.section].append(each)
    scored: list[tuple[int, str, int, str]] = []
    firsts: dict[str, JudgedItems] = {}
    for those in by_answer.values():
        first = those[0]
        firsts[first.key] = first
        for number, apart in _apart(those).items():
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


def _apart(those: Sequence[JudgedItems]) -> dict[int, int]:
    """Number → pairs of judges and fields that differ, and contradictions of any judge."""
    found: dict[int, int] = defaultdict(int)
    labels = [{number: item.labels for number, item in each.verdict.by_number.items()} for each in those]
    for place, one in enumerate(labels):
        for other in labels[place + 1 :]:
            for number in one.keys() & other.keys():
                fields = {each for each in (*one[number], *other[number]) if each[1] in (PRESENCE, DIRECTION)}
                found[number] += sum(one[number].get(each) != other[number].get(each) for each in fields)
    for each in those:
        for odd in inconsistencies_of(each.verdict):
            found[odd.item] += 1
    return found
