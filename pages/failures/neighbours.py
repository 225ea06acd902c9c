"""From one answer to the next and back, through the list that the link describes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import streamlit as st

from components import state
from core.people import Viewer
from core.runs.filters import ComparedOutcome, FailureFilters, Only, Order, Side
from core.runs.states import ItemStatus
from pages.failures.filters import FIRST, ONLY
from pages.failures.parts import PAGE
from services.runs import failures
from services.runs.views import RunChoice


@dataclass(frozen=True, slots=True)
class Neighbour:
    """An answer to go to: its id, its place in the list, and what stands beside it (empty: nothing)."""

    item_id: str
    at: int
    beside: str = ""


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The neighbours in the list, if the answer stands in it; `words`: "17 of 63"; `back`: where the list is."""

    before: Neighbour | None
    after: Neighbour | None
    words: str
    back: str = "Back to list"


def around(viewer: Viewer, item_id: str) -> Neighbours:
    """The neighbours by the link's filters and place. A list that has changed since gives none where the answer is not
    found beside its place."""
    at = state.read_param("at")
    if not at.isdecimal() or len(at) > 9:
        return Neighbours(None, None, "")
    begin = max(0, int(at) - 1)
    total, window = _window(viewer, begin)
    places = {step.item_id: place for place, step in enumerate(window)}
    if item_id not in places:
        return Neighbours(None, None, "")
    place = places[item_id]
    before = window[place - 1] if place else None
    after = window[place + 1] if place + 1 < len(window) else None
    return Neighbours(before, after, f"{begin + place + 1:,} of {total:,}")


def _window(viewer: Viewer, begin: int) -> tuple[int, list[Neighbour]]:
    sides = linked_sides()
    if sides is not None:
        page = failures.compare(viewer, *sides, linked_filters(), which=linked_which(), offset=begin, limit=3)
        pairs = [(line.first.item_id, line.second.item_id) for line in page.lines]
        return page.total, [Neighbour(one, begin + place, other) for place, (one, other) in enumerate(pairs)]
    listed = failures.failures(viewer, linked_filters(), offset=begin, limit=3)
    return listed.total, [Neighbour(line.item_id, begin + place) for place, line in enumerate(listed.lines)]


def buttons(steps: Neighbours) -> None:
    """Previous, next and back, with their keys."""
    if steps.before or steps.after:
        _button("Previous", "P", steps.before)
        _button("Next", "N", steps.after)
    st.button(steps.back, key=state.key(PAGE, "step.close"), shortcut="L", on_click=close)


def _button(words: str, shortcut: str, step: Neighbour | None) -> None:
    st.button(
        words,
        key=state.key(PAGE, f"step.{words}"),
        shortcut=shortcut,
        disabled=step is None,
        type="primary" if words == "Next" else "secondary",
        on_click=partial(go, step),
    )


def go(step: Neighbour | None) -> None:
    """A callback: open the neighbour."""
    if step is not None:
        state.write_param("item", step.item_id)
        state.write_param("at", str(step.at))
        state.write_param("with", step.beside)


def close() -> None:
    """A callback: back to the list, as it was."""
    for name in ("item", "at", "with"):
        state.write_param(name, "")


# --- what the link says -----------------------------------------------------------------------------------------


def linked_filters() -> FailureFilters:
    """The link's filters; a value that nothing has finds nothing, and what is no value at all is left out."""
    only = state.read_param("only")
    only = only if only in ONLY else FIRST
    low, _, high = state.read_param("years").partition("-")
    years = (int(low), int(high)) if low.isdecimal() and high.isdecimal() and len(low) == len(high) == 4 else None
    is_compared = linked_sides() is not None
    known = {status.value for status in ItemStatus}
    return FailureFilters(
        runs=state.read_params("run"),
        models=state.read_params("model"),
        tasks=state.read_params("task"),
        variants=state.read_params("variant"),
        statuses=tuple(ItemStatus(value) for value in state.read_params("status") if value in known),
        expected=state.read_params("expected"),
        predicted=state.read_params("predicted"),
        labels=tuple((name, state.read_params(name)) for name in failures.label_words()),
        years=years,
        only=Only.ANY if is_compared or only == "all" else Only(only),
        search=state.read_param("search"),
        order=linked_order(),
    )


def linked_order() -> Order:
    asked = state.read_param("order")
    return Order(asked) if asked in {each.value for each in Order} else Order.RUN


def linked_sides() -> tuple[Side, Side] | None:
    """The two sides of a link to a comparison."""
    if state.read_param("show") != "compare":
        return None
    sides = [side_of(state.read_param(name)) for name in ("a", "b")]
    return (sides[0], sides[1]) if sides[0] is not None and sides[1] is not None else None


def side_of(text: str) -> Side | None:
    """ "RUN:MODEL", or "RUN@2:MODEL" for the second time it was asked, as a side."""
    place, _, model = text.partition(":")
    run_id, again, time = place.partition("@")
    if not run_id or not model or (again and not (time.isdecimal() and 1 <= len(time) <= 3 and int(time))):
        return None
    return Side(run_id, model, int(time) - 1 if again else 0)


def side_words(run: RunChoice) -> dict[str, str]:
    """Every side that a run offers, as `side_of` reads it, and in words: each model as often as it was asked."""
    words = {}
    for name in (*run.models, *run.baselines):
        words[f"{run.id}:{name}"] = f"{name} · run {run.number}"
        for time in range(2, run.repeats + 1) if name in run.models else ():
            words[f"{run.id}@{time}:{name}"] = f"{name} · run {run.number}, repeat {time}"
    return words


def linked_which() -> ComparedOutcome:
    asked = state.read_param("which")
    return ComparedOutcome(asked) if asked in {each.value for each in ComparedOutcome} else ComparedOutcome.ANY
