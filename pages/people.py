"""People & study: who takes part and with which roles, the guidelines, and one's own account."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from urllib.parse import urlsplit

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components import links, shell, state
from core.people import May, Receipt, Role, Viewer
from pages import people_credit, people_identities, people_training
from services import access, drafts, guidelines, training
from services import people as service
from services.people import PersonView

PAGE = "people"
PARTS = {
    "people": "People", "guidelines": "Guidelines", "credit": "Credit", "identities": "Destroy identities",
    "account": "My account",
}  # fmt: skip


def show(viewer: Viewer) -> None:
    """The owner sees people, guidelines and their account; everyone else their account."""
    if not viewer.may(May.MANAGE):
        _account(viewer, shell.top_row("My account"))
        return
    head = st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute")
    with head:
        part = _choose_part()
    {
        "people": _people, "guidelines": _guidelines, "credit": people_credit.show_credit,
        "identities": people_identities.show_identities, "account": _account,
    }[part](viewer, head)  # fmt: skip


def _choose_part() -> str:
    name = state.key(PAGE, "part")
    asked = state.read_param("part", "people")
    if name not in st.session_state:
        st.session_state[name] = asked if asked in PARTS else "people"
    part = st.segmented_control(
        "Part", list(PARTS), format_func=PARTS.__getitem__, key=name, label_visibility="collapsed", required=True
    )
    state.write_param("part", "" if part == "people" else str(part))
    return str(part)


# --- people -----------------------------------------------------------------------------------------------------


def _people(viewer: Viewer, head: DeltaGenerator) -> None:
    everyone = service.list_people(viewer)
    with head:
        shell.receipt_line(_receipt())
    listed, acts = st.columns([3, 2], gap="large")
    with listed:
        _table(viewer, everyone)
    with acts:
        with shell.boundary(_reload):
            _invite(viewer)
        with shell.boundary(_reload):
            _one_person(viewer, everyone)


def _table(viewer: Viewer, everyone: tuple[PersonView, ...]) -> None:
    standing = training.standings(viewer)
    rows = {
        "Name": [person.name for person in everyone],
        "Roles": [", ".join(person.roles) for person in everyone],
        "State": [_state(person) for person in everyone],
        "Training": [people_training.word(standing.get(person.id)) for person in everyone],
        "Since": [f"{shell.local_time(person.created_at):%Y-%m-%d}" for person in everyone],
    }
    columns = {name: st.column_config.TextColumn(name, width="medium" if name in ("Name", "Roles") else "small")
               for name in rows}  # fmt: skip
    st.dataframe(rows, hide_index=True, height="content", column_config=columns)
    st.caption(f"{len(everyone)} people. Reviewers see these names, annotators do not; exports say A1, A2 …")


def _state(person: PersonView) -> str:
    if not person.is_active:
        return "deactivated"
    if person.is_demo:
        return "demo"
    return "active" if person.has_password else "no password yet"


def _invite(viewer: Viewer) -> None:
    form = state.key(PAGE, "invite")
    with st.form(state.act_key(form), enter_to_submit=False):
        st.markdown("**Invite someone**")
        roles = st.multiselect("Roles", list(Role), key=state.act_key(form, "roles"), format_func=str,
                               placeholder="Choose roles")  # fmt: skip
        if st.form_submit_button("Make a link", type="primary", key=state.act_key(form, "submit")):
            token = access.invite(viewer, roles, act_id=state.act_id(form))
            state.spend(form)
            st.session_state[state.key(PAGE, "link")] = ("The invited person opens this link once, in 14 days", token)
            st.rerun()
    _show_link()


def _show_link() -> None:
    """The link stands here until it is hidden; only its hash is stored, so it cannot be shown again later."""
    name = state.key(PAGE, "link")
    held: tuple[str, str] | None = st.session_state.get(name)
    if held is None:
        return
    said, token = held
    site = urlsplit(st.context.url or "")
    with st.container(border=True):
        st.caption(f"{said}. Copy it now: it cannot be shown again.")
        st.code(f"{site.scheme}://{site.netloc}/invitation/{token}", language=None, wrap_lines=True)
        st.button("Hide the link", type="tertiary", key=state.key(PAGE, "hide"), on_click=state.forget, args=(name,))


def _one_person(viewer: Viewer, everyone: tuple[PersonView, ...]) -> None:
    person = _choose_person(everyone)
    if person is None:
        return
    form = state.key(PAGE, f"person.{person.id}")
    seen = state.seen(form, person.version)
    with st.form(state.act_key(form), enter_to_submit=False):
        roles = st.multiselect("Roles", list(Role), default=list(person.roles), format_func=str,
                               key=state.act_key(form, "roles"))  # fmt: skip
        with st.container(horizontal=True):
            if st.form_submit_button("Save roles", key=state.act_key(form, "submit")):
                _keep(form, lambda act: service.set_roles(viewer, person.id, roles, seen=seen, act_id=act))
    people_training.caption(viewer, person)
    _more(viewer, person, form, seen)


def _choose_person(everyone: tuple[PersonView, ...]) -> PersonView | None:
    by_id = {person.id: person for person in everyone}
    name = state.key(PAGE, "person")
    if name not in st.session_state:
        asked = state.read_param("person")
        st.session_state[name] = asked if asked in by_id else None
    chosen = st.selectbox("Person", list(by_id), format_func=lambda key: by_id[key].name, key=name,
                          placeholder="Choose a person to change")  # fmt: skip
    state.write_param("person", chosen or "")
    return by_id.get(chosen or "")


def _more(viewer: Viewer, person: PersonView, form: str, seen: int) -> None:
    """Acts that are rarer, as words in a menu; each can be undone by its opposite."""
    access_word = "Deactivate" if person.is_active else "Reactivate"
    words = [access_word, "Link for a new password", *people_training.offers(viewer, person)]
    if viewer.is_local and viewer.acting_owner is None and person.is_demo and person.is_active:
        words.append("Work as this person")
    chosen = st.menu_button("More", words, key=state.act_key(form, "menu"))
    if chosen == access_word:
        wanted = not person.is_active
        _keep(form, lambda act: service.set_active(viewer, person.id, wanted, seen=seen, act_id=act))
    elif chosen == "Link for a new password":
        token = access.reset_link(viewer, person.id, act_id=state.act_id(form))
        state.spend(form)
        said = f"With this link {person.name} sets a new password, once, in 14 days"
        st.session_state[state.key(PAGE, "link")] = (shell.escaped(said), token)
        st.rerun()
    elif chosen in people_training.ACTS:
        _keep(form, lambda act: people_training.ACTS[str(chosen)](viewer, person.id, act))
    elif chosen == "Work as this person":
        work_as(viewer, person.id)
        links.go_to("overview", {})  # what waits for them, not the account that this page becomes
        st.rerun()
    if not person.is_active:
        st.caption("Deactivated: signed out everywhere, cannot sign in. Their work stays.")


def work_as(viewer: Viewer, person_id: str | None) -> None:
    """Begin or end (None) working as a demo person."""
    form = state.key(PAGE, "work_as")
    access.work_as(viewer, person_id, act_id=state.act_id(form))
    state.spend(form)


# --- guidelines -------------------------------------------------------------------------------------------------


def _guidelines(viewer: Viewer, head: DeltaGenerator) -> None:
    versions = guidelines.guideline_versions(viewer)
    newest = versions[0]
    form = state.key(PAGE, "guidelines")
    seen = state.seen(form, newest.number)
    with head:
        shell.receipt_line(_receipt(), f"version {newest.number}" if newest.number else "none written yet")
        is_saving = st.button("Save as new version", type="primary", key=state.act_key(form, "submit"))
    writing, reading = st.columns(2, gap="large")
    with writing, shell.boundary(partial(_show_newer, form, newest.number)):
        text = state.kept_text(
            "Text, in Markdown",
            state.key(PAGE, f"guidelines.text.{seen}"),
            load=lambda: drafts.draft(viewer, "guidelines") or newest.text,
            keep=lambda typed: drafts.keep_draft(viewer, "guidelines", typed),
            height=420,
            max_chars=guidelines.LONGEST,
        )
        if is_saving:
            _keep(form, partial(_save_guidelines, viewer, text, seen))
        if newest.number and text != newest.text:
            st.button(f"Back to version {newest.number}", type="tertiary", key=state.key(PAGE, "guidelines.back"),
                      on_click=_drop_text, args=(viewer,))  # fmt: skip
    with reading:
        shown = st.selectbox(
            "Shown as annotators see it",
            [0, *(view.number for view in versions if view.number)],
            format_func=lambda number: f"version {number}" if number else "the text as typed",
            key=state.key(PAGE, "guidelines.version"),
        )
        old = {view.number: view.text for view in versions}
        # Headings, lists and bold only: a remote picture or link in a text would be fetched by every reader's browser.
        with st.container(border=True, height=420):
            st.markdown(shell.outline(text if not shown else old[shown]) or "Nothing written yet.")
        people_training.readers(viewer, newest.number)


def _save_guidelines(viewer: Viewer, text: str, seen: int, act: str) -> Receipt:
    receipt = guidelines.save_guidelines(viewer, text, seen=seen, act_id=act)
    drafts.keep_draft(viewer, "guidelines", "")
    return receipt


def _show_newer(form: str, newest: int) -> None:
    """After a conflict: one's own text stays in the field, the newer version stands beside it."""
    state.spend(form)
    st.session_state[state.key(PAGE, "guidelines.version")] = newest


