"""Destroying identities: choice of people, preview of changes, old backups, and confirmation."""

from __future__ import annotations

from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components import shell, state
from components.widgets.choosing import choose_several
from components.widgets.number_table import number_table
from core.errors import StoreUnavailable
from core.people import Receipt, Viewer
from core.words import counted
from pages.people.acts import PAGE
from services.people import identities
from services.people.find_names import NamePlace
from services.people.identities import ErasurePreview, Identity

FORM = state.key(PAGE, "identities")
PLACES = {
    "file.original_name": "file names",
    "file.notices": "file notices",
    "paper.screening_note": "screening notes",
    "figure.place": "figure places",
    "figure.label": "figure labels",
    "figure.caption": "figure captions",
    "graph.title": "graph titles",
    "edge.note": "notes on edges",
    "assignment.comment": "comments on transcriptions",
    "assignment.reason": "reasons for skipping",
    "ruling.comment": "comments on rulings",
    "release.title": "release titles",
    "release.notes": "release notes",
    "draft.text": "drafts",
    "document_version.text": "guidelines, every version",
    "study_setting.value": "settings",
    "milestone.details": "milestones",
    "event.payload": "the history",
    "node.name": "node names",
    "alignment.pairs": "aligned names",
    "alignment.classes": "aligned names",
    "ruling.value": "rulings on names",
    "mark.value": "name marks",
    "release.licence": "release licences",
    "critic_score.reason": "critics' reasons",
    "release.manifest": "release manifests",
    "release_item.content": "frozen releases",
}


TABLES = {"paper": "papers", "triplet_paper": "papers of triplets", "triplet": "triplets"}


def show_identities(viewer: Viewer, head: DeltaGenerator) -> None:
    last_receipt: Receipt | None = st.session_state.get(state.key(PAGE, "identities.receipt"))
    with head:
        shell.receipt_line(last_receipt)
    st.text(
        "Destroying identities replaces the chosen people's names with pseudonyms everywhere in this study, in papers' "
        "titles, authors and abstracts only if you tick the box below. This cannot be undone. Download the credit "
        "report first."
    )
    everyone = identities.preview(viewer)
    if everyone.is_unswept:
        with shell.boundary():
            _finish(viewer)
    if not everyone.people:
        st.caption("Everyone in this study already has a pseudonym.")
        return
    choosing, telling = st.columns([2, 3], gap="large")
    with choosing:
        chosen = _choose(everyone.people)
        parts = _parts(everyone.people, chosen)
        with_papers = st.checkbox(
            "Replace names in papers' titles, authors and abstracts too", key=state.act_key(FORM, "papers")
        )
    if not chosen:
        return
    seen = identities.preview(viewer, chosen, parts, with_papers=with_papers)
    with telling:
        _changes(seen)
    room, _ = st.columns([2, 3], gap="large")
    with room, shell.boundary():  # below both, so that a narrow screen shows the changes before the confirmation
        count = len(seen.people)
        with st.form(state.act_key(FORM), enter_to_submit=False, border=False):
            typed = st.text_input(
                f"Type {identities.CONFIRMATION} to continue", key=state.act_key(FORM, "typed"), autocomplete="off"
            )
            label = f"Destroy {count} identit{'y' if count == 1 else 'ies'}"
            if st.form_submit_button(label, key=state.act_key(FORM, "submit")):
                with st.spinner("Replacing names and clearing old data…"):
                    done = partial(identities.destroy, viewer, typed, chosen, parts, with_papers=with_papers)
                    try:
                        receipt = done(act_id=state.act_id(FORM))
                    except StoreUnavailable:
                        # The names are gone or the act is not stored; either way the form starts again.
                        state.spend(FORM)
                        raise
                st.session_state[state.key(PAGE, "identities.receipt")] = receipt
                state.spend(FORM)
                st.rerun()


