"""The viewer's account: roles, password, sign-out on all devices."""

from __future__ import annotations

from typing import Literal

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
            # A person without a password, such as the owner of a local study, sets the first one.
            password_form = state.key(PAGE, "password")
            verb = "Change" if access.has_password(viewer) else "Set"
            with st.form(state.act_key(password_form)):
                st.markdown(f"**{verb} your password**")
                old = _field(password_form, "Current password", "current-password") if verb == "Change" else ""
                new, again = (
                    _field(password_form, label, "new-password") for label in ("New password", "Repeat new password")
                )
                ends = "Changing the password ends" if verb == "Change" else "Setting a password ends"
                st.caption(f"At least {passwords.SHORTEST} characters. {ends} your sessions in other browsers.")
                if st.form_submit_button(f"{verb} password", key=state.act_key(password_form, "submit")):
                    if new != again:
                        st.error("The two new passwords differ. Type the same password twice.")
                    else:
                        keep(password_form, lambda act: access.change_password(viewer, old, new, act_id=act))
        with shell.boundary(reload):
            form = state.key(PAGE, "everywhere")
            st.caption("Ends all your sessions on all devices, including this one.")
            if st.button("Sign out everywhere", key=state.act_key(form, "submit")):
                access.sign_out_everywhere(viewer, act_id=state.act_id(form))
                state.spend(form)
                st.rerun()


def _field(form: str, label: str, kind: Literal["current-password", "new-password"]) -> str:
    return st.text_input(label, type="password", key=state.act_key(form, label), autocomplete=kind) or ""
