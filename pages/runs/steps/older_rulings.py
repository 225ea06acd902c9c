"""Decisions of the redone run: which were taken over, and which are to be made again."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import streamlit as st

from components import shell, state
from core.people import Viewer
from core.words import counted
from pages.runs.parts import PAGE
from pages.runs.steps.group_words import key_words
from services.runs.steps import older_rulings
from services.runs.steps.older_rulings import RulingOutcome

MOST_LISTED = 50
OUTCOME_WORDS = {
    RulingOutcome.TAKEN_OVER: "taken over",
    RulingOutcome.AGAIN: "to be decided again",
    RulingOutcome.AGAIN_DONE: "decided again",
    RulingOutcome.GONE: "no longer needed, because their value is gone",
    RulingOutcome.LATER: "not known until their step has run",
}


def show(viewer: Viewer, run_id: str, open_lane: Callable[[str, str], None]) -> None:
    """Draw nothing without earlier decisions. `open_lane` opens a group of a step."""
    rulings = older_rulings.older_rulings(viewer, run_id)
    if not rulings:
        return
    outcomes = Counter(each.outcome for each in rulings)
    counts = ", ".join(
        f"{outcomes[outcome]:,} {words}" for outcome, words in OUTCOME_WORDS.items() if outcomes[outcome]
    )
    st.markdown(f":material/gavel: **{counted(len(rulings), 'earlier decision')}**: {counts}")
    left = [each for each in rulings if each.outcome is RulingOutcome.AGAIN]
    if not left:
        return
    with st.expander(f"To be decided again: {len(left):,}", key=state.key(PAGE, "older")):
        for (step, group), title in {(each.step, each.group): each.title for each in left}.items():
            listed = [each for each in left if (each.step, each.group) == (step, group)]
            place = shell.escaped(f"{title} · {key_words(group)}")
            st.button(
                f":primary[{place}]",
                type="tertiary",
                key=state.key(PAGE, f"older.{step}.{group}"),
                on_click=open_lane,
                args=(step, group),
            )
            for ruling in listed[:MOST_LISTED]:
                why = f" ({ruling.ruling['why']})" if ruling.ruling.get("why") else ""
                st.caption(shell.escaped(f"{key_words(ruling.key)}: decided as {ruling_text(ruling.ruling)}{why}"))
            if len(listed) > MOST_LISTED:
                st.caption(f"{len(listed) - MOST_LISTED:,} more.")


def ruling_text(ruling: Any) -> str:
    if ruling.get("left_out"):
        return "left out"
    value = ruling["value"]
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
