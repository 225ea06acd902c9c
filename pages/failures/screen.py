"""Failures: samples of all runs, two models side by side, and one answer in full."""

from __future__ import annotations

import zlib
from dataclasses import replace

import streamlit as st

from components import links, shell, state
from components.widgets.choosing import choose_line, choose_part, chosen_id
from components.widgets.data_page import how_computed
from core.people import Permission, Viewer
from core.runs.filters import ItemOrder, OutcomeFilter
from core.runs.states import ItemStatus
from core.words import counted
from pages.failures import coding, compare, filters, item, neighbours, paging, samples, views
from pages.failures.parts import LISTED, PAGE, PER_PAGE, TALLEST, columns_of, table_of
from services.failures import failures
from services.runs.views import FailureChoices

ORDERS = {
    ItemOrder.RUN: "Newest run first",
    ItemOrder.HARDEST: "Fewest correct answers first",
    ItemOrder.LOWEST: "Lowest score first",
}
HOW = """\
- **Items** are the answers of models and baselines, one each sample, repeat and run, that the filters let through.
- **Fewest correct answers first** orders by the share of correct answers to each sample, over all models and baselines
  of its run, smallest first.
- **Lowest score first** orders by the score that the protocol gives an answer; without one, an item comes last.
"""
BASELINES = "Answers of baselines: coins, constant answers and others that need no model. Models filters them by name."
WITHHELD = " Items about the sheet of verdicts that you are labelling are left out until you have compared all of it."
ARE = {
    OutcomeFilter.ANY: ("matches", "match"),
    OutcomeFilter.WRONG: ("is wrong", "are wrong"),
    OutcomeFilter.RIGHT: ("is right", "are right"),
    OutcomeFilter.UNANSWERED: ("has no answer", "have no answer"),
}
"""The sentence above the list, of one item and of several."""
LINKED = "linked.failures"
"""Key of whether the link of the page had any parameter when it was last drawn."""
PARTS = {"list": "List", "compare": "Side by side", "samples": "Samples", "codes": "Codes"}


def show(viewer: Viewer) -> None:
    """Draw the list, the comparison (show=compare), the samples (show=samples), the codes (show=codes), or one answer
    (item=…) with steps through its list. Without a parameter in the link, as from the menu, nothing of an earlier list
    is left."""
    if st.session_state.get(LINKED) and not st.query_params:  # opened by the menu, not by a choice on the page
        state.forget(f"{PAGE}.")
    try:
        _show(viewer)
    finally:
        st.session_state[LINKED] = bool(st.query_params)


def _show(viewer: Viewer) -> None:
    filters.link_by_id(viewer)
    _open_chosen()
    coding.open_claim(viewer)
    opened = state.read_param("item")
    if opened:
        item.show(viewer, opened, neighbours.around(viewer, opened))
        return
    choices = failures.choices(viewer)
    top = shell.top_row("Failures")
    if not choices.runs:
        st.caption(
            "No run yet. This list shows every sample of every run with the true answer, the model's answer and the "
            "full exchange."
        )
        if viewer.may(Permission.RUN):
            links.page_button("New run", "runs", {"show": "new"}, key=state.key(PAGE, "new"), is_primary=True)
        return
    with top:
        part = choose_part(PAGE, PARTS)
        views.show(viewer)
    if part == "compare":
        compare.show(viewer, choices)
    elif part == "samples":
        samples.show(viewer, top)
    elif part == "codes":
        coding.show(viewer)
    else:
        _list(viewer, choices)


def _list(viewer: Viewer, choices: FailureChoices) -> None:
    is_chosen = bool(state.read_param("only") or state.read_param("order"))
    order = neighbours.linked_order() if is_chosen else filters.opening(choices).order
    criteria = filters.filters(choices)
    with st.container(horizontal=True, vertical_alignment="center", key=state.key(PAGE, "summed")):
        summed = st.container(width="stretch")
        of_baselines = st.container(width="content")
        criteria = replace(criteria, order=_order(order))
    key = state.key(PAGE, f"page.{zlib.crc32(repr(criteria).encode())}")
    number = paging.number(key)
    page = failures.failures(viewer, criteria, offset=(number - 1) * PER_PAGE, limit=PER_PAGE)
    with of_baselines:
        _baselines(page.baselines)
    are = "is" if page.unwritten == 1 else "are"
    pending = f" {counted(page.unwritten, 'more item')} of these runs {are} pending and not listed yet."
    later = f"{pending if page.unwritten else ''}{WITHHELD if page.withholds else ''}"
    if not page.total:
        summary = f"No item matches. Clear the filters, or choose All.{later}"
    else:
        counts = ", ".join(f"{number:,} {status.value}" for status, number in page.by_status.items() if number)
        is_plain = page.by_status.get(ItemStatus.ANSWERED, 0) == page.total
        verb = ARE[criteria.only][page.total != 1]
        summary = f"**{counted(page.total, 'item')}** {verb}{'' if is_plain else f': {counts}'}.{later}"
    summed.markdown(summary)
    if page.lines:
        name, ids = state.key(PAGE, f"list.{number}"), [line.item_id for line in page.lines]
        st.session_state[LISTED] = name, ids, (number - 1) * PER_PAGE
        choose_line(
            ids,
            table_of(page.lines, page.right_of),
            name=name,
            columns=columns_of(page.lines),
            tallest=TALLEST,
            verb="Open",
        )
    paging.buttons(key, page.total, number)
    is_whole = page.total == len(page.lines)
    of_lines = {line.run_id for line in page.lines} if is_whole else {run for run, _words in choices.runs}
    runs = set(criteria.runs) or of_lines
    if page.total:
        coding.draw_filtered(viewer, criteria, runs.pop() if len(runs) == 1 else "")
    how_computed(HOW, key=PAGE)


def _open_chosen() -> None:
    """Open the answer chosen in the list that was drawn last. Before the list is drawn, so that the click costs one
    drawing of the page, not two; the choice is cleared, so that it does not open it again."""
    name, ids, first = st.session_state.get(LISTED, (LISTED, [], 0))
    chosen = chosen_id(name, "")
    if chosen and chosen in ids:
        del st.session_state[name], st.session_state[LISTED]
        state.write_param("item", chosen)
        state.write_param("at", str(first + ids.index(chosen)))


def _baselines(hidden: int) -> None:
    """Draw the switch of the baselines' items if there are any, with the number that is hidden."""
    key = state.key(PAGE, "baselines")
    is_on = bool(state.read_param("baselines"))
    if not hidden and not is_on:
        return
    st.session_state[key] = is_on
    words = "Baselines shown" if is_on else f"Baselines ({hidden:,} hidden)"
    st.toggle(words, key=key, on_change=lambda: state.write_param("baselines", "" if is_on else "1"), help=BASELINES)


def _order(opens_in: ItemOrder) -> ItemOrder:
    key = state.key(PAGE, "order")
    if st.session_state.get(key) not in ORDERS:
        st.session_state[key] = opens_in
    order = st.selectbox(
        "Order",
        list(ORDERS),
        format_func=ORDERS.__getitem__,
        key=key,
        width=300,
        label_visibility="collapsed",
    )
    state.write_param("order", order.value)
    return order
