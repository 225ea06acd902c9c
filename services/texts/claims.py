"""Places in the queue of texts to label: what is free for whom, and giving one out.

As for figures and triplets, a place is given while the figure's row is held, after dead claims on it were ended and the
live ones counted. A place is taken by whoever is at it, and by whoever submitted levels of the text as it is now.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from sqlmodel import Session

from core.errors import Refused
from core.texts.states import TextState
from core.transcription.queue import QueueState, offered, wanted_of
from services.acting import Reading, Writing
from services.queue.claim_expiry import expire, state_now
from services.queue.first_free import first_free
from services.texts import truths
from services.texts.reading import is_stale
from services.texts.settings import TextSettings, settings_in
from services.texts.truths import FigureTruth
from store import assignments, queue
from store.assignments import EDITABLE, EXPLICITNESS, HANDED_IN
from store.graphs import looks
from store.papers import texts as stored
from store.tables import AssignmentRow, FigureRow

NOTHING = "No text is free for you now. Texts appear here when they are ready and places become free."
FULL = "All places of this text are taken. Label another text."
NOT_READY = "This text is not ready any more. What you labelled is kept; label another text."


@dataclass(frozen=True, slots=True)
class ReadyText:
    """A text that is ready and not stale, and the ground truth it holds against."""

    figure_id: str
    sha256: str
    truth: FigureTruth

    @property
    def nodes(self) -> tuple[str, ...]:
        """The names to label, sorted."""
        return tuple(self.truth.plain["nodes"]) if self.truth.plain is not None else ()


def ready_texts(session: Session, figure_ids: list[str] | None = None) -> dict[str, ReadyText]:
    """Every text that is ready and not stale, by figure, oldest first; or those of some figures."""
    heads = stored.heads(session, figure_ids)
    ready = {key: head for key, head in heads.items() if head.last.state == TextState.READY}
    now = truths.truths_of(session, ready)
    files = {key: pair[1].file_sha256 for key, pair in assignments.subjects_of(session, ready).items()}
    return {
        key: ReadyText(key, head.last.sha256, now[key])
        for key, head in ready.items()
        if not is_stale(head.last, now[key].sha256, files[key]) and now[key].plain is not None
    }


def ready_text(session: Session, figure_id: str) -> ReadyText:
    """One figure's. Raises Refused if it is not ready, or stale."""
    found = ready_texts(session, [figure_id]).get(figure_id)
    if found is None:
        raise Refused(NOT_READY)
    return found


def open_to(r: Reading, person_id: str) -> list[ReadyText]:
    """The texts this person may take now, the one to hand out next first: not those they labelled as they are now, and
    none whose levels by others they have seen."""
    settings = settings_in(r.session)
    ready = ready_texts(r.session)
    done = labelled(r.session, ready)
    work = assignments.assignments_of(r.session, EXPLICITNESS)
    at_it = Counter(row.subject_id for row in work if state_now(r.session, row, r.now) in EDITABLE)
    entries = queue.entries(r.session, EXPLICITNESS)
    standings = [
        QueueState(
            subject_id=key,
            wanted=wanted_of(EXPLICITNESS, key, settings.rule, entries.get(key, (0, None))[1]),
            priority=entries.get(key, (0, None))[0],
            handed_in=len(done[key]),
            in_progress=at_it[key],
        )
        for key in ready
    ]
    closed = {key for key, raters in done.items() if person_id in raters}
    closed |= {row.subject_id for row in work if row.person_id == person_id and _is_skipped(row)}
    closed |= looks.looked_at(r.session, person_id, "level")
    return [ready[standing.subject_id] for standing in offered(standings, closed)]


def labelled(session: Session, ready: Mapping[str, ReadyText]) -> dict[str, set[str]]:
    """Figure → the people who submitted levels of its text as it is now."""
    levels = stored.levels_of_texts(session, [each.sha256 for each in ready.values()])
    submitted = {
        (row.subject_id, row.person_id)
        for row in assignments.assignments_of(session, EXPLICITNESS)
        if row.state in HANDED_IN
    }
    return {
        key: {
            rater
            for rater, given in levels.get((key, each.sha256), {}).items()
            if (key, rater) in submitted and set(given) == set(each.nodes)
        }
        for key, each in ready.items()
    }


def _is_skipped(row: AssignmentRow) -> bool:
    """A claim that lapsed keeps its end; one that was skipped has none."""
    return row.state == "abandoned" and row.expires_at is None


# --- giving places -----------------------------------------------------------------------------------------------


def take_free(w: Writing, person_id: str) -> AssignmentRow:
    """A place at the best free text for this person, who is held. Raises Refused if there is none."""
    settings = settings_in(w.session)
    row = first_free(
        w.session,
        (each.figure_id for each in open_to(w, person_id)),
        lambda figure_id, wait: queue.held_subject(w.session, EXPLICITNESS, figure_id, wait=wait),
        lambda figure: _begun(w, figure, person_id, settings),
    )
    if row is None:
        raise Refused(NOTHING)
    return row


def _begun(w: Writing, figure: FigureRow, person_id: str, settings: TextSettings) -> AssignmentRow:
    """A new place, or the person's own again for a text that changed since they labelled it."""
    row = assignments.assignment_of(w.session, EXPLICITNESS, figure.id, person_id)
    refuse_full(w, figure, settings, but=row.id if row is not None else "")
    if row is None:
        row = AssignmentRow(kind=EXPLICITNESS, subject_id=figure.id, person_id=person_id, claimed_at=w.now)
    elif row.state in HANDED_IN:
        row.round += 1
        row.submitted_at = None
    row.state, row.expires_at = "open", w.now + settings.idle
    w.session.add(row)
    w.session.flush()
    return row


def refuse_full(w: Writing, figure: FigureRow, settings: TextSettings, but: str = "") -> None:
    """End dead claims on a text whose figure is held, but of the assignment `but`; raises Refused if no place is left,
    or the text is not ready any more."""
    ready = ready_text(w.session, figure.id)
    done = labelled(w.session, {figure.id: ready})[figure.id]
    others = [row for row in queue.work_on(w.session, EXPLICITNESS, figure.id) if row.id != but]
    for row in others:
        expire(w.session, row, w.now)
    entry = queue.entry(w.session, EXPLICITNESS, figure.id)
    wanted = wanted_of(EXPLICITNESS, figure.id, settings.rule, entry.wanted if entry else None)
    if len(done) + sum(row.state in EDITABLE for row in others) >= wanted:
        raise Refused(FULL)
