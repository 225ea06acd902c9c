"""Query about a graph sent to a model: price, reply on the figure and in words."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from components import links, shell, state
from components.widgets import acts
from components.widgets.long_text import long_text
from components.widgets.number_table import number_table
from core.errors import Missing
from core.graphs.queries import Query
from core.people import Permission, Receipt, Viewer
from core.runs.budget import dollars
from core.words import counted, sentence_case
from pages.graphs.parts import NONE, PAGE
from services.graphs.lab import GraphSheet
from services.protocols.causalgraph2llm import one_query
from services.protocols.causalgraph2llm.graphs import OFFERED
from services.protocols.causalgraph2llm.one_query import TEXTS, QueryOfGraph, QueryReply, QueryToAsk
from services.protocols.causalgraph2llm.query_items import AnsweredGraph
from services.runs.run_settings import link_to_new_run
from services.runs.settings import DryRun

FORM = state.key(PAGE, "ask.model")
CARD, ENCODING, SHOWN = (state.key(PAGE, f"ask.model.{name}") for name in ("card", "encoding", "shown"))
REPLY_POLL_S = 1.0
TALL_PX = 240
NO_WORKER = "No worker is running, so nothing is sent. `edgewise.py serve` runs one."


def reply(viewer: Viewer, sheet: GraphSheet, query: Query) -> AnsweredGraph | None:
    """Draw a model's replies if the link names a run of this query; return the answer to overlay on the figure."""
    query_run = _linked_run(viewer, sheet, query) if _may_ask(viewer, sheet) else None
    if query_run is None:
        return None
    with st.container(border=True, key=state.key(PAGE, "ask.reply")):
        return _replies(viewer, query_run)


def form(viewer: Viewer, sheet: GraphSheet, query: Query) -> None:
    if not _may_ask(viewer, sheet):
        return
    with st.container(border=True, key=state.key(PAGE, "ask.model")):
        st.markdown("**Ask a model**")
        with shell.boundary():
            _form(viewer, sheet, query)
    link = link_to_new_run("graphs", sheet.head.id)
    links.page_button("Ask many queries", "runs", link, key=state.key(PAGE, "ask.run"))
    st.caption("The form of a new run opens with this graph.")


def _may_ask(viewer: Viewer, sheet: GraphSheet) -> bool:
    return viewer.may(Permission.RUN) and sheet.head.kind in OFFERED


def _linked_run(viewer: Viewer, sheet: GraphSheet, query: Query) -> QueryOfGraph | None:
    """Return the run that the link names, if it has this query of this graph."""
    run_id = state.read_param("asked")
    if not run_id:
        return None
    try:
        query_run = one_query.asked_query(viewer, run_id)
    except Missing:
        query_run = None
    if query_run is not None and (query_run.graph, query_run.query) == (sheet.head.id, query):
        return query_run
    state.write_param("asked", "")
    return None


# --- what is asked, and its price ---------------------------------------------------------------------------------


def _form(viewer: Viewer, sheet: GraphSheet, query: Query) -> None:
    troubles = {each.name: each.trouble for each in one_query.cards(viewer)}
    if not troubles:
        st.caption("There is no model card yet. Add one under Runs, Models.")
        links.page_button("Add model", "runs", {"show": "models"}, key=state.key(PAGE, "ask.models"))
        return
    left, right = st.columns(2, gap="small")
    with left:
        card = st.selectbox("Model", list(troubles), key=CARD)
    with right:
        encoding = st.selectbox("Encoding", list(TEXTS), key=ENCODING, format_func=TEXTS.__getitem__)
    if troubles[card]:
        st.caption(f":material/block: {shell.escaped(f'{card} cannot be asked: {troubles[card]}.')}")
        return
    one, seven = (
        QueryToAsk(graph=sheet.head.id, title=sheet.head.title, query=query, model=card, encodings=encodings)
        for encodings in ((encoding,), tuple(TEXTS))
    )
    prices = [one_query.plan(viewer, each) for each in (one, seven)]
    for price in prices:
        if price.faults:
            st.caption(f":material/block: {shell.escaped(price.faults[0])}")
            return
    st.caption(f"{TEXTS[encoding]}: {_price(prices[0])}  \nAll seven encodings: {_price(prices[1])}")
    with st.container(horizontal=True, key=state.key(PAGE, "ask.model.buttons")):
        if st.button("Ask model", type="primary", key=state.act_key(FORM, "one")):
            _start(viewer, one)
        if st.button("Ask all encodings", key=state.act_key(FORM, "seven")):
            _start(viewer, seven)


