"""Triplets: the expert's queue, own scores, fields, and the scoring desk."""

from __future__ import annotations

from functools import partial

import streamlit as st

from components import links, shell, state
from components.desk.work_screen import STATES, LineWords, can_open, next_card, own_list
from components.triplets.desk import direction_words, sign_words
from components.widgets import acts
from components.widgets.choosing import choose_filter, choose_several
from core.people import Permission, Viewer
from core.triplets.forms import Rubric
from core.triplets.jel import JEL_TITLES
from core.words import counted
from pages.triplets import editor
from pages.triplets.acts import PAGE, SCREEN
from pages.triplets.extraction import screen as extraction
from pages.work_queue.screens import done_card
from services.acting import consulting_once
from services.agreement.own import OwnAgreement, own_agreement
from services.queue.work import check_own, waiting
from services.triplets import scoring
from services.triplets.scoring import Expertise, ScoredLine
from services.triplets.work_kind import TRIPLETS

FORM = state.key(PAGE, "fields")
FIRST_WORDS = (
    "A triplet is a treatment, an outcome, the sign of the effect and its context, extracted from a paper. You score "
    "it beside its evidence, with the keyboard. Every score is saved at once, and you can stop and continue later. "
    "Nobody sees your scores before you submit. Submitted scores cannot be changed."
)


@consulting_once()
def show(viewer: Viewer) -> None:
    opened = state.read_param("scoring")
    if run := state.read_param("made"):  # a link from before the questions of a run had their own screen
        links.go_to("questions", {"run": run, "part": state.read_param("part")})
    if state.read_param("run") and viewer.may(Permission.RUN):
        extraction.show(viewer)
    elif not opened:
        _list(viewer)
    elif can_open(SCREEN, lambda: check_own(viewer, TRIPLETS, opened), "All triplets"):
        editor.show(viewer)


def _list(viewer: Viewer) -> None:
    with shell.top_row("Triplets", acts.last_receipt(PAGE)):
        if viewer.may(Permission.ASSIGN):
            links.page_button("Queue and sample", "settings", {"show": "triplets"}, key=state.key(PAGE, "settings"))
    own, waits, fields = scoring.my_scores(viewer), waiting(viewer, TRIPLETS), scoring.expertise(viewer)
    unfinished = next((line for line in own if line.state == "open"), None) if waits.unfinished else None
    menu = partial(_fields_menu, viewer, fields)
    if unfinished is not None:
        more = f"{waits.free:,} more in your queue" if waits.free else ""
        about = " · ".join(filter(None, (_progress(unfinished), unfinished.paper_title, more)))
        next_card(viewer, SCREEN, (claim_words(unfinished), about), "Continue scoring", below=menu)
    elif waits.free:
        about = "Set your fields of expertise: triplets from these fields then come first."
        if fields.letters:
            about = f"{waits.preferred:,} in your fields ({', '.join(fields.letters)}) come first"
        free = f"{counted(waits.free, 'triplet')} in your queue"
        next_card(viewer, SCREEN, (free, about), "Score next triplet", below=menu)
    else:
        done = "All triplets in your queue are scored" if waits.submitted else "No triplets in your queue"
        done_card(viewer, PAGE, done, "Triplets appear here when places become free.", more=menu)
    if not (unfinished or waits.free or own):
        st.caption("No triplet is free. Import a file of extracted triplets.")
        if viewer.may(Permission.CURATE):
            links.page_button("Import triplets", "exchange", {}, key=state.key(PAGE, "import"))
    if own and not (unfinished or waits.free):
        _agreement(own_agreement(viewer))
    if waits.free and not any(line.state == "submitted" for line in own):
        st.caption(FIRST_WORDS)
    if not own:
        return
    st.subheader("Your triplets", anchor=False)
    counts = {"all": len(own), **{name: sum(line.state == name for line in own) for name in STATES}}
    shown = choose_filter(PAGE, counts, lambda name: STATES.get(name, "All"))
    lines = [line for line in own if shown in ("all", line.state)]
    own_list(viewer, SCREEN, "", lines, _words, part=f".{shown}", empty="You have no triplets yet.")


# --- what is next -----------------------------------------------------------------------------------------------


def _fields_menu(viewer: Viewer, fields: Expertise) -> None:
    """Draw the viewer's JEL letters, which come first in the queue."""
    label = f"Your fields: {', '.join(fields.letters)}" if fields.letters else "Set your fields of expertise"
    with st.popover(label, key=state.key(PAGE, "fields_menu")), shell.boundary(partial(state.spend, FORM)):
        seen = state.seen(FORM, fields.version)
        with st.form(state.act_key(FORM), border=False):
            letters = choose_several(
                "Fields of expertise (primary JEL letters)",
                list(JEL_TITLES),
                list(fields.letters),
                format_func=lambda letter: f"{letter} {JEL_TITLES[letter]}",
                key=state.act_key(FORM, "letters"),
                help="Triplets from papers with one of these letters come first.",
            )
            is_saved = st.form_submit_button("Save fields", key=state.act_key(FORM, "save"))
        if is_saved:
            acts.keep(
                PAGE,
                FORM,
                lambda act_id: scoring.set_expertise(viewer, letters, seen=seen, act_id=act_id),
                reload=partial(state.spend, FORM),
            )


def _agreement(now: OwnAgreement) -> None:
    """Draw how often the viewer's decisions equal those of others so far."""
    groups = (("the other experts", now.experts), ("the critics", now.critics))
    parts = [f"as {who} in {equal} of {compared} decisions" for who, (equal, compared) in groups if compared]
    if parts:
        st.markdown(f"**Your agreement so far:** you accept or reject {' and '.join(parts)}.")


# --- own scores -------------------------------------------------------------------------------------------------


def claim_words(line: ScoredLine) -> str:
    """Return, for example, "minimum wage − decreases teen employment"; with the direction on the four-point form."""
    if line.rubric is Rubric.VALIDATION:
        return f"{line.treatment} → {line.outcome}: {direction_words(line.sign)}"
    return f"{line.treatment} {sign_words(line.sign)} {line.outcome}"


def _progress(line: ScoredLine) -> str:
    return f"{line.scored} of {line.criteria} scored"


def _words(line: ScoredLine) -> LineWords:
    return LineWords(claim_words(line), line.paper_title, _progress(line), line.reason)
