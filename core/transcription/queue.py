"""Who gets what next: the rule of a queue, for figures to transcribe and any other subject that people work on.

A subject is wanted by a number of people. Each person who has submitted, or has an open claim, takes a place; an
expired claim takes none.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from core.transcription.seeded import is_drawn


@dataclass(frozen=True, slots=True)
class Overlap:
    """By how many `people` a subject is worked on; beyond the first only for the `share` (0-1) that `seed` draws."""

    people: int = 2
    share: float = 1.0
    seed: int = 1


class Candidate(NamedTuple):
    """A subject that may be claimed: how many people are wanted and have claimed it, how soon it is due (higher
    `priority` first), and whether it is `preferred` to others of its priority."""

    subject_id: str
    wanted: int
    claimed: int
    priority: int = 0
    preferred: bool = False

    @property
    def is_free(self) -> bool:
        """True if more people are wanted than have claimed it."""
        return self.claimed < self.wanted


@dataclass(frozen=True, slots=True)
class QueueCounts:
    """One person's queue in numbers: open claims, expired claims that they may resume, free subjects, preferred ones
    among the free, and submitted ones."""

    unfinished: int
    lapsed: int
    free: int
    preferred: int
    submitted: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnLine:
    """A claim in its person's list; `state`: open, submitted, skipped or lapsed (expired)."""

    assignment_id: str
    state: str
    claimed_at: datetime
    submitted_at: datetime | None


def in_turn(candidates: Iterable[Candidate]) -> list[str]:
    """The subjects that are free, the next first. `candidates` come oldest first.

    The order: higher priority first; then preferred ones; then those that someone has claimed, before untouched ones,
    so that a study has few subjects done by halves; then the oldest.
    """
    free = [each for each in candidates if each.is_free]
    free.sort(key=lambda each: (-each.priority, not each.preferred, each.claimed == 0))
    return [each.subject_id for each in free]


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueState:
    """How far one subject is: people wanted, those who have handed in, those who are at it, and how soon it is due
    (higher `priority` first). Of those who have handed in, `declined` gave a verdict instead of a graph. `is_closed`:
    nobody new begins it, whatever is wanted."""

    subject_id: str
    wanted: int
    priority: int = 0
    handed_in: int = 0
    in_progress: int = 0
    declined: int = 0
    is_closed: bool = False

    @property
    def taken(self) -> int:
        return self.handed_in + self.in_progress

    @property
    def free(self) -> int:
        """Places left; none where fewer are wanted by now than have taken one."""
        return 0 if self.is_closed else max(0, self.wanted - self.taken)

    @property
    def candidate(self) -> Candidate:
        """The same, for the queue."""
        return Candidate(self.subject_id, 0 if self.is_closed else self.wanted, self.taken, self.priority)


def wanted_of(kind: str, subject_id: str, overlap: Overlap, own: int | None = None, declined: int = 0) -> int:
    """How many people are wanted for a subject: its `own` number if it has one, else what the overlap gives it; two at
    least once somebody `declined` it, for one person's word takes no figure out of a study.

    The lot is drawn for kind and subject together, so it has nothing to do with other lots of the same seed.

    >>> wanted_of("transcription", "figure", Overlap(2, share=1.0)), wanted_of("transcription", "figure", Overlap(2, 0))
    (2, 1)
    """
    if own is not None:
        return own
    is_repeated = is_drawn(overlap.seed, f"{kind}/{subject_id}", overlap.share)
    found = overlap.people if is_repeated else min(1, overlap.people)
    return max(found, 2) if declined else found


def candidate(
    kind: str,
    subject_id: str,
    overlap: Overlap,
    own: int | None,
    claimed: int,
    priority: int = 0,
    preferred: bool = False,
) -> Candidate:
    """A subject that as many people as `wanted_of` says are wanted for. No random draw says it where more are wanted in
    any case than have claimed it, as of most subjects of a long queue.

    >>> candidate("transcription", "figure", Overlap(2, share=1.0), None, 1).is_free
    True
    """
    least = own if own is not None else min(1, overlap.people)
    wanted = least if claimed < least else wanted_of(kind, subject_id, overlap, own)
    return Candidate(subject_id, wanted, claimed, priority, preferred)


def expiry_of(
    claimed_at: datetime, expires_at: datetime | None, edited_at: datetime | None, idle: timedelta
) -> datetime:
    """When a claim ends by itself: at `expires_at`, or `idle` after the last edit if that is later.

    A claim without an end (None, from before there were any) ends `idle` after it was made. So an edit prolongs a
    claim without anything being written for it.
    """
    end = expires_at if expires_at is not None else claimed_at + idle
    return end if edited_at is None else max(end, edited_at + idle)