def _price(plan: DryRun) -> str:
    if not plan.requests:
        return f"{counted(plan.cached, 'cached reply')}, no cost."
    cached = f", {counted(plan.cached, 'cached reply')}" if plan.cached else ""
    summary = f"{counted(plan.requests, 'request')}{cached}, about {plan.tokens_in:,} tokens in"
    if plan.cost_likely is None:
        return f"{summary}, cost unknown ({shell.escaped(plan.cost_reason)})."
    most = "" if plan.cost_most is None else f", at most {dollars(plan.cost_most)}"
    return shell.escaped(f"{summary}, about {dollars(plan.cost_likely)}{most}.")


def _start(viewer: Viewer, request: QueryToAsk) -> None:
    def act(act_id: str) -> Receipt:
        receipt = one_query.start(viewer, request, act_id=act_id)
        state.write_param("asked", receipt.subject_id)
        return receipt

    acts.keep(PAGE, FORM, act)


# --- what is said -------------------------------------------------------------------------------------------------


def _replies(viewer: Viewer, query_run: QueryOfGraph) -> AnsweredGraph | None:
    if not query_run.is_done:
        st.fragment(_await_reply, run_every=REPLY_POLL_S)(viewer, query_run.run_id, len(query_run.replies))
    if not query_run.replies:
        return None
    if len(query_run.replies) > 1:
        _table(query_run.replies)
    by_encoding = {each.encoding: each for each in query_run.replies}
    if len(by_encoding) == 1:
        shown = query_run.replies[0]
    else:
        if st.session_state.get(SHOWN) not in by_encoding:
            st.session_state.pop(SHOWN, None)
        shown = by_encoding[st.selectbox("Reply shown", list(by_encoding), key=SHOWN, format_func=TEXTS.__getitem__)]
    if shown.is_right is None:
        verdict = f"{shown.status.value}, in no score."
    else:
        words = "right" if shown.is_right else "wrong"
        if shown.status.value != "answered":
            words = f"{shown.status.value}, {words}"
        verdict = f"{words}." if shown.score is None else f"{words}, F1 {shown.score:.2f}."
    st.markdown(f"**{shell.escaped(query_run.model)}**, {TEXTS[shown.encoding]}: {verdict}")
    if shown.text:
        long_text(shown.text, TALL_PX)
    elif shown.fault:
        st.caption(shell.escaped(shown.fault))
    if shown.graph is not None:
        for line in _classes(shown.graph):
            st.caption(line)
    with st.container(horizontal=True, key=state.key(PAGE, "ask.model.links")):
        links.page_link("Open answer", "failures", {"item": shown.item_id})
        links.page_link(f"Open run {query_run.number}", "runs", {"run": query_run.run_id})
    return shown.graph


def _await_reply(viewer: Viewer, run_id: str, drawn: int) -> None:
    """Wait for another reply, then rerun the whole part; a fragment."""
    with shell.boundary():
        query_run = one_query.asked_query(viewer, run_id)
        if query_run is None or query_run.is_done or len(query_run.replies) != drawn:
            st.rerun()
        words = f"Run {query_run.number} {query_run.state.value}: {query_run.pending} pending."
        st.caption(f":material/hourglass_top: {words}")
        if query_run.reason:
            st.caption(shell.escaped(query_run.reason))
        if not query_run.has_worker:
            st.caption(f":material/power_off: {NO_WORKER}")


def _table(replies: tuple[QueryReply, ...]) -> None:
    scores = [
        each.score if each.score is not None or each.is_right is None else float(each.is_right) for each in replies
    ]
    number_table(
        {
            "Encoding": [TEXTS[each.encoding] for each in replies],
            "Score": [NONE if score is None else f"{score:.2f}" for score in scores],
            "Answer": [
                each.status.value if each.graph is None or not each.graph.said else each.graph.said for each in replies
            ],
        },
        key=state.key(PAGE, "ask.model.table"),
        words=("Encoding", "Answer"),
    )


def _classes(graph: AnsweredGraph) -> list[str]:
    named: Mapping[str, tuple[str, ...]] = {
        "matched": graph.in_order(graph.matched),
        "missed": graph.in_order(graph.missed),
        "spurious": graph.in_order(graph.spurious),
        "named, but not in the graph": graph.wrong,
    }
    return [f"{sentence_case(words)}: {shell.escaped(', '.join(names))}." for words, names in named.items() if names]
