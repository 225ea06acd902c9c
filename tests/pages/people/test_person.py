"""One person of the study, as its owner sees and changes them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from core.errors import Refused
from core.people import Role, Viewer
from services.people import access
from services.people import people as service
from tests.pages.screen import draw_alone, press, texts

HOSTILE = "![x](https://evil.example/a.png) <img src=x onerror=alert(1)> :red[hi]"
LOCKED = "Too many wrong passwords: sign-in is locked until"


def draw_people(viewer) -> None:  # type: ignore[no-untyped-def]  # runs as a script of its own, without our imports
    from pages.people import screen as people

    people.show(viewer)


@pytest.fixture
def locked_out(newcomer: Callable[..., Viewer]) -> Viewer:
    """An expert with a name that is none, after seven wrong passwords."""
    someone = newcomer(HOSTILE, Role.EXPERT)
    for _ in range(7):
        with suppress(Refused):
            access.sign_in(HOSTILE, "not the password", "192.0.2.1")
    return someone


def choose(page: AppTest, word: str) -> None:
    page.get("menu_button")[0].set_value(word).run()
    assert not page.exception


def test_the_owner_lifts_a_lock_changes_roles_and_undoes_a_deactivation(
    people: SimpleNamespace, locked_out: Viewer
) -> None:
    page = draw_alone(draw_people, people.owner, person=locked_out.person_id)
    assert LOCKED in texts(page)
    assert f"Sign-in locked after wrong passwords: {HOSTILE}" in texts(page)
    choose(page, "Unlock sign-in")
    assert LOCKED not in texts(page)
    assert "Unlock sign-in" not in page.get("menu_button")[0].options
    (roles,) = (box for box in page.multiselect if box.label == "Roles")
    roles.set_value([Role.EXPERT, Role.REVIEWER])
    press(page, "Save roles")
    for word in ("Deactivate", "Reactivate"):
        choose(page, word)
        assert ("Deactivated: signed out everywhere" in texts(page)) is (word == "Deactivate")
    (found,) = [one for one in service.list_people(people.owner) if one.id == locked_out.person_id]
    assert (found.is_active, set(found.roles)) == (True, {Role.EXPERT, Role.REVIEWER})
