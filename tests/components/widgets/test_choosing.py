"""Choosing a line of a table: it stays chosen when it moves, and a choice with consequences takes a tick."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from tests.pages.screen import choose_row


def draw(verb, chosen) -> None:  # type: ignore[no-untyped-def]  # runs as a script of its own
    import streamlit as st

    from components.widgets.choosing import choose_line

    ids = st.session_state.get("ids", ["x", "y", "z"])
    st.text(choose_line(ids, {"Name": [each.upper() for each in ids]}, name="t", chosen=chosen, verb=verb))


def opened(verb: str = "", chosen: str = "") -> AppTest:
    page = AppTest.from_function(draw, kwargs={"verb": verb, "chosen": chosen}, default_timeout=60)
    page.run()
    assert not page.exception, page.exception
    return page


def listed(page: AppTest, *ids: str) -> str:
    page.session_state["ids"] = list(ids)
    page.run()
    return str(page.text[0].value)


def test_it_begins_with_the_links_line_and_none_without_one() -> None:
    assert opened(chosen="y").text[0].value == "y"
    assert opened(chosen="unknown").text[0].value == "None"


def test_a_chosen_line_stays_chosen_where_others_are_listed_until_it_is_gone() -> None:
    for verb in ("", "Open"):
        page = choose_row(opened(verb), "t", 1)
        assert page.text[0].value == "y"
        assert listed(page, "z", "w", "y") == "y"
        assert listed(page, "z", "w") == "None"


def test_with_a_verb_a_line_is_ticked_so_that_reaching_it_by_keyboard_chooses_nothing() -> None:
    modes = type(opened().dataframe[0].proto).SelectionMode
    assert list(opened("Open").dataframe[0].proto.selection_mode) == [modes.Value("SINGLE_ROW")]
    assert list(opened().dataframe[0].proto.selection_mode) == [modes.Value("SINGLE_CELL")]
