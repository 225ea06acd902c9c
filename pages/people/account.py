"""One's own account: roles, password, signing out everywhere."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components import shell, state
from core.people import Viewer
from pages.people.acts import PAGE, keep, receipt, reload
from services.people import access, passwords


def show_account(viewer: Viewer, head: DeltaGenerator) -> None:
    with head:
        shell.receipt_line(receipt())
    st.text(f"{viewer.name}: {', '.join(sorted(viewer.roles))}")
    column, _ = st.columns([2, 3])
    with column:
        with shell.boundary(reload):
            _password(viewer)
        with shell.boundary(reload):
            _everywhere(viewer)


def _password(viewer: Viewer) -> None:
    form = state.key(PAGE, "password")
    with st.form(state.act_key(form)):
        st.markdown("**Change your password**")
        old, new, again = (
            st.text_input(label, type="password", key=state.act_key(form, label), autocomplete=kind)
            for label, kind in (
                ("Current password", "current-password"),
                ("New password", "new-password"),
                ("Repeat new password", "new-password"),
            )
        )
        st.caption(
            f"At least {passwords.SHORTEST} characters. Changing the password ends your sessions in other browsers."
        )
        if st.form_submit_button("Change password", key=state.act_key(form, "submit")):
            if new != again:
                st.error("The two new passwords differ. Type the same password twice.")
            else:
                keep(form, lambda act: access.change_password(viewer, old or "", new or "", act_id=act))


def _everywhere(viewer: Viewer) -> None:
    form = state.key(PAGE, "everywhere")
    st.caption("Ends all your sessions on all devices, including this one.")
    if st.button("Sign out everywhere", key=state.act_key(form, "submit")):
        access.sign_out_everywhere(viewer, act_id=state.act_id(form))
        state.spend(form)
        st.rerun()
