"""Ruling on the differences between two transcriptions of a figure, one act each.

Nobody adjudicates a figure they transcribed. The two are shown as A and B, in random order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from core.adjudication.differences import (
    LEGAL,
    Choice,
    DifferenceKind,
    Reason,
    Ruling,
    edge_key,
    name_key,
    parts_of,
)
from core.errors import BadInput, Missing, Refused
from core.graphs.alignment import NameClass
from core.graphs.names import clean_name
from core.people import Permission, Receipt, Viewer
from core.sign import Sign
from services.acting import Writing, perform
from services.adjudication.editing import LockedCase, checked_comment, hold, keep, question_about, ruling_act
from store import history
from store import rulings as stored
from store.history import RULING_ACTS

# --- ruling -----------------------------------------------------------------------------------------------------


def rule(
    viewer: Viewer,
    adjudication_id: str,
    key: str,
    choice: Choice,
    *,
    reasons: Iterable[Reason] = (),
    comment: str = "",
    is_gap: bool = False,
    seen: int,
    act_id: str,
) -> Receipt:
    """Rule on one difference, or change its ruling. `is_gap`: the guidelines do not cover this case.

    Raises BadInput for a choice that this kind of difference does not have, Missing if there is no such difference.
    """
    words = checked_comment(comment)

    def make(locked: LockedCase) -> Mapping[str, Ruling | None]:
        difference = next((d for d in locked.case.two().differences if d.key == key), None)
        if difference is None:
            raise Missing("This difference no longer exists. A ruling on a name may have settled it.")
        kind = difference.kind
        if choice not in LEGAL[kind]:
            offered = ", ".join(legal.value for legal in LEGAL[kind])
            raise BadInput(
                f"“{choice.value}” is not a ruling on a difference of this kind ({kind.value}); choose {offered}."
            )
        return {
            key: Ruling(
                key=key,
                kind=difference.kind,
                choice=choice,
                reasons=tuple(dict.fromkeys(reasons)),
                comment=words,
                is_gap=is_gap,
            )
        }

    return ruling_act(viewer, adjudication_id, make, seen=seen, act_id=act_id)


def rule_name(
    viewer: Viewer,
    adjudication_id: str,
    name: str,
    choice: Choice,
    *,
    reference: str | None,
    name_class: NameClass | None,
    wording: str = "",
    reasons: Iterable[Reason] = (),
    comment: str = "",
    is_gap: bool = False,
    seen: int,
    act_id: str,
) -> Receipt:
    """Rule that B's `name` is A's variable `reference`, how the names differ, and which wording is used.

    With the choice BOTH they are different variables, and `reference` and `name_class` are ignored. Raises BadInput if
    a wording is missing or another variable has it, Missing for unknown names.
    """
    words, text = checked_comment(comment), clean_name(wording) if choice is Choice.NEITHER else ""

    def make(locked: LockedCase) -> Mapping[str, Ruling | None]:
        two, key = locked.case.two(), name_key(name)
        question_about(two, key)
        ruling = Ruling(
            key=key,
            kind=DifferenceKind.NAME,
            choice=choice,
            reasons=tuple(dict.fromkeys(reasons)),
            comment=words,
            is_gap=is_gap,
        )
        if choice is Choice.BOTH:
            return {key: replace(ruling, name_class=NameClass.DISTINCT)}
        if reference is None or name_class is None or name_class is NameClass.DISTINCT:
            raise BadInput("Choose the name from A and how the names differ, or rule that they are two variables.")
        if two.first.node_named(reference) is None:
            raise Missing(f"Transcription A has no node “{reference}”.")
        others = {*(node.name for node in two.first.nodes.values()), *two.aligned.values()} - {reference, name}
        if text in {two.wording.get(other, other) for other in others}:
            raise BadInput(f"Another node is called “{text}” already; choose another wording.")
        return {key: replace(ruling, reference=reference, name_class=name_class, wording=text)}

    return ruling_act(viewer, adjudication_id, make, seen=seen, act_id=act_id)


def note(
    viewer: Viewer,
    adjudication_id: str,
    key: str,
    *,
    reasons: Iterable[Reason],
    comment: str,
    is_gap: bool,
    seen: int,
    act_id: str,
) -> Receipt:
    """Add reasons and a comment to a ruling. Raises Missing if there is none."""
    words = checked_comment(comment)

    def make(locked: LockedCase) -> Mapping[str, Ruling | None]:
        ruling = _get_ruling(locked, key)
        return {key: replace(ruling, reasons=tuple(dict.fromkeys(reasons)), comment=words, is_gap=is_gap)}

    return ruling_act(viewer, adjudication_id, make, seen=seen, act_id=act_id)


def set_arrow(
    viewer: Viewer,
    adjudication_id: str,
    source: str,
    sink: str,
    *,
    is_there: bool,
    sign: Sign | None = None,
    delay: bool = False,
    reasons: Iterable[Reason] = (),
    comment: str = "",
    is_gap: bool = False,
    seen: int,
    act_id: str,
) -> Receipt:
    """Set an edge differently from both A and B, or remove one (`is_there` False), regardless of what they drew.

    Names are those of the ground truth, or new ones. Raises BadInput for an unusable name or sign.
    """
    words = checked_comment(comment)
    if sign is not None and sign not in (Sign.PLUS, Sign.MINUS):
        raise BadInput(f"The sign of an edge is +, - or empty, not “{sign.value}”.")

    def make(locked: LockedCase) -> Mapping[str, Ruling | None]:
        two = locked.case.two()
        if not two.has_graph:
            raise Refused("Rule first that the figure has a graph. Then you can set edges.")
        aligned = {text: name for name, text in two.wording.items()}
        ends = [aligned.get(name, two.aligned.get(name, name)) for name in (clean_name(source), clean_name(sink))]
        key = edge_key(DifferenceKind.OWN, *ends)
        why = tuple(dict.fromkeys(reasons))
        ruling = Ruling(
            key=key,
            kind=DifferenceKind.OWN,
            choice=Choice.NEITHER,
            reasons=why,
            comment=words,
            is_gap=is_gap,
            is_there=is_there,
            sign=sign,
            delay=delay,
        )
        return {key: ruling}

    return ruling_act(viewer, adjudication_id, make, seen=seen, act_id=act_id)


def withdraw_ruling(viewer: Viewer, adjudication_id: str, key: str, *, seen: int, act_id: str) -> Receipt:
    """Withdraw one ruling; the difference waits again. Raises Missing if there is no ruling."""

    def make(locked: LockedCase) -> Mapping[str, Ruling | None]:
        _get_ruling(locked, key)
        return {key: None}

    return ruling_act(viewer, adjudication_id, make, seen=seen, act_id=act_id)


def undo(viewer: Viewer, adjudication_id: str, *, seen: int, act_id: str) -> Receipt:
    """Undo the last ruling that is not undone yet. Raises Refused if there is none."""
    return _replay(viewer, adjudication_id, "undo", "before", seen=seen, act_id=act_id)


def redo(viewer: Viewer, adjudication_id: str, *, seen: int, act_id: str) -> Receipt:
    """Redo the ruling that was undone last. Raises Refused if there is none."""
    return _replay(viewer, adjudication_id, "redo", "after", seen=seen, act_id=act_id)


def _replay(viewer: Viewer, adjudication_id: str, what: str, side: str, *, seen: int, act_id: str) -> Receipt:
    def act(w: Writing) -> Receipt:
        locked = hold(w, adjudication_id, seen)
        undos, redos = history.undo_stacks(w.session, locked.graph.id, RULING_ACTS)
        stack = undos if what == "undo" else redos
        if not stack:
            raise Refused(f"There is nothing to {what}.")
        payload = history.event_at(w.session, stack[-1]).payload
        rulings = {key: stored.ruling_from_json(ruling) for key, ruling in payload[side].items()}
        return keep(locked, rulings, f"adjudication.{what}", undoes=stack[-1])

    return perform(viewer, Permission.ADJUDICATE, act_id, act)


# --- checks -----------------------------------------------------------------------------------------------------


def _get_ruling(locked: LockedCase, key: str) -> Ruling:
    parts_of(key)
    ruling = locked.case.rulings.get(key)
    if ruling is None:
        raise Missing("This difference has no ruling.")
    return ruling
