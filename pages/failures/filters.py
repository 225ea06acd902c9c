"""Filters of the Failures screen, stored in the link."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, cast

import streamlit as st

from components import state
from components.widgets.choosing import choose_several
from core.analysis.groupings import task_words
from core.people import Viewer
from core.runs.filters import FailureFilters, ItemOrder, OutcomeFilter
from core.runs.states import ItemStatus
from pages.failures.parts import PAGE
from services.failures import failures
from services.runs import reading
from services.runs.run_settings import variant_words
from services.runs.views import FailureChoices

ONLY = {"wrong": "Wrong", "unanswered": "No answer", "right": "Right", "all": "All"}
FIRST = "wrong"
# Filters of every protocol, before the sample labels that a protocol names.
MANY = ("run", "model", "task", "variant", "status", "expected", "predicted")


@dataclass(frozen=True, slots=True)
class Opening:
    """Initial filter (a key of `ONLY`) and order of a list."""

    only: str
    order: ItemOrder


def link_by_id(viewer: Viewer) -> None:
    """Replace run numbers in the link by IDs; unknown numbers are dropped."""
    linked = state.read_params("run")
    if any(each.isdecimal() for each in linked):
        state.write_params("run", reading.ids_of(viewer, linked))


def opening(choices: FailureChoices) -> Opening:
    """Return wrong answers first; for runs without right and wrong all answers, by score if there is one."""
    runs = set(state.read_params("run")) or {run for run, _words in choices.runs}
    if not runs <= choices.unjudged:
        return Opening(FIRST, ItemOrder.RUN)
    return Opening("all", ItemOrder.LOWEST if runs & choices.graded else ItemOrder.RUN)


def filters(choices: FailureChoices, *, of_samples: bool = False) -> FailureFilters:
    """Draw the filters and return their values. `of_samples`: only filters on samples, not on answers."""
    options = _options(choices)
    names = [
        name
        for name in options
        if options[name] and not (of_samples and name in ("run", "model", "status", "predicted"))
    ]
    words = LABELS | {label.name: label.words for label in choices.labels}
    opens_on = only = opening(choices).only
    with st.container(horizontal=True, vertical_alignment="bottom", key=state.key(PAGE, "filters")):
        if not of_samples:
            only = _only(opens_on)
        chosen = (
            st.session_state.get(state.key(PAGE, "filter.run")) or state.read_params("run") or list(choices.searched)
        )
        searched = dict.fromkeys(filter(None, (choices.searched.get(run) for run in chosen)))
        search = _search("Search", "search", "; ".join(searched), 190)
        first = [name for name in MANY[:3] if name in names]
        picked: dict[str, tuple[str, ...]] = {name: _several(name, words[name], options[name], 150) for name in first}
        rest = [name for name in names if name not in first]
        count = sum(map(_is_filtered, rest if of_samples else [*rest, "reply"])) + _has_years(choices)
        with st.popover(
            f"More filters{f' ({count})' if count else ''}",
            icon=":material/filter_alt:",
            key=state.key(PAGE, "filters.more"),
        ):
            replied = "" if of_samples else _search("In replies", "reply", "reply or reasoning", "stretch")
            picked |= {name: _several(name, words[name], options[name], "stretch") for name in rest}
            years = _years(choices)
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
        labels=tuple((label.name, picked.get(label.name, ())) for label in choices.labels),
        years=years,
        only=OutcomeFilter.ANY if of_samples or only == "all" else OutcomeFilter(only),
        has_baselines=of_samples or bool(state.read_param("baselines")),
        search=search,
        replied=replied,
    )


def _is_filtered(name: str) -> bool:
    """Return whether a filter is on, before it is drawn: by its own choice, at first by the link's."""
    chosen: Sequence[str] | None = st.session_state.get(state.key(PAGE, f"filter.{name}"))
    return bool(state.read_params(name) if chosen is None else chosen)


def _has_years(choices: FailureChoices) -> bool:
    chosen = st.session_state.get(state.key(PAGE, "filter.years"))
    return bool(state.read_param("years")) if chosen is None else tuple(chosen) != choices.years


def _options(choices: FailureChoices) -> dict[str, Mapping[str, str]]:
    def plain(values: Sequence[str]) -> dict[str, str]:
        return {value: choices.label_words.get(value, value.replace("-", " ")) for value in values}

    return {
        "run": dict.fromkeys(filter(None, state.read_params("run")), "archived run") | dict(choices.runs),
        "model": {name: name for name in choices.models},
        "task": {task: task_words(task) for task in choices.tasks},
        "variant": {variant: variant_words(variant) for variant in choices.variants},
        "status": plain([status.value for status in ItemStatus]),
        "expected": plain(choices.expected),
        "predicted": plain(choices.predicted),
        **{label.name: plain(label.values) for label in choices.labels},
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
    """Draw a multiple choice; an empty selection means all."""
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


def _search(label: str, param: str, placeholder: str, width: int | Literal["stretch"]) -> str:
    key = state.key(PAGE, f"filter.{param}")
    if key not in st.session_state:
        st.session_state[key] = state.read_param(param)
    text: str = st.text_input(label, key=key, width=width, placeholder=placeholder).strip()
    state.write_param(param, text)
    return text


def _years(choices: FailureChoices) -> tuple[int, int] | None:
    if choices.years is None or choices.years[0] == choices.years[1]:
        return None
    key = state.key(PAGE, "filter.years")
    if key not in st.session_state:
        first, _, last = state.read_param("years").partition("-")
        earliest, latest = linked = choices.years
        if first.isdecimal() and last.isdecimal() and len(first) == len(last) == 4:
            linked = max(earliest, min(int(first), latest)), min(latest, max(int(last), earliest))
        st.session_state[key] = linked
    low, high = cast("tuple[int, int]", st.slider("Years", *choices.years, key=key))
    is_all = (low, high) == choices.years
    state.write_param("years", "" if is_all else f"{low}-{high}")
    return None if is_all else (low, high)


def clear() -> None:
    state.forget(state.key(PAGE, "filter."))
    for name in (*MANY, *failures.label_words(), "only", "search", "reply", "years", "page"):
        state.write_param(name, "")
