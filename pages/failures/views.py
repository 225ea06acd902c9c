"""Named views: opened by their name, saved from what the link says now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from components import shell, state
from components.widgets.acts import keep
from core.people import Viewer
from pages.failures.parts import PAGE
from services.failures import saved_views

FORM, REMOVAL = "failures.view", "failures.view.removal"
ONE_ANSWER = ("item", "at", "with", "page", "claim")
"""Parameters of the link that are not part of a view."""


def show(viewer: Viewer) -> None:
    saved = saved_views.saved_views(viewer)
    count, removed = f" ({len(saved.views)})" if saved.views else "", ""
    with st.popover(f"Views{count}", icon=":material/bookmark:", key=state.key(PAGE, "views")):
        for number, view in enumerate(saved.views):
            with st.container(horizontal=True, vertical_alignment="center"):
                st.button(
                    shell.escaped(view.name),
                    key=state.key(PAGE, f"view.{number}"),
                    on_click=partial(_open, view.link),
                    width="stretch",
                )
                if view.is_own and st.button("Remove", key=state.act_key(REMOVAL, str(number)), type="tertiary"):
                    removed = view.name
        if removed:
            keep(PAGE, REMOVAL, lambda act: saved_views.remove_view(viewer, removed, seen=saved.version, act_id=act))
        name = st.text_input("Name", key=state.act_key(FORM, "name"), max_chars=saved_views.LONGEST_NAME)
        link = {each: st.query_params.get_all(each) for each in st.query_params if each not in ONE_ANSWER}
        if st.button("Save this view", key=state.act_key(FORM, "save"), disabled=not name.strip()):
            keep(PAGE, FORM, lambda act: saved_views.save_view(viewer, name, link, seen=saved.version, act_id=act))
        st.caption("Filters, order and part of this screen, for all who read runs. Each sees what their role may see.")


def _open(link: Mapping[str, Sequence[str]]) -> None:
    state.forget(f"{PAGE}.")
    st.query_params.from_dict({name: list(values) for name, values in link.items()})
