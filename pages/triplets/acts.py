"""What a tab holds of one piece of scoring, and the acts of its desk handed to the service one by one."""

from __future__ import annotations

from dataclasses import dataclass, field

import streamlit as st

from components import state
from components.desk.outbox import Act, ActLedger, held_back, read_acts
from components.triplets.acts import Comment, Score, ScoringAct, Skip, Submit, read_scoring_act
from components.triplets.desk import DeskEvidence
from core.errors import BadInput, Conflict, EdgewiseError, SignedOut, StoreTrouble
from core.people import Receipt, Viewer
from services.triplets import scoring
from services.triplets.reading import ScoringView
from services.triplets.scoring import ScoringQueue

PAGE = "triplets"
LEFT_OUT = "Not saved: you chose the stored scores"


@dataclass(kw_only=True)
class ScoringTab:
    """What this tab remembers: the version it shows, which acts are answered, what went wrong.

    `shown` is what the tab last drew; `is_stale`: a newer version was found, and nothing is sent until the person
    chooses. `next_n` grows with every wish to go on; `waits`: what is free for them, counted when it last changed;
    `evidence`: looked up once, since it never changes.
    """

    seen: int
    shown: ScoringView
    evidence: tuple[DeskEvidence, ...]
    evidence_note: str
    waits: ScoringQueue
    ledger: ActLedger = field(default_factory=ActLedger)
    receipt: Receipt | None = None
    is_stale: bool = False
    trouble: str = ""
    next_n: int = 0


def held_key(assignment_id: str) -> str:
    return state.key(PAGE, f"{assignment_id}.held")


def desk_key(assignment_id: str) -> str:
    return state.key(PAGE, f"desk.{assignment_id}")


def let_go_of_others(assignment_id: str) -> None:
    """One triplet is on the desk; what is held of those before would only pile up."""
    kept = held_key(assignment_id)
    for key in [str(key) for key in st.session_state]:
        if key.startswith(state.key(PAGE, "")) and key.endswith(".held") and key != kept:
            del st.session_state[key]


# --- acts from the browser --------------------------------------------------------------------------------------


def take_acts(viewer: Viewer, assignment_id: str) -> None:
    """Apply what the desk sent, in order. An act without an answer stays in the browser and is sent again."""
    held: ScoringTab = st.session_state[held_key(assignment_id)]
    with held.ledger.turn():
        held.trouble = ""
        try:
            acts = _unanswered(assignment_id, held)
        except BadInput as error:
            held.trouble = str(error)
            return
        for act in acts:
            if held.is_stale or not _answered(viewer, assignment_id, act, held):
                return


def _unanswered(assignment_id: str, held: ScoringTab) -> tuple[Act, ...]:
    return read_acts((st.session_state.get(desk_key(assignment_id)) or {}).get("outbox"), held.ledger.done)


def _answered(viewer: Viewer, assignment_id: str, act: Act, held: ScoringTab) -> bool:
    """Apply one act; False if it stays with the browser for now."""

    def apply() -> None:
        held.receipt = _applied(viewer, assignment_id, read_scoring_act(act), held.seen, act.id)
        held.seen = max(held.seen, held.receipt.version)

    error = held_back(held.ledger, act, apply)
    held.is_stale = isinstance(error, Conflict)
    held.trouble = str(error) if error is not None and not held.is_stale else ""
    return error is None


def _applied(viewer: Viewer, assignment_id: str, act: ScoringAct, seen: int, act_id: str) -> Receipt:
    match act:
        case Score(criterion, value):
            return scoring.score(viewer, assignment_id, criterion, value, seen=seen, act_id=act_id)
        case Comment(text):
            return scoring.comment(viewer, assignment_id, text, seen=seen, act_id=act_id)
        case Skip(reason):
            return scoring.skip(viewer, assignment_id, reason, seen=seen, act_id=act_id)
        case Submit():
            return scoring.submit(viewer, assignment_id, seen=seen, act_id=act_id)


# --- two copies -------------------------------------------------------------------------------------------------


def scored_here(assignment_id: str, held: ScoringTab) -> dict[str, int]:
    """The scores as this tab has them: what it last drew, with the acts over it that were not taken."""
    scores = dict(held.shown.scores)
    for act in _unanswered(assignment_id, held):
        said = read_scoring_act(act)
        if isinstance(said, Score) and said.value is not None:
            scores[said.criterion] = said.value
        elif isinstance(said, Score):
            scores.pop(said.criterion, None)
    return scores


def go_on(assignment_id: str, *, with_mine: bool) -> None:
    """Take the newer version. What waits in the browser is then sent about that, or returned to the person."""
    held: ScoringTab = st.session_state[held_key(assignment_id)]
    with held.ledger.turn():
        if not with_mine:
            for act in _unanswered(assignment_id, held):
                held.ledger.refuse(act.id, LEFT_OUT)
        held.is_stale = False
        held.seen = 0  # read anew when it is drawn


# --- the next one -----------------------------------------------------------------------------------------------


def asked_next(viewer: Viewer, assignment_id: str) -> None:
    """The desk's wish to go on: its state counts how often it was asked. Nothing left leads back to the list."""
    held: ScoringTab = st.session_state[held_key(assignment_id)]
    wanted = (st.session_state.get(desk_key(assignment_id)) or {}).get("next")
    if not isinstance(wanted, int | float) or wanted <= held.next_n:
        return
    held.next_n = int(wanted)
    if not (held.waits.free or held.waits.unfinished):
        state.write_param("scoring", "")
        return
    name = state.key(PAGE, f"after.{assignment_id}")
    try:
        receipt = scoring.take_next(viewer, act_id=state.act_id(name))
    except EdgewiseError as error:
        held.trouble = str(error)
        if not isinstance(error, SignedOut | StoreTrouble):
            held.waits = scoring.waiting(viewer)  # others took what was free
        return
    state.spend(name)
    state.write_param("scoring", receipt.subject_id)
