"""Rounds of an answer that took several requests: request, model and fault of each."""

from __future__ import annotations

import streamlit as st

from components import shell, state
from components.widgets.long_text import long_text
from pages.failures.parts import PAGE
from pages.runs.parts import NO_VALUE, money, tokens
from services.runs.views import ItemSheet, RoundView

TALL_PX = 260


def show(sheet: ItemSheet) -> None:
    if not sheet.rounds:
        return
    st.subheader(f"Rounds: {len(sheet.rounds)}", anchor=False)
    for each in sheet.rounds:
        title = f"Round {each.number}: {shell.escaped(each.purpose)} · {shell.escaped(each.model)}"
        with st.expander(title, expanded=True, key=state.key(PAGE, f"round.{each.number}")):
            if each.number > 1:  # the first request is above
                for role, text in each.messages:
                    st.caption(role)
                    long_text(text, TALL_PX)
            if not each.raw:
                st.caption(f"No reply stored: {each.status.value}.")
            else:
                st.caption(shell.escaped(_about(each)))
                if each.usage_fault:
                    st.caption(f":material/warning: {shell.escaped(each.usage_fault)}")
                long_text(each.text or "(empty)", TALL_PX)
            if each.fault:
                st.markdown(f"**Fault:** {shell.escaped(each.fault)}")


def _about(each: RoundView) -> str:
    parts = [
        "Reply",
        f"{tokens(each.tokens_in)} tokens in, {tokens(each.tokens_out)} tokens out",
        money(each.cost_usd) if each.cost_usd is not None else "cost unknown",
        f"finish reason: {each.finish_reason or NO_VALUE}",
    ]
    return " · ".join(parts)
