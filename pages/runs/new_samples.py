"""The first part of the form of a new run: which samples, of which tasks, in which variants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import streamlit as st

from components import shell
from components.widgets.choosing import choose_several
from core.words import counted
from pages.runs import form, options
from pages.runs.form import FORM
from pages.runs.parts import task_words, variant_words
from services.runs.settings import CollectionOption, ProtocolOption, RunOptions

WAYS = {"imported": "As imported", "built": "Built from triplets"}
WAYS_HELP = (
    "As imported: every row of a task file is a sample. Built from triplets: triplets are drawn by year and "
    "domain, and comparable pairs from other papers are matched to them as examples."
)


def show(found: RunOptions, keep: Callable[[], None]) -> None:
    st.markdown("**Samples**")
    protocol = _protocol(found, keep)
    is_built = _way(found, keep)
    collections = _collections(found, keep, is_built=is_built)
    _tasks(protocol, collections, keep, is_built=is_built)
    left, right = st.columns(2)
    with left:
        st.number_input(
            "Maximum samples per task and variant",
            1,
            1_000_000,
            None,
            key=FORM.key("most_samples"),
            on_change=keep,
            placeholder="all",
            help="A small random draw is enough to try a model.",
        )
    with right:
        st.number_input(
            "Random seed",
            0,
            2**31 - 1,
            key=FORM.key("seed"),
            on_change=keep,
            help="The same seed always draws the same samples.",
        )
    applies = {each.name for each in form.options()}
    options.show([each for each in protocol.options if each.name in applies], keep)


def _protocol(found: RunOptions, keep: Callable[[], None]) -> ProtocolOption:
    names = [each.name for each in found.protocols]
    if st.session_state.get(FORM.key("protocol")) not in names:
        st.session_state[FORM.key("protocol")] = names[0]
    if len(names) > 1:
        titles = {each.name: f"{each.title} {each.version}" for each in found.protocols}
        st.selectbox("Protocol", names, key=FORM.key("protocol"), format_func=titles.__getitem__, on_change=keep)
    chosen = next(each for each in found.protocols if each.name == st.session_state[FORM.key("protocol")])
    if len(names) == 1:
        st.caption(shell.escaped(f"Protocol: {chosen.title} ({chosen.version})"))
    return chosen


def _way(found: RunOptions, keep: Callable[[], None]) -> bool:
    """Whether samples are built; where no file is a task file there is no other way."""
    if not any(each.task for each in found.collections):
        st.session_state[FORM.key("way")] = "built"
        st.caption("Samples are built from your triplets. This study has no task file.")
        return True
    way = st.segmented_control(
        "Samples",
        list(WAYS),
        format_func=WAYS.__getitem__,
        key=FORM.key("way"),
        label_visibility="collapsed",
        required=True,
        on_change=keep,
        help=WAYS_HELP,
    )
    return way == "built"


def _collections(found: RunOptions, keep: Callable[[], None], *, is_built: bool) -> list[CollectionOption]:
    usable = [each for each in found.collections if is_built or each.task]
    by_id = {each.id: each for each in usable}
    words = _told_apart(usable)
    # At first one file is offered, so that a dry run is one press away.
    form.only("collections", list(by_id), first=list(by_id)[:1])
    chosen = choose_several(
        "Collections",
        list(by_id),
        key=FORM.key("collections"),
        on_change=_other_collections,
        args=(keep,),
        placeholder="Choose collections",
        format_func=lambda each: words.get(each, each),
    )
    return [by_id[each] for each in chosen]


def _other_collections(keep: Callable[[], None]) -> None:
    """A callback: all tasks of the collections that are chosen now, for that is what they are chosen for."""
    st.session_state[FORM.key("tasks")] = None
    keep()


def _told_apart(usable: list[CollectionOption]) -> dict[str, str]:
    """Id → words that no other has: a box knows its options by their words alone, and a file may have come in two
    forms, or twice under one name."""
    words = {each.id: _words(each) for each in usable}
    for more in ({each.id: each.file for each in usable}, {each.id: each.id[:6] for each in usable}):
        often = Counter(words.values())
        words = {key: f"{said} · {more[key]}" if often[said] > 1 else said for key, said in words.items()}
    return words


def _words(each: CollectionOption) -> str:
    return f"{each.title} · {counted(each.triplets, 'triplet')}{f' · {task_words(each.task)}' if each.task else ''}"


def _tasks(
    protocol: ProtocolOption, collections: list[CollectionOption], keep: Callable[[], None], *, is_built: bool
) -> None:
    inside = {each.task for each in collections}
    tasks = [each for each in protocol.tasks if is_built or each.name in inside]
    titles = {each.name: each.title for each in tasks}
    form.only("tasks", list(titles), first=list(titles))
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
    firsts = list(dict.fromkeys(each.variants[0] for each in tasks if each.name in chosen and each.variants))
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
            format_func=variant_words,
            help="Each chosen variant applies to every task that has it.",
        )
