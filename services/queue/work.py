"""One work queue for every kind of work: who may claim what next, and under which lock.

A kind of work (`WorkKind`) declares its subjects, who may not claim them, and its texts; nothing here knows a subject.
A claim is made while the subject is locked, after expired claims on it were ended and the others counted. So a subject
never has more people than wanted, and a free one is found regardless of the number of concurrent requests.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, NamedTuple, Protocol

from sqlmodel import Session

from core.errors import BadInput, Conflict, Missing, Refused
from core.people import Permission, Receipt, Viewer
from core.transcription.queue import Candidate, Overlap, QueueCounts, candidate, in_turn, number_of_annotators
from services.acting import ReadContext, Writing, consulting, perform
from services.queue.claim_expiry import expire, has_expired, state_now
from store import assignments, queue
from store.assignments import EDITABLE, HANDED_IN
from store.graphs import graphs
from store.tables import AssignmentRow

LONGEST_REASON = 2_000


class NoFreeClaim(Refused):
    """Refusal of a fully claimed subject."""


class NothingFree(Refused):
    """Refusal to a person for whom no subject is free."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueWords:
    subject: str  # one subject: "sheet"
    in_events: str  # its name in events
    nothing_free: str
    full: str
    expired: str
    skipped: str
    changed: str
    submitted: str  # without a full stop: "These labels are submitted"
    not_own: str
    missing: str
    claim: str = "claim"  # its name where someone else returns it
    no_claim: str = ""  # message where there is none to return


class OwnWork(NamedTuple):
    """One person's claim with its current state: open, submitted, skipped or lapsed."""

    row: AssignmentRow
    state: str


class WorkKind(Protocol):
    """A kind of work. Names of its events start with `acts`."""

    words: QueueWords
    acts: str

    def permission(self, viewer: Viewer) -> Permission:
        """Return the permission by which this person does such work."""

    def stored_kinds(self, session: Session) -> tuple[str, ...]:
        """Return the kinds of its assignments; the first is that of new claims."""

    def idle_limit(self, session: Session) -> timedelta:
        """Return the time without an act after which a claim expires."""

    def candidates(self, r: ReadContext, person_id: str) -> Iterable[Candidate]:
        """Return the subjects that are ready and open to this person, oldest first.

        Closed are subjects that they had, or on which they saw others' work.
        """

    def lock_subject(self, session: Session, subject_id: str, wait: bool) -> Any | None:
        """Lock a subject's row until the transaction ends; None if it is locked elsewhere and `wait` is False."""
        return queue.held_subject(session, self.stored_kinds(session)[0], subject_id, wait=wait)

    def claim_counts(self, w: Writing, subject: Any, others: Sequence[AssignmentRow]) -> tuple[int, int]:
        """Return how many of `others` count as claims on a locked subject, and how many people are wanted."""

    def refuse_unprepared(self, r: ReadContext) -> None:
        """Raise Refused if the viewer has something to do before they claim anything."""
        return

    def refuse(self, w: Writing, subject: Any, person_id: str, own: AssignmentRow | None) -> None:
        """Raise Refused for a locked subject that is not ready, or that this person can no longer work on blind."""

    def begin(self, w: Writing, subject: Any, row: AssignmentRow) -> Mapping[str, Any]:
        """Prepare a new or resumed claim; return further details for its event."""
        return {}

    def resumable(self, r: ReadContext, rows: Sequence[AssignmentRow]) -> Sequence[AssignmentRow]:
        """Return a person's unfinished claims that they can continue, in order."""
        return rows


# --- free subjects -----------------------------------------------------------------------------------------------


def open_subjects(r: ReadContext, kind: WorkKind, person_id: str) -> list[str]:
    return in_turn(kind.candidates(r, person_id))


def candidates_of(
    r: ReadContext,
    stored_kind: str,
    subject_ids: Iterable[str],
    overlap: Overlap,
    claimed: Mapping[str, int],
    preferred: Container[str] = (),
) -> Iterator[Candidate]:
    """Yield candidates among subjects for which the overlap, or their own number, wants people."""
    entries = queue.entries(r.session, stored_kind)
    for subject_id in subject_ids:
        priority, own = entries.get(subject_id, (0, None))
        many = claimed.get(subject_id, 0)
        yield candidate(stored_kind, subject_id, overlap, own, many, priority, subject_id in preferred)


def number_of_people(session: Session, stored_kind: str, subject_id: str, overlap: Overlap, declined: int = 0) -> int:
    entry = queue.entry(session, stored_kind, subject_id)
    return number_of_annotators(stored_kind, subject_id, overlap, entry.wanted if entry else None, declined)


def waiting(viewer: Viewer, kind: WorkKind) -> QueueCounts:
    with consulting(viewer, kind.permission(viewer)) as r:
        return count_waiting(r, kind)


