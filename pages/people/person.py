"""One person: roles, and further acts."""

from __future__ import annotations

import streamlit as st

from components import links, shell, state
from components.widgets.choosing import choose_several
from core.people import Role, Viewer
from pages.people import practice
from pages.people.acts import PAGE, keep
from pages.people.inviting import remember_links
from services.people import access, invitations
from services.people import people as service
from services.people.people import PersonView


def one_person(viewer: Viewer, everyone: tuple[PersonView, ...]) -> None:
    by_id = {person.id: person for person in everyone}
    name = state.key(PAGE, "person")
    if name not in st.session_state:
        linked = state.read_param("person")
        st.session_state[name] = linked if linked in by_id else None
    chosen = st.selectbox(
        "Person",
        list(by_id),
        format_func=lambda key: by_id[key].name,
        key=name,
        placeholder="Choose a person to edit",
    )
    state.write_param("person", chosen or "")
    person = by_id.get(chosen or "")
    if person is None:
        return
    form = state.key(PAGE, f"person.{person.id}")
    seen = state.seen(form, person.version)
    with st.form(state.act_key(form), enter_to_submit=False):
        roles = choose_several(
            "Roles", list(Role), default=list(person.roles), format_func=str, key=state.act_key(form, "roles")
        )
        with st.container(horizontal=True):
            if st.form_submit_button("Save roles", key=state.act_key(form, "submit")):
                keep(form, lambda act: service.set_roles(viewer, person.id, roles, seen=seen, act_id=act))
    practice.caption(viewer, person)
    _more(viewer, person, form, seen)


def _more(viewer: Viewer, person: PersonView, form: str, seen: int) -> None:
    """Draw a menu of rare acts; each can be undone by its opposite."""
    access_word = "Deactivate" if person.is_active else "Reactivate"
    unlock = ["Unlock sign-in"] if person.locked_until is not None else []
    words = [*unlock, access_word, "Create password link", *practice.offers(viewer, person)]
    chosen = st.menu_button("More", words, key=state.act_key(form, "menu"))
    if chosen == access_word:
        will_be_active = not person.is_active
        keep(form, lambda act: service.set_active(viewer, person.id, will_be_active, seen=seen, act_id=act))
    elif chosen == "Unlock sign-in":
        keep(form, lambda act: service.unlock(viewer, person.id, act_id=act))
    elif chosen == "Create password link":
        token = invitations.reset_link(viewer, person.id, act_id=state.act_id(form))
        state.spend(form)
        remember_links((invitations.InvitationLink(person.name, token, ()),))
        st.rerun()
    elif chosen in practice.ACTS:
        keep(form, lambda act: practice.ACTS[str(chosen)](viewer, person.id, act))
    if person.locked_until is not None:
        until = f"{shell.local_time(person.locked_until):%H:%M:%S}"
        st.caption(f"Too many wrong passwords: sign-in is locked until {until} at the address they came from.")
    if not person.is_active:
        st.caption("Deactivated: signed out everywhere and cannot sign in. Their work is kept.")


def work_as_demo(viewer: Viewer) -> None:
    """Draw a button for each demo person that the owner of a local study may work as."""
    people = service.demo_people(viewer) if viewer.acting_owner is None else ()
    if not people:
        return
    st.caption(
        "This study has demo people. Work as one to see what they see and do what they may; the history names both of "
        "you, and a banner leads back."
    )
    with st.container(horizontal=True, key=state.key(PAGE, "demo")):
        for person in people:
            if st.button(f"Work as {shell.escaped(person.name)}", key=state.key(PAGE, f"as.{person.id}")):
                work_as(viewer, person.id)
                links.go_to("overview", {})  # this page would become that person's account page
                st.rerun()


def work_as(viewer: Viewer, person_id: str | None) -> None:
    """Start, or with None end, working as a demo person."""
    form = state.key(PAGE, "work_as")
    access.work_as(viewer, person_id, act_id=state.act_id(form))
    state.spend(form)