def _choose(everyone: tuple[Identity, ...]) -> list[str]:
    by_id = {each.id: each for each in everyone}
    others = [each.id for each in everyone if not each.is_me]
    key = state.act_key(FORM, "who")
    chosen = choose_several(
        "People",
        list(by_id),
        key=key,
        placeholder="Choose people",
        format_func=lambda each: f"{by_id[each].name} → {by_id[each].pseudonym}{' (you)' if by_id[each].is_me else ''}",
    )
    me = next((each for each in everyone if each.is_me), None)
    if len(others) > 1 and set(chosen) != set(others):
        st.button(
            "Choose everyone" if me is None else "Choose everyone else",
            key=state.act_key(FORM, "others"),
            on_click=partial(st.session_state.__setitem__, key, others),
        )
    if me is not None and chosen:
        st.caption(
            f"You will sign in as {me.pseudonym}, with the same password."
            if me.id in chosen
            else f"You keep your name. If you choose yourself too, you will sign in as {me.pseudonym}."
        )
    return chosen


def _parts(everyone: tuple[Identity, ...], chosen: list[str]) -> dict[str, list[str]]:
    """Return, by person, parts of names to replace as well; the user deselects ordinary words."""
    offered = {(each.id, part.word): part for each in everyone if each.id in chosen for part in each.parts}
    if not offered:
        return {}
    selected = choose_several(
        "Parts of names to replace as well",
        list(offered),
        default=list(offered),
        key=state.act_key(FORM, "parts"),
        format_func=lambda key: f"{key[1]} ({offered[key].count})",
        help="In brackets: how often each occurs in texts that people wrote. Remove parts that are ordinary words.",
    )
    for (_, word), part in offered.items():
        if part.excerpts:
            st.caption(shell.escaped(f"{word}: " + " … ".join(f"“{excerpt}”" for excerpt in part.excerpts)))
    return {person: [word for one, word in selected if one == person] for person in chosen}


def _changes(seen: ErasurePreview) -> None:
    rows = [*_rows(seen.rewritten, "pseudonyms"), *_rows(seen.left, "unchanged")]
    st.text("Where names occur")
    if rows:
        number_table(
            {"Where": [row[0] for row in rows], "Names": [row[1] for row in rows], "Becomes": [row[2] for row in rows]},
            key=state.key(PAGE, "identities.places"),
            words=("Where", "Becomes"),
            wide="Where",
        )
    else:
        st.caption("Names occur only in the list of people.")
    if seen.left:
        st.caption(
            "Unchanged: texts of publications and figures (an author or a variable may have the same name), and frozen "
            "releases, which contain no names of people."
        )
    st.markdown(
        "- **Deleted:** passwords, drafts, sign-in links and "
        f"{counted(seen.sessions, 'open session')} of these people.\n"
        "- **Kept under pseudonyms:** transcriptions, submissions, agreement, credit and releases.\n"
        "- **Not searched:** text inside stored PDFs and pictures, and files downloaded earlier."
    )
    if not seen.is_sqlite:
        st.caption(
            "Backups and log archives of the database server still contain names. Its operator must delete them."
        )
    elif seen.backups:
        st.text("These backups and copies still contain names. Delete them or keep them safe:")
        number_table(
            {"Backup": [str(each.path) for each in seen.backups], "Made": [each.made_at[:16] for each in seen.backups]},
            key=state.key(PAGE, "identities.backups"),
            words=("Backup", "Made"),
            wide="Backup",
        )
    else:
        st.caption("No backups next to this study. Copies elsewhere still contain names.")


def _rows(places: tuple[NamePlace, ...], becomes: str) -> list[tuple[str, str, str]]:
    counted: dict[str, int] = {}
    for place in places:
        known = PLACES.get(f"{place.table}.{place.column}", "")
        words = f"{TABLES[place.table]}: {place.column}" if place.table in TABLES else known
        if place.table == "event" and becomes == "unchanged":
            words = "the history of papers and figures"
        counted[words or f"{place.table}.{place.column}"] = counted.get(words, 0) + place.names
    return [(words, f"{count:,}", becomes) for words, count in sorted(counted.items())]


def _finish(viewer: Viewer) -> None:
    st.warning(
        "An earlier replacement was interrupted. Names are replaced, but old data in the store may contain them."
    )
    if st.button("Clear old data", type="primary", key=state.act_key(FORM, "sweep")):
        with st.spinner("Clearing…"):
            identities.sweep(viewer)
        st.rerun()
