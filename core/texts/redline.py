"""A text with its changes in place: the current and the previous text, and how both shift when a change is rejected.

`core.texts.changes` finds what a list of entries replaces; here are the stored changes of one stage, by any
producer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from core.texts.changes import ListedChange
from core.texts.changes import share_taken_out as _share_taken_out

JOINED = " "  # replaces matter between the two halves of a sentence
APART = "\n\n"

# Kinds of changes that are no removal: of a list of entries, and of a person who marked a range.
NORMALISED = "normalised"
BY_HAND = "by hand"


@dataclass(frozen=True, slots=True, kw_only=True)
class TextChange:
    """A replacement in a stage; the changes of a stage do not overlap."""

    number: int
    start: int  # of the text before the stage's changes, like `end`, which is excluded
    end: int
    was: str
    replacement: str
    kind: str  # a removed kind of `core.texts.sections`, NORMALISED or BY_HAND
    page: int | None = None
    flagged: tuple[str, ...] = ()  # words of the replacement that are neither in `was` nor near it
    is_rejected: bool = False
    reason: str = ""
    ruled_by: str = ""  # an actor's id, "" without a ruling


@dataclass(frozen=True, slots=True)
class TextEdit:
    """A range of one text, `end` excluded, that is `length` characters long in the next."""

    start: int
    end: int
    length: int

    @property
    def by(self) -> int:
        return self.length - (self.end - self.start)


def of_round(changes: Iterable[ListedChange], kind: str = NORMALISED) -> tuple[TextChange, ...]:
    """Return the changes of a normalisation as a stage stores them."""
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
    """Return the share of the words of the text before that its accepted changes remove."""
    accepted = [each for each in changes if not each.is_rejected]
    return _share_taken_out(
        before,
        (
            ListedChange(number=each.number, start=each.start, end=each.end, was=each.was, replacement=each.replacement)
            for each in accepted
        ),
    )


def accepted_text(before: str, changes: Iterable[TextChange]) -> str:
    """Return the text with the changes that are not rejected."""
    parts, done = list[str](), 0
    for change, words in _written(changes):
        parts += [before[done : change.start], words]
        done = change.end
    return "".join([*parts, before[done:]])


def without(after: str, changes: Iterable[TextChange]) -> str:
    """Return the text before a stage, from the text with its changes."""
    parts, done, by = list[str](), 0, 0
    for change, words in _written(changes):
        at = change.start + by
        parts += [after[done:at], change.was]
        done = at + len(words)
        by += len(words) - len(change.was)
    return "".join([*parts, after[done:]])


def place_after(place: int, changes: Iterable[TextChange]) -> int:
    """Return the place in the changed text of a place before that no change covers."""
    return place + sum(len(words) - len(change.was) for change, words in _written(changes) if change.end <= place)


def place_before(start: int, end: int, changes: Iterable[TextChange]) -> int | TextChange:
    """Return the place in the text before of a range in the changed text; or the change that it touches."""
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
    return [
        replace(each, is_rejected=is_rejected, reason=reason, ruled_by=by) if each.number == number else each
        for each in changes
    ]


def edit_between(before: Sequence[TextChange], after: Sequence[TextChange], number: int) -> TextEdit:
    """Return the difference in a stage's text after a new ruling on change `number`, including a neighbour that then
    joins."""
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
    return TextEdit(start, start + length_before, length_after)


def conflicting_changes(changes: Iterable[TextChange], edit: TextEdit) -> list[TextChange]:
    """Return changes of the next stage that overlap an edited range of the text before it."""
    return [each for each in changes if each.start < edit.end and edit.start < each.end]


def moved(changes: Sequence[TextChange], edit: TextEdit, text_before: str) -> tuple[list[TextChange], TextEdit]:
    """Return the changes of the next stage after an edit of the text before it (`text_before` is the edited one), and
    the same edit in the text after it. A rejected change that the edit touches, one at most, absorbs the edit; no
    accepted one may be touched."""
    later = list[TextChange]()
    for each in changes:
        if each.start < edit.end and edit.start < each.end:
            start, end = min(each.start, edit.start), max(each.end, edit.end) + edit.by
            each = replace(each, start=start, end=end, was=text_before[start:end])
        elif each.start >= edit.end:
            each = replace(each, start=each.start + edit.by, end=each.end + edit.by)
        later.append(each)
    start = place_after(edit.start, changes)
    return later, TextEdit(start, start + edit.end - edit.start, edit.length)


def _written(changes: Iterable[TextChange]) -> Iterator[tuple[TextChange, str]]:
    """Yield every change in order with its current words. If the matter between two halves of a sentence is partly
    kept, the halves stay apart."""
    rejected_end = -1  # of a rejected change, or of what follows one directly
    for change in sorted(changes, key=lambda one: (one.start, one.end)):
        if change.is_rejected:
            rejected_end = change.end
            yield change, change.was
            continue
        is_adjacent = change.start == rejected_end
        rejected_end = change.end if is_adjacent else -1
        is_apart = is_adjacent and change.replacement == JOINED and change.was.endswith(APART)
        yield change, APART if is_apart else change.replacement
