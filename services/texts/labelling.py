"""Labelling how explicit each node of a ground truth is in its text: the next text, a level a node, skip and submit.

Every level is one act, kept at once. Whoever labels sees neither colleagues' levels nor a model's, and nobody sees
theirs before they submit them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from core.errors import BadInput, Conflict, Missing, Refused
from core.people import May, Receipt, Viewer
from core.texts.explicitness import Level
from core.words import quoted
from services.acting import Reading, Writing, consulting, perform, require_seen
from services.queue.claim_expiry import has_expired, state_now
from services.texts import claims
from services.texts.settings import settings_in
from store import assignments, queue
from store.assignments import EDITABLE, EXPLICITNESS, HANDED_IN
from store.graphs import looks
from store.papers import texts as stored
from store.tables import AssignmentRow
from store.triplets.scores import held, touch

LONGEST_REASON = 2_000
GONE = (
    "This claim expired without a level or was returned, and its place may go to someone else. "
    "Your levels are kept. Resume it to continue while a place is free."
)
SEEN = "You have seen other levels of this text, so yours would not be blind."
CHANGED = "The text has changed since you opened it. Reload it; the levels of the text before are kept with that text."


@dataclass(frozen=True, slots=True, kw_only=True)
class LabellingView:
    """One's own piece of labelling. `sha256`: by which the text is fetched, None while it is not ready; `levels` are of
    this text. `state`: open, submitted, skipped or lapsed, as it is at this moment."""

    assignment_id: str
    figure_id: str
    figure_label: str
    paper_title: str
    sha256: str | None
    nodes: tuple[str, ...]
    levels: Mapping[str, Level]
    state: str
    is_editable: bool
    version: int
    expires_at: datetime | None
    note: str

    @property
    def missing(self) -> tuple[str, ...]:
        """Nodes without a level, in order."""
        return tuple(node for node in self.nodes if node not in self.levels)


@dataclass(frozen=True, slots=True)
class LabellingQueue:
    """One's own queue in numbers: begun, free to take, and submitted."""

    unfinished: int
    free: int
    submitted: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledLine:
    """One text that somebody took; `state` as in `LabellingView`."""

    assignment_id: str
    paper_title: str
    figure_label: str
    state: str
    claimed_at: datetime
    submitted_at: datetime | None


def _allowed(viewer: Viewer) -> May:
    """Which permission somebody labels by: whoever transcribes figures or scores triplets may label texts."""
    return May.TRANSCRIBE if viewer.may(May.TRANSCRIBE) else May.SCORE


# --- taking ------------------------------------------------------------------------------------------------------


def take_next(viewer: Viewer, *, act_id: str) -> Receipt:
    """Go on with one's own unfinished text, else take the next. The receipt's subject is the assignment. Raises Refused
    if no text has a place for this person."""

    def act(w: Writing) -> Receipt:
        queue.hold_person(w.session, w.viewer.person_id)
        mine = assignments.assignments_of_person(w.session, EXPLICITNESS, w.viewer.person_id)
        open_ones = [one for one in mine if state_now(w.session, one, w.now) in EDITABLE]
        still = claims.ready_texts(w.session, [one.subject_id for one in open_ones])
        row = next((one for one in open_ones if one.subject_id in still), None)
        name = "labelling.take" if row is None else "labelling.resume"
        row = row or claims.take_free(w, w.viewer.person_id)
        w.look_at(row.subject_id)  # the names to label are those of the ground truth
        return w.record(name, "assignment", row.id, version=row.version, payload={"figure": row.subject_id})

    return perform(viewer, _allowed(viewer), act_id, act)


def resume(viewer: Viewer, assignment_id: str, *, act_id: str) -> Receipt:
    """Go on with a text that one skipped, or whose claim lapsed.

    Raises Refused if its places are taken by now, if it is not ready any more, or if one has seen other levels of it.
    """

    def act(w: Writing) -> Receipt:
        row = own(w, assignment_id)
        figure = queue.held_subject(w.session, EXPLICITNESS, row.subject_id)
        work = held(w.session, assignment_id)
        assert figure is not None and work is not None, "nothing is ever deleted"
        if work.state in HANDED_IN:
            raise Refused("These levels are submitted.")
        _refuse_seen(w, work)
        settings = settings_in(w.session)
        if state_now(w.session, work, w.now) == "abandoned":
            claims.refuse_full(w, figure, settings, but=work.id)
        work.state, work.expires_at = "open", w.now + settings.idle
        touch(w.session, work)
        return w.record("labelling.resume", "assignment", work.id, version=work.version)

    return perform(viewer, _allowed(viewer), act_id, act)


