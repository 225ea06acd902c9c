"""Named views: opened by their name, saved from what the link says now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from components import shell, state
from components.widgets.acts import keep
from core.people import Receipt, Viewer
from pages.failures.parts import PAGE
from services.runs import saved_views

FORM = "failures.view"
ONE_ANSWER = ("item", "at", "with", "page")
"""Parameters of the link that are not part of a view."""


def show(viewer: Viewer) -> None:
    saved = saved_views.saved_views(viewer)
    count = f" ({len(saved.views)})" if saved.views else ""
    with st.popover(f"Views{count}", icon=":material/bookmark:", key=state.key(PAGE, "views")):
        for number, view in enumerate(saved.views):
            with st.container(horizontal=True, vertical_alignment="center"):
                st.button(
                    shell.escaped(view.name),
                    key=state.key(PAGE, f"view.{number}"),
                    on_click=partial(_open, view.link),
                    width="stretch",
                )
                remove = f"{FORM}.remove.{number}"
                if view.is_own and st.button("Remove", key=state.act_key(remove), type="tertiary"):
                    keep(PAGE, remove, partial(_remove, viewer, view.name, saved.version))
        name = st.text_input("Name", key=state.act_key(FORM, "name"), max_chars=saved_views.LONGEST_NAME)
        link = {each: st.query_params.get_all(each) for each in st.query_params if each not in ONE_ANSWER}
        if st.button("Save this view", key=state.act_key(FORM, "save"), disabled=not name.strip()):
            keep(PAGE, FORM, partial(_save, viewer, name, link, saved.version))
        st.caption("Filters, order and part of this screen, for all who read runs. Each sees what their role may see.")


def _open(link: Mapping[str, Sequence[str]]) -> None:
    state.forget(f"{PAGE}.")
    st.query_params.from_dict({name: list(values) for name, values in link.items()})


def _save(viewer: Viewer, name: str, link: Mapping[str, Sequence[str]], version: int, act_id: str) -> Receipt:
    return saved_views.save_view(viewer, name, link, seen=version, act_id=act_id)


def _remove(viewer: Viewer, name: str, version: int, act_id: str) -> Receipt:
    return saved_views.remove_view(viewer, name, seen=version, act_id=act_id)
