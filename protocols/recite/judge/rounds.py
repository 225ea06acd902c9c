"""Verdicts assembled from the replies of one item: valid items stay, missing or faulty ones are requested again. No
state is stored between rounds: the same replies give the same state, so that rounds can be derived again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from string import ascii_letters
from typing import TYPE_CHECKING, Any

from core.errors import BadInput
from core.runs.states import ItemStatus
from core.verdicts.labels import LEGAL, LabelBlock, Section
from core.verdicts.verdict import (
    LONGEST_FOUND,
    InconsistencyReason,
    SectionVerdict,
    VerdictFault,
    inconsistencies_of,
    read_verdict,
)
from protocols.exchanges import Answered, Reading
from protocols.recite.judge.tasks import MOST_AGAIN, in_ranges
from protocols.replies.before_reading import FAILED
from protocols.replies.declining import is_declined
from protocols.replies.finish_reasons import Finish, finish_of
from protocols.replies.quotes import COUNTERPARTS, EVIDENCE

if TYPE_CHECKING:
    from protocols.replies.verdicts import ParsedVerdict

MOST_COUNTERPARTS, MOST_QUOTES, LONGEST_QUOTE = 20, 3, 200
ASKED_AGAIN, INCONSISTENT, FURTHER = "asked again", "inconsistent labels", "items out of range"
MOST_FAULTS_LISTED = 60
MOST_FAULTS_STORED = 200

Item = Mapping[str, Any]


@lru_cache(maxsize=1)
def _read(text: str) -> ParsedVerdict:
    """Read the verdict in a reply. Cached: an imported reply has all sections and is read for each of its items."""
    from protocols.replies.verdicts import read_verdict_reply  # imported here, since it loads a YAML parser

    return read_verdict_reply(text)


@dataclass(kw_only=True)
class VerdictSoFar:
    """State of a verdict after some replies."""

    section: Section
    n: int
    per_request: int | None
    good: dict[int, Item] = field(default_factory=dict)  # items by number, as written
    faulty: dict[int, Item] = field(default_factory=dict)  # likewise
    faults: dict[int, list[VerdictFault]] = field(default_factory=dict)  # of the last reply to a request for each item
    asked: Counter[int] = field(default_factory=Counter)  # requests per number
    unread: list[str] = field(default_factory=list)  # one sentence per reply that gave nothing
    last_unread: str = ""  # empty if the last reply gave something
    flags: dict[str, None] = field(default_factory=dict)
    replies: int = 0
    read: int = 0
    cut: int = 0
    is_refused: bool = False

    @property
    def missing(self) -> list[int]:
        return [number for number in range(1, self.n + 1) if number not in self.good]

    @property
    def numbers_to_request(self) -> list[int]:
        """Numbers to request next: of those still allowed, the ones requested least often."""
        may = [number for number in self.missing if self.asked[number] <= MOST_AGAIN]
        if not may or self.is_refused:
            return []
        least = min(self.asked[number] for number in may)
        return [number for number in may if self.asked[number] == least][: self.per_request]

    def faults_of(self, numbers: Sequence[int]) -> tuple[str, ...]:
        """Return the faults of these numbers in earlier replies, sentences without a full stop; empty at their first
        request."""
        if not any(self.asked[number] for number in numbers):
            return ()
        absent = [number for number in numbers if number not in self.faults]
        sentences = []
        if absent:
            items, are = ("items", "are") if len(absent) > 1 else ("item", "is")
            sentences.append(f"{self.section.key}: {items} {in_ranges(absent)} {are} missing")
        sentences += [str(each).removesuffix(".") for number in numbers for each in self.faults.get(number, ())]
        if len(sentences) > MOST_FAULTS_LISTED:
            sentences = [
                *sentences[:MOST_FAULTS_LISTED],
                f"and {len(sentences) - MOST_FAULTS_LISTED:,} more of the kind",
            ]
        before = min(self.asked[number] for number in numbers)
        often = [f"{self.section.key}: this was asked for {before} times before"] if before > 1 else []
        return (*([self.last_unread] if self.last_unread else []), *sentences, *often)

    def take(self, reply: Answered) -> None:
        """Add a reply to the request for `numbers_to_request`."""
        numbers = self.numbers_to_request
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
        if finish is Finish.TRUNCATED:  # the last word may be cut: ABSTRACTION_NA could be ABSTRACTION_NARROWER
            text = text.rstrip(f"{ascii_letters}_")
        try:
            parsed = _read(text)
        except BadInput as error:
            cut = "the reply was cut off; " if finish is Finish.TRUNCATED else ""
            self._unread(f"{cut}{str(error).removesuffix('.')}")
            return
        self.flags |= dict.fromkeys(parsed.flags)
        section = read_verdict(parsed.value, {self.section: self.n}).sections.get(self.section)
        if section is None or section.problem:
            self._unread(_no_section(self.section, section, parsed.value))
            return
        self.read += 1
        self._merge(section)

    def _unread(self, why: str) -> None:
        self.unread.append(why)
        self.last_unread = why

    def _merge(self, section: SectionVerdict) -> None:
        """Add items without a fault that were not good before; a faulty one stays until a good one arrives."""
        of_item: dict[int, list[VerdictFault]] = {}
        for fault in section.faults:
            if fault.item is not None and 1 <= fault.item <= self.n:
                of_item.setdefault(fault.item, []).append(fault)
            else:
                self.flags[FURTHER] = None
        for item, raw in zip(section.items, section.raw, strict=True):
            number = item.number
            if number is None or not 1 <= number <= self.n or number in self.good:
                continue
            stored = trimmed_item(self.section, number, raw)
            if number in of_item:
                self.faulty[number] = stored
                self.faults[number] = of_item[number]
            else:
                self.good[number] = stored
                self.faulty.pop(number, None)
                self.faults.pop(number, None)


def followed(section: Section, n: int, per_request: int | None, so_far: Sequence[Answered]) -> VerdictSoFar:
    """Return the state after these replies."""
    state = VerdictSoFar(section=section, n=n, per_request=per_request)
    for reply in so_far:
        state.take(reply)
    return state


def reading_of(state: VerdictSoFar) -> Reading:
    """Return the reading of the replies, if nothing more is requested. Answered if every item is good; refused,
    unparsable or truncated if no reply could be read; otherwise incomplete. `value`: {"section", "items" as in a
    verdict with counterparts and evidence, "faults", "requests"}."""
    items = [state.good.get(number) or state.faulty.get(number) for number in range(1, state.n + 1)]
    present = [item for item in items if item is not None]
    faults = [
        fault
        for number in state.missing
        for fault in state.faults.get(number)
        or (VerdictFault(state.section.value, InconsistencyReason.MISSING_ITEM, number),)
    ]
    value = {
        "section": state.section.value,
        "items": present,
        "faults": [
            {name: getattr(each, name) for name in ("section", "item", "block", "field", "found")}
            | {"why": each.why.value}
            for each in faults[:MOST_FAULTS_STORED]
        ],
        "requests": state.replies,
    }
    flags = dict(state.flags)
    if not state.missing:
        verdict = read_verdict({state.section.key: present}, {state.section: state.n}).sections[state.section]
        if any(True for _ in inconsistencies_of(verdict)):
            flags[INCONSISTENT] = None
        return Reading(status=ItemStatus.ANSWERED, value=value, flags=tuple(flags))
    listed = state.faults_of(state.missing)
    if state.read:
        return Reading(status=ItemStatus.INCOMPLETE, value=value, faults=listed, flags=tuple(flags))
    if state.is_refused:
        return Reading(status=ItemStatus.REFUSED)
    status = ItemStatus.TRUNCATED if state.cut == state.replies else ItemStatus.UNPARSABLE
    return Reading(status=status, faults=tuple(dict.fromkeys(state.unread)) or listed)


def trimmed_item(section: Section, number: int, item: Item) -> dict[str, Any]:
    """Return the stored form of an item: labels as written, shortened, counterparts and quotes. The rest of the judge's
    text is stored in its reply only."""
    stored: dict[str, Any] = {section.number_key: number}
    for block in section.blocks:
        holder = item.get(block.key) if block.key else item
        labels = (
            {name: _short(holder[name]) for name in LEGAL[section, block] if name in holder}
            if isinstance(holder, Mapping)
            else None
        )
        if block is LabelBlock.ITEM:
            stored |= labels or {}
        elif block.key in item:
            stored[block.key] = labels
    if numbers := [each for each in _listed(item.get(COUNTERPARTS)) if isinstance(each, int) and each > 0]:
        stored[COUNTERPARTS] = numbers[:MOST_COUNTERPARTS]
    if quotes := [each.strip() for each in _listed(item.get(EVIDENCE)) if isinstance(each, str) and each.strip()]:
        stored[EVIDENCE] = [each[:LONGEST_QUOTE] for each in quotes[:MOST_QUOTES]]
    return stored


def _listed(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else () if value is None else (value,)


def _short(value: Any) -> Any:
    if isinstance(value, str):
        return value[:LONGEST_FOUND]
    return value if value is None or isinstance(value, int) else str(type(value).__name__)


def _no_section(section: Section, verdict: SectionVerdict | None, content: Mapping[str, Any]) -> str:
    if verdict is not None:
        return verdict.problem
    others = [key for key in content if key in {each.key for each in Section}]
    hint = f", but {others[0]}" if others else ""
    return f"the reply has no {section.key}{hint}"
