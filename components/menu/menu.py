"""The menu of every screen: its pages by section, who is signed in, and signing out.

Streamlit's own menu takes a fifth of the time in which a browser opens a screen; this one, plain links, some
milliseconds. Pages are still Streamlit's (`st.navigation`): a link leads to its page as Back and Forward do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from components.mark import MARK_URL
from components.sources import script, sheets

_menu = st.components.v2.component(
    "edgewise_menu", html="<div data-menu></div>", css=sheets("menu/menu.css"), js=script("menu/menu.js")
)


@dataclass(frozen=True, slots=True)
class MenuPage:
    """A page of the viewer's menu; `icon` is the name of a Material symbol."""

    title: str
    path: str
    icon: str


def menu(
    sections: Mapping[str, Sequence[MenuPage]], opened: str, *, study: str, person: str, roles: str, csrf: str
) -> None:
    """Draw the pages by the titles of their sections; `opened` is the path of the screen. Names may come from outside.
    Signing out is a real form with the session's token `csrf`: the cookie is HttpOnly, so only the server can end
    it."""
    _menu(
        key="menu",
        data={
            "mark": MARK_URL,
            "sections": [
                {
                    "title": title,
                    "pages": [
                        {
                            "title": page.title,
                            "href": f"/{page.path}",
                            "icon": page.icon,
                            "is_open": page.path == opened,
                        }
                        for page in pages
                    ],
                }
                for title, pages in sections.items()
            ],
            "study": study,
            "person": person,
            "roles": roles,
            "csrf": csrf,
        },
        height="content",
    )
