"""Edits of a figure's text: a change rejected or restored, a passage replaced, a round of changes."""

from __future__ import annotations

from typing import Any

from core.errors import BadInput, Refused
from core.people import Permission, Receipt, Viewer
from core.texts import redline
from core.texts.changes import entries_of, external_words, normalise
from core.texts.redline import TextChange
from core.texts.states import MOST_ROUNDS, TextState
from core.texts.views import TruthState
from core.words import control_in, plain_line_ends
from services.acting import Writing, perform
from services.texts import chains
from services.texts.chains import BY_HAND, hold, label, rule
from services.texts.settings import settings_in
from services.texts.truths import OPEN, truth_of
from store import history

LONGEST_REASON = 2_000
BY_LIST = "a list of changes"
"""Producer of a round imported from a file."""


def reject(
    viewer: Viewer, figure_id: str, text_id: str, number: int, *, reason: str = "", seen: int, act_id: str
) -> Receipt:
    """Reject one change of a stage: its original words return, also in later rounds. Raises Missing if there is no such
    change, Refused if it is rejected already or a later change replaced words at this place, Conflict after version
    `seen`."""
    plain = reason.replace("\x00", "").strip()
    if len(plain) > LONGEST_REASON:
        raise BadInput(f"This text has {len(plain):,} characters; at most {LONGEST_REASON:,} are allowed.")
    return _rule_change(viewer, figure_id, text_id, number, is_rejected=True, reason=plain, seen=seen, act_id=act_id)


def restore(viewer: Viewer, figure_id: str, text_id: str, number: int, *, seen: int, act_id: str) -> Receipt:
    """Restore a rejected change. Raises like `reject`."""
    return _rule_change(viewer, figure_id, text_id, number, is_rejected=False, reason="", seen=seen, act_id=act_id)


def _rule_change(
    viewer: Viewer,
    figure_id: str,
    text_id: str,
    number: int,
    *,
    is_rejected: bool,
    reason: str,
    seen: int,
    act_id: str,
) -> Receipt:
    def act(w: Writing) -> Receipt:
        text = hold(w, figure_id, seen)
        payload = rule(text, text_id, number, is_rejected=is_rejected, reason=reason)
        if payload["before"]["is_rejected"] == is_rejected:
            raise Refused(f"This change {'is rejected' if is_rejected else 'stands'} already.")
        return text.done("text.reject" if is_rejected else "text.restore", payload)

    return perform(viewer, Permission.CURATE, act_id, act, asked=(figure_id, text_id, number, is_rejected, reason))


def replace(
    viewer: Viewer,
    figure_id: str,
    text_id: str,
    start: int,
    end: int,
    replacement: str,
    *,
    was: str,
    seen: int,
    act_id: str,
) -> Receipt:
    """Replace a passage of the last stage by hand; `was` is the text that the user saw there. The first such change
    starts a round, to which further ones are added; an overlapping one starts another round. Raises BadInput for a
    passage outside the text, other words in it or a control character, Refused while the figure's adjudication is
    open, Conflict after version `seen`."""

    def act(w: Writing) -> Receipt:
        text = hold(w, figure_id, seen)
        if truth_of(w.session, figure_id, for_update=True).state is TruthState.OPEN:
            raise Refused(OPEN)
        if text.last.id != text_id:
            raise BadInput(f"Only the last stage is changed by hand: {label(text.last)}.")
        content = text.last.content
        if not 0 <= start < end <= len(content) or content[start:end] != was:
            raise BadInput("The text has other words there. Mark them again.")
        place = redline.place_before(start, end, text.of(text.last))
        if text.last.producer != BY_HAND or isinstance(place, TextChange):
            place = start
            chains.add_stage(text, BY_HAND, ())
        new = plain_line_ends(replacement)
        if character := control_in(new):
            raise BadInput(f"The new words contain {character}; remove it.")
        by_hand = TextChange(
            number=0,
            start=place,
            end=place + end - start,
            was=was,
            replacement=new,
            kind=redline.BY_HAND,
            flagged=external_words(content, start, end, new),
            ruled_by=w.viewer.person_id,
        )
        change = chains.append(text, by_hand)
        payload = {
            "text": text.last.id,
            "number": change.number,
            "was": was,
            "replacement": change.replacement,
            "before": {"is_rejected": True, "reason": ""},
            "after": {"is_rejected": False, "reason": ""},
        }
        return text.done("text.replace", payload)

    inputs = (figure_id, text_id, start, end, replacement)
    return perform(viewer, Permission.CURATE, act_id, act, asked=inputs)


