"""A text with its changes in place: what stands, what stood before, and how both move when one change is rejected.

`core.texts.changes` finds what a list of entries replaces; here the changes of one stage are kept, whoever made them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from core.texts.changes import Change
from core.texts.changes import share_taken_out as _share_taken_out

JOINED = " "
"""What is left of matter that stood between the two halves of a sentence."""
APART = "\n\n"

NORMALISED = "normalised"
BY_HAND = "by hand"
"""Kinds of changes that are no removal: of a list of entries, and of somebody who marked a stretch."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextChange:
    """What is replaced by what in a stage. `start` and `end` (excluded) are places of the text before the stage's
    changes, which do not overlap; `kind`: a removed kind of `core.texts.sections`, NORMALISED or BY_HAND. `flagged`:
    words of the replacement that stand neither in `was` nor near it. `ruled_by`: an actor's id, "" if nobody ruled."""

    number: int
    start: int
    end: int
    was: str
    replacement: str
    kind: str
    page: int | None = None
    flagged: tuple[str, ...] = ()
    is_rejected: bool = False
    reason: str = ""
    ruled_by: str = ""


@dataclass(frozen=True, slots=True)
class Edit:
    """A stretch of one text, `end` excluded, that has become `length` characters long in the next."""

    start: int
    end: int
    length: int

    @property
    def by(self) -> int:
        """How many characters longer the text is."""
        return self.length - (self.end - self.start)


def of_round(changes: Iterable[Change], kind: str = NORMALISED) -> tuple[TextChange, ...]:
    """The changes of a normalisation, as a stage keeps them."""
    return tuple(
        TextChange(
            number=each.number,
            start=each.start,
            end=each.end,
            was=each.was,
            replacement=each.replacement,
            kind=kind,
            flagged=each.flagged,
        )
        for each in changes
    )


def share_taken_out(before: str, changes: Iterable[TextChange]) -> float:
    """Of the words of the text before, those that its standing changes take out."""
    standing = [each for each in changes if not each.is_rejected]
    return _share_taken_out(
        before,
        (
            Change(number=each.number, start=each.start, end=each.end, was=each.was, replacement=each.replacement)
            for each in standing
        ),
    )


def standing(before: str, changes: Iterable[TextChange]) -> str:
    """The text with the changes that are not rejected."""
    parts, done = list[str](), 0
    for change, words in _written(changes):
        parts += [before[done : change.start], words]
        done = change.end
    return "".join([*parts, before[done:]])


def without(after: str, changes: Iterable[TextChange]) -> str:
    """The text before a stage, of the text with its changes."""
    parts, done, by = list[str](), 0, 0
    for change, words in _written(changes):
        at = change.start + by
        parts += [after[done:at], change.was]
        done = at + len(words)
        by += len(words) - len(change.was)
    return "".join([*parts, after[done:]])


def place_after(place: int, changes: Iterable[TextChange]) -> int:
    """Where a place of the text before that no change covers stands in the text with them."""
    return place + sum(len(words) - len(change.was) for change, words in _written(changes) if change.end <= place)


def place_before(start: int, end: int, changes: Iterable[TextChange]) -> int | TextChange:
    """Where a stretch of the text with its changes stands in the text before; or the change that it touches."""
    by = 0
    for change, words in _written(changes):
        at = change.start + by
        if start < at + len(words) and at < end:
            return change
        if at + len(words) > start:
            break
        by += len(words) - len(change.was)
    return start - by


def ruled(changes: Sequence[TextChange], number: int, *, is_rejected: bool, reason: str, by: str) -> list[TextChange]:
    """The changes with one of them rejected or restored."""
    return [
        replace(each, is_rejected=is_rejected, reason=reason, ruled_by=by) if each.number == number else each
        for each in changes
    ]


def edit_between(before: Sequence[TextChange], after: Sequence[TextChange], number: int) -> Edit:
    """Where a stage's text differs once change `number` is ruled on otherwise, with what a neighbour then joins."""
    old, new = list(_written(before)), list(_written(after))
    differing = [place for place, (one, other) in enumerate(zip(old, new, strict=True)) if one[1] != other[1]]
    if not differing:
        place = next(place for place, (change, _) in enumerate(old) if change.number == number)
        differing = [place]
    first, last = differing[0], differing[-1]
    by = sum(len(words) - len(change.was) for change, words in old[:first])
    start = old[first][0].start + by
    gaps = sum(old[n + 1][0].start - old[n][0].end for n in range(first, last))
    length_before = gaps + sum(len(words) for _, words in old[first : last + 1])
    length_after = gaps + sum(len(words) for _, words in new[first : last + 1])
    return Edit(start, start + length_before, length_after)


def hindrances(changes: Iterable[TextChange], edit: Edit) -> list[TextChange]:
    """Changes of the next stage that are places of an edited stretch of the text before it."""
    return [each for each in changes if each.start < edit.end and edit.start < each.end]


def moved(changes: Sequence[TextChange], edit: Edit, text_before: str) -> tuple[list[TextChange], Edit]:
    """The changes of the next stage after an edit of the text before it (`text_before` as it is now), and the same
    edit in the text after it. A rejected change that the edit touches, one at most, takes in what was edited; no
    standing one may be touched."""
    later = list[TextChange]()
    for each in changes:
        if each.start < edit.end and edit.start < each.end:
            start, end = min(each.start, edit.start), max(each.end, edit.end) + edit.by
            each = replace(each, start=start, end=end, was=text_before[start:end])
        elif each.start >= edit.end:
            each = replace(each, start=each.start + edit.by, end=each.end + edit.by)
        later.append(each)
    start = place_after(edit.start, changes)
    return later, Edit(start, start + edit.end - edit.start, edit.length)


def _written(changes: Iterable[TextChange]) -> Iterator[tuple[TextChange, str]]:
    """Every change in order with the words that now stand in its place. Where what stood between two halves of a
    sentence is partly kept, the halves stay apart."""
    held_at = -1  # where a rejected change, or what follows one directly, ends
    for each in sorted(changes, key=lambda one: (one.start, one.end)):
        if each.is_rejected:
            held_at = each.end
            yield each, each.was
            continue
        is_held = each.start == held_at
        held_at = each.end if is_held else -1
        yield each, APART if is_held and each.replacement == JOINED and each.was.endswith(APART) else each.replacement
