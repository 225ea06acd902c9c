"""What a watched page is told of."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Server
from tests.browser.profiles import Watch

ELSEWHERE = "http://elsewhere.example/"
ADDRESS = "http://192.0.2.1/"
ASKING = {
    "a picture": "(url) => { new Image().src = url; }",
    "a fetch": "(url) => { fetch(url, { mode: 'no-cors' }).catch(() => 0); }",
    "a style sheet": "(url) => { document.head.innerHTML += `<link rel=stylesheet href=${url}>`; }",
}


@pytest.mark.parametrize("asks", ASKING.values(), ids=ASKING)
@pytest.mark.parametrize("url", [ELSEWHERE, ADDRESS])
def test_who_asks_another_machine_is_told_with_and_without_our_policy(
    server: Server, new_page: Callable[..., Page], watch: Watch, asks: str, url: str
) -> None:
    page = new_page(server)
    for path in ("/sign-in", "about:blank"):
        page.goto(path)
        with page.expect_console_message(lambda message: message.type == "error"):
            page.evaluate(asks, url)
    assert len(watch.faults) >= 2
    assert all("ERR_NAME_NOT_RESOLVED" in each or "Content Security Policy" in each for each in watch.faults)
    watch.faults.clear()
