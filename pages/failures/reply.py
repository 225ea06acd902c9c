"""What a model answered: its words, its reasoning, how they were read, and what it cost. All of it is only text."""

from __future__ import annotations

import json

import streamlit as st

from components import shell, state
from components.widgets.number_table import number_table
from core.sign import Sign
from pages.failures.parts import PAGE, long_text, said, sign_of
from pages.runs.parts import NO_VALUE, money, tokens
from services.runs.views import ItemSheet

TALL_PX = 360
SIGNS = [sign.value for sign in Sign]
RUNGS = {
    "strict": "the whole answer is the object that was asked for",
    "unwrapped": "taken out of fences, thoughts or prose around it",
    "repaired": "mended: its JSON was broken",
    "": "not read",
}


def show(sheet: ItemSheet, *, name: str) -> None:
    line = sheet.line
    st.subheader(shell.escaped(f"{line.model}: {said(line)}"), anchor=False)
    if not sheet.raw and not sheet.text:
        st.caption("No reply is kept.")
        return
    _text(sheet.text or sheet.refusal or "(no text)")
    if sheet.is_baseline:
        st.caption("A baseline: it answers from the sample, here and without a request.")
        return
    st.caption(shell.escaped(_about(sheet)))
    if sheet.reasoning:
        with st.expander("Its reasoning", key=state.key(PAGE, f"{name}.reasoning")):
            _text(sheet.reasoning)
    if sheet.repaired is not None:
        how = RUNGS.get(sheet.rung, sheet.rung)
        with st.expander(f"What was read: {shell.escaped(how)}", expanded=True, key=state.key(PAGE, f"{name}.read")):
            _text(sheet.repaired)
    if sheet.probabilities:
        st.caption("How probable each label was, from its log-probabilities")
        number_table(
            {sign_of(label): [f"{share:.3f}"] for label, share in sorted(sheet.probabilities.items(), key=_in_order)},
            key=state.key(PAGE, f"{name}.probabilities"),
            words=(),
        )
    with st.expander("Its fields, and the body as it came", key=state.key(PAGE, f"{name}.raw")):
        st.caption(f"Reading: {shell.escaped(RUNGS.get(sheet.rung, sheet.rung))}")
        if sheet.parsed is not None:
            st.code(json.dumps(sheet.parsed, indent=2, ensure_ascii=False), language="json", wrap_lines=True)
        st.caption("The body, byte for byte")
        _text(sheet.raw)


def _in_order(probability: tuple[str, float]) -> tuple[int, str]:
    label = probability[0]
    return (SIGNS.index(label) if label in SIGNS else len(SIGNS), label)


def _text(text: str) -> None:
    long_text(text, TALL_PX)


def _about(sheet: ItemSheet) -> str:
    parts = [f"{tokens(sheet.tokens_in)} tokens in, {tokens(sheet.tokens_out)} out"]
    if sheet.tokens_reasoning:
        parts.append(f"{tokens(sheet.tokens_reasoning)} of them reasoning")
    parts.append(money(sheet.cost_usd) if sheet.cost_usd is not None else "cost not known")
    if sheet.latency_s is not None:
        parts.append(f"{sheet.latency_s:.2f} s")
    parts.append(f"ended: {sheet.finish_reason or NO_VALUE}")
    if sheet.provider_model:
        parts.append(f"as {sheet.provider_model}")
    if sheet.was_cached:
        parts.append("from a reply that was kept before")
    return " · ".join(parts)
