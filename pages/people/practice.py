"""How people stand with the training and the guidelines, and the owner's two acts on it."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.people import May, Receipt, Viewer
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


def word(standing: PracticeState | None) -> str:
    """One word for the table: passed, waived, requested, started; a dash for those who draw nothing or not yet."""
    if standing is None or not standing.training:
        return NO_VALUE
    return {ASKED: "requested", "begun": "started"}.get(standing.training, standing.training)


def caption(viewer: Viewer, person: PersonView) -> None:
    """How one person stands, in a sentence; nothing for those who draw no figures."""
    standing = practice.standings(viewer).get(person.id)
    if standing is None:
        return
    read = f"version {standing.guidelines} read" if standing.guidelines else "not read yet"
    st.caption(f"Practice diagram: {_in_words(standing)}. Guidelines: {read}.")


def _in_words(standing: PracticeState) -> str:
    words = word(standing) if standing.training else "not started"
    if standing.tries:
        words += f", {counted(standing.tries, 'check')}"
    if standing.active_s:
        words += f", {lasting(standing.active_s)} of active time"
    return words


def readers(viewer: Viewer, number: int) -> None:
    """How many of those who draw figures have read this version, under the guidelines."""
    if number:
        listed = practice.standings(viewer).values()
        count = sum(standing.guidelines >= number for standing in listed)
        st.caption(
            f"{count} of {counted(len(listed), 'annotator')} have read version {number}. The others are asked to read "
            "it before their next figure."
        )


def offers(viewer: Viewer, person: PersonView) -> list[str]:
    """What of `ACTS` makes sense for a person now."""
    standing = practice.standings(viewer).get(person.id)
    if standing is None or not viewer.may(May.MANAGE):
        return []
    return [ASK] if standing.training in (PASSED, WAIVED) else [WAIVE]
