"""One answer in full: request, reply, parsing, and answers of others to the same sample."""

from __future__ import annotations

import json
from typing import Any

import streamlit as st

from components import links, shell, state
from components.widgets.choosing import choose_line, chosen_id
from components.widgets.copy_link import copy_link
from components.widgets.long_text import long_text
from components.widgets.moments import second_column
from components.widgets.number_table import number_table
from core.errors import EdgewiseError
from core.people import Permission, Viewer
from core.runs.states import ItemStatus
from pages import get_pages
from pages.failures import codes, flags, graph_item, head, neighbours, reply, rounds
from pages.failures.neighbours import Neighbours
from pages.failures.parts import (
    PAGE,
    predicted,
    result_of,
    run_of,
    score_head,
    score_of,
)
from pages.runs.parts import NO_VALUE, money, tokens
from services.failures import failures
from services.runs.run_settings import variant_words
from services.runs.views import ItemSheet

TALL_PX = 460
COMPARED_WITH = state.key(PAGE, "beside")


def show(viewer: Viewer, item_id: str, steps: Neighbours) -> None:
    try:
        sheet = failures.item(viewer, item_id)
    except EdgewiseError:
        st.button(steps.back, key=state.key(PAGE, "all"), on_click=neighbours.close)
        raise
    line = sheet.line
    with shell.top_row(line.question, note=steps.words):
        copy_link(PAGE)
        neighbours.buttons(steps)
    compared = _chosen(viewer, sheet)
    head.show(line, *([] if compared is None else [compared.line]))
    codes.show(viewer, item_id, steps)
    flags.show(viewer, item_id, sheet.flag)
    if "section" in sheet.facts and sheet.line.status is ItemStatus.ANSWERED and viewer.may(Permission.VERDICT):
        links.page_button("Review verdict", "verdicts", {"judged": sheet.line.item_id}, key=state.key(PAGE, "review"))
    if sheet.is_graph and graph_item.show(viewer, sheet, compared):
        st.divider()
    left, right = st.columns(2, gap="large")
    with left:
        reply.show(sheet, name="first")
    with right:
        if compared is None:
            _request(sheet)
        else:
            reply.show(compared, name="second")
    if view := get_pages(sheet.protocol).item_view:
        view(viewer, item_id)
    _others(viewer, sheet)
    if compared is not None:
        _request(sheet)
    _facts(sheet)
    rounds.show(sheet)
    for number, earlier in enumerate(sheet.earlier, 1):
        title = f"Earlier reply {number}, {shell.moment(earlier.received_at)}"
        with st.expander(title, key=state.key(PAGE, f"earlier.{number}")):
            used = f"{tokens(earlier.tokens_in)} tokens in, {tokens(earlier.tokens_out)} tokens out"
            paid = money(earlier.cost_usd) if earlier.cost_usd is not None else "cost unknown"
            st.caption(shell.escaped(f"{used} · {paid} · finish reason: {earlier.finish_reason or NO_VALUE}"))
            long_text(earlier.text or "(empty)", TALL_PX)
            st.caption("It could not be read, so the item was asked again. Results can score first replies.")
    _attempts(sheet)
    _made_of(sheet)


def _request(sheet: ItemSheet) -> None:
    st.subheader("Request", anchor=False)
    if not sheet.messages:
        st.caption("No message stored.")
    for role, text in sheet.messages:
        st.caption(role)
        long_text(text, TALL_PX)


def _facts(sheet: ItemSheet) -> None:
    facts = {words: _fact(value) for words, value in sheet.shown.items()}
    if facts:
        with st.expander("Sample"):
            st.dataframe(
                {"Field": list(facts), "Value": list(facts.values())},
                hide_index=True,
                height="content",
                key=state.key(PAGE, "facts"),
            )


def _fact(value: Any) -> str:
    if isinstance(value, list | tuple):
        return " ".join(map(str, value))
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _chosen(viewer: Viewer, sheet: ItemSheet) -> ItemSheet | None:
    other_id = chosen_id(_compared_key(sheet), state.read_param("with"))
    return failures.item(viewer, other_id) if other_id and other_id in {each.item_id for each in sheet.others} else None


def _compared_key(sheet: ItemSheet) -> str:
    return f"{COMPARED_WITH}.{sheet.line.item_id}"


def _others(viewer: Viewer, sheet: ItemSheet) -> None:
    st.subheader("Other answers to this sample", anchor=False)
    if not sheet.others:
        st.caption("No other model or run has this sample.")
        return
    by_id = {each.item_id: each for each in sheet.others}
    linked = state.read_param("with")
    other_id = choose_line(
        list(by_id),
        {
            name: values
            for name, values in {
                "Model": [each.model for each in sheet.others],
                "Predicted": [predicted(each) for each in sheet.others],
                score_head(sheet.others): [score_of(each) for each in sheet.others],
                "Result": [result_of(each) for each in sheet.others],
                "Variant": [variant_words(each.variant) for each in sheet.others],
                "Run": [run_of(each) for each in sheet.others],
            }.items()
            if any(values)
        },
        name=_compared_key(sheet),
        chosen=linked if linked in by_id else "",
    )
    state.write_param("with", other_id or "")


def _attempts(sheet: ItemSheet) -> None:
    if not sheet.attempts:
        return
    with st.expander(f"Attempts: {len(sheet.attempts)}", key=state.key(PAGE, "attempts"), expanded=not sheet.raw):
        number_table(
            {
                "Attempt": [str(each.number) for each in sheet.attempts],
                "Sent": [shell.local_time(each.sent_at) for each in sheet.attempts],
                "Time": [
                    NO_VALUE if each.ended_at is None else f"{(each.ended_at - each.sent_at).total_seconds():.2f} s"
                    for each in sheet.attempts
                ],
                "State": [each.state.value + (", re-sent" if each.is_resend else "") for each in sheet.attempts],
                "Error, HTTP status": [
                    " ".join(filter(None, (each.kind, str(each.http_status or "")))) or NO_VALUE
                    for each in sheet.attempts
                ],
                "Message": [each.message for each in sheet.attempts],
            },
            key=state.key(PAGE, "attempts.table"),
            words=("State", "Error, HTTP status", "Message"),
            wide="Message",
            config={"Sent": second_column()},
        )


def _made_of(sheet: ItemSheet) -> None:
    with st.expander("Parameters and hashes", key=state.key(PAGE, "made_of")):
        st.code(json.dumps(dict(sheet.parameters), indent=2, ensure_ascii=False), language="json", wrap_lines=True)
        hashes = {
            "sample": sheet.sample_hash,
            f"prompt {sheet.prompt}": sheet.prompt_hash,
            "request": sheet.request_hash,
        }
        st.code(
            "\n".join(f"{what}  {value or NO_VALUE}" for what, value in hashes.items()), language=None, wrap_lines=True
        )
        links.page_button(
            "Open run card",
            "runs",
            {"run": str(sheet.line.run_number), "part": "card"},
            key=state.key(PAGE, "card"),
        )