def _drop_text(viewer: Viewer) -> None:
    with shell.boundary():
        drafts.keep_draft(viewer, "guidelines", "")
        state.forget(state.key(PAGE, "guidelines"))


# --- one's own account ------------------------------------------------------------------------------------------


def _account(viewer: Viewer, head: DeltaGenerator) -> None:
    with head:
        shell.receipt_line(_receipt())
    st.text(f"{viewer.name}: {', '.join(sorted(viewer.roles))}")
    column, _ = st.columns([2, 3])
    with column:
        with shell.boundary(_reload):
            _password(viewer)
        with shell.boundary(_reload):
            _everywhere(viewer)


def _password(viewer: Viewer) -> None:
    form = state.key(PAGE, "password")
    with st.form(state.act_key(form)):
        st.markdown("**Change your password**")
        old, new, again = (
            st.text_input(label, type="password", key=state.act_key(form, label), autocomplete=kind)
            for label, kind in (
                ("Present password", "current-password"),
                ("New password", "new-password"),
                ("New password again", "new-password"),
            )
        )
        st.caption(f"At least {access.SHORTEST_PASSWORD} characters. Your other sessions end.")
        if st.form_submit_button("Change password", key=state.act_key(form, "submit")):
            if new != again:
                st.error("The two new passwords differ. Type the same one twice.")
            else:
                _keep(form, lambda act: access.change_password(viewer, old or "", new or "", act_id=act))


def _everywhere(viewer: Viewer) -> None:
    form = state.key(PAGE, "everywhere")
    st.caption("Ends every session of yours, on every device, this one too.")
    if st.button("Sign out everywhere", key=state.act_key(form, "submit")):
        access.sign_out_everywhere(viewer, act_id=state.act_id(form))
        state.spend(form)
        st.rerun()


# --- acts -------------------------------------------------------------------------------------------------------


def _keep(form: str, act: Callable[[str], Receipt]) -> None:
    """Do a form's act, spend its id, and draw the page again from the store with the receipt on top."""
    st.session_state[state.key(PAGE, "receipt")] = act(state.act_id(form))
    state.spend(form)
    st.rerun()


def _receipt() -> Receipt | None:
    receipt: Receipt | None = st.session_state.get(state.key(PAGE, "receipt"))
    return receipt


def _reload() -> None:
    state.forget(state.key(PAGE, ""))
