"""Changing a figure's text, one act each: a change rejected or restored, a stretch replaced, a round of changes."""

from __future__ import annotations

from typing import Any

from core.errors import BadInput, Refused
from core.people import May, Receipt, Viewer
from core.texts import redline
from core.texts.changes import entries_of, normalise, strange_words
from core.texts.redline import TextChange
from core.texts.states import MOST_ROUNDS, TextState
from core.texts.views import TruthState
from core.words import control_in, plain_line_ends
from services.acting import Writing, perform
from services.texts import chains
from services.texts.chains import BY_HAND, HeldText, hold, label, rule
from services.texts.settings import settings_in
from services.texts.truths import OPEN, truth_of
from store import history

LONGEST_REASON = 2_000
BY_LIST = "a list of changes"
"""The producer of a round that somebody brought as a file."""


def reject(
    viewer: Viewer, figure_id: str, text_id: str, number: int, *, reason: str = "", seen: int, act_id: str
) -> Receipt:
    """Reject one change of a stage: its words stand again, also in the rounds after it.

    Raises Missing if there is no such change, Refused if it is rejected already or a later change replaced words of
    this place, Conflict after version `seen`.
    """
    return _ruled(viewer, figure_id, text_id, number, is_rejected=True, reason=_clean(reason), seen=seen, act_id=act_id)


def restore(viewer: Viewer, figure_id: str, text_id: str, number: int, *, seen: int, act_id: str) -> Receipt:
    """Let a change stand that was rejected. Raises as `reject`."""
    return _ruled(viewer, figure_id, text_id, number, is_rejected=False, reason="", seen=seen, act_id=act_id)


