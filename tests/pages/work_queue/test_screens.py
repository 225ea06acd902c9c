"""Screens of the work queue: what is next is claimed from a card, skipped with a reason, and resumed from the list."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import pytest

from services.study import Study
from tests.pages.screen import draw_alone, labels, param, press, texts
from tests.services.queue.test_kinds import KINDS


def draw_texts(viewer) -> None:  # type: ignore[no-untyped-def]  # runs as a script of its own, without our imports
    from components import shell
    from pages.texts import screen

    with shell.boundary():
        screen.show(viewer)


def draw_readings(viewer) -> None:  # type: ignore[no-untyped-def]
    from components import shell
    from pages.readings import screen

    with shell.boundary():
        screen.show(viewer)


SCREENS: dict[str, tuple[Callable[..., None], str, str, str]] = {
    "texts": (draw_texts, "labelling", "Label next text", "Continue labelling"),
    "readings": (draw_readings, "reading", "Take next text", "Continue graph"),
}


@pytest.mark.parametrize("name", list(SCREENS))
def test_a_text_is_claimed_skipped_with_a_reason_and_resumed(
    name: str, study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    script, link, take, go_on = SCREENS[name]
    KINDS[name].lay(study, people, a_figure)
    viewer = people.annotator
    page = draw_alone(script, viewer)
    assert "1 text in your queue" in texts(page)
    page = press(page, take)
    work = param(page, link)
    assert work
    page = draw_alone(script, viewer)
    assert go_on in labels(page) and "unfinished" in texts(page)
    page = draw_alone(script, viewer, **{link: work})
    page.text_input[0].set_value("I know the authors").run()
    page = press(page, "Skip text")
    assert param(page, link) == ""
    page = draw_alone(script, viewer)
    assert "No texts in your queue" in texts(page) and "skipped" in texts(page)
    page = press(page, "Resume")
    assert param(page, link) == work
    assert "Skip text" in labels(page)


def test_a_resumption_that_is_refused_says_why_and_opens_nothing(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    laid = KINDS["texts"].lay(study, people, a_figure)
    viewer = people.researcher
    work = KINDS["texts"].claim(viewer).subject_id
    KINDS["texts"].give_up(people, viewer, work, 1)
    KINDS["texts"].see(viewer, laid)
    page = press(draw_alone(draw_texts, viewer), "Resume")
    assert "You have seen other levels of this text" in texts(page)
    assert param(page, "labelling") == ""
