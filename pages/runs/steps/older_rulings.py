"""What people decided in the run that this one redoes, and what of it is to be decided again, each with its group."""

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
from services.runs.steps.older_rulings import OlderRuling, RulingFate

MOST_LISTED = 50
FATES = {
    RulingFate.TAKEN_OVER: "taken over",
    RulingFate.AGAIN: "to be decided again",
    RulingFate.AGAIN_DONE: "decided again",
    RulingFate.GONE: "no longer needed, because their value is gone",
    RulingFate.LATER: "not known until their step has run",
}


def show(viewer: Viewer, run_id: str, open_lane: Callable[[str, str], None]) -> None:
    """Nothing for a run that redoes none, or one in which nobody decided. `open_lane` shows a group of a step."""
    found = older_rulings.older_rulings(viewer, run_id)
    if not found:
        return
    fates = Counter(each.fate for each in found)
    said = ", ".join(f"{fates[fate]:,} {words}" for fate, words in FATES.items() if fates[fate])
    st.markdown(f":material/gavel: **{counted(len(found), 'earlier decision')}**: {said}")
    left = [each for each in found if each.fate is RulingFate.AGAIN]
    if not left:
        return
    with st.expander(f"To be decided again: {len(left):,}", key=state.key(PAGE, "older")):
        for (step, group), title in {(each.step, each.group): each.title for each in left}.items():
            those = [each for each in left if (each.step, each.group) == (step, group)]
            place = shell.escaped(f"{title} · {key_words(group)}")
            st.button(
                f":primary[{place}]",
                type="tertiary",
                key=state.key(PAGE, f"older.{step}.{group}"),
                on_click=open_lane,
                args=(step, group),
            )
            for each in those[:MOST_LISTED]:
                st.caption(shell.escaped(_line(each)))
            if len(those) > MOST_LISTED:
                st.caption(f"{len(those) - MOST_LISTED:,} more.")


def _line(each: OlderRuling) -> str:
    why = f" ({each.ruling['why']})" if each.ruling.get("why") else ""
    return f"{key_words(each.key)}: decided as {said_as(each.ruling)}{why}"


def said_as(ruling: Any) -> str:
    """What people said of a value, in one line."""
    if ruling.get("left_out"):
        return "left out"
    value = ruling["value"]
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
