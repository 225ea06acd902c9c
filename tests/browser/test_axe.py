"""That contrast is found wherever it is bad, though each pairing of colours is looked at once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser import axe
from tests.everything import EVERYTHING

GOOD = '<p style="color: black">read</p>'
FAINT = '<p style="color: #ccc">faint</p>'
INSIDE = f"""<div id="host"></div><script>
  document.getElementById("host").attachShadow({{ mode: "open" }}).innerHTML = `{FAINT}`;
</script>"""
MENU = "in the menu, which is left out"
SEEN_BEFORE = {
    "on the same ground": GOOD,
    "as a control out of use": '<button disabled style="all: unset; color: #ccc">faint</button>',
    "hidden": f'<div style="display: none">{FAINT}</div>',
    "on a dark ground": f'<div style="background: black">{FAINT}</div>',
    "half shown": f'<div style="opacity: 0.9">{GOOD}</div>',
    MENU: f'<div data-testid="stSidebar">{FAINT}</div>',
    "laid over others": f'<div style="position: absolute; top: 300px; background: black">{FAINT}</div>',
}


@pytest.fixture(scope="module")
def one_page(browser: Browser) -> Iterator[Page]:
    with browser.new_page() as page:
        yield page


@pytest.fixture
def blank(one_page: Page) -> Page:
    one_page.goto("about:blank")  # a window of its own, in which nothing was looked at
    return one_page


def shown(page: Page, body: str) -> list[str]:
    page.evaluate("(body) => { document.body.innerHTML = body; }", body)
    return axe.found(page, "there")


@pytest.mark.parametrize("before", SEEN_BEFORE.values(), ids=SEEN_BEFORE)
def test_a_faint_text_is_found_whatever_was_looked_at_before(blank: Page, before: str) -> None:
    blank.set_content("<html lang='en'><title>Looked at</title><body></body></html>")
    is_looked_at = EVERYTHING and before == SEEN_BEFORE[MENU]  # where everything runs, the menu is not left out
    assert len(shown(blank, before)) == is_looked_at
    assert len(shown(blank, before + FAINT)) == 1 + is_looked_at


def test_a_faint_text_of_a_component_is_found(blank: Page) -> None:
    blank.set_content(f"<html lang='en'><title>Looked at</title><body>{INSIDE}</body></html>")
    assert len(axe.found(blank, "there")) == 1
