"""Steps of a run: their progress, and a table of groups whose cells open them."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from functools import partial

import streamlit as st

from components import links, shell, state
from components.widgets.cells import width_of
from core.people import Permission, Viewer
from core.runs.states import ItemStatus, RunState
from core.steps import GroupState, StepKind
from core.words import counted
from pages.runs import progress
from pages.runs.parts import PAGE, money
from pages.runs.steps import group, older_rulings, redo_links, texts
from pages.runs.steps.group_words import KINDS, STATES, cell_words, key_words
from services.extraction.candidates import has_candidates
from services.extraction.made_questions import makes_questions
from services.runs import reading
from services.runs.steps import lists as steps
from services.runs.steps.lists import GroupPage, StepLine
from services.runs.views import RunProgress

PER_PAGE = 25
# Cell text if a step has no group for a key.
NO_GROUP = "no group"
TITLE_PX = 300
WIDEST_KEY_PX = 240
ANY, UNANSWERED = "", "unanswered"
ONLY: Mapping[str, str] = {
    ANY: "All groups",
    **{each.value: f"Groups {words}" for each, words in STATES.items()},
    UNANSWERED: "Items without an answer",
}
# Statuses of items that ended without an answer.
LOST = frozenset(ItemStatus) - {ItemStatus.PENDING, ItemStatus.ANSWERED}


def show(viewer: Viewer, run_id: str, drawn_as: str) -> None:
    """Draw the steps, or the group that the link names (lane=label&group=p02); a fragment like `progress.show`."""
    with shell.boundary():
        seen = reading.progress(viewer, run_id)
        progress.require_state(seen, drawn_as)
        if st.session_state.get(_key("run")) != run_id:  # filters belong to another run's groups
            state.forget(_key(""))
            st.session_state[_key("run")] = run_id
        lane = state.read_param("lane")
        if lane:
            group.show(viewer, seen, lane, state.read_param("group"), back=close_lane)
            return
        progress.head(seen)
        step_lines = steps.steps(viewer, run_id)
        _next(viewer, seen, step_lines)
        texts.show_all(viewer, run_id)
        older_rulings.show(viewer, run_id, open_lane)
        with st.container(gap="xxsmall", key=state.key(PAGE, "steps")):
            for place, step in enumerate(step_lines, start=1):
                with st.container(
                    border=True, horizontal=True, vertical_alignment="center", key=state.key(PAGE, f"step.{step.step}")
                ):
                    with st.container(gap=None, width=TITLE_PX):
                        st.markdown(f"**{place}. {shell.escaped(step.title)}**")
                        st.caption(_step_state(step))
                    with st.container(horizontal=True, vertical_alignment="center", width="stretch"):
                        _counts(viewer, seen.run_id, step)
                    if viewer.may(Permission.RUN) and step.groups:
                        redo_links.redo_button(seen, step.step)
        _groups(viewer, run_id, step_lines)


def _next(viewer: Viewer, seen: RunProgress, step_lines: tuple[StepLine, ...]) -> None:
    if viewer.may(Permission.RUN) and has_candidates(seen.protocol):
        waits = sum(each.undecided for each in step_lines)
        with st.container(horizontal=True, key=_key("ways")):
            if waits:
                way = {"run": str(seen.number), "part": "decide"}
                words = f"Decide {counted(waits, 'candidate')}"
                links.page_button(words, "triplets", way, key=_key("decide.candidates"), is_primary=True)
            links.page_button(
                "Open candidates",
                "triplets",
                {"run": str(seen.number)},
                key=_key("candidates"),
                is_primary=seen.state is RunState.DONE and not waits,
            )
        return
    if viewer.may(Permission.RUN) and makes_questions(seen.protocol):
        links.page_button(
            "Open questions",
            "questions",
            {"run": str(seen.number)},
            key=_key("questions"),
            is_primary=seen.state is RunState.DONE or any(each.undecided for each in step_lines),
        )
        return
    waiting = next((each for each in step_lines if each.undecided), None)
    if waiting is not None and viewer.may(Permission.RUN):
        st.button(
            f"Decide {counted(waiting.undecided, 'value')}",
            type="primary",
            icon=":material/gavel:",
            key=state.key(PAGE, "decide"),
            on_click=_decide,
            args=(viewer, seen.run_id, waiting.step),
        )


# --- steps -------------------------------------------------------------------------------------------------------


def _step_state(step: StepLine) -> str:
    """Return, for example, "asks models · 3 of 4 groups done"; for people's steps, the number of decisions."""
    if step.kind is StepKind.DECIDE and step.groups:
        numbers = ((step.ruled, "decided"), (step.undecided, "to decide"))
        parts = [f"{number:,} {word}" for number, word in numbers if number]
        values = counted(step.made, "value")
        return f"{KINDS[step.kind]} · {', '.join(parts) or 'none'} of {values}"
    groups = f"{step.done:,} of {counted(step.groups, 'group')} done" if step.groups else "no group yet"
    return f"{KINDS[step.kind]} · {groups}"


