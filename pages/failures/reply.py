"""Reply of a model: text, reasoning, parsing and cost, all shown as plain text."""

from __future__ import annotations

import json

import streamlit as st

from components import shell, state
from components.widgets.long_text import long_text
from components.widgets.number_table import number_table
from core.sign import Sign
from pages.failures.parts import PAGE, sign_of
from pages.runs.parts import NO_VALUE, money, tokens
from protocols.replies.finish_reasons import UNKNOWN_REASON
from services.runs.views import ItemSheet

TALL_PX = 360
SIGNS = [sign.value for sign in Sign]
PARSE_STAGES = {
    "strict": "strict: the reply is the requested object",
    "unwrapped": "unwrapped: taken out of fences, reasoning or prose",
    "repaired": "repaired: its JSON was malformed",
    "": "no parse stage could read the reply",
}


def show(sheet: ItemSheet, *, name: str) -> None:
    line = sheet.line
    st.subheader(shell.escaped(f"Reply of {line.model}"), anchor=False)
    if not sheet.raw and not sheet.text:
        st.caption("No reply stored.")
        return
    _text(sheet.text or sheet.refusal or "(empty)")
    if sheet.is_baseline:
        st.caption("Baseline: it answers from the sample, without a request.")
        return
    st.caption(shell.escaped(_about(sheet)))
    if sheet.usage_fault:
        st.caption(f":material/warning: {shell.escaped(sheet.usage_fault)}")
    if any(flag.startswith(UNKNOWN_REASON) for flag in sheet.flags):
        st.caption(":material/flag: Edgewise does not know this finish reason. The reply was read like a complete one.")
    if sheet.reasoning:
        with st.expander("Reasoning", key=state.key(PAGE, f"{name}.reasoning")):
            _text(sheet.reasoning)
    if sheet.repaired is not None:
        how = PARSE_STAGES.get(sheet.parse_stage, sheet.parse_stage)
        with st.expander(f"Parsed text ({shell.escaped(how)})", expanded=True, key=state.key(PAGE, f"{name}.read")):
            _text(sheet.repaired)
    if sheet.probabilities:
        st.caption("Probability of each label, from log-probabilities")
        number_table(
            {sign_of(label): [f"{share:.3f}"] for label, share in sorted(sheet.probabilities.items(), key=_in_order)},
            key=state.key(PAGE, f"{name}.probabilities"),
            words=(),
        )
    with st.expander("Parsed fields and raw reply", key=state.key(PAGE, f"{name}.raw")):
        st.caption(f"Parse stage: {shell.escaped(PARSE_STAGES.get(sheet.parse_stage, sheet.parse_stage))}")
        if sheet.parsed is not None:
            st.code(json.dumps(sheet.parsed, indent=2, ensure_ascii=False), language="json", wrap_lines=True)
        st.caption("Raw reply")
        _text(sheet.raw)


def _in_order(probability: tuple[str, float]) -> tuple[int, str]:
    label = probability[0]
    return (SIGNS.index(label) if label in SIGNS else len(SIGNS), label)


def _text(text: str) -> None:
    long_text(text, TALL_PX)


def _about(sheet: ItemSheet) -> str:
    parts = [f"{tokens(sheet.tokens_in)} tokens in, {tokens(sheet.tokens_out)} tokens out"]
    if sheet.tokens_reasoning:
        parts.append(f"{tokens(sheet.tokens_reasoning)} of these for reasoning")
    parts.append(money(sheet.cost_usd) if sheet.cost_usd is not None else "cost unknown")
    if sheet.latency_s is not None:
        parts.append(f"{sheet.latency_s:.2f} s")
    parts.append(f"finish reason: {sheet.finish_reason or NO_VALUE}")
    if sheet.provider_model:
        parts.append(f"model in the reply: {sheet.provider_model}")
    if sheet.was_cached:
        parts.append("cached")
    return " · ".join(parts)
