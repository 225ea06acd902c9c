"""Normalisation: stretches of a text replaced as a model or a person asks (ReCITE, appendix T; protocols: texts).

A change names the first and the last words of what it replaces. What one change has replaced is a wall to every
later one, so changes are apart from each other also on the text before, and each can be rejected alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from rapidfuzz.distance import LCSseq

from core.texts.words import markdown_words
from core.words import control_in, plain_line_ends

LARGEST_SHARE = 0.20
"""Of the words of a text, how many one round may take out."""

NEARBY = 200
"""Characters around a change in which the words of its replacement are looked for."""

GRAPH_OPENS, GRAPH_CLOSES = "<causal_graph>", "</causal_graph>"
FIELDS = ("start", "end", "replacement")


@dataclass(frozen=True, slots=True)
class Entry:
    """What is asked: replace from the first place of `start` through the nearest `end`, both included."""

    start: str
    end: str
    replacement: str


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a list of entries is refused as a whole; `entry` from 1 (None: the whole list), `field` as in JSON."""

    entry: int | None
    field: str | None
    why: str

    def in_words(self, round: int | None = None) -> str:
        """The fault with its place: "Round 2, entry 4: the end …". A sentence that names its entry is given none."""
        place = [] if round is None else [f"round {round}"]
        if self.entry is not None and not self.why.startswith("Entry "):
            place.append(f"entry {self.entry}")
        where = ", ".join(place)
        return f"{where[:1].upper()}{where[1:]}: {self.why[:1].lower()}{self.why[1:]}" if where else self.why


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What an entry replaced. `start` and `end` are places of the text before all changes, `end` excluded.
    `flagged`: words of the replacement that stand neither in `was` nor near it; a person should look."""

    number: int
    start: int
    end: int
    was: str
    replacement: str
    flagged: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Normalised:
    """`text` is None if there are faults: then nothing was changed."""

    text: str | None
    changes: tuple[Change, ...]
    faults: tuple[Fault, ...]


@dataclass(frozen=True, slots=True)
class _Wall:
    """A replaced stretch: places in the text as it stands (start, end) and in the text before (was_start, was_end)."""

    start: int
    end: int
    was_start: int
    was_end: int
    number: int

    def is_touched(self, start: int, end: int) -> bool:
        """Whether a stretch shares a character with it or reaches across it; next to it is no touch."""
        return start < self.end and self.start < end

    def moved(self, by: int) -> _Wall:
        return _Wall(self.start + by, self.end + by, self.was_start, self.was_end, self.number)


def entries_of(document: Any) -> tuple[tuple[Entry | None, ...], tuple[Fault, ...]]:
    """The entries of `{"normalizations": [{"start", "end", "replacement"}]}`, None in place of a faulty one, and every
    fault of form."""
    listed = document.get("normalizations") if isinstance(document, dict) else None
    if not isinstance(listed, list):
        return (), (Fault(None, "normalizations", 'There is no list; expected {"normalizations": […]}.'),)
    entries, faults = list[Entry | None](), list[Fault]()
    for number, each in enumerate(listed, 1):
        wrong = tuple(_faults_of_form(number, each))
        faults += wrong
        entries.append(None if wrong else Entry(each["start"], each["end"], plain_line_ends(each["replacement"])))
    return tuple(entries), tuple(faults)


def normalise(text: str, entries: Sequence[Entry | None], largest_share: float = LARGEST_SHARE) -> Normalised:
    """Applies the entries in order on the text as it stands. One fault, and nothing is changed; entries that are None
    are passed over, for faults told already.

    *Stands* (protocols, texts): a region begins at the first place of `start` that touches no wall and ends with the
    nearest `end` that ends no earlier than `start` does; what stands in `<causal_graph>` is no part of the paper.
    """
    now, walls = text, list[_Wall]()
    faults, changes = list[Fault](), list[Change]()
    for number, entry in enumerate(entries, 1):
        if entry is None:
            continue
        found = _region(now, walls, entry, number)
        if isinstance(found, Fault):
            faults.append(found)
            continue
        start, end = found
        was_start = _place_before(start, walls)
        was = now[start:end]
        changes.append(
            Change(
                number=number,
                start=was_start,
                end=was_start + len(was),
                was=was,
                replacement=entry.replacement,
                flagged=strange_words(now, start, end, entry.replacement),
            )
        )
        now = now[:start] + entry.replacement + now[end:]
        wall = _Wall(start, start + len(entry.replacement), was_start, was_start + len(was), number)
        by = len(entry.replacement) - len(was)
        walls = [each.moved(by) if each.start >= end else each for each in walls]
        walls.append(wall)
        walls.sort(key=lambda each: (each.was_start, each.was_end))
    if not faults and (share := share_taken_out(text, changes)) > largest_share:
        faults.append(
            Fault(
                None, None, f"This round takes out {_percent(share)} of the words; at most {_percent(largest_share)}."
            )
        )
    return Normalised(None, (), tuple(faults)) if faults else Normalised(now, tuple(changes), ())


def applied(text: str, changes: Iterable[Change]) -> str:
    """The text with these changes made, whichever of a round are left."""
    parts, done = list[str](), 0
    for change in sorted(changes, key=lambda each: (each.start, each.end)):
        parts += [text[done : change.start], change.replacement]
        done = change.end
    return "".join([*parts, text[done:]])


def share_taken_out(text: str, changes: Iterable[Change]) -> float:
    """Of the words of the text, how many the text with these changes no longer has in order; 0.0 to 1.0."""
    was = markdown_words(text)
    if not was:
        return 0.0
    return (len(was) - LCSseq.similarity(was, markdown_words(applied(text, changes)))) / len(was)


def strange_words(text: str, start: int, end: int, replacement: str) -> tuple[str, ...]:
    """Words of a replacement that stand neither in what it replaces nor within `NEARBY` characters of it."""
    near = set(markdown_words(text[max(0, start - NEARBY) : end + NEARBY]))
    return tuple(dict.fromkeys(word for word in markdown_words(replacement) if word not in near))


def _faults_of_form(number: int, each: Any) -> Iterable[Fault]:
    if not isinstance(each, dict):
        yield Fault(number, None, "It is no object; expected start, end and replacement.")
        return
    for field in FIELDS:
        value = each.get(field)
        if field not in each:
            yield Fault(number, field, f"The {field} is missing.")
        elif not isinstance(value, str):
            yield Fault(number, field, f"The {field} is no text.")
        elif not value and field != "replacement":
            yield Fault(number, field, f"The {field} is empty.")
        elif field == "replacement" and (found := control_in(plain_line_ends(value))):
            yield Fault(number, field, f"The replacement contains {found}; remove it. JSON needs a backslash twice.")


def _region(text: str, walls: Sequence[_Wall], entry: Entry, number: int) -> tuple[int, int] | Fault:
    graph = _graph_stretches(text)
    start, hindrance = _first_free(text, entry.start, walls, graph)
    if start is None:
        return _no_start(entry.start, number, hindrance)
    place = text.find(entry.end, max(start, start + len(entry.start) - len(entry.end)))
    if place < 0:
        return Fault(number, "end", f"The end “{_shown(entry.end)}” does not appear after its start.")
    end = place + len(entry.end)
    for wall in walls:
        if wall.is_touched(start, end):
            return Fault(number, "end", f"Entry {number} reaches into what entry {wall.number} replaced.")
    if any(start < closes and opens < end for opens, closes in graph):
        return Fault(number, "end", f"The end “{_shown(entry.end)}” is in the graph, not in the paper.")
    return start, end


def _first_free(
    text: str, part: str, walls: Sequence[_Wall], graph: Sequence[tuple[int, int]]
) -> tuple[int | None, int | str | None]:
    """The first place of a text that no wall and no graph touches; else what the first place touches: the number of
    an entry, "graph", or None where there is no place at all."""
    hindrance: int | str | None = None
    place = text.find(part)
    while place >= 0:
        end = place + len(part)
        wall = next((each for each in walls if each.is_touched(place, end)), None)
        in_graph = any(place < closes and opens < end for opens, closes in graph)
        if wall is None and not in_graph:
            return place, None
        if hindrance is None or (hindrance == "graph" and wall is not None):
            hindrance = wall.number if wall is not None else "graph"
        place = text.find(part, place + 1)
    return None, hindrance


def _no_start(start: str, number: int, hindrance: int | str | None) -> Fault:
    if hindrance is None:
        return Fault(number, "start", f"The start “{_shown(start)}” does not appear in the text.")
    if hindrance == "graph":
        return Fault(number, "start", f"The start “{_shown(start)}” is in the graph, not in the paper.")
    return Fault(number, "start", f"Entry {number} reaches into what entry {hindrance} replaced.")


def _graph_stretches(text: str) -> tuple[tuple[int, int], ...]:
    found, place = list[tuple[int, int]](), text.find(GRAPH_OPENS)
    while place >= 0:
        closes = text.find(GRAPH_CLOSES, place)
        end = len(text) if closes < 0 else closes + len(GRAPH_CLOSES)
        found.append((place, end))
        place = text.find(GRAPH_OPENS, end)
    return tuple(found)


def _place_before(place: int, walls: Sequence[_Wall]) -> int:
    """Where a place that no wall covers stood before all changes. Of walls without length at the place itself, what
    was replaced there stood before it."""
    return place + sum((each.was_end - each.was_start) - (each.end - each.start) for each in walls if each.end <= place)


def _percent(share: float) -> str:
    shown = f"{100 * share:.1f}"
    return f"{shown.removesuffix('.0')} %"


def _shown(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 60 else f"{flat[:59]}…"
