"""The uploader as pages draw it: what they are given, what is said of files that are gone, and how a file goes."""

from __future__ import annotations

import re
from copy import deepcopy
from typing import Any

import pytest
from streamlit.runtime.uploaded_file_manager import DeletedFile
from streamlit.testing.v1 import AppTest

from components.widgets import uploads


def page() -> None:
    import streamlit as st

    from components.widgets.uploads import session_id, uploader, uploader_of_one

    many = uploader("Many", key="many", room="3 files and 150 MB", taken=st.session_state.get("taken", ()))
    one = uploader_of_one("One", ["txt"], key="one")
    st.text(f"{len(many)} and {one.name if one else 'none'} of {bool(session_id())}")


@pytest.fixture
def drawn() -> AppTest:
    app = AppTest.from_function(page).run()
    assert not app.exception
    app.file_uploader[0].set_value([("a.txt", b"A" * 9000, "text/plain"), ("b.txt", b"B" * 9000, "text/plain")])
    app.file_uploader[1].set_value([("c.txt", b"C" * 9000, "text/plain")])
    app.run()
    assert not app.exception
    assert app.text[0].value == "2 and c.txt of True"
    return app


def state_of(app: AppTest, key: str) -> Any:
    return app.session_state[key]


def test_the_uploader_says_how_much_it_takes(drawn: AppTest) -> None:
    assert re.findall(r"\d+ \w+", drawn.file_uploader[0].help) == ["3 files", "150 MB"]


def test_what_streamlit_copies_at_each_run_shares_its_content(drawn: AppTest) -> None:
    file = state_of(drawn, "one")
    copy = deepcopy(file)
    assert copy.getvalue() is file.getvalue()
    assert (copy.name, copy.type, copy.size, copy.file_id) == ("c.txt", "text/plain", 9000, file.file_id)
    copy.write(b"D")
    assert file.getvalue() == b"C" * 9000
    file.close()
    assert deepcopy(file).closed


def test_a_file_that_is_let_go_is_closed_in_the_uploaders_state_and_others_are_not(drawn: AppTest) -> None:
    first, second = state_of(drawn, "many")
    only = state_of(drawn, "one")
    uploads.release("any session", [first.file_id, only.file_id, "unknown"])
    assert (first.closed, second.closed, only.closed) == (True, False, True)


def test_a_page_is_given_no_file_that_was_let_go_and_says_which_are_listed_in_vain(
    drawn: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, _second = state_of(drawn, "many")
    gone = [DeletedFile("x"), DeletedFile("y")]
    monkeypatch.setattr(uploads.st, "session_state", {"many": [*gone, first], "one": gone[0]})
    said: list[str] = []
    monkeypatch.setattr(uploads.st, "warning", said.append)
    first.close()
    assert uploads._those_here("many", [first]) == []
    assert uploads._those_here("many", [], read_ids=["x"]) == []
    assert uploads._those_here("many", [], read_ids={"x": 1, "y": 2}) == []
    assert uploads._those_here("one", []) == []
    rest = "the connection was broken for too long. Remove"
    assert said == [
        f"2 files are no longer here: {rest} them above and add them again.",
        f"1 file is no longer here: {rest} it above and add it again.",
        f"1 file is no longer here: {rest} it above and add it again.",
    ]
