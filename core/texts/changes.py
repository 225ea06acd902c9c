"""Normalisation: parts of a text replaced by a model's or a person's entries (ReCITE, appendix T; protocols: texts).

An entry names the first and the last words of what it replaces. Later entries may not touch a part that was replaced (a
wall), so changes do not overlap in the original text either, and each can be rejected alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from rapidfuzz.distance import LCSseq

from core.texts.words import markdown_words
from core.words import control_in, plain_line_ends

LARGEST_SHARE = 0.20  # of the words of a text: the most that one round may remove

NEARBY = 200  # characters around a change in which the words of its replacement are expected

GRAPH_OPENS, GRAPH_CLOSES = "<causal_graph>", "</causal_graph>"
FIELDS = ("start", "end", "replacement")


@dataclass(frozen=True, slots=True)
class ChangeEntry:
    """A request: replace from the first place of `start` through the nearest `end`, both included."""

    start: str
    end: str
    replacement: str


@dataclass(frozen=True, slots=True)
class Fault:
    """Reason to refuse a list of entries as a whole."""

    entry: int | None  # from 1; None: the whole list
    field: str | None  # as in JSON
    why: str

    def in_words(self, round: int | None = None) -> str:
        """Return the fault with its place: "Round 2, entry 4: the end …"; without it if the sentence names its
        entry."""
        place = [] if round is None else [f"round {round}"]
        if self.entry is not None and not self.why.startswith("Entry "):
            place.append(f"entry {self.entry}")
        where = ", ".join(place)
        return f"{where[:1].upper()}{where[1:]}: {self.why[:1].lower()}{self.why[1:]}" if where else self.why


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedChange:
    number: int
    start: int  # of the text before all changes, like `end`, which is excluded
    end: int
    was: str
    replacement: str
    # words of the replacement that are neither in `was` nor near it, for a person to check
    flagged: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Normalised:
    """A normalised text; `text` is None if there are faults: then nothing was changed."""

    text: str | None
    changes: tuple[ListedChange, ...]
    faults: tuple[Fault, ...]


@dataclass(frozen=True, slots=True)
class _Wall:
    """A replaced part: places in the current text (start, end) and in the original (was_start, was_end)."""

    start: int
    end: int
    was_start: int
    was_end: int
    number: int

    def is_touched(self, start: int, end: int) -> bool:
        """Return True if a range overlaps the wall; adjacent ranges do not."""
        return start < self.end and self.start < end

    def moved(self, by: int) -> _Wall:
        return _Wall(self.start + by, self.end + by, self.was_start, self.was_end, self.number)


def entries_of(document: Any) -> tuple[tuple[ChangeEntry | None, ...], tuple[Fault, ...]]:
    """Return the entries of `{"normalizations": [{"start", "end", "replacement"}]}`, None in place of a faulty one, and
    every fault of form."""
    listed = document.get("normalizations") if isinstance(document, dict) else None
    if not isinstance(listed, list):
        return (), (Fault(None, "normalizations", 'There is no list; expected {"normalizations": […]}.'),)
    entries, faults = list[ChangeEntry | None](), list[Fault]()
    for number, each in enumerate(listed, 1):
        wrong = tuple(_faults_of_form(number, each))
        faults += wrong
        entries.append(None if wrong else ChangeEntry(each["start"], each["end"], plain_line_ends(each["replacement"])))
    return tuple(entries), tuple(faults)


def normalise(text: str, entries: Sequence[ChangeEntry | None], largest_share: float = LARGEST_SHARE) -> Normalised:
    """Apply the entries in order, each on the current text. With any fault, nothing is changed; entries that are None,
    whose faults are known already, are skipped.

    Convention (protocols, texts): a region begins at the first place of `start` that touches no wall and ends with the
    nearest `end` that ends no earlier than `start` does; text in `<causal_graph>` is no part of the paper."""
    now, walls = text, list[_Wall]()
    faults, changes = list[Fault](), list[ListedChange]()
    for number, entry in enumerate(entries, 1):
        if entry is None:
            continue
        region = _region(now, walls, entry, number)
        if isinstance(region, Fault):
            faults.append(region)
            continue
        start, end = region
        # The original place; empty walls at the place itself come before it.
        shifts = ((each.was_end - each.was_start) - (each.end - each.start) for each in walls if each.end <= start)
        was_start = start + sum(shifts)
        was = now[start:end]
        changes.append(
            ListedChange(
                number=number,
                start=was_start,
                end=was_start + len(was),
                was=was,
                replacement=entry.replacement,
                flagged=external_words(now, start, end, entry.replacement),
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


def applied(text: str, changes: Iterable[ListedChange]) -> str:
    """Return the text with these changes made, possibly a subset of a round."""
    parts, done = list[str](), 0
    for change in sorted(changes, key=lambda each: (each.start, each.end)):
        parts += [text[done : change.start], change.replacement]
        done = change.end
    return "".join([*parts, text[done:]])


def share_taken_out(text: str, changes: Iterable[ListedChange]) -> float:
    """Return the share, 0.0 to 1.0, of the words of the text that are not, in order, in the text with these changes."""
    was = markdown_words(text)
    if not was:
        return 0.0
    return (len(was) - LCSseq.similarity(was, markdown_words(applied(text, changes)))) / len(was)


def external_words(text: str, start: int, end: int, replacement: str) -> tuple[str, ...]:
    """Return words of a replacement that are neither in the replaced text nor within `NEARBY` characters of it."""
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
        elif field == "replacement" and (control := control_in(plain_line_ends(value))):
            yield Fault(number, field, f"The replacement contains {control}; remove it. JSON needs a backslash twice.")


def _region(text: str, walls: Sequence[_Wall], entry: ChangeEntry, number: int) -> tuple[int, int] | Fault:
    graph = _graph_stretches(text)
    start, obstacle = _first_free(text, entry.start, walls, graph)
    if start is None:
        return _no_start(entry.start, number, obstacle)
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
    """Return the first place of a text that no wall and no graph touches; else the obstacle at its first place: the
    number of an entry, "graph", or None if there is no place at all."""
    obstacle: int | str | None = None
    place = text.find(part)
    while place >= 0:
        end = place + len(part)
        wall = next((each for each in walls if each.is_touched(place, end)), None)
        in_graph = any(place < closes and opens < end for opens, closes in graph)
        if wall is None and not in_graph:
            return place, None
        if obstacle is None or (obstacle == "graph" and wall is not None):
            obstacle = wall.number if wall is not None else "graph"
        place = text.find(part, place + 1)
    return None, obstacle


def _no_start(start: str, number: int, obstacle: int | str | None) -> Fault:
    if obstacle is None:
        return Fault(number, "start", f"The start “{_shown(start)}” does not appear in the text.")
    if obstacle == "graph":
        return Fault(number, "start", f"The start “{_shown(start)}” is in the graph, not in the paper.")
    return Fault(number, "start", f"Entry {number} reaches into what entry {obstacle} replaced.")


def _graph_stretches(text: str) -> tuple[tuple[int, int], ...]:
    graphs, place = list[tuple[int, int]](), text.find(GRAPH_OPENS)
    while place >= 0:
        closes = text.find(GRAPH_CLOSES, place)
        end = len(text) if closes < 0 else closes + len(GRAPH_CLOSES)
        graphs.append((place, end))
        place = text.find(GRAPH_OPENS, end)
    return tuple(graphs)


def _percent(share: float) -> str:
    shown = f"{100 * share:.1f}"
    return f"{shown.removesuffix('.0')} %"


def _shown(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 60 else f"{flat[:59]}…"
