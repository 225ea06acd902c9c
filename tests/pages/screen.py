"""Looking at one page drawn alone, as a person of the study sees it: its texts, buttons and link."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import count
from typing import Any

from streamlit.testing.v1 import AppTest

from components.desk.posting.acts import read_acts
from components.desk.tab import Apply, DeskAnswer, DeskTab
from core.people import Viewer
from store.tables import new_id

ORDER = count(1)


def draw_alone(script: Callable[..., None], viewer: Viewer, **link: str) -> AppTest:
    """The page that `script(viewer)` draws, at that link; it raised nothing."""
    page = AppTest.from_function(script, kwargs={"viewer": viewer}, default_timeout=60)
    for name, value in link.items():
        page.query_params[name] = value
    page.run()
    assert not page.exception, page.exception
    return page


def draw_settings(viewer) -> None:  # type: ignore[no-untyped-def]  # runs as a script of its own, without our imports
    from pages.settings import screen as settings

    settings.show(viewer)


def open_settings(viewer: Viewer, section: str) -> AppTest:
    return draw_alone(draw_settings, viewer, show=section)


def texts(page: AppTest) -> str:
    """All that stands on the page, a line each and as the browser shows it."""
    shown = [
        *page.text,
        *page.markdown,
        *page.caption,
        *page.subheader,
        *page.error,
        *page.info,
        *page.success,
    ]
    return "\n".join(plain(str(element.value)) for element in shown)


def sent(page: AppTest) -> str:
    """Everything that a browser is given of a page, every message as it is sent: also the data of components."""
    told = "\n".join(_unescaped(str(getattr(element, "proto", ""))) for element in page._tree)
    return re.sub(r"\\+u([0-9a-f]{4})", lambda found: chr(int(found[1], 16)), told).replace("\\", "")


def _unescaped(message: str) -> str:
    """A message as text has each byte beyond ASCII as three octal digits."""
    octal = re.compile(rb"\\(\d{3})")
    return octal.sub(lambda found: bytes([int(found[1], 8) & 0xFF]), message.encode()).decode(errors="replace")


def plain(written: str) -> str:
    """Markdown without what only keeps names from being read as Markdown."""
    return re.sub(r"\\(.)", r"\1", written).replace("\u2060", "")


def labels(page: AppTest) -> list[str]:
    """Of its buttons."""
    return [each.label for each in page.button]


def button(page: AppTest, label: str) -> Any:
    return next(each for each in page.button if plain(each.label) == label)


def press(page: AppTest, words: str) -> AppTest:
    """The page after a click on the button of that label, else on the first that holds the words; it raised nothing."""
    held = [each for each in page.button if words in plain(each.label)]
    next((each for each in held if plain(each.label) == words), held[0]).click().run()
    assert not page.exception, page.exception
    return page


def drop(page: AppTest, *files: tuple[str, bytes]) -> AppTest:
    """The page after (name, content) fell on its first place for files; it raised nothing."""
    page.file_uploader[0].set_value([(name, content, "text/plain") for name, content in files]).run()
    assert not page.exception, page.exception
    return page


def param(page: AppTest, name: str) -> str:
    """A parameter of the page's link, "" if it has none."""
    value = page.query_params.get(name, "")
    return str(value[0]) if isinstance(value, list) else str(value)


def post(held: DeskTab[Any], apply: Apply, viewer: Viewer, *acts: dict[str, Any]) -> DeskAnswer:
    """What a tab answers to acts that its desk posts, without the desk's data."""
    held.serve(viewer, apply, lambda _viewer: {})
    return held.answer(viewer, read_acts({"acts": list(acts)}))


def desk_act(kind: str, **said: object) -> dict[str, Any]:
    """An act as a desk's outbox sends it, after all that were made before."""
    return {"id": new_id(), "seq": next(ORDER), "kind": kind, **said}


def choose_view(page: AppTest, desk: str, view: str) -> AppTest:
    """The page as it is drawn once the browser's desk shows another view."""
    page.session_state[desk] = {"view": view}
    page.run()
    assert not page.exception, page.exception
    return page


def leave_unsaved(page: AppTest, desk: str, count: int) -> AppTest:
    """The page as it is drawn while so many acts have waited for more than a second in the browser's desk."""
    page.session_state[desk] = {"unsaved": count}
    page.run()
    assert not page.exception, page.exception
    return page


def table_of_key(page: AppTest, key: str) -> Any:
    """The table whose key has this in it."""
    return next(each for each in page.dataframe if key in (each.key or ""))


def choose_row(page: AppTest, key: str, row: int) -> AppTest:
    """Choose a line of the table whose key has this in it, as a click or the keyboard does."""
    table = table_of_key(page, key)
    column = table.value.columns[0]
    of_rows = {"rows": [row], "columns": [], "cells": []}
    return _select(page, table, of_rows if column == "Open" else {"rows": [], "columns": [], "cells": [(row, column)]})


def choose_place(page: AppTest, key: str, row: int, column: int) -> AppTest:
    """Choose a cell of the table whose key has this in it; the heads of lines are column 0."""
    table = table_of_key(page, key)
    return _select(page, table, {"rows": [], "columns": [], "cells": [(row, table.value.columns[column])]})


def _select(page: AppTest, table: Any, selection: dict[str, Any]) -> AppTest:
    page.session_state[table.key] = {"selection": selection}
    page.run()
    assert not page.exception, page.exception
    return page
