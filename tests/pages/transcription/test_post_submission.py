"""After Submit: the questions stand where the drawing was, keys answer them, and nothing of them was sent before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from services.study import Study
from services.transcription import reading
from services.transcription.post_submission import reader
from services.transcription.post_submission import settings as late_settings
from services.transcription.post_submission.settings import LateSettings
from store.tables import new_id
from tests.conftest import add_figure
from tests.pages.screen import button, draw_alone, labels, param, press, sent, texts
from tests.services.transcription.post_submission.test_reader import READ, RIGHT, SEEDED, drawn
from tests.services.transcription.test_proposals import lay_down

QUESTIONS = (
    "How is “Weather” spelt?",
    "“Price” and “Demand”: which way?",
    "“Demand” → “Supply”: which sign?",
    "“Supply” → “Price”: with a delay mark?",
)
COURSE = "150.5"
"""Of each arrow that was read, a place on its way."""


def draw(viewer) -> None:  # type: ignore[no-untyped-def]  # runs as a script of its own, without our imports
    from pages.transcription import screen as transcribe

    transcribe.show(viewer)


@pytest.fixture
def open_as(sqlite_study: Study) -> Callable[..., AppTest]:
    return partial(draw_alone, draw)


@pytest.fixture
def work(sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace) -> str:
    """The colleague's, drawn second with six errors, and not yet submitted."""
    lay_down(sqlite_study, a_figure, READ)
    drawn(people.annotator, a_figure.id, RIGHT)
    return drawn(people.colleague, a_figure.id, SEEDED, submits=False)


def submit(page: AppTest, word: str = "Submit") -> AppTest:
    press(page, "Submit")
    buttons = [each for each in page.button if each.label == word]
    buttons[-1].click().run()  # the dialog's comes after the one that opened it
    assert not page.exception, page.exception
    return page


def test_nothing_that_was_read_is_sent_before_submitting_and_all_of_it_after(
    open_as: Callable[..., AppTest], people: SimpleNamespace, work: str
) -> None:
    page = open_as(people.colleague, transcription=work)
    press(page, "Submit")  # the dialog with its lists too
    before = sent(page)
    assert '"Demand"' in before  # names are clickable
    for told in (*QUESTIONS, "As read", COURSE):
        assert told not in before
    submit(page)
    press(page, "As drawn")  # a name; the next question is about an arrow
    after = sent(page)
    assert all(told in after for told in (*QUESTIONS, "As read", COURSE))
    assert "Question 2 of 6" in texts(page)


def test_keys_answer_one_question_after_the_other_and_then_it_is_final(
    open_as: Callable[..., AppTest], people: SimpleNamespace, work: str
) -> None:
    page = submit(open_as(people.colleague, transcription=work))
    keys = {each.label: each.proto.shortcut for each in page.button}
    assert {word: keys[word] for word in ("As read", "As drawn", "Undo", "Finish")} == {
        "As read": "y",
        "As drawn": "x",
        "Undo": "u",
        "Finish": "e",
    }
    answers = [each for each in page.button if each.label in ("As read", "As drawn")]
    assert [(each.label, each.proto.type) for each in answers] == [("As drawn", "secondary"), ("As read", "secondary")]
    press(page, "As read")
    assert "Question 2 of 6" in texts(page)
    press(page, "Undo")
    assert "Question 1 of 6" in texts(page)
    for word in ("As drawn", *["As read"] * 5):
        press(page, word)
    assert "You reviewed 6 differences and changed 5." in texts(page)
    assert "As read" not in labels(page)
    graph = reading.transcription(people.colleague, work).record.graph()
    assert set(graph.nodes) == {"Price", "Demand", "Supply", "Waether"}
    assert len(graph.edges) == 6


def test_a_second_click_on_an_answer_is_one_act(
    open_as: Callable[..., AppTest], people: SimpleNamespace, work: str
) -> None:
    page = submit(open_as(people.colleague, transcription=work))
    answer = button(page, "As read")
    answer.click().run()
    answer.click().run()
    assert "Question 2 of 6" in texts(page)


def test_submit_and_next_goes_on_when_the_questions_are_finished(
    open_as: Callable[..., AppTest], people: SimpleNamespace, work: str, sqlite_study: Study
) -> None:
    add_figure(sqlite_study, "The next one")
    page = submit(open_as(people.colleague, transcription=work), "Submit and next")
    assert param(page, "transcription") == work
    press(page, "Finish and next")
    assert param(page, "transcription") not in ("", work)
    assert reader.post_submission_reading(people.colleague, work).state == "closed"


def test_where_it_is_off_a_submitted_transcription_is_as_it_was(
    open_as: Callable[..., AppTest], people: SimpleNamespace, work: str
) -> None:
    late_settings.save_settings(people.owner, LateSettings(on=False), seen=0, act_id=new_id())
    page = submit(open_as(people.colleague, transcription=work))
    assert "Submitted, read-only" in texts(page)
    assert "As read" not in labels(page)


def test_a_figure_that_is_read_otherwise_meanwhile_is_finished_by_its_annotator(
    open_as: Callable[..., AppTest], people: SimpleNamespace, work: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = submit(open_as(people.colleague, transcription=work))
    monkeypatch.setattr(reader, "proposals_within", lambda *_: replace(READ, names=(), edges=()))
    page.run()
    assert "no differences are left" in texts(page)
    press(page, "Finish")
    assert reader.post_submission_reading(people.colleague, work).state == "closed"
