"""Form of a new run: samples, tasks and variants."""

from __future__ import annotations

from collections.abc import Callable, Collection

import streamlit as st

from components import shell
from core.words import sentence_case
from pages import SourceForm, get_pages
from pages.runs import form, options
from pages.runs.form import FORM
from services.runs.run_settings import variant_words
from services.runs.settings import ProtocolOption, RunOptions, TaskOption


def show(run_options: RunOptions, keep: Callable[[], None]) -> None:
    st.markdown("**Samples**")
    protocol = _protocol(run_options, keep)
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


def form_of(protocol: ProtocolOption, source: str) -> SourceForm:
    """Return the form of a source; the default draws the source's options and is never empty."""
    return get_pages(protocol.name).forms.get(source) or SourceForm(is_empty=lambda offered: False)


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


def _protocol(run_options: RunOptions, keep: Callable[[], None]) -> ProtocolOption:
    names = [each.name for each in run_options.protocols]
    if st.session_state.get(FORM.key("protocol")) not in names:
        filled = (
            each.name
            for each in run_options.protocols
            if not any(form_of(each, name).is_empty(run_options.offers.get(name)) for name in each.sources)
        )
        st.session_state[FORM.key("protocol")] = next(filled, run_options.protocols[0].name)
    if len(names) > 1:
        titles = {each.name: f"{each.title} {each.version}" for each in run_options.protocols}
        st.selectbox(
            "Protocol",
            names,
            key=FORM.key("protocol"),
            format_func=titles.__getitem__,
            on_change=_other_protocol,
            args=(keep,),
        )
    chosen = next(each for each in run_options.protocols if each.name == st.session_state[FORM.key("protocol")])
    if len(names) == 1:
        st.caption(shell.escaped(f"Protocol: {chosen.title} ({chosen.version})"))
    return chosen


def _other_protocol(keep: Callable[[], None]) -> None:
    for field in ("collections", "way", "tasks", "variants", "baselines", "baselines_off", "baselines_on"):
        st.session_state[FORM.key(field)] = FORM.fields[field]
    keep()


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
