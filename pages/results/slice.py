"""Pills that choose the tasks and variants of a table of results, stored in the link."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from components import state
from core.analysis.groupings import task_name
from core.analysis.slices import Slice, SliceChoices
from core.people import Viewer
from core.words import sentence_case
from pages.results.parts import PAGE
from services.results import results
from services.runs.run_settings import variant_words

REPLIES, LATEST, FIRST = "replies", "latest", "first"
ANSWERS = {LATEST: "Latest reply", FIRST: "First reply"}
"""Of items that were asked again, in links → in words."""


def choose(viewer: Viewer, runs: Sequence[str], preset: str) -> Slice:
    """Draw the pills; what is not the table's own goes into the link."""
    there = results.slices(viewer, runs, preset)
    tasks = _pills("Task", "task", preset, there.tasks, there.own.tasks)
    variants = _pills(there.variant_title, "variant", preset, there.variants, there.own.variants)
    return replace(_whole(tasks, variants, there), is_first=bool(there.asked_again) and _is_first())


def linked(viewer: Viewer, runs: Sequence[str], preset: str) -> Slice:
    """The slice that the link names, without what these runs did not ask."""
    there = results.slices(viewer, runs, preset)
    found = _whole(_known("task", there.tasks), _known("variant", there.variants), there)
    return replace(found, is_first=bool(there.asked_again) and state.read_param(REPLIES) == FIRST)


def _whole(tasks: tuple[str, ...], variants: tuple[str, ...], there: SliceChoices) -> Slice:
    """With the variants that the pills show, where other tasks could bring others with them."""
    return Slice(tasks, variants or there.own.variants if tasks else variants)


def _is_first() -> bool:
    """Draw the choice of the reply that counts for items asked again; True for the first, which could not be read."""
    key = state.key(PAGE, REPLIES)
    if st.session_state.get(key) not in ANSWERS:
        linked = state.read_param(REPLIES)
        st.session_state[key] = linked if linked in ANSWERS else LATEST
    chosen = st.pills("Items asked again", list(ANSWERS), format_func=ANSWERS.__getitem__, key=key, required=True)
    state.write_param(REPLIES, "" if chosen == LATEST else str(chosen))
    return chosen == FIRST


def forget() -> None:
    """The link's slice belongs to one table."""
    for name in ("task", "variant"):
        state.write_params(name, [])


def _pills(label: str, name: str, preset: str, there: Sequence[str], own: Sequence[str]) -> tuple[str, ...]:
    """The chosen names; nothing for the table's own, which are chosen at first and when all are taken out."""
    if not there:
        return ()
    key = state.key(PAGE, f"{name}.{preset}")
    kept = [each for each in st.session_state.get(key) or _known(name, there) if each in there]
    st.session_state[key] = kept or list(own)
    chosen = st.pills(
        label,
        there,
        key=key,
        selection_mode="multi",
        format_func=task_name if name == "task" else _variant,
    )
    found = tuple(each for each in there if each in chosen)
    given = () if found == tuple(own) else found
    state.write_params(name, given)
    return given


def _variant(name: str) -> str:
    return sentence_case(variant_words(name))


def _known(name: str, there: Sequence[str]) -> tuple[str, ...]:
    wanted = state.read_params(name)
    return tuple(each for each in there if each in wanted)
