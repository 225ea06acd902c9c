"""Navigation between answers through the list that the link describes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from components import state
from core.people import Viewer
from core.runs.filters import ComparedOutcome, FailureFilters, ItemOrder, OutcomeFilter, Side
from core.runs.states import ItemStatus
from pages.failures.filters import FIRST, ONLY
from pages.failures.parts import PAGE, sign_of
from pages.failures.samples import linked as linked_samples
from services.failures import coding, failures
from services.results import samples
from services.runs.views import RunChoice


@dataclass(frozen=True, slots=True)
class Neighbour:
    """Answer in the list: item ID, index, and the ID of the answer compared with it, or empty."""

    item_id: str
    at: int
    beside: str = ""


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Previous and next answer; `words` is, for example, "17 of 63"; `back` is the button to the list."""

    before: Neighbour | None
    after: Neighbour | None
    words: str
    back: str = "Back to list"


def around(viewer: Viewer, item_id: str) -> Neighbours:
    """Return the neighbours under the link's filters; none if the list changed and the answer is not at its index."""
    at = state.read_param("at")
    if not at.isdecimal() or len(at) > 9:
        return Neighbours(None, None, "")
    begin = max(0, int(at) - 1)
    doubts = dict[str, Mapping[str, Any]]()
    sides = linked_sides()
    if state.read_param("show") == "codes":
        return _coding(viewer, item_id, begin)
    if state.read_param("show") == "samples":
        of_runs = samples.samples(viewer, state.read_params("run"), linked_samples(), offset=begin, limit=3)
        first = [line.first.item_id for line in of_runs.lines]
        doubts = {line.first.item_id: line.values for line in of_runs.lines if line.values["is_doubtful"]}
        total, window = of_runs.total, [Neighbour(one, begin + place) for place, one in enumerate(first)]
    elif sides is not None:
        page = failures.compare(viewer, *sides, linked_filters(), which=linked_which(), offset=begin, limit=3)
        pairs = [(line.first.item_id, line.second.item_id) for line in page.lines]
        total, window = page.total, [Neighbour(one, begin + place, other) for place, (one, other) in enumerate(pairs)]
    else:
        listed = failures.failures(viewer, linked_filters(), offset=begin, limit=3)
        total, window = (
            listed.total,
            [Neighbour(line.item_id, begin + place) for place, line in enumerate(listed.lines)],
        )
    doubt = doubts.get(item_id)
    note = (
        ""
        if doubt is None
        else (
            f" · the label is likely an error: “{sign_of(doubt['other'])}” instead of “{sign_of(doubt['true'])}”, "
            f"{doubt['doubt']:.0%}"
        )
    )
    return between(window, item_id, total, note=note)


def _coding(viewer: Viewer, item_id: str, begin: int) -> Neighbours:
    """Return the neighbours in the viewer's list of failures to code, or without one among the answers to settle."""
    if claim := state.read_param("claim"):
        own = coding.own_list(viewer, claim)
        ids: tuple[str, ...] = own.items
        note = f" · {len(own.coded):,} coded"
    else:
        ids, note = tuple(each.line.item_id for each in coding.differences(viewer)), ""
    window = [Neighbour(one, begin + place) for place, one in enumerate(ids[begin : begin + 3])]
    return between(window, item_id, len(ids), back="Back to codes", note=note)


def between(
    window: Sequence[Neighbour], item_id: str, total: int, *, back: str = "Back to list", note: str = ""
) -> Neighbours:
    """Return the neighbours of an answer within a part of a list of `total` answers; none if it is not in the part."""
    place = next((place for place, step in enumerate(window) if step.item_id == item_id), None)
    if place is None:
        return Neighbours(None, None, "", back)
    before = window[place - 1] if place else None
    after = window[place + 1] if place + 1 < len(window) else None
    return Neighbours(before, after, f"{window[place].at + 1:,} of {total:,}{note}", back)


def buttons(steps: Neighbours) -> None:
    if steps.before or steps.after:
        _button("Previous", "P", steps.before)
        _button("Next", None if state.read_param("claim") else "N", steps.after)  # coding: N rejects a proposed code
    st.button(steps.back, key=state.key(PAGE, "step.close"), shortcut="L", on_click=close)


def _button(words: str, shortcut: str | None, step: Neighbour | None) -> None:
    st.button(
        words,
        key=state.key(PAGE, f"step.{words}"),
        shortcut=shortcut,
        disabled=step is None,
        type="primary" if words == "Next" and not state.read_param("claim") else "secondary",  # coding: Enter's is
        on_click=partial(go, step),
    )


def go(step: Neighbour | None) -> None:
    if step is not None:
        state.write_param("item", step.item_id)
        state.write_param("at", str(step.at))
        state.write_param("with", step.beside)


def close() -> None:
    for name in ("item", "at", "with", "claim"):
        state.write_param(name, "")


# --- what the link says -----------------------------------------------------------------------------------------


def linked_filters() -> FailureFilters:
    """Return the link's filters; unknown values match nothing, invalid ones are ignored."""
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
        only=OutcomeFilter.ANY if is_compared or only == "all" else OutcomeFilter(only),
        has_baselines=is_compared or bool(state.read_param("baselines")),
        search=state.read_param("search"),
        replied="" if is_compared else state.read_param("reply"),
        order=linked_order(),
    )


def linked_order() -> ItemOrder:
    value = state.read_param("order")
    return ItemOrder(value) if value in {each.value for each in ItemOrder} else ItemOrder.RUN


def linked_sides() -> tuple[Side, Side] | None:
    if state.read_param("show") != "compare":
        return None
    sides = [side_of(state.read_param(name)) for name in ("a", "b")]
    return (sides[0], sides[1]) if sides[0] is not None and sides[1] is not None else None


def side_of(text: str) -> Side | None:
    """Parse a side: "RUN:MODEL", or "RUN@2:MODEL" for its second repeat."""
    place, _, model = text.partition(":")
    run_id, again, time = place.partition("@")
    if not run_id or not model or (again and not (time.isdecimal() and 1 <= len(time) <= 3 and int(time))):
        return None
    return Side(run_id, model, int(time) - 1 if again else 0)


def side_text(run_id: str, model: str, repeat: int = 0) -> str:
    """Format a side as `side_of` parses it."""
    return f"{run_id}{f'@{repeat + 1}' if repeat else ''}:{model}"


def side_words(run: RunChoice) -> dict[str, str]:
    """Return the sides of a run as `side_of` parses them, with labels; one per model and repeat."""
    words = {}
    for name in (*run.models, *run.baselines):
        words[side_text(run.id, name)] = f"{name} · run {run.number}"
        for time in range(2, run.repeats + 1) if name in run.models else ():
            words[side_text(run.id, name, time - 1)] = f"{name} · run {run.number}, repeat {time}"
    return words


def linked_which() -> ComparedOutcome:
    value = state.read_param("which")
    return ComparedOutcome(value) if value in {each.value for each in ComparedOutcome} else ComparedOutcome.ANY
