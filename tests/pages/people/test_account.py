"""One's own account: whoever has no password is asked for none, and sets a first one."""

from __future__ import annotations

from types import SimpleNamespace

from streamlit.testing.v1 import AppTest

from core.people import Viewer
from services.people import access
from services.study import Study
from store.tables import new_id
from tests.pages.screen import draw_alone, plain, press

FIRST, SECOND = "a first password", "a second password"


def draw_people(viewer) -> None:  # type: ignore[no-untyped-def]  # runs as a script of its own, without our imports
    from pages.people import screen as people

    people.show(viewer)


def account(viewer: Viewer) -> AppTest:
    return draw_alone(draw_people, viewer, part="account")


def labels(page: AppTest) -> list[str]:
    return [field.label for field in page.text_input]


def test_the_present_password_is_asked_only_of_those_who_have_one(sqlite_study: Study, people: SimpleNamespace) -> None:
    page = account(people.owner)
    assert labels(page) == ["New password", "Repeat new password"]
    for field in page.text_input:
        field.set_value(FIRST)
    press(page, "Set password")
    assert not page.exception and access.has_password(people.owner)
    page = account(people.owner)
    assert labels(page) == ["Current password", "New password", "Repeat new password"]
    for field, typed in zip(page.text_input, (FIRST, SECOND, SECOND), strict=True):
        field.set_value(typed)
    press(page, "Change password")
    assert not page.exception and [each.value for each in page.error] == []


def test_a_wrong_present_password_is_said_and_changes_nothing(sqlite_study: Study, people: SimpleNamespace) -> None:
    access.change_password(people.owner, "", FIRST, act_id=new_id())
    page = account(people.owner)
    for typed, said in (("not the password", ["The current password is wrong."]), (FIRST, [])):
        for field, value in zip(page.text_input, (typed, SECOND, SECOND), strict=True):
            field.set_value(value)
        press(page, "Change password")
        assert [plain(each.value) for each in page.error] == said
    assert [field.value for field in page.text_input] == ["", "", ""]
    access.change_password(people.owner, SECOND, FIRST, act_id=new_id())
