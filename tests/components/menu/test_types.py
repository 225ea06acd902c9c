"""What the script of the menu declares is what Python gives."""

from __future__ import annotations

from components.menu import menu as module
from components.menu.menu import MenuPage, menu
from tests.components.crossing import Sample, always_empty, mounted

PAGES = {"Study": [MenuPage("Overview", "", "home")], "Build": [MenuPage("Papers", "papers", "description")]}


def samples() -> list[Sample]:
    given = {"study": "Lakes", "person": "Ada", "roles": "owner", "csrf": "token"}
    return [("menu.MenuData", mounted(module, "_menu", lambda: menu(PAGES, "papers", **given)).data)]


def test_every_list_and_nullable_place_is_filled_by_a_sample() -> None:
    assert always_empty(samples()) == []


def test_the_menu_links_to_its_pages_and_says_which_is_open() -> None:
    ((_name, data),) = samples()
    shown = [page for section in data["sections"] for page in section["pages"]]  # type: ignore[index]
    assert [(page["href"], page["is_open"]) for page in shown] == [("/", False), ("/papers", True)]
