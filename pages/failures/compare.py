"""Two models, or one in two runs, side by side over the samples they share: where one is right and the other wrong."""

from __future__ import annotations

import zlib

import streamlit as st

from components import shell, state
from components.widgets.choosing import choose_line
from core.people import Viewer
from core.runs.filters import ComparedOutcome, Side
from core.words import counted
from pages.failures import filters, paging
from pages.failures.neighbours import side_of, side_words
from pages.failures.parts import LARGE, PAGE, PER_PAGE, TALLEST, asked, labels_of, said, truth_of
from services.runs import failures, reading
from services.runs.views import ComparedLine, ComparedPage, FailureChoices

A_RIGHT = ComparedOutcome.FIRST


def show(viewer: Viewer, found: FailureChoices) -> None:
    sides = _sides(viewer)
    if sides is None:
        st.caption("A comparison needs two models, runs or repeats; there is one so far.")
        return
    first, second = sides
    if first == second:
        st.caption("Both sides are the same. Choose another model, run or repeat.")
        return
    wanted = filters.filters(found, of_samples=True)
    counts = failures.compare(viewer, first, second, wanted, limit=1)
    if not counts.shared:
        st.caption(
            "A and B share no sample. Two runs share a sample if it has the same task and variant and comes from the "
            "same row."
        )
        return
    _square(counts, first, second)
    which = _which(counts)
    key = state.key(PAGE, f"page.{zlib.crc32(repr((wanted, sides, which)).encode())}")
    number = paging.number(key)
    page = failures.compare(viewer, first, second, wanted, which=which, offset=(number - 1) * PER_PAGE, limit=PER_PAGE)
    if not page.lines:
        st.caption("No shared sample of this kind. Choose another kind above.")
    else:
        _lines(page, first, second, number)
    paging.buttons(key, page.total, number)


def _sides(viewer: Viewer) -> tuple[Side, Side] | None:
    words = {side: said for run in reading.choices(viewer) for side, said in side_words(run).items()}
    if len(words) < 2:
        return None
    listed = list(words)
    chosen = []
    with st.container(horizontal=True, vertical_alignment="bottom", key=state.key(PAGE, "sides")):
        for place, (name, label) in enumerate((("a", "A"), ("b", "B"))):
            key = state.key(PAGE, f"side.{name}")
            if st.session_state.get(key) not in words:
                linked = state.read_param(name)
                st.session_state[key] = linked if linked in words else listed[place]
            held = st.selectbox(label, listed, key=key, format_func=words.__getitem__, width=360)
            state.write_param(name, held)
            chosen.append(side_of(held))
        st.button("Swap sides", icon=":material/swap_horiz:", key=state.key(PAGE, "swap"), on_click=_swap)
    first, second = chosen
    return (first, second) if first is not None and second is not None else None


def _swap() -> None:
    a, b = state.key(PAGE, "side.a"), state.key(PAGE, "side.b")
    st.session_state[a], st.session_state[b] = st.session_state[b], st.session_state[a]


def _square(counts: ComparedPage, first: Side, second: Side) -> None:
    """Both verdicts against each other, and what stands outside of the square."""
    cells = counts.cells
    st.markdown(
        f"| {counted(counts.shared, 'shared sample')} | B right | B wrong |\n| --- | ---: | ---: |\n"
        f"| **A right** | {cells[True, True]:,} | {cells[True, False]:,} |\n"
        f"| **A wrong** | {cells[False, True]:,} | {cells[False, False]:,} |"
    )
    outside = [
        f"{number:,} {words}"
        for number, words in (
            (counts.unanswered, "without an answer from A, B or both"),
            (counts.only_first, "only in A's run"),
            (counts.only_second, "only in B's run"),
        )
        if number
    ]
    if outside:
        st.caption("; ".join(outside))


def _which(counts: ComparedPage) -> ComparedOutcome:
    cells = counts.cells
    numbers = {
        ComparedOutcome.FIRST: cells[True, False],
        ComparedOutcome.SECOND: cells[False, True],
        ComparedOutcome.DIFFER: counts.different,
        ComparedOutcome.BOTH_WRONG: cells[False, False],
        ComparedOutcome.BOTH_RIGHT: cells[True, True],
        ComparedOutcome.UNANSWERED: counts.unanswered,
        ComparedOutcome.ANY: counts.shared,
    }
    words = {
        ComparedOutcome.FIRST: "A right, B wrong",
        ComparedOutcome.SECOND: "B right, A wrong",
        ComparedOutcome.DIFFER: "Different answers",
        ComparedOutcome.BOTH_WRONG: "Both wrong",
        ComparedOutcome.BOTH_RIGHT: "Both right",
        ComparedOutcome.UNANSWERED: "No answer",
        ComparedOutcome.ANY: "All shared",
    }
    key, linked = state.key(PAGE, "which"), state.read_param("which")
    names = {each.value or "all": each for each in words}
    if st.session_state.get(key) not in names:
        st.session_state[key] = linked if linked in names else ComparedOutcome.FIRST.value
    chosen = st.pills(
        "Show",
        list(names),
        key=key,
        required=True,
        label_visibility="collapsed",
        format_func=lambda name: f"{words[names[name]]} {numbers[names[name]]:,}",
    )
    state.write_param("which", str(chosen))
    return names[str(chosen)]


def _lines(page: ComparedPage, first: Side, second: Side, number: int) -> None:
    ids = [line.first.item_id for line in page.lines]
    name = state.key(PAGE, f"compared.{number}")
    opened = choose_line(
        "Compare answers",
        ids,
        {line.first.item_id: _words(line) for line in page.lines},
        {
            "True": [truth_of(line.first) for line in page.lines],
            "A predicted": [said(line.first) for line in page.lines],
            "B predicted": [said(line.second) for line in page.lines],
            "Sample": [line.face.title for line in page.lines],
            "Task": [asked(line.first) for line in page.lines],
            **labels_of([line.first for line in page.lines]),
        },
        name=name,
        columns={"Sample": LARGE},
        tallest=TALLEST,
    )
    st.caption(f"A is {shell.escaped(first.model)}, B is {shell.escaped(second.model)}.")
    if opened:
        place = ids.index(opened)
        st.session_state.pop(name, None)
        state.write_param("item", opened)
        state.write_param("with", page.lines[place].second.item_id)
        state.write_param("at", str((number - 1) * PER_PAGE + place))
        st.rerun()


def _words(line: ComparedLine) -> str:
    return f"{line.face.title} · {asked(line.first)}"
