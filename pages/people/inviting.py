"""Inviting people: links for several at once with a text to send, and the links that are still open."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from urllib.parse import urlsplit

import streamlit as st

from components import shell, state
from components.widgets.choosing import choose_several
from components.widgets.moments import day_column
from core.people import ROLES_IN_WORDS, Role, Viewer
from core.words import counted
from pages.people.acts import PAGE, keep
from services.people import invitations
from services.people.invitations import InvitationLink, OpenInvitation

# Addresses that refer to this computer only.
HERE = ("127.0.0.1", "localhost", "::1")
LINKS = state.key(PAGE, "links")


def invite(viewer: Viewer) -> None:
    form = state.key(PAGE, "invite")
    with st.form(state.act_key(form), enter_to_submit=False):
        st.markdown("**Invite people**")
        roles = choose_several(
            "Roles", list(Role), key=state.act_key(form, "roles"), format_func=str, placeholder="Choose roles"
        )
        st.caption("  \n".join(f"**{role}** {does}" for role, does in ROLES_IN_WORDS.items()))
        names = st.text_area(
            "Names (optional)",
            key=state.act_key(form, "names"),
            height=80,
            help="One person a line: a link for each. Only those who manage people see these names, and they can "
            "choose another when they join.",
        )
        note = st.text_input("Note (optional)", key=state.act_key(form, "note"), help="For the list of open links.")
        if st.form_submit_button("Create links", type="primary", key=state.act_key(form, "submit")):
            each = [name for name in names.splitlines() if name.strip()] or [""]
            remember_links(invitations.invite(viewer, roles, each, note, act_id=state.act_id(form)), roles)
            state.spend(form)
            st.rerun()


def show_links(viewer: Viewer) -> None:
    """Draw the links that were made a moment ago, and all that are open."""
    _links()
    _open_links(viewer)


def remember_links(links: Iterable[InvitationLink], roles: Sequence[Role]) -> None:
    """Show new links until they are hidden; without roles they set passwords."""
    st.session_state[LINKS] = (tuple(links), tuple(roles))


def _links() -> None:
    # Only hashes of links are stored, so they cannot be shown again once they are hidden.
    shown: tuple[tuple[InvitationLink, ...], tuple[Role, ...]] | None = st.session_state.get(LINKS)
    if shown is None:
        return
    links, roles = shown
    site = urlsplit(st.context.url or "")
    with st.container(border=True):
        st.caption(f"{counted(len(links), 'link')}. Copy now: a link cannot be shown again.")
        for link in links:
            address = f"{site.scheme}://{site.netloc}/invitation/{link.token}"
            st.code(_message(link.name, roles, address), language=None, wrap_lines=True)
        if site.hostname in HERE:
            st.caption(
                "The address works only on this computer. For people on other computers, serve the study to your team "
                "first (user guide, Serving to a team) and create the links there."
            )
        st.button("Hide", type="tertiary", key=state.key(PAGE, "hide"), on_click=state.forget, args=(LINKS,))


def _message(name: str, roles: Sequence[Role], address: str) -> str:
    """A text to send with a link."""
    greeting = f"Dear {name},\n\n" if name else ""
    how = f"{address}\nIt works once, for 14 days."
    if not roles:
        return f"{greeting}Set a new password for Edgewise with this link:\n{how}"
    does = "; ".join(f"{role} ({ROLES_IN_WORDS[role]})" for role in roles)
    return f"{greeting}You are invited to a study in Edgewise as {does}. Join with this link:\n{how}"


def _open_links(viewer: Viewer) -> None:
    listed = invitations.open_invitations(viewer)
    if not listed:
        return
    st.markdown(f"**{counted(len(listed), 'open link')}**")
    rows = {
        "For": [each.name or "–" for each in listed],
        "Gives": [", ".join(each.roles) or "a new password" for each in listed],
        "Note": [each.note for each in listed],
        "Until": [shell.local_time(each.expires_at) for each in listed],
        "State": ["expired" if each.is_expired else "open" for each in listed],
    }
    st.dataframe(rows, hide_index=True, height="content", column_config={"Until": day_column(width=95)})
    by_id = {each.id: each for each in listed}
    form = state.key(PAGE, "revoke")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.selectbox(
            "Link", list(by_id), format_func=lambda key: _described(by_id[key]), key=state.act_key(form, "link")
        )
        if st.button("Revoke", key=state.act_key(form, "submit")):
            keep(form, lambda act: invitations.revoke(viewer, chosen, act_id=act))


def _described(link: OpenInvitation) -> str:
    gives = ", ".join(link.roles) or "new password"
    return f"{link.name or 'anyone'}: {gives}, made {shell.local_time(link.created_at):%d %b %H:%M}"