# --- labelling ---------------------------------------------------------------------------------------------------


def label(
    viewer: Viewer,
    assignment_id: str,
    node: str,
    level: Level | None,
    *,
    text_sha256: str,
    seen: int,
    act_id: str,
) -> Receipt:
    """Set a node's level in the text with this hash, or take it back (None).

    Raises BadInput for a node that the ground truth does not have or a level other than 1, 2 and 3, Refused for
    somebody else's, submitted, skipped or lapsed work, Conflict after version `seen` or for a text that has changed.
    """

    def act(w: Writing) -> Receipt:
        row, ready = _editable(w, assignment_id, seen)
        if ready.sha256 != text_sha256:
            raise Conflict(CHANGED, seen=seen, found=row.version)
        if node not in ready.nodes:
            raise BadInput(f"The ground truth has no node {quoted(node)}.")
        if level is not None and level not in tuple(Level):
            raise BadInput(f"The level of {quoted(node)} is {level}; expected 1, 2 or 3.")
        rater = w.viewer.person_id
        before = stored.levels_of(w.session, ready.figure_id, ready.sha256).get(rater, {}).get(node)
        stored.keep_levels(w.session, ready.sha256, ready.figure_id, rater, {node: level}, w.now)
        _prolong(w, row)
        payload = {"node": node, "before": before, "after": level, "text": ready.sha256}
        return w.record("labelling.label", "assignment", row.id, version=row.version, payload=payload)

    return perform(viewer, _allowed(viewer), act_id, act, asked=(assignment_id, node, level, text_sha256))


def skip(viewer: Viewer, assignment_id: str, reason: str, *, seen: int, act_id: str) -> Receipt:
    """Give a text up and say why; its place is free for someone else, and it is not offered to oneself again. The
    levels so far are kept, and count nowhere. Raises as `label`, and BadInput without a reason."""
    plain = reason.replace("\x00", "").strip()
    if not plain:
        raise BadInput("Give a reason for skipping this text.")
    if len(plain) > LONGEST_REASON:
        raise BadInput(f"This text has {len(plain):,} characters; at most {LONGEST_REASON:,} are allowed.")

    def act(w: Writing) -> Receipt:
        row = _open(w, assignment_id, seen)
        row.state, row.reason, row.expires_at = "abandoned", plain, None
        touch(w.session, row)
        return w.record("labelling.skip", "assignment", row.id, version=row.version, payload={"reason": plain})

    return perform(viewer, _allowed(viewer), act_id, act)


def submit(viewer: Viewer, assignment_id: str, *, text_sha256: str, seen: int, act_id: str) -> Receipt:
    """Submit one's levels of the text, for good. Raises as `label`, and Refused while a node has no level."""

    def act(w: Writing) -> Receipt:
        row, ready = _editable(w, assignment_id, seen)
        if ready.sha256 != text_sha256:
            raise Conflict(CHANGED, seen=seen, found=row.version)
        given = stored.levels_of(w.session, ready.figure_id, ready.sha256).get(w.viewer.person_id, {})
        missing = [node for node in ready.nodes if node not in given]
        if missing:
            shown = ", ".join(quoted(node) for node in missing[:5])
            more = f" and {len(missing) - 5} more" if len(missing) > 5 else ""
            raise Refused(f"Not submitted: {len(missing)} of {len(ready.nodes)} nodes have no level: {shown}{more}.")
        row.state, row.submitted_at, row.expires_at = "submitted", w.now, None
        touch(w.session, row)
        payload = {"figure": ready.figure_id, "text": ready.sha256, "levels": {k: int(v) for k, v in given.items()}}
        return w.record("labelling.submit", "assignment", row.id, version=row.version, payload=payload)

    return perform(viewer, _allowed(viewer), act_id, act)


# --- reading -----------------------------------------------------------------------------------------------------


