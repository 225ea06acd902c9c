"""Rounds of an answer that took several requests: request, model and fault of each."""

from __future__ import annotations

import streamlit as st

from components import shell, state
from components.widgets.long_text import long_text
from pages.failures.parts import PAGE
from pages.runs.parts import NO_VALUE, money, tokens
from services.runs.views import ItemSheet

TALL_PX = 260


def show(sheet: ItemSheet) -> None:
    if not sheet.rounds:
        return
    st.subheader(f"Rounds: {len(sheet.rounds)}", anchor=False)
    for round_view in sheet.rounds:
        title = f"Round {round_view.number}: {shell.escaped(round_view.purpose)} · {shell.escaped(round_view.model)}"
        with st.expander(title, expanded=True, key=state.key(PAGE, f"round.{round_view.number}")):
            if round_view.number > 1:  # the first request is above
                for role, text in round_view.messages:
                    st.caption(role)
                    long_text(text, TALL_PX)
            if not round_view.raw:
                st.caption(f"No reply stored: {round_view.status.value}.")
            else:
                parts = [
                    "Reply",
                    f"{tokens(round_view.tokens_in)} tokens in, {tokens(round_view.tokens_out)} tokens out",
                    money(round_view.cost_usd) if round_view.cost_usd is not None else "cost unknown",
                    f"finish reason: {round_view.finish_reason or NO_VALUE}",
                ]
                st.caption(shell.escaped(" · ".join(parts)))
                if round_view.usage_fault:
                    st.caption(f":material/warning: {shell.escaped(round_view.usage_fault)}")
                long_text(round_view.text or "(empty)", TALL_PX)
            if round_view.fault:
                st.markdown(f"**Fault:** {shell.escaped(round_view.fault)}")
