"""The reading on the adjudicator's screen: beside A and B, what neither has, and what was changed after submitting."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from services.study import Study
from tests.pages.screen import button, draw_alone, sent, texts
from tests.services.adjudication.test_third_voice import begin, mend, twice

__all__ = ["twice"]  # a fixture


def draw(viewer) -> None:  # type: ignore[no-untyped-def]  # runs as a script of its own, without our imports
    from pages.adjudication import screen

    screen.show(viewer)


@pytest.fixture
def page(sqlite_study: Study, people: SimpleNamespace, twice: SimpleNamespace) -> AppTest:
    mend(people, twice)
    return draw_alone(draw, people.reviewer, adjudication=begin(people, twice))


def test_what_was_read_and_what_was_changed_stand_on_the_screen(page: AppTest) -> None:
    told = sent(page)
    assert "“Weather” → “Supply” was read and is so in neither" in told
    assert "vector lines" in told
    shown = texts(page)
    assert "B adopted the program's reading: “Waether” spelt “Weather”" in shown
    assert "B kept their own: “Weather” → “Supply” drawn, +" in shown


def test_finishing_says_how_much_was_read_that_neither_has(
    page: AppTest, people: SimpleNamespace, twice: SimpleNamespace
) -> None:
    button(page, "Finish adjudication").click().run()
    assert not page.exception
    assert "3 edges that the program read are in neither transcription" in texts(page)
