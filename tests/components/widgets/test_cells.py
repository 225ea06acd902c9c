"""Choosing a cell: it begins where the link says, by click or key, and a broken beginning is no error."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.screen import choose_place


def draw(begin, heads) -> None:  # type: ignore[no-untyped-def]  # runs as a script of its own
    import streamlit as st

    from components.widgets.cells import choose_cell, open_cell

    if st.checkbox("from elsewhere"):
        open_cell("t", 1, "c")
    texts = [["1", "2", "3"] for _ in heads]
    st.text(choose_cell("what", heads, ["a", "b", "c"], texts, name="t", begin=begin))


def opened(begin: tuple[int, int] = (0, 0), heads: tuple[str, ...] = ("x", "y")) -> AppTest:
    page = AppTest.from_function(draw, kwargs={"begin": begin, "heads": heads}, default_timeout=60)
    page.run()
    assert not page.exception, page.exception
    return page


def test_it_begins_where_the_link_says_and_at_the_first_cell_otherwise() -> None:
    assert opened((1, 2)).text[0].value == "(1, 2)"
    assert opened((7, -1)).text[0].value == "(0, 0)"


@pytest.mark.parametrize(("row", "column", "shown"), [(1, 3, "(1, 2)"), (1, 0, "(1, 1)"), (9, 2, "(0, 1)")])
def test_a_cell_is_chosen_in_the_table_and_the_head_of_a_line_keeps_the_column(
    row: int, column: int, shown: str
) -> None:
    assert choose_place(opened((0, 1)), "t", row, column).text[0].value == shown


def test_a_choice_from_elsewhere_is_selected_in_the_table() -> None:
    page = opened()
    page.checkbox[0].check().run()
    assert page.text[0].value == "(1, 2)"
    assert page.session_state["t"]["selection"]["cells"] == [(1, "c")]
