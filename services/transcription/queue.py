"""The transcription queue for those who run the study: claims, assigning figures, priorities and annotators wanted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from core.errors import BadInput, Missing, Refused
from core.people import Permission, Receipt, Role, Viewer
from core.transcription.queue import in_turn
from services.acting import Writing, consulting, perform
from services.graphs.exposure import BlindWork, early_exposures
from services.queue.settings import MOST_PEOPLE, QueueSettings, check_whole, settings_in
from services.queue.work import NoFreeClaim, claim_free
from services.transcription import claims
from services.transcription.work_kind import FIGURES, AlreadyJudged, claim_figure
from store import assignments, people, queue
from store.assignments import DONE, EDITABLE, TRANSCRIPTION
from store.papers.papers import TRAINING_IDS
from store.tables import FigureRow, PersonRow

MOST_URGENT = 100  # priorities range from -100 to 100; 0 is the default


@dataclass(frozen=True, slots=True, kw_only=True)
class Holder:
    assignment_id: str
    person_id: str
    name: str
    state: str
    since: datetime
    expires_at: datetime | None  # None unless it is unfinished
    looked_at: datetime | None  # first exposure to others' work or an import of the figure, if before submission


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueLine:
    figure_id: str
    paper_title: str
    label: str
    place: str
    priority: int
    wanted: int
    own_number: int | None  # set for this figure alone
    submitted: int
    in_progress: int
    free: int
    turn: int  # position in the queue from 1; 0 if no place is free
    holders: tuple[Holder, ...]  # working on it
    done: tuple[Holder, ...]  # submitted a graph or a verdict
    ended: tuple[Holder, ...]  # their claim expired or was returned

    @property
    def not_blind(self) -> tuple[Holder, ...]:
        """People whose work on it, submitted or in progress, followed an exposure."""
        return tuple(holder for holder in (*self.done, *self.holders) if holder.looked_at is not None)


@dataclass(frozen=True, slots=True)
class FigureQueue:
    """Every located figure in queue order, with the people (id, name) who may be assigned one."""

    lines: tuple[QueueLine, ...]
    people: tuple[tuple[str, str], ...]
    settings: QueueSettings


def queue_of_study(viewer: Viewer) -> FigureQueue:
    """Return every figure with its claims. The number of queries does not depend on the number of figures."""
    with consulting(viewer, Permission.ASSIGN) as r:
        places = claims.places(r)
        everyone = people.all_people(r.session)
        names = {row.id: row.name for row in everyone}
        turns = {key: turn for turn, key in enumerate(in_turn(p.state.candidate for p in places), start=1)}
        works = (
            BlindWork(state.claim.id, state.claim.person_id, state.claim.subject_id, state.state in DONE)
            for place in places
            for state in place.held
            if state.state != "abandoned"
        )
        looked = early_exposures(r, works)
        lines = [_line(place, turns.get(place.figure.id, 0), names, looked) for place in places]
        lines.sort(key=lambda line: line.turn or len(places) + 1)
        can_draw = tuple((row.id, row.name) for row in everyone if _may_draw(row))
        return FigureQueue(tuple(lines), can_draw, settings_in(r.session))


def _line(place: claims.QueuedFigure, turn: int, names: Mapping[str, str], looked: Mapping[str, datetime]) -> QueueLine:
    state, figure = place.state, place.figure

    def holders_in(*states: str) -> tuple[Holder, ...]:
        return tuple(_holder(each, names, looked) for each in place.held if each.state in states)

    return QueueLine(
        figure_id=figure.id,
        paper_title=figure.paper_title,
        label=figure.label,
        place=figure.place,
        priority=state.priority,
        wanted=state.wanted,
        own_number=place.own_number,
        submitted=state.submitted,
        in_progress=state.in_progress,
        free=state.free,
        turn=turn,
        holders=holders_in(*EDITABLE),
        done=holders_in(*DONE),
        ended=holders_in("abandoned"),
    )


def _holder(state: claims.ClaimState, names: Mapping[str, str], looked: Mapping[str, datetime]) -> Holder:
    claim = state.claim
    is_done = state.state in DONE
    since = claim.submitted_at if is_done and claim.submitted_at is not None else claim.claimed_at
    return Holder(
        assignment_id=claim.id,
        person_id=claim.person_id,
        name=names.get(claim.person_id, claim.person_id),
        state=state.state,
        since=since,
        expires_at=state.expires_at,
        looked_at=looked.get(claim.id),
    )


def assign(viewer: Viewer, figure_id: str, person_id: str, *, act_id: str) -> Receipt:
    """Assign a figure to a named person, as if they had claimed it; the receipt's subject is their transcription.

    Guidelines and training are still required when they open it. Raises NoFreeClaim if no place is free, Refused if the
    person may not transcribe it or has it already.
    """

    def act(w: Writing) -> Receipt:
        assignments.study_figure(w.session, figure_id)
        figure: FigureRow = queue.held_subject(w.session, TRANSCRIPTION, figure_id)
        person = people.person(w.session, person_id)
        if not _may_draw(person):
            raise Refused(
                f"{person.name} cannot transcribe figures: the person is deactivated or has no role that allows it."
            )
        try:
            own = assignments.assignment_of(w.session, TRANSCRIPTION, figure_id, person_id)
            row, is_taken = claim_figure(w, figure, person_id, own)
        except NoFreeClaim as error:
            raise NoFreeClaim("All places of this figure are taken. Raise its number of annotators first.") from error
        except AlreadyJudged as error:
            raise AlreadyJudged(claims.JUDGED_THEM) from error
        if not is_taken:
            raise Refused(f"{person.name} has this figure already.")
        payload = {"figure": figure_id, "person": person_id, "proposals": row.proposals}
        return w.record("queue.assign", "assignment", row.id, version=row.version, payload=payload)

    return perform(viewer, Permission.ASSIGN, act_id, act)


def assign_next(viewer: Viewer, person_id: str, *, act_id: str) -> Receipt:
    """Assign the next figure of the queue to a named person, in addition to any they have."""

    def act(w: Writing) -> Receipt:
        person = people.person(w.session, person_id)
        if not _may_draw(person):
            raise Refused(
                f"{person.name} cannot transcribe figures: the person is deactivated or has no role that allows it."
            )
        queue.hold_person(w.session, person_id)
        try:
            row, _payload = claim_free(w, FIGURES, person_id)
        except Refused as error:
            raise Refused(f"No figure is free for {person.name} now.") from error
        payload = {"figure": row.subject_id, "person": person_id, "proposals": row.proposals}
        return w.record("queue.assign", "assignment", row.id, version=row.version, payload=payload)

    return perform(viewer, Permission.ASSIGN, act_id, act)


def prioritise(viewer: Viewer, figure_ids: Sequence[str], priority: int, *, act_id: str) -> Receipt:
    """Set the priority of figures: higher first, 0 for none."""
    check_whole("The priority", priority, -MOST_URGENT, MOST_URGENT)
    return _set_entries(viewer, figure_ids, "priority", priority, act_id)


def want(viewer: Viewer, figure_ids: Sequence[str], wanted: int | None, *, act_id: str) -> Receipt:
    """Set how many people should transcribe these figures: 0 for nobody, None for the study's setting."""
    if wanted is not None:
        check_whole("The number of annotators wanted", wanted, 0, MOST_PEOPLE)
    return _set_entries(viewer, figure_ids, "wanted", wanted, act_id)


