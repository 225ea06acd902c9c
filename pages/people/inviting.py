"""Inviting people: links for several at once with a text to send, and the links that are still open."""

from __future__ import annotations

from urllib.parse import urlsplit

import streamlit as st

from components import shell, state
from components.widgets import acts
from components.widgets.choosing import choose_several
from components.widgets.copy_link import copy_text
from components.widgets.moments import day_column
from core.invited import read_invited
from core.people import ROLES_IN_WORDS, Role, Viewer
from core.words import counted, quoted
from pages.people.acts import PAGE, keep
from services.people import invitations, study_name
from services.people.invitations import InvitationLink, OpenInvitation

# Addresses that refer to this computer only.
HERE = ("127.0.0.1", "localhost", "::1")
LINKS = state.key(PAGE, "links")


def invite(viewer: Viewer) -> None:
    form = state.key(PAGE, "invite")
    with st.form(state.act_key(form), enter_to_submit=False):
        st.markdown("**Invite people**")
        lines = st.text_area(
            "People, one a line: name, role",
            key=state.act_key(form, "names"),
            height=100,
            placeholder="Ada Lovelace, annotator\nEmmy Noether, reviewer",
            help="A link for each. A comma or a tab comes before the role, so a list can be pasted from a spreadsheet. "
            "Only those who manage people see these names, and they can choose another when they join.",
        )
        roles = choose_several(
            "Role of lines without one",
            list(Role),
            key=state.act_key(form, "roles"),
            format_func=str,
            placeholder="Choose roles",
        )
        st.caption("  \n".join(f"**{role}** {does}" for role, does in ROLES_IN_WORDS.items()))
        note = st.text_input("Note (optional)", key=state.act_key(form, "note"), help="For the list of open links.")
        if st.form_submit_button("Create links", type="primary", key=state.act_key(form, "submit")):
            invited = read_invited(lines, roles)
            remember_links(invitations.invite(viewer, invited, note, act_id=state.act_id(form)))
            state.spend(form)
            st.rerun()


def show_links(viewer: Viewer) -> None:
    """Draw the links that were made a moment ago, and all that are open."""
    _links(viewer)
    _open_links(viewer)


def remember_links(links: tuple[InvitationLink, ...]) -> None:
    """Show new links until they are hidden. An earlier receipt would seem to be about them, so it goes."""
    acts.drop_receipt(PAGE)
    st.session_state[LINKS] = links


def _links(viewer: Viewer) -> None:
    # Only hashes of links are stored, so they cannot be shown again once they are hidden.
    links: tuple[InvitationLink, ...] = st.session_state.get(LINKS, ())
    if not links:
        return
    site = urlsplit(st.context.url or "")
    study = study_name.study_name(viewer).name
    letters = [_letter(link, study, f"{site.scheme}://{site.netloc}/invitation/{link.token}") for link in links]
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(f"{counted(len(links), 'link')}. Copy now: a link cannot be shown again.", width="stretch")
            if len(letters) > 1:
                copy_text(state.key(PAGE, "letters"), "Copy all", "\n\n\n".join(letters))
        for letter in letters:
            st.code(letter, language=None, wrap_lines=True)
        if site.hostname in HERE:
            st.caption(
                "The address works only on this computer. For people on other computers, serve the study to your team "
                "first (user guide, Serving to a team) and create the links there."
            )
        st.button("Hide", type="tertiary", key=state.key(PAGE, "hide"), on_click=state.forget, args=(LINKS,))


def _letter(link: InvitationLink, study: str, address: str) -> str:
    """A text to send with a link."""
    greeting = f"Dear {link.name},\n\n" if link.name else ""
    how = f"{address}\nIt works once, for 14 days."
    if not link.roles:
        return f"{greeting}Set a new password for the study {quoted(study)} in Edgewise with this link:\n{how}"
    does = "; ".join(f"{role} ({ROLES_IN_WORDS[role]})" for role in link.roles)
    return f"{greeting}You are invited to the study {quoted(study)} in Edgewise as {does}. Join with this link:\n{how}"


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