def _counts(viewer: Viewer, run_id: str, step: StepLine) -> None:
    lost = sum(step.items[status] for status in LOST)
    requested = sum(step.items.values()) - step.items[ItemStatus.PENDING] - step.items[ItemStatus.EXCLUDED]
    is_asking = step.kind is StepKind.ASK
    numbers: list[tuple[int, str, str]] = [
        *([(requested, "asked", ANY)] if is_asking else []),
        (step.items[ItemStatus.ANSWERED], "answered", ANY) if is_asking else (step.made, "values", ANY),
        *([(lost, "without answer", UNANSWERED)] if is_asking else []),
        (step.waiting, "waiting", GroupState.WAITING.value),
        (step.open, "open", GroupState.OPEN.value),
        (step.blocked, "blocked", GroupState.BLOCKED.value),
        (step.deciding, STATES[GroupState.DECIDING], GroupState.DECIDING.value),
    ]
    for number, words, only in numbers:
        if not number:
            continue
        st.button(
            f":primary[{number:,} {words}]",
            type="tertiary",
            key=state.key(PAGE, f"step.{step.step}.{words}"),
            on_click=_choose,
            args=(step.step, only),
        )
    if step.undecided:
        st.button(
            f":primary[{step.undecided:,} to decide]",
            type="tertiary",
            icon=":material/gavel:",
            key=state.key(PAGE, f"step.{step.step}.to decide"),
            on_click=_decide,
            args=(viewer, run_id, step.step),
        )
    if is_asking and step.groups:
        cost = "" if step.cost_usd is None else money(step.cost_usd)
        st.caption(shell.escaped(" · ".join(filter(None, (cost, step.cost_usd_reason)))), width="content")


def _decide(viewer: Viewer, run_id: str, step: str) -> None:
    """Open the step's first group that waits for people; a callback."""
    page = steps.group_lines(viewer, run_id, step=step, state=GroupState.DECIDING, limit=1)
    cells = [cell for line in page.lines for cell in line.cells.get(step, ()) if cell.state is GroupState.DECIDING]
    if cells:
        open_lane(step, cells[0].key)


def _choose(step: str, only: str) -> None:
    st.session_state[_key("step")] = step
    st.session_state[_key("only")] = only
    st.session_state[_key("search")] = ""
    st.session_state.pop(_key("open"), None)


# --- groups × steps ----------------------------------------------------------------------------------------------


