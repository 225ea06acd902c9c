"""Flag of a bad sample on an open answer: a key for each reason, and a note."""

from __future__ import annotations

from functools import partial

import streamlit as st

from components import shell, state
from components.widgets import acts
from core.people import Viewer
from core.runs.sample_flags import FlagReason
from core.words import sentence_case
from pages.failures.parts import PAGE
from services.runs import sample_flags
from services.runs.views import SampleFlag

KEYS = {FlagReason.LABEL_WRONG: "1", FlagReason.ANSWER_LEAKS: "2", FlagReason.AMBIGUOUS: "3"}
HELP = {
    FlagReason.LABEL_WRONG: "The true answer is wrong.",
    FlagReason.ANSWER_LEAKS: "The question gives its answer away.",
    FlagReason.AMBIGUOUS: "Several answers are right, or none is.",
}


def show(viewer: Viewer, item_id: str, flag: SampleFlag) -> None:
    """Draw the reasons, of which any number can hold, and the note of a flagged sample."""
    form = state.key(PAGE, f"flag.{item_id}")
    seen = state.seen(form, flag.version)
    pressed = None
    with st.container(horizontal=True, vertical_alignment="center", key=state.key(PAGE, "flag")):
        st.caption("Bad sample:", width="content")
        for reason in FlagReason:
            is_flagged = reason in flag.reasons
            if st.button(
                sentence_case(reason.value),
                key=state.act_key(form, reason.value),
                icon=":material/flag:" if is_flagged else None,
                shortcut=KEYS[reason],
                help=f"{HELP[reason]} {'Takes the flag back.' if is_flagged else 'In every run that asks it.'}",
            ):
                pressed = reason
    note = flag.note
    if flag.reasons:
        st.caption(shell.escaped(f"Flagged by {flag.who}, {shell.moment(flag.at)}" if flag.at else "Flagged"))
        label = "Note on the bad sample"
        note = st.text_input(label, flag.note, key=state.act_key(form, "note"), max_chars=sample_flags.LONGEST).strip()
    if pressed is not None or note != flag.note:
        reasons = set(flag.reasons) ^ ({pressed} if pressed else set())
        acts.keep(
            form,
            form,
            lambda act_id: sample_flags.flag(viewer, item_id, reasons, note, seen=seen, act_id=act_id),
            reload=partial(state.spend, form),
        )
