"""Choices of what a table of results is about, stored in the link: tasks, variants, a fact, failures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from components import state
from core.analysis.groupings import task_name
from core.analysis.slices import QUARTILES, Failures, Slice, SliceChoices
from core.people import Viewer
from core.words import sentence_case
from pages.results.parts import PAGE, linked_choice
from services.results import results
from services.results.results import PresetView
from services.runs.run_settings import variant_words

REPLIES, LATEST, FIRST = "replies", "latest", "first"
ANSWERS = {LATEST: "Latest reply", FIRST: "First reply"}
"""Of items that were asked again, in links → in words."""
SAMPLES, ALL, SAME = "samples", "all", "same"
SETS = {ALL: "All", SAME: "Same for all models"}
"""Where models have answers for different samples, in links → in words."""
FLAGGED, COUNTED, LEFT_OUT = "flagged", "counted", "out"
FLAGS = {COUNTED: "Counted", LEFT_OUT: "Left out"}
"""Where people flagged samples as bad, in links → in words."""
BY, CUT, FAILURES = "by", "cut", "failures"
RULES = {Failures.ZERO.value: "Count as 0", Failures.LEFT_OUT.value: "Left out"}
CUTS = {"": "Each value", QUARTILES: "Quartiles"}


def choose(viewer: Viewer, runs: Sequence[str], view: PresetView) -> Slice:
    """Draw the choices; what is not the table's own goes into the link."""
    preset = view.key
    choices = results.slices(viewer, runs, preset)
    tasks = _pills("Task", "task", preset, choices.tasks, choices.own.tasks)
    variants = _pills(choices.variant_title, "variant", preset, choices.variants, choices.own.variants)
    is_first = bool(choices.asked_again) and linked_choice("Items asked again", REPLIES, ANSWERS, LATEST) == FIRST
    by = _by(results.facts(viewer, runs)) if view.can_slice else ""
    failures = _failures(view.failures)
    is_same = choices.is_uneven and linked_choice("Samples", SAMPLES, SETS, ALL) == SAME
    is_unflagged = choices.has_flagged and linked_choice("Flagged samples", FLAGGED, FLAGS, COUNTED) == LEFT_OUT
    return replace(
        _whole(tasks, variants, choices),
        is_first=is_first,
        by=by,
        failures=failures,
        is_same=is_same,
        is_unflagged=is_unflagged,
    )


def linked(viewer: Viewer, runs: Sequence[str], view: PresetView) -> Slice:
    """The slice that the link names, without what these runs did not ask."""
    choices = results.slices(viewer, runs, view.key)
    named = _whole(_known("task", choices.tasks), _known("variant", choices.variants), choices)
    is_first = bool(choices.asked_again) and state.read_param(REPLIES) == FIRST
    by = state.read_param(BY) if view.can_slice else ""
    by = by if by in results.facts(viewer, runs) else ""
    rule = state.read_param(FAILURES)
    return replace(
        named,
        is_first=is_first,
        by=_spec(by, state.read_param(CUT)) if by else "",
        failures=Failures(rule) if rule in RULES else None,
        is_same=choices.is_uneven and state.read_param(SAMPLES) == SAME,
        is_unflagged=choices.has_flagged and state.read_param(FLAGGED) == LEFT_OUT,
    )


def _by(columns: Sequence[str]) -> str:
    """Draw the choice of a fact for the columns, and of its groups."""
    key = state.key(PAGE, BY)
    if st.session_state.get(key) not in ("", *columns):
        linked = state.read_param(BY)
        st.session_state[key] = linked if linked in columns else ""
    column = st.selectbox("Slice by", ["", *columns], key=key, format_func=_fact, width=200)
    state.write_param(BY, column)
    if not column:
        state.write_param(CUT, "")
        return ""
    return _spec(column, linked_choice("Groups", CUT, CUTS, ""))


def _spec(column: str, cut: str) -> str:
    return f"{column}:{cut}" if cut in CUTS and cut else column


def _fact(column: str) -> str:
    return sentence_case(column.partition(".")[2].replace("_", " ")) if column else "Nothing"


def _failures(own: Failures) -> Failures | None:
    """Draw the rule for refused, truncated and failed answers; None for the protocol's own."""
    rule = Failures(linked_choice("Refused, truncated, failed", FAILURES, RULES, own.value, of=own.value))
    return None if rule is own else rule


def _whole(tasks: tuple[str, ...], variants: tuple[str, ...], choices: SliceChoices) -> Slice:
    """With the variants that the pills show, where other tasks could bring others with them."""
    return Slice(tasks, variants or choices.own.variants if tasks else variants)


def forget() -> None:
    """The link's slice belongs to one table."""
    for name in ("task", "variant"):
        state.write_params(name, [])


def _pills(label: str, name: str, preset: str, choices: Sequence[str], own: Sequence[str]) -> tuple[str, ...]:
    """The chosen names; nothing for the table's own, which are chosen at first and when all are taken out, and where
    there is no choice."""
    if len(choices) < 2:
        return ()
    key = state.key(PAGE, f"{name}.{preset}")
    kept = [each for each in st.session_state.get(key) or _known(name, choices) if each in choices]
    st.session_state[key] = kept or list(own)
    chosen = st.pills(
        label,
        choices,
        key=key,
        selection_mode="multi",
        format_func=task_name if name == "task" else _variant,
    )
    found = tuple(each for each in choices if each in chosen)
    parameter = () if found == tuple(own) else found
    state.write_params(name, parameter)
    return parameter


def _variant(name: str) -> str:
    return sentence_case(variant_words(name))


def _known(name: str, choices: Sequence[str]) -> tuple[str, ...]:
    wanted = state.read_params(name)
    return tuple(each for each in choices if each in wanted)
