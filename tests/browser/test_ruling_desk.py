"""The adjudicator's desk alone: what is drawn of two graphs, hostile names, many differences, typing, closed desks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from tests.browser.bare_tab import BareTab, visit
from tests.browser.component_app import ComponentApp, served
from tests.browser.profiles import Profiles, Watch
from tests.browser.ruling_app import SCRIPT
from tests.everything import EVERYTHING


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ComponentApp]:
    with served(tmp_path_factory.mktemp("desk"), SCRIPT) as served_app:
        yield served_app


@pytest.fixture(scope="module")
def tab(app: ComponentApp, profiles: Profiles) -> Iterator[BareTab]:
    opened = BareTab(app, profiles)
    yield opened
    opened.close()


@pytest.fixture
def page(tab: BareTab, request: pytest.FixtureRequest, watch: Watch) -> Iterator[Page]:
    yield from tab.handed_to(request, watch)


@pytest.fixture
def open_desk(app: ComponentApp, page: Page) -> Callable[..., Page]:
    """`open_desk("big", closed="1")`: the desk over one of the app's pairs of graphs, with no ruling yet, settled; each
    has its own subject."""

    def open_page(kind: str = "small", **link: str) -> Page:
        more = "".join(f"&{name}={value}" for name, value in link.items())
        visit(page, f"{app.bare}?kind={kind}&subject={uuid4()}{more}")
        expect(page.locator(".rd[data-waiting='0']")).to_be_visible(timeout=30_000)
        return page

    return open_page


def log(page: Page, expected: str) -> None:
    """What the page was sent, in order."""
    expect(page.get_by_test_id("stCode")).to_have_text(expected)


def looks(page: Page) -> list[str]:
    found: list[str] = page.eval_on_selector_all(
        "g.cv-edge", "lines => lines.map(line => line.getAttribute('class').split(' ')[2])"
    )
    return sorted(found)


def test_each_side_has_its_line_and_says_so_in_words(open_desk: Callable[..., Page]) -> None:
    page = open_desk()
    page.keyboard.press("1")  # Harvst is Harvest: two of B's arrows become A's
    expect(page.locator(".rd[data-left='2']")).to_be_visible()
    assert looks(page) == ["a", "b", "both", "both", "both"]
    for label in (
        "Only A: Income to Debt, minus",
        "Only B: Debt to Income, minus",
        "Both: Debt to Rain, no sign",
    ):
        expect(page.locator(f'g.cv-edge[aria-label="{label}"]')).to_have_count(1)
    dashes = page.locator("g.cv-edge.a.waits .line").evaluate("line => getComputedStyle(line).strokeDasharray")
    dots = page.locator("g.cv-edge.b.waits .line").evaluate("line => getComputedStyle(line).strokeDasharray")
    agreed = page.locator("g.cv-edge.both").first.locator(".line")
    assert dashes != dots
    assert agreed.evaluate("line => getComputedStyle(line).strokeDasharray") == "none"
    expect(page.locator("g.rd-node.rd-differs")).to_have_attribute(
        "aria-label", "Harvest: A wrote “Harvest”, B wrote “Harvst”"
    )


COUNT = """
() => {
  const root = [...document.querySelectorAll("*")].map((each) => each.shadowRoot?.querySelector(".rd")).find(Boolean)
    ?? document.querySelector(".rd");
  window.__changed = new Set();
  new MutationObserver((all) => all.forEach(({ target }) => {
    const line = target.closest?.("g.cv-edge");
    if (line && target !== line) window.__changed.add(line.dataset.key);
  })).observe(root, { subtree: true, attributes: true, childList: true, characterData: true });
}
"""


@pytest.mark.skipif(not EVERYTHING, reason="tests/components/desk/frame.test.js, test_canvas_storm.py")
def test_a_ruling_among_205_arrows_draws_none_of_the_others_anew_and_those_in_a_hurry_go_out_in_order_and_once(
    open_desk: Callable[..., Page],
) -> None:
    page = open_desk("big")
    expect(page.locator(".rd-place")).to_have_text("Edge 1 of 59")
    assert page.locator("g.cv-edge").count() == 205 + 30  # of a turned one there are two
    page.evaluate(COUNT)
    page.keyboard.press("n")
    page.keyboard.press("1")
    expect(page.locator(".rd[data-left='58']")).to_be_visible()
    log(page, "RuleAct")
    changed = page.evaluate("window.__changed.size")
    assert changed <= 2  # the ruled arrow's own sign
    for _ in range(8):
        page.keyboard.press("1")
    expect(page.locator(".rd[data-left='50'][data-waiting='0']")).to_be_visible()
    log(page, " ".join(["RuleAct"] * 9))


def test_letters_in_a_field_are_text_and_escape_leads_back_to_the_keys(open_desk: Callable[..., Page]) -> None:
    page = open_desk()
    page.mouse.click(1400, 880)  # on bare ground, where keys are heard all the same
    page.keyboard.press("c")
    page.keyboard.type("1 2 n u x")
    expect(page.locator(".rd-comment")).to_have_value("1 2 n u x")
    page.keyboard.press("Escape")
    expect(page.locator(".rd-card")).to_be_focused()
    page.keyboard.press("t")
    page.keyboard.press("1")
    log(page, "RuleName")
    page.keyboard.press("p")
    expect(page.locator(".rd-place")).to_have_text("Edge 2 of 2")


def test_a_closed_desk_is_read_and_walked_but_rules_nothing(open_desk: Callable[..., Page]) -> None:
    page = open_desk(closed="1")
    page.locator(".rd-row").first.click()
    for key in ("1", "3", "x", "g", "Backspace", "u"):
        page.keyboard.press(key)
    expect(page.get_by_role("button", name="Clear ruling")).to_be_disabled()
    expect(page.locator(".rd-comment")).not_to_be_editable()
    page.keyboard.press("n")
    expect(page.locator(".rd-row[aria-current]")).to_have_count(1)
    log(page, "nothing yet")


def test_a_click_on_a_line_asks_about_it(open_desk: Callable[..., Page]) -> None:
    page = open_desk()
    page.keyboard.press("1")
    expect(page.locator(".rd[data-left='2']")).to_be_visible()
    page.keyboard.press("z")
    page.wait_for_timeout(400)  # the picture glides to its place
    line = page.locator('g.cv-edge[aria-label="Both: Debt to Rain, no sign"] .line')
    at = line.evaluate(
        "line => { const p = line.getPointAtLength(line.getTotalLength() / 2).matrixTransform(line.getScreenCTM());"
        " return [p.x, p.y]; }"
    )
    page.mouse.click(*at)
    expect(page.locator(".rd-place")).to_have_text("Both drew this")
    expect(page.locator(".rd-sentence")).to_have_text("“Debt” → “Rain”")