def _ruled(
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
        held = hold(w, figure_id, seen)
        payload = rule(held, text_id, number, is_rejected=is_rejected, reason=reason)
        if payload["before"]["is_rejected"] == is_rejected:
            raise Refused(f"This change {'is rejected' if is_rejected else 'stands'} already.")
        return held.done("text.reject" if is_rejected else "text.restore", payload)

    return perform(viewer, May.CURATE, act_id, act, asked=(figure_id, text_id, number, is_rejected, reason))


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
    """Replace a stretch of the last stage's text by hand; `was` is what the person saw there. The first such change
    begins a round of its own, to which further ones are added; one that touches another begins a round again.

    Raises BadInput for a stretch outside the text, other words in it or a control character, Refused while the figure's
    adjudication is open, Conflict after version `seen`.
    """

    def act(w: Writing) -> Receipt:
        held = hold(w, figure_id, seen)
        _refuse_open(w, figure_id)
        if held.last.id != text_id:
            raise BadInput(f"Only the last stage is changed by hand: {label(held.last)}.")
        content = held.last.content
        if not 0 <= start < end <= len(content) or content[start:end] != was:
            raise BadInput("The text has other words there. Mark them again.")
        place = redline.place_before(start, end, held.of(held.last))
        if held.last.producer != BY_HAND or isinstance(place, TextChange):
            place = start
            chains.add_stage(held, BY_HAND, ())
        made = chains.append(held, _by_hand(w, content, start, end, replacement, place))
        payload = {
            "text": held.last.id,
            "number": made.number,
            "was": was,
            "replacement": made.replacement,
            "before": {"is_rejected": True, "reason": ""},
            "after": {"is_rejected": False, "reason": ""},
        }
        return held.done("text.replace", payload)

    asked = (figure_id, text_id, start, end, replacement)
    return perform(viewer, May.CURATE, act_id, act, asked=asked)


def _by_hand(w: Writing, content: str, start: int, end: int, replacement: str, place: int) -> TextChange:
    new = plain_line_ends(replacement)
    if found := control_in(new):
        raise BadInput(f"The new words contain {found}; remove it.")
    return TextChange(
        number=0,
        start=place,
        end=place + end - start,
        was=content[start:end],
        replacement=new,
        kind=redline.BY_HAND,
        flagged=strange_words(content, start, end, new),
        ruled_by=w.viewer.person_id,
    )


def add_round(
    viewer: Viewer, figure_id: str, document: Any, *, producer: str = BY_LIST, seen: int, act_id: str
) -> Receipt:
    """Apply a list of changes, {"normalizations": [{"start", "end", "replacement"}]}, to the last stage as a round of
    its own; an empty list of a model ends its rounds. `producer`: who made it (`step:<item>/<n>` for a model).

    Raises BadInput with every fault of the list, and then nothing is changed; Refused while the ground truth is not
    finished; Conflict after version `seen`.
    """
    entries, wrong = entries_of(document)

    def act(w: Writing) -> Receipt:
        held = hold(w, figure_id, seen)
        plain, sha256 = truth_of(w.session, figure_id, for_update=True).required()
        found = normalise(held.last.content, entries, settings_in(w.session).largest_share)
        faults = sorted((*wrong, *found.faults), key=lambda each: (each.entry is None, each.entry or 0))
        number = held.last.round + 1
        if faults or found.text is None:
            raise BadInput("\n".join(each.in_words(number) for each in faults))
        if not found.changes and producer == BY_LIST:
            raise BadInput("This list is empty; it changes nothing.")
        row = chains.add_stage(held, producer, redline.of_round(found.changes), truth_sha256=sha256, truth=plain)
        if found.changes and producer != BY_LIST and _rounds_of_models(held) >= MOST_ROUNDS:
            row.state = TextState.UNFINISHED.value
            w.session.add(row)
        payload = {
            "text": row.id,
            "round": number,
            "producer": producer,
            "changes": len(found.changes),
            "flagged": sum(bool(each.flagged) for each in found.changes),
        }
        return held.done("text.round", payload)

    return perform(viewer, May.CURATE, act_id, act)


def _rounds_of_models(held: HeldText) -> int:
    return sum(row.producer not in (BY_HAND, BY_LIST) for row in held.stages[2:])


def end_rounds(viewer: Viewer, figure_id: str, *, seen: int, act_id: str) -> Receipt:
    """Take a text whose rounds never came to an end as it is; it is a draft then.

    Raises Refused if it is not unfinished, Conflict after version `seen`.
    """

    def act(w: Writing) -> Receipt:
        held = hold(w, figure_id, seen)
        open_ones = [row for row in held.stages if row.state == TextState.UNFINISHED]
        if not open_ones:
            raise Refused("The rounds of this text have ended.")
        for row in open_ones:
            row.state = TextState.DRAFT.value
            w.session.add(row)
        return held.done("text.end", {"text": held.last.id, "round": held.last.round})

    return perform(viewer, May.CURATE, act_id, act)


def undo(viewer: Viewer, figure_id: str, *, seen: int, act_id: str) -> Receipt:
    """Take back the last change of a figure's text that somebody made or ruled on; a stretch replaced by hand is
    rejected then. Raises Refused if there is nothing, and as `reject`."""
    return _again(viewer, figure_id, chains.UNDO, "before", seen=seen, act_id=act_id)


def redo(viewer: Viewer, figure_id: str, *, seen: int, act_id: str) -> Receipt:
    """Do again what was last undone. Raises Refused if there is nothing, and as `reject`."""
    return _again(viewer, figure_id, chains.REDO, "after", seen=seen, act_id=act_id)


def _again(viewer: Viewer, figure_id: str, name: str, side: str, *, seen: int, act_id: str) -> Receipt:
    def act(w: Writing) -> Receipt:
        held = hold(w, figure_id, seen)
        undos, redos = chains.undo_stacks(w.session, figure_id)
        stack = undos if name == chains.UNDO else redos
        if not stack:
            raise Refused(f"There is nothing to {name.removeprefix('text.')}.")
        did = history.event_at(w.session, stack[-1]).payload
        payload = rule(held, did["text"], did["number"], **did[side])
        return held.done(name, payload, undoes=stack[-1])

    return perform(viewer, May.CURATE, act_id, act)


def _refuse_open(w: Writing, figure_id: str) -> None:
    if truth_of(w.session, figure_id, for_update=True).state is TruthState.OPEN:
        raise Refused(OPEN)


def _clean(text: str) -> str:
    plain = text.replace("\x00", "").strip()
    if len(plain) > LONGEST_REASON:
        raise BadInput(f"This text has {len(plain):,} characters; at most {LONGEST_REASON:,} are allowed.")
    return plain
