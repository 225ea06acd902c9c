"""A judge's prose in addition to its labels: the part about one item, and its quotes. Pure.

A judge thinks in prose. Its lines about one item are recognised by the item's number or names; a line about several
items belongs to none of them, so that no item is shown with prose about another."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from core.graphs.names import fold_name
from core.texts.mentions import MentionedNames
from core.verdicts.labels import Section

MOST_QUOTES = 12
LEAST_WORDS = 3
_MARKS = {"“": "”", "«": "»", "„": "“", '"': '"'}
_LONGEST_QUOTE = 600
_SECTION = re.compile(r"\b(node|edge)s?[ _:,-]{0,3}(precision|recall)\b", re.IGNORECASE)
_NUMBER = re.compile(r"\b(node|edge|item)s?(?:_number)?[ #:]{0,3}(\d{1,5})\b", re.IGNORECASE)
_FURTHER = re.compile(r"(?:,| and| or| to|–|-) {0,2}#?(\d{1,5})\b")
_LISTED = re.compile(r"[ \t>*-]{0,8}(\d{1,5})[.):]")


def prose_of(reply: str) -> str:
    """Return a reply up to its block of labels.

    >>> prose_of("Edge 1 is there.\\n```yaml\\nedge_recall_evaluations: []\\n```")
    'Edge 1 is there.'
    """
    starts = [reply.find("```"), *(reply.find(section.key) for section in Section)]
    known_starts = [each for each in starts if each >= 0]
    return reply[: min(known_starts, default=len(reply))].rstrip(" \n\t{\"'")


def about_items(
    written: str, section: Section, names: Mapping[int, tuple[str, ...]], *, is_of_section: bool
) -> dict[int, str]:
    """Return the prose about each item alone. `names`: the names of every item of the section, by number;
    `is_of_section`: the judge was asked about no other section, so that a number is one of this one.

    >>> about_items("Edge 1: yes.\\nEdges 1 and 2 differ.", Section.EDGE_RECALL, {1: ("a", "b")}, is_of_section=True)
    {1: 'Edge 1: yes.'}
    """
    lines_by_item: dict[int, list[str]] = {}
    current: Collection[int] = ()
    is_in_section = is_of_section
    every = MentionedNames(name for each in names.values() for name in each)
    for line in written.splitlines():
        if not line.strip():
            current = ()
            continue
        sections = {f"{kind}_{which}".lower() for kind, which in _SECTION.findall(line)}
        if sections:
            is_in_section = sections == {section.value}
            current = ()
        numbers = _numbers(line, section) if is_in_section else set()
        if not numbers:
            mentioned = {each.name for each in every.in_text(line)}
            numbers = {number for number, each in names.items() if mentioned.issuperset(each)}
        current = numbers or current
        if len(current) == 1 and len(sections) <= 1:
            lines_by_item.setdefault(next(iter(current)), []).append(line)
    return {number: "\n".join(lines) for number, lines in lines_by_item.items() if number in names}


def _numbers(line: str, section: Section) -> set[int]:
    """Return numbers of items that a line names: "edge 4", "edges 4, 5 and 6", "4." at its beginning. A number of the
    other kind (a node's, where edges are judged) does not count."""
    kind = section.value.partition("_")[0]
    numbers: set[int] = set()
    for match in _NUMBER.finditer(line):
        if match[1].lower() not in (kind, "item"):
            continue
        numbers.add(int(match[2]))
        place = match.end()
        while further := _FURTHER.match(line, place):
            numbers.add(int(further[1]))
            place = further.end()
    if not numbers and (listed := _LISTED.match(line)):
        numbers.add(int(listed[1]))
    return numbers


def quotes_in(written: str, names: Collection[str]) -> tuple[str, ...]:
    """Return the texts in quotation marks, each once: at least three words that are no node's name.

    >>> quotes_in('It says “Rain floods the town” and names "Rain".', ["Rain"])
    ('Rain floods the town',)
    """
    known = {fold_name(name) for name in names}
    quotes: dict[str, None] = {}
    place = 0
    while place < len(written) and len(quotes) < MOST_QUOTES:
        closing = _MARKS.get(written[place])
        end = written.find(closing, place + 1, place + _LONGEST_QUOTE) if closing else -1
        if end < 0:
            place += 1
            continue
        quote = written[place + 1 : end].strip().rstrip(".,;…").strip()
        if "\n\n" not in quote and len(quote.split()) >= LEAST_WORDS and fold_name(quote) not in known:
            quotes[quote] = None
        place = end + 1
    return tuple(quotes)


def joined(parts: Sequence[str | None]) -> str:
    """Return everything that a judge wrote, in order."""
    return "\n\n".join(part.strip() for part in parts if part and part.strip())
