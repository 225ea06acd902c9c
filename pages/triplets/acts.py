"""What a tab holds of one piece of scoring, and the acts of its desk handed to the service one by one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st

from components import state
from components.desk.outbox import Act
from components.desk.tab import QueueTab, tab_key
from components.triplets.acts import Comment, Score, Skip, Submit, read_scoring_act
from components.triplets.desk import DeskEvidence
from core.people import Receipt, Viewer
from pages.work_queue.screens import screen_of
from services.queue.work import skip
from services.triplets import scoring
from services.triplets.reading import ScoringView
from services.triplets.work_kind import TRIPLETS

PAGE = "triplets"
SCREEN = screen_of(PAGE, "scoring", TRIPLETS)


@dataclass(kw_only=True)
class ScoringTab(QueueTab[ScoringView]):
    """What this tab remembers of one piece of scoring; `evidence` is looked up once, since it never changes."""

    evidence: tuple[DeskEvidence, ...]
    evidence_note: str


def let_go_of_others(assignment_id: str) -> None:
    """One triplet is on the desk; what is held of those before would only pile up."""
    kept = tab_key(PAGE, assignment_id)
    for key in [str(key) for key in st.session_state]:
        if key.startswith(state.key(PAGE, "")) and key.endswith(".held") and key != kept:
            del st.session_state[key]


# --- acts from the browser --------------------------------------------------------------------------------------


def apply(assignment_id: str, viewer: Viewer, act: Act, /, **to: Any) -> Receipt:
    """Hand an act of the desk to its service."""
    match read_scoring_act(act):
        case Score(criterion, value):
            return scoring.score(viewer, assignment_id, criterion, value, **to)
        case Comment(text):
            return scoring.comment(viewer, assignment_id, text, **to)
        case Skip(reason):
            return skip(viewer, TRIPLETS, assignment_id, reason, **to)
        case Submit():
            return scoring.submit(viewer, assignment_id, **to)


# --- two copies -------------------------------------------------------------------------------------------------


def scored_here(held: ScoringTab) -> dict[str, int]:
    """The scores as this tab has them: what it last drew, with the acts over it that were not taken."""
    scores = dict(held.shown.scores)
    for act in held.waiting:
        said = read_scoring_act(act)
        if isinstance(said, Score) and said.value is not None:
            scores[said.criterion] = said.value
        elif isinstance(said, Score):
            scores.pop(said.criterion, None)
    return scores
