"""Actions that mark a text as ready, or as not affected by a new ground truth."""

from __future__ import annotations

from core.errors import Refused
from core.people import Permission, Receipt, Viewer
from core.texts.states import TextState
from services.acting import Writing, perform
from services.texts.chains import LockedText, hold
from services.texts.guards import Guarded
from services.texts.making import guard_results
from services.texts.reading import TextStatus, look, text_now
from services.texts.settings import settings_in
from services.texts.truths import truth_of
from store.tables import PaperTextRow

SINCE = "The ground truth or the text changed in this moment. Look at it again."


def ready(viewer: Viewer, figure_id: str, *, seen: int, act_id: str) -> Receipt:
    """Make a text ready for releases and runs. It needs a finished ground truth and both guards, but no model. Raises
    Refused with every obstacle, Conflict after version `seen`."""
    known = look(viewer, figure_id, Permission.CURATE)

    def act(w: Writing) -> Receipt:
        text = hold(w, figure_id, seen)
        now = _require_unchanged(w, figure_id, text, known)
        if now.view.unmet_requirements:
            raise Refused(" ".join(now.view.unmet_requirements))
        if now.view.is_ready:
            raise Refused("This text is ready already.")
        _settle(text, now.guarded, TextState.READY)
        last = text.last
        payload = {"text": last.id, "sha256": last.sha256, "truth": last.truth_sha256, "words": last.guards["words"]}
        return text.done("text.ready", payload)

    return perform(viewer, Permission.CURATE, act_id, act)


def undo(viewer: Viewer, figure_id: str, *, seen: int, act_id: str) -> Receipt:
    """Make a ready text a draft again. Raises Refused if it is not ready, Conflict after version `seen`."""

    def act(w: Writing) -> Receipt:
        text = hold(w, figure_id, seen)
        if text.last.state != TextState.READY:
            raise Refused("This text is not ready; there is nothing to take back.")
        text.last.state = TextState.DRAFT.value
        w.session.add(text.last)
        return text.done("text.reopen", {"text": text.last.id})

    return perform(viewer, Permission.CURATE, act_id, act)


def confirm(viewer: Viewer, figure_id: str, *, seen: int, act_id: str) -> Receipt:
    """Confirm that a change of the ground truth does not affect the text, which is then checked against the new one.
    Raises Refused if nothing changed, if the paper's file changed, or if a guard refuses the text with the new
    ground truth; Conflict after version `seen`."""
    known = look(viewer, figure_id, Permission.CURATE)

    def act(w: Writing) -> Receipt:
        text = hold(w, figure_id, seen)
        now = _require_unchanged(w, figure_id, text, known)
        staleness = now.view.staleness
        if staleness is None or staleness.difference is None:
            raise Refused("The ground truth is the one this text was made against.")
        if staleness.is_file_changed:
            raise Refused(staleness.in_words)
        if now.guarded.leaks is not None and not now.guarded.leaks.passes:
            raise Refused(" ".join(now.guarded.leaks.reasons))
        was = text.last.truth_sha256
        _settle(text, now.guarded, TextState(text.last.state))
        payload = {"text": text.last.id, "before": was, "after": text.last.truth_sha256}
        return text.done("text.confirm", {**payload, "difference": staleness.difference.in_words})

    return perform(viewer, Permission.CURATE, act_id, act)


def _require_unchanged(w: Writing, figure_id: str, text: LockedText, known: TextStatus) -> TextStatus:
    """Return the state inside the transaction, with the guards computed before it. Raises Refused if the text or the
    ground truth has changed since."""
    truth = truth_of(w.session, figure_id, for_update=True)
    now = text_now(w, figure_id, known.guarded)
    if text.last.sha256 != known.view.last.sha256 or truth.sha256 != known.truth.sha256 or now is None:
        raise Refused(SINCE)
    return now


def _settle(text: LockedText, guarded: Guarded, state: TextState) -> None:
    """Write the current ground truth and the guards' results into the last stage."""
    row: PaperTextRow = text.last
    truth = truth_of(text.w.session, row.figure_id)
    plain, sha256 = truth.required()
    row.truth, row.truth_sha256 = dict(plain), sha256
    row.guards = {**row.guards, **guard_results(guarded, settings_in(text.w.session))}
    row.state = state.value
    text.w.session.add(row)
