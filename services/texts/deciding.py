"""Saying that a text is ready, or that a new ground truth changes nothing in it."""

from __future__ import annotations

from core.errors import Refused
from core.people import May, Receipt, Viewer
from core.texts.states import TextState
from services.acting import Writing, perform
from services.texts.chains import HeldText, hold
from services.texts.guards import Guarded
from services.texts.making import said
from services.texts.reading import TextNow, look, text_now
from services.texts.settings import settings_in
from services.texts.truths import truth_of
from store.tables import PaperTextRow

SINCE = "The ground truth or the text changed in this moment. Look at it again."


def ready(viewer: Viewer, figure_id: str, *, seen: int, act_id: str) -> Receipt:
    """Make a text ready for releases and runs. A finished ground truth and both guards are needed, no model.

    Raises Refused with every sentence that stands against it, Conflict after version `seen`.
    """
    known = look(viewer, figure_id, May.CURATE)

    def act(w: Writing) -> Receipt:
        held = hold(w, figure_id, seen)
        now = _same(w, figure_id, held, known)
        if now.view.hindrances:
            raise Refused(" ".join(now.view.hindrances))
        if now.view.is_ready:
            raise Refused("This text is ready already.")
        _settle(held, now.guarded, TextState.READY)
        last = held.last
        payload = {"text": last.id, "sha256": last.sha256, "truth": last.truth_sha256, "words": last.guards["words"]}
        return held.done("text.ready", payload)

    return perform(viewer, May.CURATE, act_id, act)


def take_back(viewer: Viewer, figure_id: str, *, seen: int, act_id: str) -> Receipt:
    """Make a ready text a draft again. Raises Refused if it is none, Conflict after version `seen`."""

    def act(w: Writing) -> Receipt:
        held = hold(w, figure_id, seen)
        if held.last.state != TextState.READY:
            raise Refused("This text is not ready; there is nothing to take back.")
        held.last.state = TextState.DRAFT.value
        w.session.add(held.last)
        return held.done("text.reopen", {"text": held.last.id})

    return perform(viewer, May.CURATE, act_id, act)


def confirm(viewer: Viewer, figure_id: str, *, seen: int, act_id: str) -> Receipt:
    """Say that what changed in the ground truth is not in the text: the text holds against the new one from now on, as
    the draft or the ready text that it was.

    Raises Refused if nothing changed, if the paper's file did, or if a guard refuses the text against the new ground
    truth; Conflict after version `seen`.
    """
    known = look(viewer, figure_id, May.CURATE)

    def act(w: Writing) -> Receipt:
        held = hold(w, figure_id, seen)
        now = _same(w, figure_id, held, known)
        staleness = now.view.staleness
        if staleness is None or staleness.difference is None:
            raise Refused("The ground truth is the one this text was made against.")
        if staleness.is_file_changed:
            raise Refused(staleness.in_words)
        if now.guarded.leaks is not None and not now.guarded.leaks.passes:
            raise Refused(" ".join(now.guarded.leaks.reasons))
        was = held.last.truth_sha256
        _settle(held, now.guarded, TextState(held.last.state))
        payload = {"text": held.last.id, "before": was, "after": held.last.truth_sha256}
        return held.done("text.confirm", {**payload, "difference": staleness.difference.in_words})

    return perform(viewer, May.CURATE, act_id, act)


def _same(w: Writing, figure_id: str, held: HeldText, known: TextNow) -> TextNow:
    """What was looked at before the transaction, with the guards worked out, if it still is so."""
    truth = truth_of(w.session, figure_id, for_update=True)
    now = text_now(w, figure_id, known.guarded)
    if held.last.sha256 != known.view.last.sha256 or truth.sha256 != known.truth.sha256 or now is None:
        raise Refused(SINCE)
    return now


def _settle(held: HeldText, guarded: Guarded, state: TextState) -> None:
    """Write into the last stage what it holds against now, and what the guards said."""
    row: PaperTextRow = held.last
    truth = truth_of(held.w.session, row.figure_id)
    plain, sha256 = truth.required()
    row.truth, row.truth_sha256 = dict(plain), sha256
    row.guards = {**row.guards, **said(guarded, settings_in(held.w.session))}
    row.state = state.value
    held.w.session.add(row)