def _set_entries(viewer: Viewer, figure_ids: Sequence[str], field: str, value: int | None, act_id: str) -> Receipt:
    ids = sorted(set(figure_ids))
    if not ids:
        raise BadInput("Choose at least one figure.")

    def act(w: Writing) -> Receipt:
        known = queue.hold_subjects(w.session, TRANSCRIPTION, ids)
        for figure_id in ids:
            if figure_id not in known or figure_id.startswith(TRAINING_IDS):
                raise Missing(f"There is no figure {figure_id} in this study.")
        before: dict[str, int | None] = {}
        for figure_id in ids:
            row = queue.entry(w.session, TRANSCRIPTION, figure_id)
            before[figure_id] = getattr(row, field) if row is not None else None
            queue.keep_entry(w.session, TRANSCRIPTION, figure_id, **{field: value})
        payload = {"kind": TRANSCRIPTION, "before": before, "after": value}
        return w.record(f"queue.{field}", "queue", TRANSCRIPTION, payload=payload)

    return perform(viewer, Permission.ASSIGN, act_id, act)


def _may_draw(row: PersonRow) -> bool:
    roles = frozenset(Role(role) for role in row.roles)
    return row.is_active and Viewer(person_id=row.id, name=row.name, roles=roles, session_id="").may(
        Permission.TRANSCRIBE
    )
