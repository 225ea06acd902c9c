"""The order of a queue, for figures to transcribe and any other subject that people work on. A subject needs a number
of people. Each person who has submitted, or has an open claim, takes a place; an expired claim takes none."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from core.transcription.random_share import is_drawn


@dataclass(frozen=True, slots=True)
class Overlap:
    """Number of `people` per subject; more than one only for the `share` (0-1) that `seed` draws."""

    people: int = 2
    share: float = 1.0
    seed: int = 1


class Candidate(NamedTuple):
    """A subject that may be claimed."""

    subject_id: str
    wanted: int  # people needed
    claimed: int  # people who have claimed it
    priority: int = 0  # higher first
    preferred: bool = False  # before others of its priority

    @property
    def is_free(self) -> bool:
        return self.claimed < self.wanted


@dataclass(frozen=True, slots=True)
class QueueCounts:
    unfinished: int  # open claims
    expired: int  # expired claims that they may resume
    free: int  # free subjects
    preferred: int  # of the free ones
    submitted: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnLine:
    """A claim in its person's list; `state`: open, submitted, skipped or lapsed (expired)."""

    assignment_id: str
    state: str
    claimed_at: datetime
    submitted_at: datetime | None


def in_turn(candidates: Iterable[Candidate]) -> list[str]:
    """Return the free subjects, the next first. `candidates` come oldest first.

    The order: higher priority first; then preferred ones; then those that someone has claimed, before untouched ones,
    so that a study has few half-finished subjects; then the oldest."""
    free = [each for each in candidates if each.is_free]
    free.sort(key=lambda each: (-each.priority, not each.preferred, each.claimed == 0))
    return [each.subject_id for each in free]


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueState:
    subject_id: str
    wanted: int  # people needed
    priority: int = 0  # higher first
    submitted: int = 0  # people who have submitted
    in_progress: int = 0  # people at work on it
    declined: int = 0  # submitted verdicts instead of graphs
    is_closed: bool = False  # no new person starts it, regardless of `wanted`

    @property
    def taken(self) -> int:
        return self.submitted + self.in_progress

    @property
    def free(self) -> int:
        """Places left; 0 if fewer are needed by now than have claimed it."""
        return 0 if self.is_closed else max(0, self.wanted - self.taken)

    @property
    def candidate(self) -> Candidate:
        return Candidate(self.subject_id, 0 if self.is_closed else self.wanted, self.taken, self.priority)


def number_of_annotators(
    kind: str, subject_id: str, overlap: Overlap, own: int | None = None, declined: int = 0
) -> int:
    """Return the number of people needed for a subject: its `own` number if it has one, else by the overlap; at least
    two once someone `declined` it, since one person alone cannot remove a figure from a study.

    The random draw is for kind and subject together, so it is independent of other draws of the same seed.

    >>> [number_of_annotators("transcription", "figure", Overlap(2, share)) for share in (1.0, 0.0)]
    [2, 1]
    """
    if own is not None:
        return own
    is_repeated = is_drawn(overlap.seed, f"{kind}/{subject_id}", overlap.share)
    people = overlap.people if is_repeated else min(1, overlap.people)
    return max(people, 2) if declined else people


def candidate(
    kind: str,
    subject_id: str,
    overlap: Overlap,
    own: int | None,
    claimed: int,
    priority: int = 0,
    preferred: bool = False,
) -> Candidate:
    """Return a subject with the number of people by `number_of_annotators`. The random draw is skipped if
    more are needed in any case than have claimed it, as for most subjects of a long queue.

    >>> candidate("transcription", "figure", Overlap(2, share=1.0), None, 1).is_free
    True
    """
    least = own if own is not None else min(1, overlap.people)
    needed = least if claimed < least else number_of_annotators(kind, subject_id, overlap, own)
    return Candidate(subject_id, needed, claimed, priority, preferred)


def expiry_of(
    claimed_at: datetime, expires_at: datetime | None, edited_at: datetime | None, idle: timedelta
) -> datetime:
    """Return the end of a claim: `expires_at`, or `idle` after the last edit if that is later. A claim without an end
    (None, from old versions) ends `idle` after it was made. So an edit extends a claim without any write to it."""
    end = expires_at if expires_at is not None else claimed_at + idle
    return end if edited_at is None else max(end, edited_at + idle)
