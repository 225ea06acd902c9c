"""Form of a new run: samples, tasks and variants."""

from __future__ import annotations

from collections.abc import Callable, Collection

import streamlit as st

from core.words import sentence_case
from pages.runs import form, options
from pages.runs.form import FORM
from pages.runs.protocol_cards import form_of
from services.runs.run_settings import variant_words
from services.runs.settings import ProtocolOption, RunOptions, TaskOption


def show(run_options: RunOptions, protocol: ProtocolOption, keep: Callable[[], None]) -> None:
    st.markdown("**Samples**")
    askable = [_source(name, run_options, protocol, keep) for name in protocol.sources]
    _tasks([task for task in protocol.tasks if all(names is None or task.name in names for names in askable)], keep)
    left, right = st.columns(2)
    if not any(each.in_place_of == "most_samples" for each in protocol.options):
        left.number_input(
            "Maximum samples per task and variant",
            1,
            1_000_000,
            None,
            key=FORM.key("most_samples"),
            on_change=keep,
            placeholder="All",
            help="A small random draw is enough to try a model.",
        )
        left = right
    with left:
        st.number_input(
            "Random seed",
            0,
            2**31 - 1,
            key=FORM.key("seed"),
            on_change=keep,
            help="The same seed always draws the same samples.",
        )
    applies = {each.name for each in form.options()}
    options.show([each for each in protocol.options if each.name in applies and not each.source], keep)


def _source(
    name: str, run_options: RunOptions, protocol: ProtocolOption, keep: Callable[[], None]
) -> Collection[str] | None:
    """Draw a source and return the tasks that it supports, None for all."""
    form, offered = form_of(protocol, name), run_options.offers.get(name)
    if form.show is None:
        options.show(protocol.options_of(name), keep)
        return None
    if form.nothing and form.is_empty(offered):
        st.caption(form.nothing)
        return None
    return form.show(offered, protocol, keep)


def _tasks(tasks: list[TaskOption], keep: Callable[[], None]) -> None:
    titles = {each.name: each.title for each in tasks}
    form.only("tasks", list(titles), first=[each.name for each in tasks if each.is_usual])
    if not st.session_state[FORM.key("tasks")] and len(titles) == 1:
        st.session_state[FORM.key("tasks")] = list(titles)
    chosen = st.pills(
        "Tasks",
        list(titles),
        selection_mode="multi",
        key=FORM.key("tasks"),
        on_change=keep,
        format_func=lambda each: titles.get(each, each),
    )
    variants = list(dict.fromkeys(variant for each in tasks if each.name in chosen for variant in each.variants))
    firsts = list(dict.fromkeys(variant for each in tasks if each.name in chosen for variant in each.usual))
    form.only("variants", variants, first=firsts)
    if not st.session_state[FORM.key("variants")]:
        st.session_state[FORM.key("variants")] = firsts
    if len(variants) > 1:
        st.pills(
            "Variants",
            variants,
            selection_mode="multi",
            key=FORM.key("variants"),
            on_change=keep,
            format_func=lambda variant: sentence_case(variant_words(variant)),
            help="Each chosen variant applies to every task that has it.",
        )
