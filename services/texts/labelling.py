"""Labels of how explicit each node of a ground truth is in its text: one level per node, then submission.

Every level is one act, saved immediately. A rater sees no levels of colleagues or models, and nobody sees the rater's
levels before they are submitted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from core.errors import BadInput, Conflict, Refused
from core.people import Receipt, Viewer
from core.texts.explicitness import ExplicitnessLevel
from core.transcription.queue import OwnLine
from core.words import quoted
from services.acting import Writing, consulting, perform
from services.queue.rights import drawing_right
from services.queue.work import extend_claim, get_editable, get_own, list_own, own_state
from services.texts.ready import NOT_READY, ReadyText, ready_texts
from services.texts.work_kind import TEXTS, blind_text
from store import assignments
from store.assignments import touch
from store.papers import texts as stored
from store.tables import AssignmentRow

CHANGED = "The text has changed since you opened it. Reload it; the levels of the text before are kept with that text."


@dataclass(frozen=True, slots=True, kw_only=True)
class LabellingView:
    """The user's labels of one text."""

    assignment_id: str
    figure_id: str
    figure_label: str
    paper_title: str
    sha256: str | None  # of the text; None while it is not ready
    nodes: tuple[str, ...]
    levels: Mapping[str, ExplicitnessLevel]  # of this text
    state: str  # current: open, submitted, skipped or lapsed
    is_editable: bool
    version: int
    expires_at: datetime | None
    note: str

    @property
    def missing(self) -> tuple[str, ...]:
        """Nodes without a level, in order."""
        return tuple(node for node in self.nodes if node not in self.levels)


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledLine(OwnLine):
    """A text that the user claimed; `state` as in `LabellingView`."""

    paper_title: str
    figure_label: str


# --- labelling ---------------------------------------------------------------------------------------------------


def label(
    viewer: Viewer,
    assignment_id: str,
    node: str,
    level: ExplicitnessLevel | None,
    *,
    text_sha256: str,
    seen: int,
    act_id: str,
) -> Receipt:
    """Set or clear (None) a node's level in the text with this hash. Raises BadInput for a node that the ground truth
    does not have and for a level other than 1, 2 and 3, Refused for another person's, submitted, skipped or expired
    work, Conflict after version `seen` or if the text has changed."""

    def act(w: Writing) -> Receipt:
        row, ready = _get_editable(w, assignment_id, seen)
        if ready.sha256 != text_sha256:
            raise Conflict(CHANGED, seen=seen, found=row.version)
        if node not in ready.nodes:
            raise BadInput(f"The ground truth has no node {quoted(node)}.")
        if level is not None and level not in tuple(ExplicitnessLevel):
            raise BadInput(f"The level of {quoted(node)} is {level}; expected 1, 2 or 3.")
        rater = w.viewer.person_id
        before = stored.levels_of(w.session, ready.figure_id, ready.sha256).get(rater, {}).get(node)
        stored.keep_levels(w.session, ready.sha256, ready.figure_id, rater, {node: level}, w.now)
        extend_claim(w, TEXTS, row)
        payload = {"node": node, "before": before, "after": level, "text": ready.sha256}
        return w.record("labelling.label", "assignment", row.id, version=row.version, payload=payload)

    return perform(viewer, drawing_right(viewer), act_id, act, asked=(assignment_id, node, level, text_sha256))


def submit(viewer: Viewer, assignment_id: str, *, text_sha256: str, seen: int, act_id: str) -> Receipt:
    """Submit the user's levels, for good. Raises like `label`, and Refused while a node has no level."""

    def act(w: Writing) -> Receipt:
        row, ready = _get_editable(w, assignment_id, seen)
        if ready.sha256 != text_sha256:
            raise Conflict(CHANGED, seen=seen, found=row.version)
        levels = stored.levels_of(w.session, ready.figure_id, ready.sha256).get(w.viewer.person_id, {})
        missing = [node for node in ready.nodes if node not in levels]
        if missing:
            shown = ", ".join(quoted(node) for node in missing[:5])
            more = f" and {len(missing) - 5} more" if len(missing) > 5 else ""
            raise Refused(f"Not submitted: {len(missing)} of {len(ready.nodes)} nodes have no level: {shown}{more}.")
        row.state, row.submitted_at, row.expires_at = "submitted", w.now, None
        touch(w.session, row)
        payload = {"figure": ready.figure_id, "text": ready.sha256, "levels": {k: int(v) for k, v in levels.items()}}
        return w.record("labelling.submit", "assignment", row.id, version=row.version, payload=payload)

    return perform(viewer, drawing_right(viewer), act_id, act)


# --- reading -----------------------------------------------------------------------------------------------------


def labelling(viewer: Viewer, assignment_id: str) -> LabellingView:
    """Return the user's labels of one text. Raises Missing, or Refused if they belong to someone else."""
    with consulting(viewer, drawing_right(viewer)) as r:
        row = get_own(r, TEXTS, assignment_id)
        figure, paper = assignments.subjects_of(r.session, [row.subject_id])[row.subject_id]
        ready = ready_texts(r.session, [row.subject_id]).get(row.subject_id)
        levels_by_rater = stored.levels_of(r.session, figure.id, ready.sha256) if ready is not None else {}
        state = own_state(r, row)
        return LabellingView(
            assignment_id=row.id,
            figure_id=figure.id,
            figure_label=figure.label or figure.place,
            paper_title=paper.title,
            sha256=ready.sha256 if ready is not None else None,
            nodes=ready.nodes if ready is not None else (),
            levels=levels_by_rater.get(r.viewer.person_id, {}),
            state=state,
            is_editable=state == "open" and ready is not None,
            version=row.version,
            expires_at=row.expires_at,
            note="" if ready is not None else NOT_READY,
        )


def my_labels(viewer: Viewer) -> tuple[LabelledLine, ...]:
    """Return every text that the user claimed, newest first."""
    with consulting(viewer, drawing_right(viewer)) as r:
        own_work = list_own(r, TEXTS)
        subjects = assignments.subjects_of(r.session, [row.subject_id for row, _state in own_work])
        return tuple(
            LabelledLine(
                assignment_id=row.id,
                paper_title=subjects[row.subject_id][1].title,
                figure_label=subjects[row.subject_id][0].label or subjects[row.subject_id][0].place,
                state=state,
                claimed_at=row.claimed_at,
                submitted_at=row.submitted_at,
            )
            for row, state in own_work
        )


def _get_editable(w: Writing, assignment_id: str, seen: int) -> tuple[AssignmentRow, ReadyText]:
    row = get_editable(w, TEXTS, assignment_id, seen)
    return row, blind_text(w, row.subject_id, row.person_id)
