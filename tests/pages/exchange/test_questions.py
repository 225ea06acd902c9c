"""Import / export alone: a file of questions is seen before it is frozen, and is then a numbered set."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from exchange.question_set import write_question_set
from services.questions import sets
from services.study import Study
from tests.pages.run_screens import draw_runs, opened
from tests.pages.run_screens import press as press_run
from tests.pages.run_screens import texts as run_texts
from tests.pages.screen import draw_alone, drop, labels, press, texts
from tests.protocols.lee.question_sets import questions
from tests.services.run_parts import act

EVERY = tuple(replace(each, is_easy=number == 0) for number, each in enumerate(questions(4)))
LINES = write_question_set(EVERY)


def draw(viewer) -> None:  # type: ignore[no-untyped-def]  # runs as a script of its own, without our imports
    from pages.exchange import screen as exchange

    exchange.show(viewer)


def draw_sets(viewer) -> None:  # type: ignore[no-untyped-def]  # as `draw`
    from pages.questions import screen as questions

    questions.show(viewer)


@pytest.fixture
def open_as(sqlite_study: Study) -> Callable[..., AppTest]:
    return partial(draw_alone, draw)


def test_a_file_of_questions_shows_what_it_holds_and_becomes_a_set_that_can_be_archived(
    open_as: Callable[..., AppTest], people: SimpleNamespace
) -> None:
    empty = draw_alone(draw_sets, people.researcher)
    assert "No question set yet." in texts(empty) and "New run" in labels(empty)
    screen = open_as(people.researcher, part="import")
    drop(screen, ("mine.jsonl", LINES + b'{"type": 9, "given": null, "asked": null, "answer": ""}\n'))
    assert f"{len(EVERY)} questions, 1 of them easy; 1 faulty row" in texts(screen)
    press(screen, f"Freeze {len(EVERY)} questions")
    (kept,) = sets.question_sets(people.researcher)
    assert (kept.number, kept.title, kept.questions) == (1, "mine", len(EVERY))
    listed = draw_alone(draw_sets, people.researcher)
    assert "Question set 1 from mine.jsonl" in texts(listed)
    assert f"**{len(EVERY) - 1} questions** of five types; 1 more are easy" in texts(listed)
    assert "Questions of set 1" in listed.get("vega_lite_chart")[0].proto.alt
    press(listed, "Archive")
    assert sets.question_sets(people.researcher) == ()
    again = open_as(people.researcher, part="import")
    drop(again, ("again.jsonl", LINES))
    assert "These questions are frozen already, as question set 1." in texts(again)


def test_a_new_run_takes_the_newest_set_and_counts_it(sqlite_study: Study, people: SimpleNamespace) -> None:
    page = opened(draw_runs, people.researcher, show="new", protocol="lee")
    assert "No question set yet." in run_texts(page)
    for number in (1, 2):
        lines = write_question_set(EVERY[number:])
        sets.import_questions(people.researcher, f"set {number}.jsonl", lines, with_faulty=False, **act())
    page = opened(draw_runs, people.researcher, show="new", protocol="lee")
    chosen = next(each for each in page.selectbox if each.label == "Question set")
    assert chosen.value == "2"
    press_run(page, "Start dry run")
    said = run_texts(page)
    assert f"Question set 2 has {len(EVERY) - 2:,} questions" in said
    assert "Choose a question set" not in said
