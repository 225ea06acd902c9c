"""State of the scoring of a triplet in a tab, and dispatch of desk acts to the service."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st

from components import state
from components.desk.posting.acts import Act
from components.desk.tab import QueueTab, tab_key
from components.triplets.acts import Comment, ScoreTriplet, SkipTriplet, SubmitScores, read_scoring_act
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
    """State of one scoring in this tab; `evidence` is searched once, since it never changes."""

    evidence: tuple[DeskEvidence, ...]
    evidence_note: str


def release_others(assignment_id: str) -> None:
    """Clear the state of other triplets, which would accumulate."""
    current_key = tab_key(PAGE, assignment_id)
    for key in [str(key) for key in st.session_state]:
        if key.startswith(state.key(PAGE, "")) and key.endswith(".held") and key != current_key:
            del st.session_state[key]


# --- acts from the browser --------------------------------------------------------------------------------------


def apply(assignment_id: str, viewer: Viewer, act: Act, /, **to: Any) -> Receipt:
    match read_scoring_act(act):
        case ScoreTriplet(criterion, value):
            return scoring.score(viewer, assignment_id, criterion, value, **to)
        case Comment(text):
            return scoring.comment(viewer, assignment_id, text, **to)
        case SkipTriplet(reason):
            return skip(viewer, TRIPLETS, assignment_id, reason, **to)
        case SubmitScores():
            return scoring.submit(viewer, assignment_id, **to)


# --- two copies -------------------------------------------------------------------------------------------------


def scored_here(tab: ScoringTab) -> dict[str, int]:
    """Return the scores in this tab: last drawn, with acts that were not accepted."""
    scores = dict(tab.shown.scores)
    for act in tab.waiting:
        scoring_act = read_scoring_act(act)
        if isinstance(scoring_act, ScoreTriplet) and scoring_act.value is not None:
            scores[scoring_act.criterion] = scoring_act.value
        elif isinstance(scoring_act, ScoreTriplet):
            scores.pop(scoring_act.criterion, None)
    return scores
