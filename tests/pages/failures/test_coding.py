"""Codes on the Failures screen: the codebook, a list coded by keys, what is left to settle, and agreement."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from core.people import Viewer
from services.failures import codebook, codes, coding
from services.study import Study
from store.tables import new_id
from tests.pages.run_screens import done, draw_failures, drawn, labels, opened, press, table, texts, triplets
from tests.pages.screen import choose_row
from tests.services.failures.test_coding import BOOK, claimed, code, submit


@pytest.fixture
def run(sqlite_study: Study, people: SimpleNamespace) -> str:
    return done(sqlite_study, people.researcher, triplets(people.researcher, 8))


def keys(page: AppTest) -> dict[str, str]:
    return {each.label: each.proto.shortcut for each in page.button if each.proto.shortcut}


def coded_by_keys(viewer: Viewer, *labels_of_each: tuple[str, ...]) -> AppTest:
    """Take the next list and press these buttons on its answers, then Enter's."""
    page = opened(draw_failures, viewer, show="codes")
    press(page, "Code next list")
    for pressed in labels_of_each:
        for label in pressed:
            press(page, label)
        enter = next(label for label, shortcut in keys(page).items() if shortcut == "enter")
        press(page, enter)
    return page


def test_the_owner_writes_a_codebook_and_a_fault_in_it_is_named(run: str, people: SimpleNamespace) -> None:
    assert "Save codebook" not in labels(opened(draw_failures, people.reviewer, show="codes"))
    page = opened(draw_failures, people.owner, show="codes")
    page.text_area[0].set_value("n Sign: It is the other.")
    press(page, "Save codebook")
    assert "Line 1: the key n is used on the screen of an answer." in texts(page)
    drawn(page.text_area[0].set_value(BOOK))
    press(page, "Save codebook")
    assert [row["Key"] for row in table(page)] == ["s", "m", "o"] and codebook.codebooks(people.owner)[0].number == 1


def test_an_answer_is_coded_by_keys_with_a_note_that_others_see(run: str, people: SimpleNamespace) -> None:
    codebook.save_codebook(people.owner, BOOK, seen=0, act_id=new_id())
    page = opened(draw_failures, people.reviewer, run=run)
    choose_row(page, "failures.list.1", 0)
    assert {keys(page)[name] for name in ("Sign", "Misread", "Other")} == {"s", "m", "o"}
    press(page, "Sign")
    press(page, "Other")
    press(page, "Sign")
    drawn(next(box for box in page.text_input if box.label == "Note on the codes").set_value("Look at *this*."))
    other = opened(draw_failures, people.owner, item=page.query_params["item"])
    assert "Other (Look at *this*.)" in texts(other)


def test_two_people_code_a_list_by_keys_and_a_third_settles_the_difference(run: str, people: SimpleNamespace) -> None:
    codebook.save_codebook(people.owner, BOOK, seen=0, act_id=new_id())
    page = opened(draw_failures, people.researcher, show="codes")
    press(page, "Draw")
    assert table(page)[0]["Failures"] == "4"
    first = coded_by_keys(people.reviewer, ("Sign",), ("Sign", "Misread"), (), ("Other",))
    assert "4 of 4 coded" in texts(first) and "item" not in first.query_params
    press(first, "Submit codes")
    assert "Agreement" not in texts(first)
    own = claimed(people.owner)
    for item, chosen in zip(own.items, (("Sign",), ("Sign",), (), ("Other",)), strict=True):
        assert codes.answer_codes(people.owner, item).others == ()
        code(people.owner, item, *chosen)
    submit(people.owner, own)

    page = opened(draw_failures, people.researcher, show="codes")
    assert "1 of 1 answer to settle" in texts(page)
    assert "same codes to 75% of **4 answers** of 1 list" in texts(page)
    by_code = {row["Code"]: row for row in table(page, 2)}
    assert by_code["Sign"]["By both"] == "2" and by_code["Misread"]["By any"] == "1"
    choose_row(page, "failures.coding.differences", 0)
    assert "The coders differ. Settle the codes:" in texts(page) and "1 of 1" in texts(page)
    press(page, "Sign")
    press(page, "Back to codes")
    assert "0 of 1 answer to settle" in texts(page)
    assert coding.differences(people.owner)[0].is_settled


def test_a_list_is_drawn_from_the_list_that_is_shown(run: str, people: SimpleNamespace) -> None:
    codebook.save_codebook(people.owner, BOOK, seen=0, act_id=new_id())
    assert "Draw" not in labels(opened(draw_failures, people.reviewer))
    page = opened(draw_failures, people.researcher, expected="-")
    assert "**2 items** are wrong" in texts(page)
    press(page, "Draw")
    (line,) = coding.list_lines(people.researcher)
    assert line.items == 2
    assert table(opened(draw_failures, people.researcher, show="codes"))[0]["Filters"] == "expected -; only wrong"


def test_a_list_is_skipped_with_a_reason_and_a_link_to_anothers_is_refused(run: str, people: SimpleNamespace) -> None:
    codebook.save_codebook(people.owner, BOOK, seen=0, act_id=new_id())
    coding.draw(people.researcher, run, 60, 1, act_id=new_id())
    own = claimed(people.reviewer)
    stranger = opened(draw_failures, people.owner, show="codes", claim=own.assignment_id)
    assert "belong to someone else" in texts(stranger) and "claim" not in stranger.query_params
    page = opened(draw_failures, people.reviewer, show="codes")
    drawn(next(box for box in page.text_input if box.label == "Reason").set_value("No time"))
    press(page, "Skip list")
    assert "Resume" in labels(page) and coding.own_lists(people.reviewer)[0].state == "skipped"
