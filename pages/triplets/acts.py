"""What a tab holds of one piece of scoring, and the acts of its desk handed to the service one by one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from components import state
from components.desk.tab import DeskTab, desk_key, tab_key
from components.triplets.acts import Comment, Score, ScoringAct, Skip, Submit, read_scoring_act
from components.triplets.desk import DeskEvidence
from core.errors import EdgewiseError, SignedOut, StoreTrouble
from core.people import Receipt, Viewer
from services.queue.work import QueueCounts, claim_next, skip, waiting
from services.triplets import scoring
from services.triplets.reading import ScoringView
from services.triplets.work_kind import TRIPLETS

PAGE = "triplets"
LEFT_OUT = "Not saved: you chose the stored scores"


@dataclass(kw_only=True)
class ScoringTab(DeskTab[ScoringView]):
    """What this tab remembers of one piece of scoring.

    `waits` is what is free for the rater, counted when it last changed; `evidence` is looked up once, since it never
    changes.
    """

    evidence: tuple[DeskEvidence, ...]
    evidence_note: str
    waits: QueueCounts


def let_go_of_others(assignment_id: str) -> None:
    """One triplet is on the desk; what is held of those before would only pile up."""
    kept = tab_key(PAGE, assignment_id)
    for key in [str(key) for key in st.session_state]:
        if key.startswith(state.key(PAGE, "")) and key.endswith(".held") and key != kept:
            del st.session_state[key]


# --- acts from the browser --------------------------------------------------------------------------------------


def take_acts(viewer: Viewer, assignment_id: str) -> None:
    """Apply what the desk sent, in order. An act without an answer stays in the browser and is sent again."""
    held: ScoringTab = st.session_state[tab_key(PAGE, assignment_id)]
    held.apply_acts({desk_key(PAGE, assignment_id): read_scoring_act}, partial(_applied, viewer, assignment_id))


def _applied(viewer: Viewer, assignment_id: str, act: ScoringAct, /, **to: Any) -> Receipt:
    match act:
        case Score(criterion, value):
            return scoring.score(viewer, assignment_id, criterion, value, **to)
        case Comment(text):
            return scoring.comment(viewer, assignment_id, text, **to)
        case Skip(reason):
            return skip(viewer, TRIPLETS, assignment_id, reason, **to)
        case Submit():
            return scoring.submit(viewer, assignment_id, **to)


# --- two copies -------------------------------------------------------------------------------------------------


def scored_here(assignment_id: str, held: ScoringTab) -> dict[str, int]:
    """The scores as this tab has them: what it last drew, with the acts over it that were not taken."""
    scores = dict(held.shown.scores)
    for act in held.unanswered(desk_key(PAGE, assignment_id)):
        said = read_scoring_act(act)
        if isinstance(said, Score) and said.value is not None:
            scores[said.criterion] = said.value
        elif isinstance(said, Score):
            scores.pop(said.criterion, None)
    return scores


def go_on(assignment_id: str, *, with_mine: bool) -> None:
    """Take the newer version. What waits in the browser is then sent about that, or returned to the person."""
    held: ScoringTab = st.session_state[tab_key(PAGE, assignment_id)]
    with held.ledger.turn():
        if not with_mine:
            for act in held.unanswered(desk_key(PAGE, assignment_id)):
                held.ledger.refuse(act.id, LEFT_OUT)
        held.go_on()


# --- the next one -----------------------------------------------------------------------------------------------


def asked_next(viewer: Viewer, assignment_id: str) -> None:
    """The desk's wish to go on: its state counts how often it was asked. Nothing left leads back to the list."""
    held: ScoringTab = st.session_state[tab_key(PAGE, assignment_id)]
    if not held.asks(desk_key(PAGE, assignment_id), "next"):
        return
    if not (held.waits.free or held.waits.unfinished):
        state.write_param("scoring", "")
        return
    name = state.key(PAGE, f"after.{assignment_id}")
    try:
        receipt = claim_next(viewer, TRIPLETS, act_id=state.act_id(name))
    except EdgewiseError as error:
        held.trouble = str(error)
        if not isinstance(error, SignedOut | StoreTrouble):
            held.waits = waiting(viewer, TRIPLETS)  # others took what was free
        return
    state.spend(name)
    state.write_param("scoring", receipt.subject_id)
