"""The error boundary, untrusted text, and what a browser session remembers."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from markdown_it import MarkdownIt
from streamlit.testing.v1 import AppTest

from components import shell
from core.version import PROGRAM_VERSION

HOSTILE = (
    "![x](https://evil.example/a.png) <img src=https://evil.example/b.png> [l](https://evil.example) "
    "https://evil.example www.evil.example a@evil.example **b** `c` $x$ :red[hi] # h | t _e_ ~s~ \\* &lt;"
)


def text_of(markdown: str) -> str:
    html = MarkdownIt("commonmark").render(markdown)
    return html.strip()


@pytest.mark.parametrize(
    "text", [HOSTILE, "# h", "- a", "1. a", "> q", "| a | b |", "    code", "```", "<b>", "a\n\n# b"]
)
def test_escaped_text_is_one_paragraph_of_text_and_nothing_else(text: str) -> None:
    html = text_of(shell.escaped(text))
    assert re.findall(r"<[^>]*>", html) == ["<p>", "</p>"]
    shown = html[3:-4].replace("\u2060", "").replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", '"')
    assert shown.replace("&amp;", "&") == " ".join(text.split())


def test_an_outline_keeps_headings_lists_and_bold_and_nothing_that_fetches_or_links() -> None:
    html = text_of(shell.outline(f"# Signs\n\n- one **bold** word\n- {HOSTILE}\n\n1. first\n\n> said\n\nodd ** stars"))
    assert set(re.findall(r"<(\w+)", html)) == {"h1", "ul", "li", "strong", "ol", "blockquote", "p"}
    assert "<strong>bold</strong> word" in html
    assert "odd ** stars" in html


def test_secrets_do_not_reach_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_MODEL_KEY", "canary-value-1")
    said = shell.redacted(
        "canary-value-1 postgresql://edgewise:pa55@host/db sk-abcdefghijkl Bearer abcdefghijk "
        "password='topsecret' /invitation/0123456789abcdef plain"
    )
    for secret in ("canary-value-1", "pa55", "sk-abc", "abcdefghijk", "topsecret", "0123456789abcdef"):
        assert secret not in said
    assert said.endswith("plain")


def test_passwords_in_addresses_are_hidden_and_nothing_else_is() -> None:
    assert shell.redacted("see postgresql://me:a:b/c@host/db and me@x.org, http://h:1/p") == (
        "see postgresql://me:[password]@host/db and me@x.org, http://h:1/p"
    )
    assert shell.redacted("a://:@b redis://:s3cret@h ://u:") == "a://:@b redis://:[password]@h ://u:"


def raising(kind: str) -> None:
    from components import shell
    from core.errors import BadRow, Conflict, SignedOut

    with shell.boundary():
        if kind == "ours":
            raise BadRow("a_[b](c).csv", 3, "sign", "?", "expected + or -")
        if kind == "conflict":
            raise Conflict("Changed by someone else.", seen=1, found=2)
        if kind == "out":
            raise SignedOut("You are signed out.")
        if kind == "fault":
            raise RuntimeError("canary in a traceback")


def run(kind: str) -> AppTest:
    return AppTest.from_function(raising, args=(kind,)).run()


def test_one_of_our_errors_is_one_message_as_typed() -> None:
    page = run("ours")
    assert not page.exception
    assert [alert.value for alert in page.error] == [
        shell.escaped("a_[b](c).csv, line 3, sign: found '?'; expected + or -")
    ]


def test_a_conflict_offers_the_newer_version() -> None:
    page = run("conflict")
    assert [button.label for button in page.button] == ["Load newer version"]


def test_a_signed_out_page_says_so() -> None:
    (alert,) = run("out").error
    assert "signed out" in alert.value


def test_a_fault_shows_an_id_that_the_log_has_and_nothing_else(caplog: pytest.LogCaptureFixture) -> None:
    page = run("fault")
    said = page.error[0].value
    found = re.search(r"ID ([0-9a-f]{8})", said)
    assert found is not None
    assert "canary" not in said
    assert f"fault {found[1]}" in caplog.text
    assert "canary in a traceback" in caplog.text


def acting() -> None:
    import streamlit as st

    from components import state

    state.seen("form", int(st.query_params.get("version", "1")))
    if st.button("Do", key=state.act_key("form")):
        st.session_state["done"] = [*st.session_state.get("done", []), state.act_id("form")]
        state.spend("form")
    st.text(state.act_id("form"))
    st.text(str(state.seen("form", 99)))


def test_an_act_id_stays_until_it_is_spent_and_a_spent_button_is_gone() -> None:
    page = AppTest.from_function(acting).run()
    first = page.text[0].value
    assert page.run().text[0].value == first
    key = page.button[0].key
    page.button[0].click().run()
    assert page.session_state["done"] == [first]
    page.run()
    assert page.text[0].value != first
    assert page.button[0].key != key


def test_the_version_seen_is_the_one_first_drawn() -> None:
    page = AppTest.from_function(acting)
    page.query_params["version"] = "4"
    assert page.run().text[1].value == "4"
    page.query_params["version"] = "5"
    assert page.run().text[1].value == "4"


def typing() -> None:
    import streamlit as st

    from components import state
    from core.errors import StoreUnavailable

    def keep(text: str) -> None:
        if text == "full":
            raise StoreUnavailable("Not saved: the disk is full.")
        st.session_state["store"] = text

    state.draft_text("Note", "page.note", load=lambda: "from the store", keep=keep)


def test_kept_text_is_restored_kept_on_change_and_stays_when_keeping_fails() -> None:
    page = AppTest.from_function(typing).run()
    assert page.text_area[0].value == "from the store"
    page.text_area[0].input("typed").run()
    assert page.session_state["store"] == "typed"
    page.text_area[0].input("full").run()
    assert page.text_area[0].value == "full"
    assert page.text[0].value == "Draft not saved: Not saved: the disk is full."
    assert not page.exception
    page.text_area[0].input("again").run()
    assert not page.text


def owned() -> None:
    import streamlit as st

    from components import state
    from core.people import Role, Viewer

    who = st.query_params["who"]
    state.belong_to(Viewer(person_id=who, name=who, roles=frozenset({Role.EXPERT}), session_id="s"))
    st.text(st.session_state.setdefault("typed by", who))


def test_a_session_taken_over_by_another_person_starts_empty() -> None:
    page = AppTest.from_function(owned)
    said: Callable[[], str] = lambda: page.run().text[0].value  # noqa: E731
    page.query_params["who"] = "first"
    assert said() == "first"
    page.query_params["who"] = "second"
    assert said() == "second"


def test_days_and_moments_are_said_in_the_browsers_time_zone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shell, "local_time", lambda at: at + timedelta(hours=1))
    late = datetime(2026, 11, 2, 23, 5, tzinfo=UTC)
    assert (shell.day(late), shell.moment(late)) == ("3 Nov 2026", "3 Nov 2026, 00:05")


def test_about_names_the_version_and_the_study() -> None:
    def page() -> None:
        from components.shell import _about

        _about("Farms", "a file")

    shown = AppTest.from_function(page).run()
    words = " ".join(text.value for text in shown.text)
    assert f"Edgewise {PROGRAM_VERSION}\n" in words and "Study: Farms, kept in a file" in words


def test_the_note_of_a_local_study_is_gone_for_good_once_dismissed() -> None:
    def draw() -> None:
        from types import SimpleNamespace
        from typing import Any

        import streamlit as st

        from components import shell

        stored: Any = st.session_state
        shell.banner(
            SimpleNamespace(acting_owner=None, is_local=True),  # type: ignore[arg-type]
            go_back=lambda: None,
            is_dismissed=lambda: stored.get("stored", False),
            dismiss=lambda: stored.update(stored=True),
        )

    page = AppTest.from_function(draw, default_timeout=60)
    page.run()
    assert "Local study: everyone at this computer is the owner." in page.caption[0].value
    page.button[0].click().run()
    assert not page.caption and page.session_state["stored"]
    later = AppTest.from_function(draw, default_timeout=60)  # another session
    later.session_state["stored"] = True
    later.run()
    assert not later.caption
