"""The viewer's account: roles, password, sign-out on all devices."""

from __future__ import annotations

from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components import shell, state
from core.people import ROLES_IN_WORDS, Role, Viewer
from pages.people.acts import PAGE, keep, receipt, reload
from services.people import access, passwords


def show_account(viewer: Viewer, head: DeltaGenerator) -> None:
    with head:
        shell.receipt_line(receipt())
    st.markdown(f"**You are signed in as {shell.escaped(viewer.name)}.** Your roles in this study:")
    st.markdown("\n".join(f"- **{role}**: {ROLES_IN_WORDS[role]}" for role in Role if role in viewer.roles))
    column, _ = st.columns([2, 3])
    with column, shell.boundary(reload):
        # A person without a password, such as the owner of a local study, sets the first one.
        password_form = state.key(PAGE, "password")
        has_password = access.has_password(viewer)
        verb, how = ("Change", "Changing the") if has_password else ("Set", "Setting a")
        with st.form(state.act_key(password_form)):
            st.markdown(f"**{verb} your password**")
            st.caption(
                f"At least {passwords.SHORTEST} characters. {how} password ends your sessions in other browsers."
            )
            old = _field(password_form, "Current password", "current-password") if has_password else ""
            new, again = (
                _field(password_form, label, "new-password") for label in ("New password", "Repeat new password")
            )
            if st.form_submit_button(f"{verb} password", key=state.act_key(password_form, "submit")):
                if new != again:
                    st.error("The two new passwords differ. Type the same password twice.")
                else:
                    keep(password_form, lambda act: access.change_password(viewer, old, new, act_id=act))
    with column, shell.boundary(reload), st.container(border=True, key=state.key(PAGE, "sessions")):
        form = state.key(PAGE, "everywhere")
        st.markdown("**Sign out everywhere**")
        st.caption("Ends all your sessions on all devices, including this one. Your work is saved.")
        if st.button("Sign out everywhere", key=state.act_key(form, "submit")):
            access.sign_out_everywhere(viewer, act_id=state.act_id(form))
            state.spend(form)
            st.rerun()


def _field(form: str, label: str, kind: Literal["current-password", "new-password"]) -> str:
    return st.text_input(label, type="password", key=state.act_key(form, label), autocomplete=kind) or ""
