"""A verdict put together from the replies of one item: what is good stays, what is missing or faulty is asked again.

Nothing is kept between rounds: the same replies lead to the same state, so that a chain can be derived again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from string import ascii_letters
from typing import TYPE_CHECKING, Any

from core.errors import BadInput
from core.runs.states import ItemStatus
from core.verdicts.labels import LEGAL, Block, Section
from core.verdicts.verdict import LONGEST_FOUND, SectionVerdict, VerdictFault, Why, inconsistencies_of, read_verdict
from protocols.recite.judge.tasks import MOST_AGAIN, in_ranges
from protocols.replies.before_reading import FAILED
from protocols.replies.declining import is_declined
from protocols.replies.finish_reasons import Finish, finish_of
from protocols.replies.quotes import COUNTERPARTS, EVIDENCE
from protocols.turns import Answered, Reading

if TYPE_CHECKING:
    from protocols.replies.verdicts import ParsedVerdict

MOST_COUNTERPARTS, MOST_QUOTES, LONGEST_QUOTE = 20, 3, 200
ASKED_AGAIN, INCONSISTENT, FURTHER = "asked again", "inconsistent labels", "items out of range"
MOST_FAULTS_TOLD = 60
MOST_FAULTS_KEPT = 200

Item = Mapping[str, Any]


@lru_cache(maxsize=1)
def _read(text: str) -> ParsedVerdict:
    """The verdict in a reply. An imported one holds all sections, and each of its items is made of it."""
    from protocols.replies.verdicts import read_verdict_reply  # loads a YAML parser, which other tasks never need

    return read_verdict_reply(text)


@dataclass(kw_only=True)
class VerdictSoFar:
    """`good`, `faulty`: items by their number, as they stand in the verdict; `faults`: of the last reply that was asked
    for each; `asked`: how often each number was asked for; `unread`: a sentence about each reply that gave nothing, and
    `last_unread`, about the last one if it did not."""

    section: Section
    n: int
    per_request: int | None
    good: dict[int, Item] = field(default_factory=dict)
    faulty: dict[int, Item] = field(default_factory=dict)
    faults: dict[int, list[VerdictFault]] = field(default_factory=dict)
    asked: Counter[int] = field(default_factory=Counter)
    unread: list[str] = field(default_factory=list)
    last_unread: str = ""
    flags: dict[str, None] = field(default_factory=dict)
    replies: int = 0
    read: int = 0
    cut: int = 0
    is_refused: bool = False

    @property
    def missing(self) -> list[int]:
        return [number for number in range(1, self.n + 1) if number not in self.good]

    @property
    def wanted(self) -> list[int]:
        """The numbers to ask for next: of those that may still be asked for, those that were asked for least often."""
        may = [number for number in self.missing if self.asked[number] <= MOST_AGAIN]
        if not may or self.is_refused:
            return []
        least = min(self.asked[number] for number in may)
        return [number for number in may if self.asked[number] == least][: self.per_request]

    def told(self, numbers: Sequence[int]) -> tuple[str, ...]:
        """What was wrong with these in the replies before, each a sentence without its stop; nothing where they are
        asked for the first time."""
        if not any(self.asked[number] for number in numbers):
            return ()
        absent = [number for number in numbers if number not in self.faults]
        found = [f"{self.section.key}: {_are_missing(absent)}"] if absent else []
        found += [str(each).removesuffix(".") for number in numbers for each in self.faults.get(number, ())]
        if len(found) > MOST_FAULTS_TOLD:
            found = [*found[:MOST_FAULTS_TOLD], f"and {len(found) - MOST_FAULTS_TOLD:,} more of the kind"]
        before = min(self.asked[number] for number in numbers)
        often = [f"{self.section.key}: this was asked for {before} times before"] if before > 1 else []
        return (*([self.last_unread] if self.last_unread else []), *found, *often)

    def take(self, reply: Answered) -> None:
        """Put a reply to what is `wanted` into the state."""
        numbers = self.wanted
        self.asked.update(numbers)
        self.replies += 1
        finish = finish_of(reply.finish_reason)
        self.cut += finish is Finish.TRUNCATED
        if self.replies > 1 and any(self.asked[number] > 1 for number in numbers):
            self.flags[ASKED_AGAIN] = None
        text, self.last_unread = reply.text or "", ""
        if reply.refusal or finish is Finish.REFUSED or is_declined(text):
            self.is_refused = True
            return
        if finish is Finish.FAILED:
            self._unread(FAILED)
            return
        if finish is Finish.TRUNCATED:  # ABSTRACTION_NA may be the beginning of ABSTRACTION_NARROWER
            text = text.rstrip(f"{ascii_letters}_")
        try:
            parsed = _read(text)
        except BadInput as error:
            cut = "the reply was cut off; " if finish is Finish.TRUNCATED else ""
            self._unread(f"{cut}{str(error).removesuffix('.')}")
            return
        self.flags |= dict.fromkeys(parsed.flags)
        found = read_verdict(parsed.value, {self.section: self.n}).sections.get(self.section)
        if found is None or found.problem:
            self._unread(_no_section(self.section, found, parsed.value))
            return
        self.read += 1
        self._merge(found)

    def _unread(self, why: str) -> None:
        self.unread.append(why)
        self.last_unread = why

    def _merge(self, found: SectionVerdict) -> None:
        """Items that have no fault and were not good before; a faulty one stays until a good one comes."""
        of_item: dict[int, list[VerdictFault]] = {}
        for fault in found.faults:
            if fault.item is not None and 1 <= fault.item <= self.n:
                of_item.setdefault(fault.item, []).append(fault)
            else:
                self.flags[FURTHER] = None
        for item, raw in zip(found.items, found.raw, strict=True):
            number = item.number
            if number is None or not 1 <= number <= self.n or number in self.good:
                continue
            kept = kept_item(self.section, number, raw)
            if number in of_item:
                self.faulty[number] = kept
                self.faults[number] = of_item[number]
            else:
                self.good[number] = kept
                self.faulty.pop(number, None)
                self.faults.pop(number, None)


def followed(section: Section, n: int, per_request: int | None, so_far: Sequence[Answered]) -> VerdictSoFar:
    """The state after these replies."""
    state = VerdictSoFar(section=section, n=n, per_request=per_request)
    for reply in so_far:
        state.take(reply)
    return state


def reading_of(state: VerdictSoFar) -> Reading:
    """What the replies come to, when nothing more is asked: answered if every item is good, refused, unparsable or
    truncated if no reply could be read, else incomplete. `value`: {"section", "items" as in a verdict, with their
    counterparts and evidence, "faults", "requests"}."""
    items = [state.good.get(number) or state.faulty.get(number) for number in range(1, state.n + 1)]
    there = [item for item in items if item is not None]
    faults = [fault for number in state.missing for fault in _faults_of(state, number)]
    value = {
        "section": state.section.value,
        "items": there,
        "faults": [_fault_json(each) for each in faults[:MOST_FAULTS_KEPT]],
        "requests": state.replies,
    }
    flags = dict(state.flags)
    if not state.missing:
        verdict = read_verdict({state.section.key: there}, {state.section: state.n}).sections[state.section]
        if any(True for _ in inconsistencies_of(verdict)):
            flags[INCONSISTENT] = None
        return Reading(status=ItemStatus.ANSWERED, value=value, flags=tuple(flags))
    told = state.told(state.missing)
    if state.read:
        return Reading(status=ItemStatus.INCOMPLETE, value=value, faults=told, flags=tuple(flags))
    if state.is_refused:
        return Reading(status=ItemStatus.REFUSED)
    status = ItemStatus.TRUNCATED if state.cut == state.replies else ItemStatus.UNPARSABLE
    return Reading(status=status, faults=tuple(dict.fromkeys(state.unread)) or told)


def kept_item(section: Section, number: int, said: Item) -> dict[str, Any]:
    """An item with its labels as they were said, cut short, its counterparts and its quotes; the rest of what a judge
    wrote stays in its reply."""
    kept: dict[str, Any] = {section.number_key: number}
    for block in section.blocks:
        holder = said.get(block.key) if block.key else said
        labels = (
            {name: _short(holder[name]) for name in LEGAL[section, block] if name in holder}
            if isinstance(holder, Mapping)
            else None
        )
        if block is Block.ITEM:
            kept |= labels or {}
        elif block.key in said:
            kept[block.key] = labels
    if numbers := [each for each in _listed(said.get(COUNTERPARTS)) if isinstance(each, int) and each > 0]:
        kept[COUNTERPARTS] = numbers[:MOST_COUNTERPARTS]
    if quotes := [each.strip() for each in _listed(said.get(EVIDENCE)) if isinstance(each, str) and each.strip()]:
        kept[EVIDENCE] = [each[:LONGEST_QUOTE] for each in quotes[:MOST_QUOTES]]
    return kept


def _listed(said: Any) -> Sequence[Any]:
    return said if isinstance(said, list) else () if said is None else (said,)


def _short(said: Any) -> Any:
    if isinstance(said, str):
        return said[:LONGEST_FOUND]
    return said if said is None or isinstance(said, int) else str(type(said).__name__)


def _faults_of(state: VerdictSoFar, number: int) -> Sequence[VerdictFault]:
    return state.faults.get(number) or (VerdictFault(state.section.value, Why.MISSING_ITEM, number),)


def _fault_json(fault: VerdictFault) -> dict[str, Any]:
    named = {name: getattr(fault, name) for name in ("section", "item", "block", "field", "found")}
    return {**named, "why": fault.why.value}


def _no_section(section: Section, found: SectionVerdict | None, said: Mapping[str, Any]) -> str:
    if found is not None:
        return found.problem
    others = [key for key in said if key in {each.key for each in Section}]
    there = f", but {others[0]}" if others else ""
    return f"the reply has no {section.key}{there}"


def _are_missing(numbers: Sequence[int]) -> str:
    return f"item{'s' * (len(numbers) > 1)} {in_ranges(numbers)} {'are' if len(numbers) > 1 else 'is'} missing"
