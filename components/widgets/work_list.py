"""A list of things to work on: a title, what it belongs to, how far it is, and one button a line."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st

from components import shell
from core.errors import EdgewiseError

PER_PAGE = 25


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkLine:
    """One line; every text may come from outside."""

    id: str
    title: str
    detail: str
    state: str
    counts: str
    comment: str
    verb: str  # "": no button
    image_url: str = ""  # a small picture at an address of this server


def work_list(lines: Sequence[WorkLine], *, key: str, on_choose: Callable[[str], None], empty: str = "") -> None:
    """Draw the lines, 25 at a time; `on_choose` gets the id of the line whose button was pressed.

    `empty`: text if there is no line."""
    pages_of_work(len(lines), lambda start, end: lines[start:end], key=key, on_choose=on_choose, empty=empty)


def pages_of_work(
    count: int,
    lines: Callable[[int, int], Sequence[WorkLine]],
    *,
    key: str,
    on_choose: Callable[[str], None],
    empty: str = "",
) -> None:
    """Draw a list as `work_list`, of `count` lines; only those of the open page are made: `lines(start, end)`."""
    number = 1
    if not count:
        st.caption(empty)
    if count > PER_PAGE:
        number = st.pagination(-(-count // PER_PAGE), key=f"{key}.page") or 1
    shown = lines((number - 1) * PER_PAGE, min(number * PER_PAGE, count)) if count else ()
    with st.container(gap="xxsmall", key=f"{key}.lines"):
        for line in shown:
            _line(line, key, on_choose)
    # Also below an empty list: the line that could not be claimed may have been its last.
    failed = st.session_state.pop(f"{key}.failed", None)
    if failed:
        st.error(shell.escaped(failed))


def _line(line: WorkLine, key: str, on_choose: Callable[[str], None]) -> None:
    with st.container(horizontal=True, vertical_alignment="center", border=True, key=f"{key}.{line.id}"):
        if line.image_url:
            thumbnail(line.image_url)
        with st.container(gap=None, width="stretch"):
            st.markdown(f"**{shell.escaped(line.title)}**")
            about = " · ".join(part for part in (line.detail, line.state, line.counts) if part)
            st.caption(shell.escaped(about))
            if line.comment:
                st.caption(f":material/reply: {shell.escaped(line.comment)}")
        if line.verb:
            st.button(
                line.verb,
                key=f"{key}.choose.{line.id}",
                help=None,
                on_click=_chosen,
                args=(key, on_choose, line.id),
            )


def thumbnail(url: str) -> None:
    """Draw a small picture at an address of this server; it adds no information to its line."""
    st.html(f'<img class="ew-thumbnail" src="{html.escape(url)}" alt="" loading="lazy">', width="content")


def _chosen(key: str, on_choose: Callable[[str], None], line_id: str) -> None:
    # A callback runs outside the page's boundary; its error waits for the drawing.
    try:
        on_choose(line_id)
    except EdgewiseError as error:
        st.session_state[f"{key}.failed"] = str(error)
