"""Practice and guideline status of people, and the owner's two acts on it."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.people import Permission, Receipt, Viewer
from core.words import counted, lasting
from services.people.people import PersonView
from services.transcription import practice
from services.transcription.practice import ASKED, PASSED, WAIVED, PracticeState

NO_VALUE = "–"
WAIVE, ASK = "Waive practice", "Request practice again"
ACTS: dict[str, Callable[[Viewer, str, str], Receipt]] = {
    WAIVE: lambda viewer, person_id, act_id: practice.waive(viewer, person_id, act_id=act_id),
    ASK: lambda viewer, person_id, act_id: practice.ask_again(viewer, person_id, act_id=act_id),
}


def word(practice_state: PracticeState | None) -> str:
    """Return one word for the table: passed, waived, requested, started; a dash if nothing was started."""
    if practice_state is None or not practice_state.training:
        return NO_VALUE
    return {ASKED: "requested", "begun": "started"}.get(practice_state.training, practice_state.training)


def caption(viewer: Viewer, person: PersonView) -> None:
    practice_state = practice.practice_states(viewer).get(person.id)
    if practice_state is None:
        return
    read = f"version {practice_state.guidelines} read" if practice_state.guidelines else "not read yet"
    words = word(practice_state) if practice_state.training else "not started"
    if practice_state.tries:
        words += f", {counted(practice_state.tries, 'check')}"
    if practice_state.active_s:
        words += f", {lasting(practice_state.active_s)} of active time"
    st.caption(f"Practice diagram: {words}. Guidelines: {read}.")


def readers(viewer: Viewer, number: int) -> None:
    """Say how many people who may transcribe have read the version, but for the viewer, who wrote or sees it here."""
    others = [each for key, each in practice.practice_states(viewer).items() if key != viewer.person_id]
    if not number:
        return
    count = sum(each.guidelines >= number for each in others)
    so_far = f"Version {number}: read by {count:,} of {len(others):,} others who may transcribe."
    st.caption(so_far if others else "Nobody else may transcribe yet.")


def offers(viewer: Viewer, person: PersonView) -> list[str]:
    """Return the keys of `ACTS` that apply to a person now."""
    practice_state = practice.practice_states(viewer).get(person.id)
    if practice_state is None or not viewer.may(Permission.MANAGE):
        return []
    return [ASK] if practice_state.training in (PASSED, WAIVED) else [WAIVE]
