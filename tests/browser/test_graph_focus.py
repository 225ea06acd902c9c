"""Finding a node, its neighbours and its edges in a figure, by keyboard, mouse and touch, in a real browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser import axe
from tests.browser.bare_tab import BareTab
from tests.browser.component_app import ComponentApp, served
from tests.browser.overlay_app import SCRIPT, click_node, focus, full, look, open_graph, pixels, settled
from tests.browser.profiles import Profiles, Watch
from tests.everything import EVERYTHING


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ComponentApp]:
    with served(tmp_path_factory.mktemp("overlay"), SCRIPT) as served_app:
        yield served_app


@pytest.fixture(scope="module")
def address(app: ComponentApp) -> str:
    return app.bare


@pytest.fixture(scope="module")
def tab(app: ComponentApp, profiles: Profiles) -> Iterator[BareTab]:
    opened = BareTab(app, profiles, width=1200, reduced_motion="reduce")
    yield opened
    opened.close()


@pytest.fixture
def page(tab: BareTab, request: pytest.FixtureRequest, watch: Watch) -> Iterator[Page]:
    yield from tab.handed_to(request, watch)


# --- finding and neighbours ---------------------------------------------------------------------------------------


@pytest.mark.skipif(not EVERYTHING, reason="long: a walk of twenty acts")
def test_a_node_is_found_its_neighbours_shown_and_its_edges_gone_through(page: Page, address: str) -> None:
    open_graph(page, address)
    only_the_neighbours_of_the_chosen_node_stay_at_full_strength(page)
    a_double_click_focuses_a_node_and_an_empty_spot_lets_go(page)
    e_steps_through_the_edges_of_the_chosen_node(page)
    enter_steps_through_what_is_found_and_shift_enter_goes_back(page)
    finding_minds_neither_case_nor_accents_and_takes_the_name_with_enter(page)


def finding_minds_neither_case_nor_accents_and_takes_the_name_with_enter(page: Page) -> None:
    focus(page)
    page.keyboard.press("/")
    field = page.get_by_role("combobox", name="Find a node by its name")
    expect(field).to_be_focused()
    page.keyboard.type("EDUCATION annees")
    expect(page.locator(".find .count")).to_have_text("1 found")
    expect(page.get_by_role("option")).to_have_text(["Années d’éducation"])
    assert {name for name, node in look(page)["nodes"].items() if node["found"]} == {"school"}
    page.keyboard.press("Enter")
    expect(page.get_by_text('chosen ["node", "school"]')).to_be_visible()
    node = settled(page)["nodes"]["school"]
    stage = page.locator(".stage").bounding_box()
    assert stage is not None
    assert (node["x"], node["y"]) == (pytest.approx(stage["width"] / 2, abs=6), pytest.approx(230, abs=6))
    page.keyboard.press("Escape")
    expect(page.locator(".stage")).to_be_focused()
    expect(field).to_be_hidden()


def enter_steps_through_what_is_found_and_shift_enter_goes_back(page: Page) -> None:
    page.get_by_role("button", name="Find", exact=True).click()
    page.keyboard.type("in")  # Household income, Rainfall, Total grain output, Land in use
    expect(page.locator(".find .count")).to_have_text("4 found")
    expect(page.locator(".live")).to_have_text("4 found")
    order = page.get_by_role("option").all_text_contents()
    for key, place in (("Enter", 1), ("Enter", 2), ("Enter", 3), ("Shift+Enter", 2), ("Shift+Enter", 1)):
        page.keyboard.press(key)
        expect(page.locator(".find .count")).to_have_text(f"4 found · {place} of 4")
        expect(page.locator(".live")).to_contain_text(order[place - 1])
    page.keyboard.press("Shift+Enter")
    expect(page.locator(".find .count")).to_have_text("4 found · 4 of 4")
    page.get_by_role("combobox").fill("nothing like it")
    expect(page.locator(".find .count")).to_have_text("0 found")
    page.keyboard.press("Escape")


def only_the_neighbours_of_the_chosen_node_stay_at_full_strength(page: Page) -> None:
    focus(page)
    page.keyboard.press("n")
    expect(page.locator(".line")).to_contain_text("Choose a node first")
    everything = full(look(page))
    click_node(page, "grain")
    expect(page.get_by_text('chosen ["node", "grain"]')).to_be_visible()
    page.keyboard.press("n")
    near = {"grain", "income", "rain", "school", "land", "m1", "m2", "extra", "turned", "plain"}
    assert full(settled(page)) == near
    only = page.get_by_role("button", name="Show only neighbours")
    expect(only).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".live")).to_have_text("Only Total grain output and its 4 neighbours (Esc: all)")
    click_node(page, "income")  # walking: the neighbours of the next node
    assert full(settled(page)) == {"income", "grain", "school", "poverty", "m1", "m2", "wrong", "miss"}
    page.keyboard.press("Escape")
    assert full(settled(page)) == everything
    only.click()
    assert "land" not in full(settled(page))
    only.click()
    assert full(settled(page)) == everything


def a_double_click_focuses_a_node_and_an_empty_spot_lets_go(page: Page) -> None:
    everything = full(look(page))
    click_node(page, "rain", twice=True)
    assert full(settled(page)) == {"rain", "grain", "extra"}
    page.locator(".stage canvas").click(position={"x": 12, "y": 440})
    expect(page.get_by_text("chosen null")).to_be_visible()
    assert full(settled(page)) == everything


def e_steps_through_the_edges_of_the_chosen_node(page: Page) -> None:
    click_node(page, "poverty")
    expect(page.get_by_text('chosen ["node", "poverty"]')).to_be_visible()
    page.keyboard.press("e")
    expect(page.get_by_text('chosen ["edge", "miss"]')).to_be_visible()
    expect(page.locator(".line")).to_have_text("Rural poverty → Household income (−, missed (ground truth only))")
    seen = settled(page)
    assert [name for name, edge in seen["edges"].items() if edge["chosen"]] == ["miss"]
    assert seen["edges"]["miss"]["width"] == 2  # a halo says it, for width says nothing
    assert pixels(page, seen["halo"]) > 200
    click_node(page, "grain")
    expect(page.get_by_text('chosen ["node", "grain"]')).to_be_visible()
    for name in ("m1", "m2", "extra", "turned", "plain", "m1"):
        page.keyboard.press("e")
        expect(page.get_by_text(f'chosen ["edge", "{name}"]')).to_be_visible()
    page.keyboard.press("Shift+E")
    expect(page.get_by_text('chosen ["edge", "plain"]')).to_be_visible()


def test_without_its_buttons_the_figure_still_obeys_its_keys(page: Page, address: str) -> None:
    open_graph(page, address, "bare=1")
    expect(page.get_by_role("button", name="Find", exact=True)).to_be_hidden()
    focus(page)
    page.keyboard.press("/")
    expect(page.get_by_role("combobox")).to_be_focused()


def test_the_figure_its_legend_and_its_find_field_have_no_serious_fault(page: Page, address: str) -> None:
    open_graph(page, address, "marks=1")
    page.get_by_role("checkbox", name="reversed").uncheck()
    page.get_by_role("button", name="Find", exact=True).click()
    page.keyboard.type("in")
    expect(page.get_by_role("option")).to_have_count(4)
    said = axe.found(page, "light", axe.COMPONENT)
    axe.turn(page, "dark")
    assert said + axe.found(page, "dark", axe.COMPONENT) == []


@pytest.mark.skipif(not EVERYTHING, reason="the same acts with a mouse: above")
def test_a_phone_chooses_by_touch_and_hides_by_touch(
    app: ComponentApp, address: str, new_page: Callable[..., Page]
) -> None:
    page = new_page(app, width=390, height=844, has_touch=True, is_mobile=True)
    open_graph(page, address)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
    for button in page.locator(".tools button, .legend label").all():
        size = button.bounding_box()
        assert size is not None
        assert size["height"] >= 40
        assert size["x"] >= 0
        assert size["x"] + size["width"] <= 390
    page.get_by_role("button", name="Find", exact=True).tap()
    page.keyboard.type("rain")
    page.get_by_role("option").first.tap()
    expect(page.get_by_text('chosen ["node", "rain"]')).to_be_visible()
    page.get_by_role("button", name="Close (Esc)").tap()
    settled(page)
    page.get_by_role("button", name="Show only neighbours").tap()
    assert full(settled(page)) == {"rain", "grain", "extra"}
    page.get_by_text("missed (ground truth only)").tap()
    expect(page.locator(".figure")).to_have_attribute("data-hidden", "missed")
