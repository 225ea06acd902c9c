"""Model cards: details, endpoint and prices, with a connection test."""

from __future__ import annotations

from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components import links, shell, state
from components.widgets.choosing import choose_line, forget_choice
from core.people import Permission, Viewer
from core.words import counted
from pages.runs import connection, model_form
from pages.runs.parts import NO_VALUE, PAGE
from services.runs import endpoints, model_cards
from services.runs.model_cards import CardView

RIGHT = st.column_config.TextColumn(alignment="right")
CHOSEN = state.key(PAGE, "model.chosen")
NEW = "new"


def show(viewer: Viewer, top: DeltaGenerator) -> None:
    may_change = viewer.may(Permission.RUN)
    cards = model_cards.list_cards(viewer, with_archived=True)
    places = endpoints.list_endpoints(viewer, with_archived=True) if may_change else ()
    if may_change:
        with top:
            st.button(
                "Add model",
                type="primary" if places and not cards else "secondary",
                icon=":material/add:",
                key=state.key(PAGE, "model.add"),
                on_click=_open_new,
            )
    st.markdown(
        "**A model is a name at an endpoint, with its prices and details.** Runs choose among these models, and keep a "
        "copy of what they used."
    )
    left, right = st.columns([3, 2], gap="large")
    with left:
        chosen = _cards(cards)
        if not cards and may_change and not places:
            st.caption("A model needs an endpoint. No endpoint yet.")
            links.page_button(
                "Open endpoints", "runs", {"show": "endpoints"}, key=state.key(PAGE, "model.places"), is_primary=True
            )
    is_new = chosen is None and may_change and state.read_param("model") == NEW
    if chosen is not None or is_new:
        with right, shell.boundary(partial(model_form.reload, viewer, chosen)):
            model_form.show(viewer, chosen, places)
            if chosen is not None:
                connection.show(viewer, next((e for e in places if e.name == chosen.endpoint), None), chosen.model)
    elif cards:
        right.caption(
            "Choose a model to see its card" + (", change it and test its connection." if may_change else ".")
        )


def _open_new() -> None:
    state.write_param("model", NEW)
    forget_choice(CHOSEN)


def _cards(cards: tuple[CardView, ...]) -> CardView | None:
    opened = state.read_param("model")
    archived = [each for each in cards if each.is_archived]
    shown = [each for each in cards if not each.is_archived]
    words = f"Show {counted(len(archived), 'archived model')}"
    if archived and st.toggle(words, opened in {each.id for each in archived}, key=state.key(PAGE, "model.archived")):
        shown = list(cards)
    if not shown:
        st.caption("No model yet.")
        return None
    by_id = {each.id: each for each in shown}
    lines = {
        "Model": [each.name for each in shown],
        "Endpoint": [each.endpoint or NO_VALUE for each in shown],
        "Kind": [each.kind.value for each in shown],
        "$ in": [_price(each.price_input) for each in shown],
        "$ out": [_price(each.price_output) for each in shown],
        "Weights": [{True: "open", False: "proprietary", None: NO_VALUE}[each.is_open_weight] for each in shown],
        "Knowledge cutoff": [each.knowledge_cutoff or NO_VALUE for each in shown],
    }
    if any(each.is_archived for each in shown):
        lines["State"] = ["archived" if each.is_archived else "active" for each in shown]
    card_id = choose_line(
        list(by_id),
        lines,
        name=CHOSEN,
        chosen=opened if opened in by_id else "",
        columns={"Model": st.column_config.TextColumn(width="medium"), "$ in": RIGHT, "$ out": RIGHT},
    )
    st.caption("$ in, $ out: US dollars per million tokens of input and output.")
    if card_id or opened != NEW:
        state.write_param("model", card_id or "")
    return by_id.get(card_id or "")


def _price(usd: float | None) -> str:
    return NO_VALUE if usd is None else f"{usd:,.2f}"