def count_waiting(r: ReadContext, kind: WorkKind) -> QueueCounts:
    """Count the viewer's queue. Subjects are not sorted: of thousands, that would be half of the work."""
    current = kind.stored_kinds(r.session)[0]
    states = [(row.kind == current, state) for row, state in list_own(r, kind)]
    free = [each.preferred for each in kind.candidates(r, r.viewer.person_id) if each.is_free]
    return QueueCounts(
        unfinished=states.count((True, "open")),
        expired=states.count((True, "lapsed")),
        free=len(free),
        preferred=sum(free),
        submitted=sum(state == "submitted" for _, state in states),
    )


# --- own claims --------------------------------------------------------------------------------------------------


def list_own(r: ReadContext, kind: WorkKind) -> list[OwnWork]:
    rows = queue.work_of(r.session, kind.stored_kinds(r.session), r.viewer.person_id)
    return [OwnWork(row, own_state(r, row)) for row in reversed(rows)]


def own_state(r: ReadContext, row: AssignmentRow) -> str:
    """Return open, submitted, skipped or lapsed. An expired or returned claim keeps its end; a skipped one has none."""
    state = state_now(r.session, row, r.now)
    if state == "abandoned":
        return "skipped" if row.expires_at is None else "lapsed"
    return "open" if state in EDITABLE else "submitted"


def get_own(r: ReadContext, kind: WorkKind, assignment_id: str) -> AssignmentRow:
    """Return the viewer's claim. Raises Missing, or Refused for someone else's."""
    row = r.session.get(AssignmentRow, assignment_id)
    if row is None or row.kind not in kind.stored_kinds(r.session):
        raise Missing(kind.words.missing)
    if row.person_id != r.viewer.person_id:
        raise Refused(kind.words.not_own)
    return row


def check_own(viewer: Viewer, kind: WorkKind, assignment_id: str) -> None:
    with consulting(viewer, kind.permission(viewer)) as r:
        get_own(r, kind, assignment_id)


def get_editable(w: Writing, kind: WorkKind, assignment_id: str, expected_version: int) -> AssignmentRow:
    """Return the viewer's claim, locked for an act at a version: that of its graph if it has one, else its own.

    Raises as `get_own`, Refused for one that is submitted or has ended, Conflict after another version.
    """
    graph_id = get_own(w, kind, assignment_id).graph_id
    graph = graphs.graph_row(w.session, graph_id, for_update=True) if graph_id is not None else None
    row = assignments.locked(w.session, assignment_id)
    if row.state in HANDED_IN:
        raise Refused(f"{kind.words.submitted} and cannot be changed.")
    if row.state not in EDITABLE or has_expired(w.session, row, w.now):
        raise Refused(kind.words.expired if row.expires_at is not None else kind.words.skipped)
    version = row.version if graph is None else graph.version
    if version != expected_version:
        raise Conflict(kind.words.changed, seen=expected_version, found=version)
    return row


def extend_claim(w: Writing, kind: WorkKind, row: AssignmentRow) -> None:
    """Write a locked claim at its next version; it lasts the whole idle time again."""
    row.expires_at = w.now + kind.idle_limit(w.session)
    assignments.touch(w.session, row)


# --- claims ------------------------------------------------------------------------------------------------------


def claim_next(viewer: Viewer, kind: WorkKind, *, act_id: str) -> Receipt:
    """Continue the viewer's unfinished claim, else claim the next subject. The receipt's subject is the assignment.

    Raises NothingFree if no subject is free for this person.
    """

    def act(w: Writing) -> Receipt:
        person_id = w.viewer.person_id
        queue.hold_person(w.session, person_id)
        current = kind.stored_kinds(w.session)[:1]
        own_open = [row for row in queue.work_of(w.session, current, person_id) if own_state(w, row) == "open"]
        if own_open and (rows := kind.resumable(w, own_open)):
            return _record(w, kind, "resume", rows[0], {})
        kind.refuse_unprepared(w)
        row, details = claim_free(w, kind, person_id)
        return _record(w, kind, "take", row, details)

    return perform(viewer, kind.permission(viewer), act_id, act)


def claim_free(w: Writing, kind: WorkKind, person_id: str) -> tuple[AssignmentRow, Mapping[str, Any]]:
    """Claim the first free subject for a locked person; return also the details for its event.

    Subjects locked by others are skipped first, and waited for one at a time at the end. One that is not free after all
    is released at once (a savepoint), so that nobody ever locks two and waits. Raises NothingFree if there is none.
    """
    left: Sequence[str] = open_subjects(w, kind, person_id)
    for wait in (False, True):
        busy = []
        for subject_id in left:
            try:
                with w.session.begin_nested():
                    subject = kind.lock_subject(w.session, subject_id, wait)
                    if subject is not None:
                        return claim(w, kind, subject, person_id)
            except Refused:
                continue
            busy.append(subject_id)
        left = busy
    raise NothingFree(kind.words.nothing_free)


def claim(w: Writing, kind: WorkKind, subject: Any, person_id: str) -> tuple[AssignmentRow, Mapping[str, Any]]:
    """Claim a locked subject for a person, on their earlier claim if they have one; return also its event's details."""
    rows = queue.work_on(w.session, kind.stored_kinds(w.session)[0], subject.id)
    own = next((row for row in rows if row.person_id == person_id), None)
    if own is not None:
        expire(w.session, own, w.now)
    kind.refuse(w, subject, person_id, own)
    refuse_if_full(w, kind, subject, [row for row in rows if row is not own])
    return begin_claim(w, kind, subject, person_id, own)


