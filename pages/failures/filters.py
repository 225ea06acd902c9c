"""The filters of the Failures screen: a row of boxes, kept in the link, so that the link restores the list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, cast

import streamlit as st

from components import state
from components.widgets.choosing import choose_several
from core.people import Viewer
from core.results.groupings import task_words
from core.runs.filters import FailureFilters, Only, Order
from core.runs.states import ItemStatus
from pages.failures.parts import PAGE
from services.runs import failures, reading
from services.runs.views import FailureChoices
from services.runs.wanted import variant_words

ONLY = {"wrong": "Wrong", "unanswered": "No answer", "right": "Right", "all": "All"}
FIRST = "wrong"
MANY = ("run", "model", "task", "variant", "status", "expected", "predicted")
"""Filters that every protocol has; after them come the labels of samples that a protocol names."""


@dataclass(frozen=True, slots=True)
class Opening:
    """What a list opens on: a key of `ONLY`, and the order."""

    only: str
    order: Order


def link_by_id(viewer: Viewer) -> None:
    """Runs of the link, which may name them by number, by their ids; a number that no run has is dropped."""
    linked = state.read_params("run")
    if any(each.isdecimal() for each in linked):
        state.write_params("run", reading.ids_of(viewer, linked))


def opening(found: FailureChoices) -> Opening:
    """By the runs of the link, else all: wrong answers; of runs whose answers are never right or wrong all, by score
    where they have one."""
    runs = set(state.read_params("run")) or {run for run, _words in found.runs}
    if not runs <= found.unjudged:
        return Opening(FIRST, Order.RUN)
    return Opening("all", Order.LOWEST if runs & found.graded else Order.RUN)


def filters(found: FailureChoices, *, of_samples: bool = False) -> FailureFilters:
    """Draw them and return what is chosen. `of_samples`: only those that are true of a sample whoever answers it."""
    options = _options(found)
    names = [
        name
        for name in options
        if options[name] and not (of_samples and name in ("run", "model", "status", "predicted"))
    ]
    words = LABELS | {label.name: label.words for label in found.labels}
    opens_on = only = opening(found).only
    with st.container(horizontal=True, vertical_alignment="bottom", key=state.key(PAGE, "filters")):
        if not of_samples:
            only = _only(opens_on)
        search = _search(_searched(found))
        first = [name for name in MANY[:3] if name in names]
        picked: dict[str, tuple[str, ...]] = {name: _several(name, words[name], options[name], 150) for name in first}
        rest = [name for name in names if name not in first]
        count = sum(bool(state.read_params(name)) for name in rest) + bool(state.read_param("years"))
        with st.popover(
            f"More filters{f' ({count})' if count else ''}",
            icon=":material/filter_alt:",
            key=state.key(PAGE, "filters.more"),
        ):
            picked |= {name: _several(name, words[name], options[name], "stretch") for name in rest}
            years = _years(found)
        if count or search or only != opens_on or any(picked.values()):
            st.button("Clear filters", type="tertiary", key=state.key(PAGE, "filters.clear"), on_click=clear)
    return FailureFilters(
        runs=picked.get("run", ()),
        models=picked.get("model", ()),
        tasks=picked.get("task", ()),
        variants=picked.get("variant", ()),
        statuses=tuple(map(ItemStatus, picked.get("status", ()))),
        expected=picked.get("expected", ()),
        predicted=picked.get("predicted", ()),
        labels=tuple((label.name, picked.get(label.name, ())) for label in found.labels),
        years=years,
        only=Only.ANY if of_samples or only == "all" else Only(only),
        search=search,
    )


def _options(found: FailureChoices) -> dict[str, Mapping[str, str]]:
    """What each filter offers: the value → what is shown."""

    def plain(values: Sequence[str]) -> dict[str, str]:
        return {value: value.replace("-", " ") for value in values}

    return {
        "run": dict.fromkeys(filter(None, state.read_params("run")), "archived run") | dict(found.runs),
        "model": {name: name for name in found.models},
        "task": {task: task_words(task) for task in found.tasks},
        "variant": {variant: variant_words(variant) for variant in found.variants},
        "status": plain([status.value for status in ItemStatus]),
        "expected": plain(found.expected),
        "predicted": plain(found.predicted),
        **{label.name: plain(label.values) for label in found.labels},
    }


LABELS = {
    "run": "Runs",
    "model": "Models",
    "task": "Tasks",
    "variant": "Variants",
    "status": "Status",
    "expected": "True label",
    "predicted": "Predicted label",
}


def _several(name: str, words: str, options: Mapping[str, str], width: int | Literal["stretch"]) -> tuple[str, ...]:
    """Some of the options; none is all of them."""
    key = state.key(PAGE, f"filter.{name}")
    if key not in st.session_state:
        st.session_state[key] = [value for value in state.read_params(name) if value in options]
    else:
        st.session_state[key] = [value for value in st.session_state[key] if value in options]
    chosen = choose_several(
        words,
        list(options),
        key=key,
        format_func=lambda value: options.get(value, value),
        placeholder="All",
        width=width,
    )
    state.write_params(name, chosen)
    return tuple(chosen)


def _only(opens_on: str) -> str:
    key = state.key(PAGE, "filter.only")
    if st.session_state.get(key) not in ONLY:
        linked = state.read_param("only")
        st.session_state[key] = linked if linked in ONLY else opens_on
    only = st.segmented_control("Show", list(ONLY), format_func=ONLY.__getitem__, key=key, required=True)
    state.write_param("only", "" if only == FIRST == opens_on else str(only))
    return str(only)


def _searched(found: FailureChoices) -> str:
    """What a search of the chosen runs looks into."""
    chosen = st.session_state.get(state.key(PAGE, "filter.run")) or state.read_params("run") or list(found.searched)
    return "; ".join(dict.fromkeys(words for run in chosen if (words := found.searched.get(run))))


def _search(placeholder: str) -> str:
    key = state.key(PAGE, "filter.search")
    if key not in st.session_state:
        st.session_state[key] = state.read_param("search")
    text: str = st.text_input("Search", key=key, width=190, placeholder=placeholder).strip()
    state.write_param("search", text)
    return text


def _years(found: FailureChoices) -> tuple[int, int] | None:
    if found.years is None or found.years[0] == found.years[1]:
        return None
    key = state.key(PAGE, "filter.years")
    if key not in st.session_state:
        st.session_state[key] = _linked_years(found.years)
    low, high = cast("tuple[int, int]", st.slider("Years", *found.years, key=key))
    is_all = (low, high) == found.years
    state.write_param("years", "" if is_all else f"{low}-{high}")
    return None if is_all else (low, high)


def _linked_years(those: tuple[int, int]) -> tuple[int, int]:
    low, _, high = state.read_param("years").partition("-")
    if not (low.isdecimal() and high.isdecimal() and len(low) == len(high) == 4):
        return those
    return max(those[0], min(int(low), those[1])), min(those[1], max(int(high), those[0]))


def clear() -> None:
    """A callback: everything as at first."""
    state.forget(state.key(PAGE, "filter."))
    for name in (*MANY, *failures.label_words(), "only", "search", "years", "page"):
        state.write_param(name, "")