def _groups(viewer: Viewer, run_id: str, step_lines: tuple[StepLine, ...]) -> None:
    titles = {each.step: each.title for each in step_lines}
    st.subheader("Groups", anchor=False)
    if not sum(each.groups for each in step_lines):
        st.caption("No group yet.")
        return
    filters = st.container(horizontal=True, vertical_alignment="bottom", key=_key("filters"))
    with filters:
        step = _one("step", "Step", {ANY: "All steps", **titles})
        only = _one("only", "Show", ONLY)
        key = _key("search")
        if key not in st.session_state:
            st.session_state[key] = state.read_param("search")
        text = st.text_input("Key contains", key=key, width=220).strip()
        state.write_param("search", text)
        search = text
    number_key = _key(f"page.{zlib.crc32(repr((step, only, search)).encode())}")
    # Changed filters start at the first page.
    if st.session_state.setdefault(_key("listed"), number_key) != number_key:
        st.session_state[_key("listed")] = number_key
        state.write_param("page", "")
    current: int | None = st.session_state.get(number_key)
    if current is None:
        linked = state.read_param("page")
        current = int(linked) if linked.isdecimal() and 1 <= int(linked[:7]) < 10**6 else 1
    state.write_param("page", "" if current == 1 else str(current))
    number = current
    read_page = partial(
        steps.group_lines,
        viewer,
        run_id,
        step=step,
        state=GroupState(only) if only not in (ANY, UNANSWERED) else None,
        is_unanswered=only == UNANSWERED,
        search=search,
        limit=PER_PAGE,
    )
    page = read_page(offset=(number - 1) * PER_PAGE)
    pages = -(-page.total // PER_PAGE)
    if page.total and not page.lines:  # the link's page no longer exists
        number = pages
        page = read_page(offset=(number - 1) * PER_PAGE)
    st.caption(f"{counted(page.total, 'key')}. Click a cell to open its group." if page.total else "No group matches.")
    if page.lines:
        with filters:
            _open_box(page)
        _table(page)
    if pages > 1:
        st.pagination(pages, default=min(number, pages), key=number_key)


def _one(name: str, label: str, options: Mapping[str, str]) -> str:
    key = _key(name)
    if st.session_state.get(key) not in options:
        linked = state.read_param(name)
        st.session_state[key] = linked if linked in options else ANY
    choice = st.selectbox(label, list(options), format_func=lambda each: options[each], key=key, width=220)
    state.write_param(name, choice)
    return choice


def _table(page: GroupPage) -> None:
    """Draw the table; a click opens a group. The select box above does so for keyboards and screen readers."""
    heads = [key_words(line.key) for line in page.lines]
    columns = {name: f"{place}. {title}" for place, (name, title) in enumerate(page.steps.items(), start=1)}
    cells = {
        column: [cell_words(line.cells.get(name, ())) or NO_GROUP for line in page.lines]
        for name, column in columns.items()
    }
    listed = zlib.crc32(repr([line.key for line in page.lines]).encode())
    table = _key(f"table.{st.session_state.get(_key('turn'), 0)}.{listed}")
    text = st.column_config.TextColumn
    config = {column: text(width=width_of(column, values)) for column, values in cells.items()}
    config["Key"] = text(pinned=True, width=min(width_of("Key", heads), WIDEST_KEY_PX))
    st.dataframe(
        {"Key": heads} | cells,
        key=table,
        hide_index=True,
        column_config=config,
        height="content",
        selection_mode="single-cell",
        on_select=partial(_clicked, table, page, {column: name for name, column in columns.items()}),
    )


def _clicked(table: str, page: GroupPage, names: Mapping[str, str]) -> None:
    chosen = st.session_state[table]["selection"]["cells"]
    if not chosen or chosen[0][0] >= len(page.lines):
        return
    line = page.lines[chosen[0][0]]
    step = names.get(chosen[0][1], "")
    cells = line.cells.get(step, ())
    if cells:
        order = (GroupState.BLOCKED, GroupState.DECIDING, GroupState.OPEN, GroupState.WAITING, GroupState.DONE)
        open_lane(step, min(cells, key=lambda cell: order.index(cell.state)).key)


def _open_box(page: GroupPage) -> None:
    words = {
        f"{name} {cell.key}": (name, cell.key, f"{key_words(cell.key)} · {page.steps[name]}: {STATES[cell.state]}")
        for line in page.lines
        for name, cells in line.cells.items()
        for cell in cells
    }
    st.selectbox(
        "Open group",
        list(words),
        index=None,
        key=_key("open"),
        format_func=lambda each: words[each][2] if each in words else each,
        placeholder="Type a key or a step",
        width=300,
        on_change=partial(_typed, {each: entry[:2] for each, entry in words.items()}),
    )


def _typed(named: Mapping[str, tuple[str, ...]]) -> None:
    chosen = st.session_state.pop(_key("open"), None)
    if chosen in named:
        step, key = named[chosen]
        open_lane(step, key)


# --- the lane's link ---------------------------------------------------------------------------------------------


def open_lane(step: str, key: str) -> None:
    """Open a group instead of the tables; an empty key is the whole run."""
    _turn()
    state.write_param("lane", step)
    state.write_param("group", key)


def close_lane() -> None:
    _turn()
    state.write_param("lane", "")
    state.write_param("group", "")


def _turn() -> None:
    """Replace the table by a new widget, in which no cell is selected."""
    st.session_state[_key("turn")] = st.session_state.get(_key("turn"), 0) + 1


def forget_link() -> None:
    for name in ("lane", "group", "step", "only", "search", "page"):
        state.write_param(name, "")


def _key(name: str) -> str:
    return state.key(PAGE, f"groups.{name}")
