"""Run form of EconCausal's tasks: how triplets become samples, and collections."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection

import streamlit as st

from components.widgets.choosing import choose_several
from core.analysis.groupings import task_words
from core.words import counted
from pages import BenchmarkPages, SourceForm
from pages.runs import form
from pages.runs.form import FORM as RUN
from services.protocols.econcausal import CollectionOption
from services.runs.settings import ProtocolOption

WAYS = {"imported": "As imported", "built": "Built from triplets"}
WAYS_HELP = (
    "As imported: every row of a task file is a sample. Built from triplets: triplets are drawn by year and "
    "domain, and comparable pairs from other papers are matched to them as examples."
)
NOTHING = (
    "No triplets yet. A run asks models about samples, and samples are made from triplets: the task files of "
    "EconCausal or your own. Import some under Import / export."
)


def _show(
    offered: Collection[CollectionOption], protocol: ProtocolOption, keep: Callable[[], None]
) -> Collection[str] | None:
    """Draw the choice of collections (see `SourceForm`); samples as imported have the tasks of their files."""
    # Without a task file, samples can only be built.
    if not any(each.task for each in offered):
        st.session_state[RUN.key("way")] = "built"
        st.caption("Samples are built from your triplets. This study has no task file.")
        is_built = True
    else:
        way = st.segmented_control(
            "Samples",
            list(WAYS),
            format_func=WAYS.__getitem__,
            key=RUN.key("way"),
            label_visibility="collapsed",
            required=True,
            on_change=keep,
            help=WAYS_HELP,
        )
        is_built = way == "built"
    chosen = _collections([each for each in offered if is_built or each.task], keep)
    return None if is_built else {each.task for each in chosen}


def _collections(usable: list[CollectionOption], keep: Callable[[], None]) -> list[CollectionOption]:
    by_id = {each.id: each for each in usable}
    # A select box identifies options by label, and titles can repeat, so labels are made unique.
    words = {each.id: _words(each) for each in usable}
    for more in ({each.id: each.file for each in usable}, {each.id: each.id[:6] for each in usable}):
        often = Counter(words.values())
        words = {key: f"{label} · {more[key]}" if often[label] > 1 else label for key, label in words.items()}
    # One file is chosen at first, so that a dry run is one click away.
    form.only("collections", list(by_id), first=list(by_id)[:1])
    chosen = choose_several(
        "Collections",
        list(by_id),
        key=RUN.key("collections"),
        on_change=_other_collections,
        args=(keep,),
        placeholder="Choose collections",
        format_func=lambda each: words.get(each, each),
    )
    return [by_id[each] for each in chosen]


def _other_collections(keep: Callable[[], None]) -> None:
    """Select all tasks of the chosen collections; a callback."""
    st.session_state[RUN.key("tasks")] = None
    keep()


def _words(collection: CollectionOption) -> str:
    task = f" · {task_words(collection.task)}" if collection.task else ""
    return f"{collection.title} · {counted(collection.triplets, 'triplet')}{task}"


TRIPLETS = SourceForm(
    show=_show,
    nothing=NOTHING,
    missing=lambda wanted: "" if wanted.source.collections else "Choose a collection.",
)
PAGES = BenchmarkPages(
    asks="Sign of a treatment's effect in a context, also after examples of other contexts.",
    needs="triplets or a task file",
    get=("Import triplets", "exchange", {}),
    forms={"triplets": TRIPLETS},
)
