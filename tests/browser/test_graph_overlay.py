"""Two graphs in one figure, in a real browser: classes, legend, loops, moved nodes, hostile and large graphs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.bare_tab import BareTab
from tests.browser.component_app import ComponentApp, served
from tests.browser.overlay_app import DARK, LIGHT, SCRIPT, focus, full, look, open_graph, pixels, settled
from tests.browser.profiles import Profiles, Watch
from tests.everything import EVERYTHING, usual


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


# --- classes ------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not EVERYTHING, reason="tests/components/graph/look.test.js")
def test_each_class_has_its_colour_line_and_shape_in_both_themes(page: Page, address: str) -> None:
    open_graph(page, address)
    seen = settled(page)
    each_class_has_its_colour_line_and_shape(page, seen, LIGHT)
    a_wrong_sign_is_boxed_in_place_of_the_plain_one(seen["edges"])
    the_summary_and_the_legend_count_the_classes(page)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("() => window.matchMedia('(prefers-color-scheme: dark)').matches")
    each_class_has_its_colour_line_and_shape(page, settled(page), DARK)


def each_class_has_its_colour_line_and_shape(page: Page, seen: dict[str, Any], colours: dict[str, str]) -> None:
    edges, nodes = seen["edges"], seen["nodes"]
    assert {name: edges[name]["colour"] for name in ("m1", "wrong", "miss", "extra", "turned")} == {
        "m1": colours["matched"],
        "wrong": colours["matched"],
        "miss": colours["missed"],
        "extra": colours["spurious"],
        "turned": colours["spurious"],
    }
    assert {edge["width"] for edge in edges.values()} == {2}  # width never says the class
    assert edges["m1"]["dashes"] is False
    dash, dot = edges["miss"]["dashes"], edges["extra"]["dashes"]
    assert dash[0] > 4 * dot[0]
    assert {name for name, edge in edges.items() if edge["heads"] == 2} == {"turned"}
    assert edges["turned"]["text"]["beside"] == "reversed"
    assert nodes["income"]["border"] == colours["matched"]
    assert nodes["income"]["background"] not in (nodes["poverty"]["background"], nodes["rain"]["background"])
    assert (nodes["poverty"]["border"], nodes["poverty"]["dashed"]) == (colours["missed"], True)
    assert (nodes["rain"]["border"], nodes["rain"]["radius"]) == (colours["spurious"], 0)
    assert nodes["income"]["radius"] > 0
    assert not nodes["income"]["dashed"]
    assert len({node["ink"] for node in nodes.values()}) == 1  # a name is ink whatever its class
    for colour in colours.values():
        assert pixels(page, colour) > 60


def a_wrong_sign_is_boxed_in_place_of_the_plain_one(edges: dict[str, Any]) -> None:
    assert (edges["wrong"]["text"]["box"], edges["wrong"]["text"]["sign"]) == ("+ → −", "")
    assert (edges["m1"]["text"]["box"], edges["m1"]["text"]["sign"]) == ("", "+")
    assert edges["plain"]["text"]["doubt"] == "?"


def the_summary_and_the_legend_count_the_classes(page: Page) -> None:
    expect(page.locator(".stage")).to_have_attribute(
        "aria-label",
        "Causal graph: 6 nodes (3 matched, 1 missed, 1 spurious), 8 edges (3 matched, 1 missed, 1 spurious, 1 reversed,"
        " 1 with another sign; 4 plus, 3 minus, 1 without sign).",
    )
    expect(page.locator(".legend li")).to_have_text(
        [
            "matched3 edges, 3 nodes",
            "missed (ground truth only)1 edge, 1 node",
            "spurious (prediction only)1 edge, 1 node",
            "reversed1 edge",
            "+ → −matched, another sign1 edge",
        ]
    )


# --- the legend ---------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not EVERYTHING, reason="long: a walk through each class")
def test_classes_are_hidden_and_parts_lit_and_the_rest_stays_as_it_was(page: Page, address: str) -> None:
    open_graph(page, address)
    lit_parts_keep_their_strength_and_width_while_the_rest_is_dimmed(page)
    a_box_hides_its_class_by_keyboard_and_survives_a_rerun(page)
    a_hidden_class_asked_for_by_the_page_is_not_drawn(page)


def a_box_hides_its_class_by_keyboard_and_survives_a_rerun(page: Page) -> None:
    before = look(page)
    box = page.get_by_role("checkbox", name="missed (ground truth only)")
    box.focus()
    page.keyboard.press("Space")
    expect(box).not_to_be_checked()
    expect(page.locator(".figure")).to_have_attribute("data-hidden", "missed")
    seen = settled(page)
    assert {name for name, node in seen["nodes"].items() if node["hidden"]} == {"poverty"}
    assert {name for name, edge in seen["edges"].items() if edge["hidden"]} == {"miss"}
    assert pixels(page, LIGHT["missed"]) == 0
    page.get_by_role("button", name="Again").click()
    expect(page.get_by_text("runs 4")).to_be_visible()
    expect(box).not_to_be_checked()
    expect(page.locator(".legend .missed .counts")).to_have_text("1 edge, 1 node")
    box.focus()
    page.keyboard.press("Space")
    expect(page.locator(".figure")).to_have_attribute("data-hidden", "")
    assert settled(page) == before  # nothing moved
    expect(box).to_be_focused()
    for row in page.locator(".legend label").all():
        size = row.bounding_box()
        assert size is not None
        assert size["height"] >= 24


def a_hidden_class_asked_for_by_the_page_is_not_drawn(page: Page) -> None:
    page.get_by_role("button", name="Truth only").click()
    expect(page.locator(".figure")).to_have_attribute("data-hidden", "reversed spurious")
    seen = settled(page)
    assert {name for name, edge in seen["edges"].items() if edge["hidden"]} == {"extra", "turned"}
    assert pixels(page, LIGHT["spurious"]) == 0
    page.get_by_role("checkbox", name="reversed").check()  # the person's box comes after
    page.get_by_role("button", name="Again").click()
    expect(page.get_by_text("runs 6")).to_be_visible()
    assert not settled(page)["edges"]["turned"]["hidden"]


def lit_parts_keep_their_strength_and_width_while_the_rest_is_dimmed(page: Page) -> None:
    before = pixels(page, LIGHT["missed"])
    assert before > 60
    page.get_by_role("button", name="Light R1").click()
    expect(page.locator(".live")).to_have_text("Highlighted: 2 nodes, 2 edges")
    seen = settled(page)
    assert full(seen) == {"income", "grain", "m1", "m2"}
    assert {edge["width"] for edge in seen["edges"].values()} == {2}
    assert seen["nodes"]["rain"]["strength"] == pytest.approx(0.15)
    assert pixels(page, LIGHT["missed"]) == 0
    page.get_by_role("button", name="Light nothing").click()
    expect(page.locator(".figure")).to_have_attribute("data-full", "")
    settled(page)
    assert pixels(page, LIGHT["missed"]) == pytest.approx(before, rel=0.1)


# --- loops --------------------------------------------------------------------------------------------------------


def test_loops_are_marked_in_their_midst_and_turn_as_they_run(page: Page, address: str) -> None:
    open_graph(page, address, "marks=1")
    seen = settled(page)
    marks = {mark["text"]: mark for mark in seen["marks"]}
    assert list(marks) == ["R1", "B1", "R2"]
    assert marks["R1"]["clockwise"]  # a pair bows to the left of travel
    assert not marks["B1"]["clockwise"]  # from the upper left down, then right, then back: y grows downwards
    nodes = seen["nodes"]
    assert nodes["income"]["x"] < marks["R1"]["x"] < nodes["grain"]["x"]
    assert nodes["income"]["y"] < marks["B1"]["y"] < nodes["school"]["y"]
    assert marks["R2"]["y"] < nodes["land"]["y"]  # beyond the arch of the self-loop
    page.get_by_role("button", name="Light R1").click()
    expect(page.locator(".figure")).to_have_attribute("data-full", "4")
    strengths = {mark["text"]: mark["strength"] for mark in settled(page)["marks"]}
    assert strengths["R1"] == 1
    assert strengths["B1"] == strengths["R2"] == pytest.approx(0.15)


# --- places -------------------------------------------------------------------------------------------------------


def test_a_dragged_node_is_told_once_with_its_place_and_stays_there(page: Page, address: str) -> None:
    open_graph(page, address)
    before = look(page)
    box = page.locator(".stage canvas").bounding_box()
    assert box is not None
    start = before["nodes"]["rain"]
    page.mouse.move(box["x"] + start["x"], box["y"] + start["y"])
    page.mouse.down()
    page.mouse.move(box["x"] + start["x"] + 60, box["y"] + start["y"] + 20, steps=6)
    page.mouse.move(box["x"] + start["x"] + 120, box["y"] + start["y"] + 40, steps=6)
    page.mouse.up()
    expect(page.get_by_text("runs 2")).to_be_visible()
    (move,) = json.loads(page.get_by_text("moves ").inner_text().removeprefix("moves "))
    assert list(move) == ["rain"]
    x, y = move["rain"]
    scale = before["scale"]
    assert (x, y) == (pytest.approx(360 + 120 / scale, abs=4), pytest.approx(-180 + 40 / scale, abs=4))
    expect(page.get_by_text("chosen null")).to_be_visible()  # a drag is no choice
    seen = settled(page)
    assert seen["nodes"]["rain"]["x"] == pytest.approx(start["x"] + 120, abs=3)
    assert seen["nodes"]["grain"] == before["nodes"]["grain"]
    page.get_by_role("button", name="Again").click()
    expect(page.get_by_text("runs 3")).to_be_visible()
    page.wait_for_timeout(300)
    expect(page.get_by_text("runs 3")).to_be_visible()  # no storm of reruns
    assert settled(page)["nodes"]["rain"]["x"] == seen["nodes"]["rain"]["x"]


@pytest.mark.skipif(not EVERYTHING, reason="a dragged node is told once: above")
def test_nobody_is_told_of_moves_who_did_not_ask_and_the_node_still_stays(page: Page, address: str) -> None:
    open_graph(page, address, "still=1")
    start = look(page)["nodes"]["rain"]
    box = page.locator(".stage canvas").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + start["x"], box["y"] + start["y"])
    page.mouse.down()
    page.mouse.move(box["x"] + start["x"] + 90, box["y"] + start["y"] + 30, steps=8)
    page.mouse.up()
    moved = settled(page)["nodes"]["rain"]
    assert moved["x"] == pytest.approx(start["x"] + 90, abs=3)
    expect(page.get_by_text("runs 1")).to_be_visible()
    page.get_by_role("checkbox", name="reversed").uncheck()  # a change of look moves nothing
    assert settled(page)["nodes"]["rain"] == moved


# --- what must hold for any graph -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("nodes", "edges"), usual([(140, 205), (450, 900)], (450, 900)))
def test_large_comparisons_draw_find_focus_and_bring_a_node_into_view(
    page: Page, address: str, nodes: int, edges: int
) -> None:
    open_graph(page, address, f"graph={nodes}")
    figure = page.locator(".figure")
    expect(figure).to_have_attribute("data-nodes", str(nodes))
    expect(figure).to_have_attribute("data-edges", str(edges))
    for colour in LIGHT.values():
        assert pixels(page, colour) > 200
    the_page_can_bring_a_node_into_view(page, f"n{nodes - 1}")
    focus(page)
    page.keyboard.press("/")
    page.keyboard.type("number 77")
    page.keyboard.press("Enter")
    expect(page.get_by_text('chosen ["node", "n77"]')).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("n")
    seen = settled(page)
    assert seen["scale"] >= 0.85  # near enough to read
    assert "n77" in full(seen)
    assert 2 < len(full(seen)) < 20


def the_page_can_bring_a_node_into_view(page: Page, last: str) -> None:
    stage = page.locator(".stage").bounding_box()
    assert stage is not None
    page.get_by_role("button", name="Go to the last").click()
    page.wait_for_function(
        "() => { const seen = [...document.querySelectorAll('*')].map((e) => e.shadowRoot?.querySelector('.figure'))"
        ".find(Boolean) ?? document.querySelector('.figure'); return seen.figure.network.getScale() > 0.85; }"
    )
    node = settled(page)["nodes"][last]
    assert (node["x"], node["y"]) == (pytest.approx(stage["width"] / 2, abs=6), pytest.approx(230, abs=6))
