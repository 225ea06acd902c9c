"""Comparison of two models, runs or repeats over shared samples: right against wrong, or by score."""

from __future__ import annotations

import zlib

import streamlit as st

from components import links, shell, state
from components.widgets.choosing import choose_line
from components.widgets.data_page import data_page
from core.people import Permission, Viewer
from core.runs.filters import ComparedOutcome, Side
from core.words import counted
from pages.failures import filters, paging
from pages.failures.neighbours import side_of, side_words
from pages.failures.parts import (
    LARGE,
    PAGE,
    PER_PAGE,
    TALLEST,
    labels_of,
    predicted,
    score_head,
    score_of,
    task_text,
    truth_of,
)
from services.failures import failures
from services.runs import reading
from services.runs.views import ComparedPage, FailureChoices

HOW = """\
- **Shared samples** have the same task and variant and come from the same row. Filters above are on samples.
- **Right** and **wrong** are the protocol's; a score is compared where the protocol gives no right and wrong.
- **Not scored** are samples without an answer of A, B or both, such as refused or truncated ones.
"""


def show(viewer: Viewer, choices: FailureChoices) -> None:
    sides = _sides(viewer)
    if sides is None:
        st.caption("A comparison needs two models, runs or repeats; there is one so far.")
        if viewer.may(Permission.RUN):
            links.page_button("New run", "runs", {"show": "new"}, key=state.key(PAGE, "compare.new"))
        return
    first, second = sides
    if first == second:
        st.caption("Both sides are the same. Choose another model, run or repeat.")
        return
    criteria = filters.filters(choices, of_samples=True)
    counts = failures.compare(viewer, first, second, criteria, limit=0)
    if not counts.shared:
        st.caption(
            "A and B share no sample. Two runs share a sample if it has the same task and variant and comes from the "
            "same row."
        )
        return
    with data_page(_sentence(counts, first, second), HOW, key=state.key(PAGE, "compare"), notes=_outside(counts)):
        _counts(counts)
        which = _which(counts)
        key = state.key(PAGE, f"page.{zlib.crc32(repr((criteria, sides, which)).encode())}")
        number = paging.number(key)
        offset = (number - 1) * PER_PAGE
        page = failures.compare(viewer, first, second, criteria, which=which, offset=offset, limit=PER_PAGE)
        if not page.lines:
            st.caption("No shared sample of this kind. Choose another kind above.")
        else:
            _lines(page, number)
        paging.buttons(key, page.total, number)


def _sides(viewer: Viewer) -> tuple[Side, Side] | None:
    offered = {run: side_words(run) for run in reading.choices(viewer)}
    words = {side: text for sides in offered.values() for side, text in sides.items()}
    if len(words) < 2:
        return None
    listed = list(words)
    pairs = (list(sides) for run, sides in offered.items() if len(sides) > 1 and failures.opens_compared(run))
    opens_on = next(pairs, listed)
    chosen = []
    with st.container(horizontal=True, vertical_alignment="bottom", key=state.key(PAGE, "sides")):
        for place, (name, label) in enumerate((("a", "A"), ("b", "B"))):
            key = state.key(PAGE, f"side.{name}")
            if st.session_state.get(key) not in words:
                linked = state.read_param(name)
                st.session_state[key] = linked if linked in words else opens_on[place]
            chosen_side = st.selectbox(label, listed, key=key, format_func=words.__getitem__, width=360)
            state.write_param(name, chosen_side)
            chosen.append(side_of(chosen_side))
        st.button("Swap sides", icon=":material/swap_horiz:", key=state.key(PAGE, "swap"), on_click=_swap)
    first, second = chosen
    return (first, second) if first is not None and second is not None else None


def _swap() -> None:
    a, b = state.key(PAGE, "side.a"), state.key(PAGE, "side.b")
    st.session_state[a], st.session_state[b] = st.session_state[b], st.session_state[a]


def _sentence(counts: ComparedPage, first: Side, second: Side) -> str:
    """Return the number of shared samples on which only one side is right, or scores higher, with both names."""
    cells, shared = counts.cells, counted(counts.shared, "shared sample")
    a, b = f"A ({shell.escaped(first.model)})", f"B ({shell.escaped(second.model)})"
    if _has_scores(counts) and not any(cells.values()):
        return f"Of {shared}, {a} scores higher on **{counts.higher_first:,}** and {b} on **{counts.higher_second:,}**."
    return f"Of {shared}, only {a} is right on **{cells[True, False]:,}** and only {b} on **{cells[False, True]:,}**."


