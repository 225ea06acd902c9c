"""Choosing a cell: boxes and table say the same, whichever was used, and a broken beginning is no error."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from components.widgets import cells


def draw(begin, heads) -> None:  # type: ignore[no-untyped-def]  # runs as a script of its own
    import streamlit as st

    from components.widgets.cells import choose_cell

    texts = [["1", "2", "3"] for _ in heads]
    st.text(choose_cell("what", heads, ["a", "b", "c"], texts, name="t", begin=begin))


def opened(begin: tuple[int, int] = (0, 0), heads: tuple[str, ...] = ("x", "y")) -> AppTest:
    page = AppTest.from_function(draw, kwargs={"begin": begin, "heads": heads})
    page.run()
    assert not page.exception, page.exception
    return page


def test_it_begins_where_the_link_says_and_at_the_first_cell_otherwise() -> None:
    assert opened((1, 2)).text[0].value == "(1, 2)"
    assert opened((7, -1)).text[0].value == "(0, 0)"


def test_the_boxes_choose_by_name() -> None:
    page = opened()
    assert [box.options for box in page.selectbox] == [["x", "y"], ["a", "b", "c"]]
    page.selectbox(key="t.line").set_value(1).run()
    page.selectbox(key="t.column").set_value(2).run()
    assert page.text[0].value == "(1, 2)"
    assert page.dataframe[0].value.columns.tolist() == ["what", "a", "b", "c"]


@pytest.mark.parametrize(
    ("clicked", "held"),
    [([(1, "b")], (1, 1)), ([(1, "what")], (1, 0)), ([], (0, 0)), ([(9, "b")], (0, 0))],
)
def test_a_click_chooses_a_cell_and_one_on_the_head_its_line(
    monkeypatch: pytest.MonkeyPatch, clicked: list[tuple[int, str]], held: tuple[int, int]
) -> None:
    memory = {"t.line": 0, "t.column": 0, "table": {"selection": {"cells": clicked}}}
    monkeypatch.setattr(cells, "st", SimpleNamespace(session_state=memory))
    cells._clicked("t", "table", ["a", "b"], 2)
    assert (memory["t.line"], memory["t.column"]) == held


def test_fewer_lines_than_before_begin_anew() -> None:
    page = opened((2, 1), ("x", "y", "z"))
    assert page.text[0].value == "(2, 1)"
    fewer = AppTest.from_function(draw, kwargs={"begin": (0, 1), "heads": ("x",)})
    fewer.session_state["t.line"] = 2
    fewer.run()
    assert fewer.text[0].value == "(0, 1)"