def add_round(
    viewer: Viewer, figure_id: str, document: Any, *, producer: str = BY_LIST, seen: int, act_id: str
) -> Receipt:
    """Apply a list of changes, {"normalizations": [{"start", "end", "replacement"}]}, to the last stage as a new round.
    An empty list of a model ends its rounds. `producer` is `step:<item>/<n>` for a model. Raises BadInput with every
    fault of the list, and then nothing is changed; Refused while the ground truth is not finished; Conflict after
    version `seen`."""
    entries, wrong = entries_of(document)

    def act(w: Writing) -> Receipt:
        text = hold(w, figure_id, seen)
        plain, sha256 = truth_of(w.session, figure_id, for_update=True).required()
        normalised = normalise(text.last.content, entries, settings_in(w.session).largest_share)
        faults = sorted((*wrong, *normalised.faults), key=lambda each: (each.entry is None, each.entry or 0))
        number = text.last.round + 1
        if faults or normalised.text is None:
            raise BadInput("\n".join(each.in_words(number) for each in faults))
        if not normalised.changes and producer == BY_LIST:
            raise BadInput("This list is empty; it changes nothing.")
        row = chains.add_stage(text, producer, redline.of_round(normalised.changes), truth_sha256=sha256, truth=plain)
        model_rounds = sum(row.producer not in (BY_HAND, BY_LIST) for row in text.stages[2:])
        if normalised.changes and producer != BY_LIST and model_rounds >= MOST_ROUNDS:
            row.state = TextState.UNFINISHED.value
            w.session.add(row)
        payload = {
            "text": row.id,
            "round": number,
            "producer": producer,
            "changes": len(normalised.changes),
            "flagged": sum(bool(each.flagged) for each in normalised.changes),
        }
        return text.done("text.round", payload)

    return perform(viewer, Permission.CURATE, act_id, act)


def end_rounds(viewer: Viewer, figure_id: str, *, seen: int, act_id: str) -> Receipt:
    """Accept a text whose rounds did not end; it becomes a draft. Raises Refused if it is not unfinished, Conflict
    after version `seen`."""

    def act(w: Writing) -> Receipt:
        text = hold(w, figure_id, seen)
        open_ones = [row for row in text.stages if row.state == TextState.UNFINISHED]
        if not open_ones:
            raise Refused("The rounds of this text have ended.")
        for row in open_ones:
            row.state = TextState.DRAFT.value
            w.session.add(row)
        return text.done("text.end", {"text": text.last.id, "round": text.last.round})

    return perform(viewer, Permission.CURATE, act_id, act)


def undo(viewer: Viewer, figure_id: str, *, seen: int, act_id: str) -> Receipt:
    """Undo the last edit or ruling of a person; a passage replaced by hand is then rejected. Raises Refused if there is
    nothing to undo, and like `reject`."""
    return _undo_or_redo(viewer, figure_id, chains.UNDO, "before", seen=seen, act_id=act_id)


def redo(viewer: Viewer, figure_id: str, *, seen: int, act_id: str) -> Receipt:
    """Redo the last undone edit. Raises Refused if there is none, and like `reject`."""
    return _undo_or_redo(viewer, figure_id, chains.REDO, "after", seen=seen, act_id=act_id)


def _undo_or_redo(viewer: Viewer, figure_id: str, name: str, side: str, *, seen: int, act_id: str) -> Receipt:
    def act(w: Writing) -> Receipt:
        text = hold(w, figure_id, seen)
        undos, redos = chains.undo_stacks(w.session, figure_id)
        stack = undos if name == chains.UNDO else redos
        if not stack:
            raise Refused(f"There is nothing to {name.removeprefix('text.')}.")
        did = history.event_at(w.session, stack[-1]).payload
        payload = rule(text, did["text"], did["number"], **did[side])
        return text.done(name, payload, undoes=stack[-1])

    return perform(viewer, Permission.CURATE, act_id, act)