def _counts(counts: ComparedPage) -> None:
    cells = counts.cells
    shared = counted(counts.shared, "shared sample")
    if any(cells.values()):
        st.markdown(
            f"| {shared} | B right | B wrong |\n| --- | ---: | ---: |\n"
            f"| **A right** | {cells[True, True]:,} | {cells[True, False]:,} |\n"
            f"| **A wrong** | {cells[False, True]:,} | {cells[False, False]:,} |"
        )
    if _has_scores(counts):
        st.markdown(
            f"| {shared} | A higher | Equal | B higher |\n| --- | ---: | ---: | ---: |\n"
            f"| **Score** | {counts.higher_first:,} | {counts.equal:,} | {counts.higher_second:,} |"
        )


def _outside(counts: ComparedPage) -> str:
    """List the samples that are in no cell."""
    shared = counted(counts.shared, "shared sample")
    outside = [
        f"{number:,} {words}"
        for number, words in (
            (counts.unanswered, f"of {shared} not scored for A, B or both"),
            (counts.only_first, "only in A's run"),
            (counts.only_second, "only in B's run"),
        )
        if number
    ]
    return "; ".join(outside)


def _has_scores(counts: ComparedPage) -> bool:
    return bool(counts.higher_first or counts.equal or counts.higher_second)


def _which(counts: ComparedPage) -> ComparedOutcome:
    cells = counts.cells
    first, second = cells[True, False] + counts.higher_first, cells[False, True] + counts.higher_second
    if any(cells.values()) or not _has_scores(counts):
        kinds = {
            ComparedOutcome.FIRST: ("A right, B wrong", first),
            ComparedOutcome.SECOND: ("B right, A wrong", second),
            ComparedOutcome.DIFFER: ("Different answers", counts.different),
            ComparedOutcome.BOTH_WRONG: ("Both wrong", cells[False, False]),
            ComparedOutcome.BOTH_RIGHT: ("Both right", cells[True, True]),
        }
    else:
        kinds = {
            ComparedOutcome.FIRST: ("A higher", first),
            ComparedOutcome.SECOND: ("B higher", second),
            ComparedOutcome.EQUAL: ("Equal scores", counts.equal),
        }
    kinds |= {
        ComparedOutcome.UNANSWERED: ("Not scored", counts.unanswered),
        ComparedOutcome.ANY: ("All shared", counts.shared),
    }
    key, linked = state.key(PAGE, "which"), state.read_param("which")
    names = {each.value or "all": each for each in kinds}
    if st.session_state.get(key) not in names:
        filled = next(name for name, each in names.items() if kinds[each][1])  # at least one sample is shared
        st.session_state[key] = linked if linked in names else filled
    chosen = st.pills(
        "Show",
        list(names),
        key=key,
        required=True,
        label_visibility="collapsed",
        format_func=lambda name: f"{kinds[names[name]][0]} {kinds[names[name]][1]:,}",
    )
    state.write_param("which", str(chosen))
    return names[str(chosen)]


def _lines(page: ComparedPage, number: int) -> None:
    ids = [line.first.item_id for line in page.lines]
    head = score_head([side for line in page.lines for side in (line.first, line.second)])
    name = state.key(PAGE, f"compared.{number}")
    opened = choose_line(
        ids,
        {
            name: values
            for name, values in {
                "True": [truth_of(line.first) for line in page.lines],
                "A predicted": [predicted(line.first) for line in page.lines],
                "B predicted": [predicted(line.second) for line in page.lines],
                f"{head} of A": [score_of(line.first) for line in page.lines],
                f"{head} of B": [score_of(line.second) for line in page.lines],
                "Sample": [line.summary.title for line in page.lines],
                "Task": [task_text(line.first) for line in page.lines],
                **labels_of([line.first for line in page.lines]),
            }.items()
            if any(values)
        },
        name=name,
        columns={"Sample": LARGE},
        tallest=TALLEST,
        verb="Open",
    )
    if opened:
        place = ids.index(opened)
        state.write_param("item", opened)
        state.write_param("with", page.lines[place].second.item_id)
        state.write_param("at", str((number - 1) * PER_PAGE + place))
        st.rerun()
