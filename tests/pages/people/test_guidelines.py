"""Guidelines in two tabs of one person and by two owners: nothing is taken away that was typed elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

from streamlit.testing.v1 import AppTest

from core.people import Role, Viewer
from services import drafts
from services.study import Study
from services.transcription import guidelines
from tests.pages.screen import draw_alone, press, texts


def draw_people(viewer) -> None:  # type: ignore[no-untyped-def]  # runs as a script of its own, without our imports
    from pages.people import screen as people

    people.show(viewer)


def tab(viewer: Viewer) -> AppTest:
    return draw_alone(draw_people, viewer, part="guidelines")


def typed(page: AppTest, text: str) -> None:
    page.text_area[0].set_value(text).run()
    assert not page.exception


def test_saving_leaves_the_draft_that_a_second_tab_typed(sqlite_study: Study, people: SimpleNamespace) -> None:
    first, second = tab(people.owner), tab(people.owner)
    typed(first, "Draw every arrow.")
    typed(second, "Draw every printed arrow.")
    press(first, "Save new version")
    assert guidelines.guideline_versions(people.owner)[0].text == "Draw every arrow."
    assert drafts.draft(people.owner, "guidelines") == "Draw every printed arrow."
    assert tab(people.owner).text_area[0].value == "Draw every printed arrow."


def test_saving_forgets_its_own_draft_also_when_it_was_typed_before(
    sqlite_study: Study, people: SimpleNamespace
) -> None:
    typed(tab(people.owner), "Draw every arrow.")
    press(tab(people.owner), "Save new version")
    assert drafts.draft(people.owner, "guidelines") == ""


def test_the_preview_says_unsaved_only_of_a_text_that_is_not_saved(people: SimpleNamespace) -> None:
    page = tab(people.owner)
    typed(page, "Draw every arrow.")
    assert page.selectbox[0].options == ["unsaved text"]
    press(page, "Save new version")
    assert page.selectbox[0].options == ["version 1"]
    typed(page, "Draw every printed arrow.")
    assert page.selectbox[0].options == ["unsaved text", "version 1"]


def test_emptying_the_text_leaves_the_draft_of_a_second_tab(sqlite_study: Study, people: SimpleNamespace) -> None:
    first, second = tab(people.owner), tab(people.owner)
    typed(first, "Draw every arrow.")
    typed(second, "Every printed arrow.")
    typed(first, "")
    assert drafts.draft(people.owner, "guidelines") == second.text_area[0].value == "Every printed arrow."
    assert [view.text for view in guidelines.guideline_versions(people.owner)] == [""]


def test_two_owners_meet_in_a_conflict_and_neither_text_is_lost(
    people: SimpleNamespace, newcomer: Callable[..., Viewer]
) -> None:
    colleague = newcomer("Second owner", Role.OWNER)
    first, second = tab(people.owner), tab(colleague)
    typed(first, "The first text")
    typed(second, "The second text")
    press(first, "Save new version")
    press(second, "Save new version")
    assert "Someone has saved a newer version of the guidelines." in texts(second)
    assert second.text_area[0].value == "The second text"
    press(second, "Load newer version")
    assert second.text_area[0].value == "The second text"
    assert "The first text" in texts(second)
    press(second, "Save new version")
    assert [view.text for view in guidelines.guideline_versions(colleague)][:2] == ["The second text", "The first text"]
