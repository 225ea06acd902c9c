"""Endpoints of models: changed by the owner; people who set up runs see and test them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components import shell, state
from components.widgets import acts
from components.widgets.choosing import choose_line, forget_choice
from core.people import Permission, Receipt, Viewer
from core.words import counted
from pages.runs import connection
from pages.runs.draft_form import DraftForm
from pages.runs.parts import PAGE, SCOPE
from services.runs import endpoints
from services.runs.endpoints import EndpointDraft, EndpointView

CHOSEN = state.key(PAGE, "endpoint.chosen")
NEW = "new"
ABOUT = (
    "**An endpoint is the address of a chat completions API**, as most providers and local servers have. Models are "
    "asked there, within its limits."
)
KEYS = (
    "Keys are never entered here. Name the environment variable that contains the key, such as OPENAI_API_KEY or "
    "HF_TOKEN. The screens and the worker each read their own environment when they send a request."
)

SCRIPTS = (
    "Demo models (scripted): Edgewise answers by itself, without a network. Scripts know nothing of their subject; "
    "they show what a run looks like."
)


def show(viewer: Viewer, top: DeltaGenerator) -> None:
    places = endpoints.list_endpoints(viewer, with_archived=True)
    if viewer.may(Permission.MANAGE):
        with top:
            st.button(
                "Add endpoint",
                type="primary" if not places else "secondary",
                icon=":material/add:",
                key=state.key(PAGE, "endpoint.add"),
                on_click=_open_new,
            )
    st.markdown(ABOUT)
    left, right = st.columns([3, 2], gap="large")
    with left:
        chosen = _listed(viewer, places)
        st.caption(KEYS)
    is_new = chosen is None and viewer.may(Permission.MANAGE) and state.read_param("endpoint") == NEW
    if chosen is not None or is_new:
        with right, shell.boundary(partial(_reload, viewer, chosen)):
            st.subheader(shell.escaped(chosen.name) if chosen is not None else "New endpoint", anchor=False)
            if chosen is not None and chosen.address != chosen.base_url:
                st.caption(SCRIPTS)
            if viewer.may(Permission.MANAGE):
                _form(viewer, chosen)
            if chosen is not None:
                connection.show(viewer, chosen, "")


def _open_new() -> None:
    state.write_param("endpoint", NEW)
    forget_choice(CHOSEN)


def _listed(viewer: Viewer, places: Sequence[EndpointView]) -> EndpointView | None:
    opened = state.read_param("endpoint")
    archived = [each for each in places if each.is_archived]
    shown = [each for each in places if not each.is_archived]
    words = f"Show {counted(len(archived), 'archived endpoint')}"
    if archived and st.toggle(
        words, opened in {each.name for each in archived}, key=state.key(PAGE, "endpoint.archived")
    ):
        shown = list(places)
    if not shown:
        st.caption(
            "No endpoint yet." + ("" if viewer.may(Permission.MANAGE) else " The owner of the study adds endpoints.")
        )
        return None
    by_name = {each.name: each for each in shown}
    endpoint_name = choose_line(
        list(by_name),
        {
            "Endpoint": list(by_name),
            "Address": [each.address for each in shown],
            "Key": [_key_words(each) for each in shown],
            "Concurrent requests": [str(each.concurrency) for each in shown],
        },
        name=CHOSEN,
        chosen=opened if opened in by_name else "",
        columns={
            "Address": st.column_config.TextColumn(width="medium"),
            "Concurrent requests": st.column_config.TextColumn(alignment="right"),
        },
    )
    if endpoint_name or opened != NEW:
        state.write_param("endpoint", endpoint_name or "")
    return by_name.get(endpoint_name or "")


def _key_words(endpoint: EndpointView) -> str:
    if not endpoint.key_variable:
        return "no key needed"
    return endpoint.key_variable if endpoint.has_key else f"{endpoint.key_variable} (not set here)"


def form_of(chosen: EndpointView | None) -> DraftForm:
    usual = EndpointDraft(name="", base_url="")
    of = chosen if chosen is not None else usual
    first: dict[str, Any] = {
        "name": of.name,
        "base_url": of.base_url,
        "key_variable": of.key_variable,
        "requests_per_minute": of.requests_per_minute,
        "tokens_per_minute": of.tokens_per_minute,
        "concurrency": of.concurrency,
        "deadline_s": of.deadline_s,
        "most_bytes": of.most_bytes,
        "seen": chosen.version if chosen is not None else 0,
    }
    name = chosen.name if chosen is not None else NEW
    return DraftForm(state.key(PAGE, f"endpoint.{name}"), f"endpoint.{name}", first)


def _form(viewer: Viewer, chosen: EndpointView | None) -> None:
    form = form_of(chosen)
    if form.begin(viewer):
        st.caption(":material/edit_note: Draft restored; not saved yet.")
    keep = partial(form.keep, viewer)
    if chosen is None:
        st.text_input("Name", key=form.key("name"), on_change=keep, max_chars=60, placeholder="Example: openai")
    st.text_input(
        "Address",
        key=form.key("base_url"),
        on_change=keep,
        max_chars=500,
        placeholder="Example: https://api.openai.com/v1",
    )
    st.text_input(
        "Environment variable with the key",
        key=form.key("key_variable"),
        on_change=keep,
        max_chars=100,
        placeholder="OPENAI_API_KEY; empty for no key",
    )
    with st.expander("Limits", key=form.key("limits")):
        _limits(viewer, form)
    form.fault()
    with st.container(horizontal=True, key=form.key("row")):
        if st.button(
            "Save endpoint", type="primary" if chosen is None else "secondary", key=state.act_key(form.scope, "save")
        ):
            _save(viewer, form, chosen)
        if chosen is not None:
            _archive(viewer, chosen)
        if form.values() != dict(form.fields):
            st.button("Discard changes", type="tertiary", key=form.key("drop"), on_click=partial(form.forget, viewer))


def _limits(viewer: Viewer, form: DraftForm) -> None:
    keep = partial(form.keep, viewer)
    left, right = st.columns(2)
    with left:
        st.number_input(
            "Requests per minute",
            1,
            1_000_000,
            None,
            key=form.key("requests_per_minute"),
            on_change=keep,
            placeholder="no limit",
        )
        st.number_input(
            "Concurrent requests", 1, endpoints.MOST_CONCURRENT, key=form.key("concurrency"), on_change=keep
        )
    with right:
        st.number_input(
            "Tokens per minute",
            1,
            10**9,
            None,
            key=form.key("tokens_per_minute"),
            on_change=keep,
            placeholder="no limit",
        )
        st.number_input(
            "Timeout (s)",
            1.0,
            endpoints.MOST_DEADLINE_S,
            key=form.key("deadline_s"),
            on_change=keep,
            step=10.0,
            format="%.0f",
        )
    st.number_input(
        "Maximum reply size (bytes)",
        1_000,
        endpoints.LARGEST_ANSWER,
        key=form.key("most_bytes"),
        on_change=keep,
        step=100_000,
    )


def _save(viewer: Viewer, form: DraftForm, chosen: EndpointView | None) -> None:
    values = form.values()
    draft = EndpointDraft(
        name=chosen.name if chosen is not None else (values["name"] or "").strip(),
        base_url=(values["base_url"] or "").strip(),
        key_variable=(values["key_variable"] or "").strip(),
        requests_per_minute=_whole(values["requests_per_minute"]),
        tokens_per_minute=_whole(values["tokens_per_minute"]),
        concurrency=int(values["concurrency"]),
        deadline_s=float(values["deadline_s"]),
        most_bytes=int(values["most_bytes"]),
    )

    def act(act_id: str) -> Receipt:
        return endpoints.save_endpoint(viewer, draft, seen=int(values["seen"]), act_id=act_id)

    def then() -> None:
        form.forget(viewer)
        state.write_param("endpoint", draft.name)
        st.session_state.pop(CHOSEN, None)

    acts.keep(SCOPE, form.scope, act, reload=partial(_reload, viewer, chosen), then=then)


def _whole(number: float | None) -> int | None:
    return None if number is None else int(number)


def _reload(viewer: Viewer, chosen: EndpointView | None) -> None:
    form_of(chosen).forget(viewer)


def _archive(viewer: Viewer, chosen: EndpointView) -> None:
    form = state.key(PAGE, f"endpoint.archive.{chosen.name}")
    words = "Restore" if chosen.is_archived else "Archive"
    if st.button(words, key=state.act_key(form), help="An archived endpoint cannot be chosen for new models."):
        acts.keep(
            SCOPE,
            form,
            lambda act_id: endpoints.archive_endpoint(
                viewer, chosen.name, not chosen.is_archived, seen=chosen.version, act_id=act_id
            ),
        )