def labelling(viewer: Viewer, assignment_id: str) -> LabellingView:
    """One's own piece of labelling, without anybody else's levels. Raises Missing, or Refused for somebody else's."""
    with consulting(viewer, _allowed(viewer)) as r:
        row = own(r, assignment_id)
        figure, paper = assignments.subjects_of(r.session, [row.subject_id])[row.subject_id]
        ready = claims.ready_texts(r.session, [row.subject_id]).get(row.subject_id)
        given = stored.levels_of(r.session, figure.id, ready.sha256) if ready is not None else {}
        state = _state(r, row)
        return LabellingView(
            assignment_id=row.id,
            figure_id=figure.id,
            figure_label=figure.label or figure.place,
            paper_title=paper.title,
            sha256=ready.sha256 if ready is not None else None,
            nodes=ready.nodes if ready is not None else (),
            levels=given.get(r.viewer.person_id, {}),
            state=state,
            is_editable=state == "open" and ready is not None,
            version=row.version,
            expires_at=row.expires_at,
            note="" if ready is not None else claims.NOT_READY,
        )


def waiting(viewer: Viewer) -> LabellingQueue:
    """One's own queue in numbers."""
    with consulting(viewer, _allowed(viewer)) as r:
        return waiting_in(r)


def waiting_in(r: Reading) -> LabellingQueue:
    """The same inside a caller's session."""
    mine = assignments.assignments_of_person(r.session, EXPLICITNESS, r.viewer.person_id)
    states = [_state(r, row) for row in mine]
    free = claims.open_to(r, r.viewer.person_id)
    return LabellingQueue(states.count("open"), len(free), states.count("submitted"))


def my_labels(viewer: Viewer) -> tuple[LabelledLine, ...]:
    """Every text one took, the newest first."""
    with consulting(viewer, _allowed(viewer)) as r:
        mine = assignments.assignments_of_person(r.session, EXPLICITNESS, r.viewer.person_id)
        subjects = assignments.subjects_of(r.session, [row.subject_id for row in mine])
        return tuple(
            LabelledLine(
                assignment_id=row.id,
                paper_title=subjects[row.subject_id][1].title,
                figure_label=subjects[row.subject_id][0].label or subjects[row.subject_id][0].place,
                state=_state(r, row),
                claimed_at=row.claimed_at,
                submitted_at=row.submitted_at,
            )
            for row in reversed(mine)
        )


def own(r: Reading, assignment_id: str) -> AssignmentRow:
    """One's own assignment of labelling, inside a caller's session. Raises Missing, or Refused for somebody else's."""
    row = r.session.get(AssignmentRow, assignment_id)
    if row is None or row.kind != EXPLICITNESS:
        raise Missing("No such text has been assigned.")
    if row.person_id != r.viewer.person_id:
        raise Refused("These levels belong to someone else and stay hidden.")
    return row


def _editable(w: Writing, assignment_id: str, seen: int) -> tuple[AssignmentRow, claims.ReadyText]:
    row = _open(w, assignment_id, seen)
    _refuse_seen(w, row)
    return row, claims.ready_text(w.session, row.subject_id)


def _open(w: Writing, assignment_id: str, seen: int) -> AssignmentRow:
    own(w, assignment_id)
    row = held(w.session, assignment_id)
    assert row is not None, "it was there a moment ago, and nothing is ever deleted"
    if row.state in HANDED_IN:
        raise Refused("These levels are submitted and cannot be changed.")
    if row.state not in EDITABLE or has_expired(w.session, row, w.now):
        raise Refused(GONE if row.expires_at is not None else "You skipped this text. Resume it to label it.")
    return require_seen(row, seen, "text's levels")


def _refuse_seen(w: Writing, row: AssignmentRow) -> None:
    if looks.has_looked(w.session, w.viewer.person_id, row.subject_id, "level"):
        raise Refused(SEEN)


def _prolong(w: Writing, row: AssignmentRow) -> None:
    row.expires_at = w.now + settings_in(w.session).idle
    touch(w.session, row)


def _state(r: Reading, row: AssignmentRow) -> str:
    """A claim that lapsed keeps its end; one that was skipped has none."""
    state = state_now(r.session, row, r.now)
    if state == "abandoned":
        return "skipped" if row.expires_at is None else "lapsed"
    return "open" if state in EDITABLE else "submitted"
