"""Places in the queue of triplets to score: what is free for whom, in which order, and giving one out.

As for figures, a place is given while the triplet's row is held, after dead claims on it were ended and the live ones
counted. What is next is the rule of `core.transcription.queue`, with an expert's own JEL letters first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator
from datetime import datetime
from typing import NamedTuple

from core.errors import Refused
from core.transcription.queue import has_place, turn, wanted_of
from services.acting import Reading, Writing
from services.queue.claim_expiry import expire, state_now
from services.queue.first_free import first_free
from services.triplets.samples import TripletSample, content_of, sample_in
from services.triplets.settings import ScoringSettings, settings_in
from store import queue
from store.assignments import EDITABLE, HANDED_IN
from store.tables import AssignmentRow, TripletRow
from store.triplets import lists, scores
from store.triplets.scores import ScoringAssignment

NOTHING = "No triplet is free for you now. Triplets appear here when places become free."
FULL = "All places of this triplet are taken. Score another triplet."


def open_to(r: Reading, person_id: str) -> list[str]:
    """The triplets this person may take now, the one to hand out next first: of an equal priority those of their own
    fields. The same few queries for any number."""
    free = sorted(_open_to(r, person_id), key=lambda each: turn(each.priority, each.taken))
    return [each.triplet_id for each in sorted(free, key=lambda each: (-each.priority, not each.is_own_field))]


def count_open_to(r: Reading, person_id: str) -> tuple[int, int]:
    """How many triplets this person may take now, and how many of them are of their own fields; in no order, which of
    thousands is half of the work."""
    is_own_field = [each.is_own_field for each in _open_to(r, person_id)]
    return len(is_own_field), sum(is_own_field)


class _Free(NamedTuple):
    """A triplet that someone may take now: how many have taken a place, and whether it is of a field of theirs."""

    triplet_id: str
    priority: int
    taken: int
    is_own_field: bool


def _open_to(r: Reading, person_id: str) -> Iterator[_Free]:
    """Each triplet that this person may take now, in the order of the sample."""
    settings = settings_in(r.session)
    kind, rule = settings.rubric.value, settings.rule
    taken, entries = scores.taken(r.session, kind, r.now), queue.entries(r.session, kind)
    sample = sample_in(r.session, settings.draw)
    letters, closed = set(scores.expertise(r.session, person_id)[0]), _closed(r, person_id, sample)
    for member in sample.members:
        if member.id in closed:
            continue
        priority, own = entries.get(member.id, (0, None))
        others = taken.get(member.id, 0)
        if has_place(kind, member.id, rule, own, others):
            yield _Free(member.id, priority, others, not letters.isdisjoint(member.jel_letters))


def is_alive(work: ScoringAssignment, now: datetime) -> bool:
    """Whether somebody's work takes a place: handed in, or begun and not lapsed."""
    has_lapsed = work.state in EDITABLE and work.expires_at is not None and now >= work.expires_at
    return work.state != "abandoned" and not has_lapsed


def _closed(r: Reading, person_id: str, sample: TripletSample) -> Container[str]:
    """Triplets this person had before, under any form and in any file, whatever became of it; and those of which they
    saw what others scored."""
    had = {row.subject_id for row in scores.taken_by(r.session, person_id)} | scores.seen_by(r.session, person_id)
    return had | set(_in_sample(r, had, sample).values())


def _in_sample(r: Reading, triplet_ids: Iterable[str], sample: TripletSample) -> dict[str, str]:
    """Triplet → the sample's own of the same content, itself or its copy in another file; without one it is missing."""
    found = ((each.id, sample.by_content.get(content_of(each))) for each in lists.pooled(r.session, triplet_ids))
    return {triplet_id: same for triplet_id, same in found if same is not None}


def may_come_up(r: Reading, person_id: str, triplet_ids: Iterable[str]) -> set[str]:
    """Those of the triplets that this person may still be asked to score, or go on with: of the form that stands, fewer
    have handed in than are wanted, and they have neither handed in nor seen what others scored. A triplet whose places
    are all taken is among them, since a claim may lapse."""
    settings = settings_in(r.session)
    kind, sample = settings.rubric.value, sample_in(r.session, settings.draw)
    own = {row.subject_id for row in scores.taken_by(r.session, person_id) if row.state in HANDED_IN}
    own |= scores.seen_by(r.session, person_id)
    closed = own | set(_in_sample(r, own, sample).values())
    handed_in = Counter(work.subject_id for work in scores.work(r.session, kind) if work.state in HANDED_IN)
    entries = queue.entries(r.session, kind)
    listed = set(triplet_ids)
    same = {key: key for key in listed & sample.by_id.keys()} | _in_sample(r, listed - sample.by_id.keys(), sample)
    return {
        key
        for key, standing in same.items()
        if key not in closed
        and standing not in closed
        and handed_in[standing] < wanted_of(kind, standing, settings.rule, entries.get(standing, (0, None))[1])
    }


# --- giving places -----------------------------------------------------------------------------------------------


def take_free(w: Writing, person_id: str) -> AssignmentRow:
    """A place at the best free triplet for this person, who is held. Raises Refused if there is none."""
    settings = settings_in(w.session)
    row = first_free(
        w.session,
        open_to(w, person_id),
        lambda triplet_id, wait: scores.held_triplet(w.session, triplet_id, wait=wait),
        lambda triplet: _begun(w, triplet, person_id, settings),
    )
    if row is None:
        raise Refused(NOTHING)
    return row


def _begun(w: Writing, triplet: TripletRow, person_id: str, settings: ScoringSettings) -> AssignmentRow:
    refuse_full(w, triplet, settings.rubric.value, settings)
    row = AssignmentRow(
        kind=settings.rubric.value,
        subject_id=triplet.id,
        person_id=person_id,
        claimed_at=w.now,
        expires_at=w.now + settings.idle,
    )
    w.session.add(row)
    w.session.flush()
    return row


def refuse_full(w: Writing, triplet: TripletRow, kind: str, settings: ScoringSettings, but: str = "") -> None:
    """End dead claims on a triplet that is held, but of the assignment `but`; raises Refused if no place is left."""
    if triplet.archived_at is not None:
        raise Refused("This triplet is archived. Score another triplet.")
    others = [row for row in queue.work_on(w.session, kind, triplet.id) if row.id != but]
    for row in others:
        expire(w.session, row, w.now)
    entry = queue.entry(w.session, kind, triplet.id)
    wanted = wanted_of(kind, triplet.id, settings.rule, entry.wanted if entry else None)
    if sum(row.state != "abandoned" for row in others) >= wanted:
        raise Refused(FULL)


def unfinished_of_viewer(r: Reading) -> set[str]:
    """Triplets that the viewer has skipped, or whose claim lapsed or was given back: they may take them up again."""
    mine = scores.taken_by(r.session, r.viewer.person_id)
    return {row.subject_id for row in mine if state_now(r.session, row, r.now) not in (*EDITABLE, *HANDED_IN)}


def open_to_viewer(r: Reading) -> set[str]:
    """Triplets that the viewer is scoring now, under any form, with their copies in other files."""
    mine = scores.taken_by(r.session, r.viewer.person_id)
    taken = {row.subject_id for row in mine if state_now(r.session, row, r.now) in EDITABLE}
    return lists.same_as(r.session, taken) if taken else taken