def refuse_if_full(w: Writing, kind: WorkKind, subject: Any, others: Sequence[AssignmentRow]) -> None:
    """End the expired ones of others' claims on a locked subject; raise NoFreeClaim if none is free afterwards."""
    for row in others:
        expire(w.session, row, w.now)
    claimed, limit = kind.claim_counts(w, subject, others)
    if claimed >= limit:
        raise NoFreeClaim(kind.words.full)


def begin_claim(
    w: Writing, kind: WorkKind, subject: Any, person_id: str, own: AssignmentRow | None = None
) -> tuple[AssignmentRow, Mapping[str, Any]]:
    """Assign a locked subject to a person, on their earlier claim if any; return also its event's details."""
    stored = kind.stored_kinds(w.session)[0]
    row = own or AssignmentRow(kind=stored, subject_id=subject.id, person_id=person_id, claimed_at=w.now)
    row.state, row.expires_at = "open", w.now + kind.idle_limit(w.session)
    details = kind.begin(w, subject, row)
    assignments.touch(w.session, row)
    return row, details


def resume(viewer: Viewer, kind: WorkKind, assignment_id: str, *, act_id: str) -> Receipt:
    """Continue a skipped, expired or returned claim.

    Raises Refused if its subject is fully claimed by now, or closed to this person meanwhile.
    """

    def act(w: Writing) -> Receipt:
        row = get_own(w, kind, assignment_id)
        subject = kind.lock_subject(w.session, row.subject_id, True)
        assert subject is not None, "it was claimed, and nothing is ever deleted"
        row = assignments.locked(w.session, row.id)
        if row.state in HANDED_IN:
            raise Refused(f"{kind.words.submitted}.")
        kind.refuse(w, subject, row.person_id, row)
        if state_now(w.session, row, w.now) == "abandoned":
            rows = queue.work_on(w.session, row.kind, subject.id)
            refuse_if_full(w, kind, subject, [other for other in rows if other is not row])
        row.reason = ""
        begin_claim(w, kind, subject, row.person_id, row)
        return _record(w, kind, "resume", row, {})

    return perform(viewer, kind.permission(viewer), act_id, act)


def skip(viewer: Viewer, kind: WorkKind, assignment_id: str, reason: str, *, seen: int, act_id: str) -> Receipt:
    """Skip a claim with a reason; its subject is free for others and not suggested to this person again.

    Their work stays in the store and counts nowhere. Raises as `get_editable`, and BadInput without a reason.
    """
    plain = reason.replace("\x00", "").strip()
    if not plain:
        raise BadInput(f"Give a reason for skipping this {kind.words.subject}.")
    if len(plain) > LONGEST_REASON:
        raise BadInput(f"This text has {len(plain):,} characters; at most {LONGEST_REASON:,} are allowed.")

    def act(w: Writing) -> Receipt:
        row = get_editable(w, kind, assignment_id, seen)
        row.state, row.reason, row.expires_at = "abandoned", plain, None
        assignments.touch(w.session, row)
        return w.record(f"{kind.acts}.skip", "assignment", row.id, version=row.version, payload={"reason": plain})

    return perform(viewer, kind.permission(viewer), act_id, act)


def return_claim(viewer: Viewer, kind: WorkKind, assignment_id: str, *, act_id: str) -> Receipt:
    """Return someone's unfinished claim to the queue. Their work is kept, and they may resume it while it is free.

    Raises Missing without such a claim, Refused for one that is submitted or has ended.
    """

    def act(w: Writing) -> Receipt:
        row = w.session.get(AssignmentRow, assignment_id)
        if row is None or row.kind not in kind.stored_kinds(w.session):
            raise Missing(kind.words.no_claim or f"There is no such claim on a {kind.words.subject}.")
        kind.lock_subject(w.session, row.subject_id, True)
        if row.graph_id is not None:
            graphs.graph_row(w.session, row.graph_id, for_update=True)  # wait for an act that is being written
        row = assignments.locked(w.session, row.id)
        if row.state not in EDITABLE:
            raise Refused(f"This {kind.words.claim} is {row.state}; only an open claim can be returned.")
        row.state = "abandoned"  # its end stays: a claim without one counts as skipped
        assignments.touch(w.session, row)
        payload = {kind.words.in_events: row.subject_id, "person": row.person_id}
        return w.record("queue.free", "assignment", row.id, version=row.version, payload=payload)

    return perform(viewer, Permission.ASSIGN, act_id, act)


def _record(w: Writing, kind: WorkKind, act: str, row: AssignmentRow, details: Mapping[str, Any]) -> Receipt:
    payload = {kind.words.in_events: row.subject_id, **details}
    graph_id = row.graph_id if "changes" in details else None  # an event that changed a graph carries its id
    return w.record(f"{kind.acts}.{act}", "assignment", row.id, version=row.version, graph_id=graph_id, payload=payload)
