"""What a person does on the transcription canvas, in a real browser over a kept graph (transcription_app.py)."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import axe
from tests.browser.bare_tab import BareTab, visit
from tests.browser.component_app import ComponentApp, served
from tests.browser.phone import Finger, phone
from tests.browser.profiles import Profiles, Watch
from tests.browser.transcription_app import HEIGHT, LEFT, SCRIPT, TOP, WIDTH
from tests.everything import EVERYTHING, usual

PRINTED = {
    "Price": (100, 120),
    "Demand": (300, 120),
    "Supply": (460, 120),
    "Wages": (100, 300),
    "Rent": (300, 300),
    "Tax": (460, 300),
}


def words(*names: str) -> list[list[Any]]:
    return [[name, [x, y, x + 50, y + 10]] for name, (x, y) in PRINTED.items() if not names or name in names]


def placed(*names: str) -> list[dict[str, Any]]:
    return [
        {"id": f"n{n}", "name": name, "box": box, "at": None, "swept": False}
        for n, (name, box) in enumerate(words(*names), start=100)
    ]


def edge(n: int, source: int, sink: int, sign: str = "", **more: Any) -> dict[str, Any]:
    plain = {"delay": False, "flag": "", "note": "", "path": None}
    return {"id": f"e{n}", "source": f"n{source}", "sink": f"n{sink}", "sign": sign, **plain, **more}


def proposal(source: str, sink: str, confidence: float, is_doubtful: bool = False) -> dict[str, Any]:
    return {
        "source": source,
        "sink": sink,
        "sign": "+",
        "confidence": confidence,
        "is_doubtful": is_doubtful,
    }


@dataclass
class Site:
    """The running page."""

    app: ComponentApp

    @property
    def folder(self) -> Path:
        return self.app.folder

    def url(self, subject: str, **options: str) -> str:
        """On the bare page; on Streamlit's with `streamlit="1"`."""
        more = "".join(f"&{name}={value}" for name, value in options.items())
        return f"{self.app.url if 'streamlit' in options else self.app.bare}?subject={subject}{more}"

    def store(self, subject: str) -> dict[str, Any]:
        path = self.folder / f"{subject}.json"
        empty: dict[str, Any] = {"acts": [], "edges": [], "nodes": []}
        return empty | (json.loads(path.read_text()) if path.exists() else {})

    def seed(self, subject: str, **store: Any) -> None:
        (self.folder / f"{subject}.json").write_text(json.dumps(store))

    def kinds(self, subject: str) -> list[str]:
        return [act["kind"] for act in self.store(subject)["acts"]]

    def edges(self, subject: str) -> list[tuple[str, str, str]]:
        store = self.store(subject)
        names = {node["id"]: node["name"] for node in store["nodes"]}
        return [(names[edge["source"]], names[edge["sink"]], edge["sign"]) for edge in store["edges"]]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("canvas")
    with served(folder, SCRIPT, DESK_STORE=str(folder)) as app:
        yield Site(app)


@pytest.fixture(scope="module")
def tab(site: Site, profiles: Profiles) -> Iterator[BareTab]:
    opened = BareTab(site.app, profiles, width=1200, reduced_motion="reduce")
    yield opened
    opened.close()


@pytest.fixture
def page(tab: BareTab, request: pytest.FixtureRequest, watch: Watch) -> Iterator[Page]:
    """Each test has its own subject."""
    yield from tab.handed_to(request, watch)


def open_canvas(site: Site, page: Page, subject: str, **options: str) -> Page:
    visit(page, site.url(subject, **options))
    expect(page.locator(".cv-viewport")).to_be_visible()
    expect(page.locator(".cv[data-version]")).to_be_visible()
    return page


def node(page: Page, name: str) -> Locator:
    return page.locator(f'g.cv-node[data-key="{name}"]')


def word(page: Page, name: str) -> Locator:
    return page.locator(f'g.cv-word[aria-label^="Printed name: {name}"]')


def drawn(page: Page) -> Locator:
    return page.locator("g.cv-edge")


def lit(page: Page) -> Locator:
    return page.locator("g.cv-proposal.chosen")


def between(page: Page, source: str, sink: str) -> Locator:
    return page.locator(f'g.cv-edge[aria-label^="{source} to {sink},"]')


def at(page: Page, x: float, y: float, width: float = WIDTH, height: float = HEIGHT) -> tuple[float, float]:
    """Where a point of the page stands on the screen."""
    box = page.locator(".pz-content").bounding_box()
    assert box is not None
    return box["x"] + (x - LEFT) / width * box["width"], box["y"] + (y - TOP) / height * box["height"]


def focus_canvas(page: Page) -> None:
    page.locator(".cv-viewport").focus()


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def until(found: Callable[[], object], expected: object, seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while found() != expected and time.monotonic() < deadline:
        time.sleep(0.05)
    assert found() == expected


# --- drawing


def test_two_clicks_draw_an_edge_between_two_printed_names_before_the_store_answers(site: Site, page: Page) -> None:
    site.seed("twopicks", words=words())
    open_canvas(site, page, "twopicks", sleep="1")
    word(page, "Price").click()
    expect(node(page, "Price")).to_have_class(re.compile("armed"))
    word(page, "Demand").click()
    expect(between(page, "Price", "Demand")).to_have_count(1, timeout=900)
    assert len(site.store("twopicks")["edges"]) == 0
    expect(page.locator(".cv-receipt", has_text="2 nodes, 1 edges")).to_be_visible()
    acts = site.store("twopicks")["acts"]
    wanted = [("place_node", "Price"), ("place_node", "Demand"), ("connect", "")]
    assert [(act["kind"], act.get("name", "")) for act in acts] == wanted
    assert (acts[0]["origin"], acts[0]["box"]) == ("printed", [100, 120, 150, 130])
    expect(word(page, "Supply")).to_be_visible()  # what is bare stays visible
    expect(drawn(page)).to_have_count(1)


def test_the_sign_and_delay_go_with_the_edge_and_to_the_last_one(site: Site, page: Page) -> None:
    site.seed("signs", words=words())
    open_canvas(site, page, "signs", sleep="0.2")
    word(page, "Price").click()
    press(page, "-")
    word(page, "Demand").click()
    expect(between(page, "Price", "Demand")).to_have_attribute("aria-label", re.compile("minus"))
    node(page, "Price").click()
    word(page, "Supply").click()
    press(page, "+", "d", "g")  # before the store has answered for the edge
    expect(between(page, "Price", "Supply")).to_have_attribute("aria-label", re.compile("plus, delay, ambiguous arrow"))
    until(lambda: site.edges("signs"), [("Price", "Demand", "-"), ("Price", "Supply", "+")])
    until(lambda: [e["flag"] for e in site.store("signs")["edges"]], ["", "ambiguous arrow"])
    press(page, "0", "d")
    until(lambda: [(e["sign"], e["delay"]) for e in site.store("signs")["edges"]], [("-", False), ("", False)])


def test_an_edge_is_drawn_by_dragging_and_a_loop_by_dragging_back(site: Site, page: Page) -> None:
    site.seed("drag", words=words(), nodes=placed("Price"))
    open_canvas(site, page, "drag")
    page.mouse.move(*at(page, 125, 125))
    page.mouse.down()
    page.mouse.move(*at(page, 200, 140))
    expect(page.locator(".cv-band")).to_be_visible()
    page.mouse.move(*at(page, 325, 125))
    page.mouse.up()
    until(lambda: site.edges("drag"), [("Price", "Demand", "")])
    page.mouse.move(*at(page, 125, 125))
    page.mouse.down()
    page.mouse.move(*at(page, 200, 200))
    page.mouse.move(*at(page, 125, 125))
    page.mouse.up()
    until(lambda: site.edges("drag"), [("Price", "Demand", ""), ("Price", "Price", "")])


def test_without_printed_names_a_click_writes_one_and_a_drop_draws_to_it(site: Site, page: Page) -> None:
    site.seed("scan", names=["Annual precipitation", "Annual sunshine hours"])
    open_canvas(site, page, "scan")
    page.mouse.click(*at(page, 150, 150))
    page.keyboard.type("precip")
    expect(page.get_by_role("option")).to_have_text(["Annual precipitation"])
    press(page, "ArrowDown", "Enter")
    expect(node(page, "Annual precipitation")).to_have_class(re.compile("armed"))
    page.mouse.click(*at(page, 350, 250))
    page.keyboard.type("  Grain   output ")
    press(page, "Enter")
    expect(between(page, "Annual precipitation", "Grain output")).to_have_count(1)
    page.mouse.click(*at(page, 400, 100))
    page.keyboard.type("never mind")
    press(page, "Escape")
    expect(page.get_by_role("combobox", name="Node name")).to_be_hidden()
    page.mouse.move(*at(page, 350, 250))
    page.mouse.down()
    page.mouse.move(*at(page, 300, 300))
    page.mouse.move(*at(page, 250, 340))
    page.mouse.up()
    page.keyboard.type("Price")
    press(page, "Enter")
    until(lambda: site.edges("scan"), [("Annual precipitation", "Grain output", ""), ("Grain output", "Price", "")])
    first = site.store("scan")["nodes"][0]
    assert first["at"] == [pytest.approx(150, abs=1), pytest.approx(150, abs=1)]


@pytest.mark.skipif(not EVERYTHING, reason="long: keys that the script's test shows")
def test_hints_draw_an_edge_in_three_keys_with_its_sign(site: Site, page: Page) -> None:
    site.seed("hints", words=words())
    open_canvas(site, page, "hints")
    focus_canvas(page)
    press(page, "h")
    expect(page.locator(".cv-chip-hint")).to_have_count(6)
    no_key_fires_while_text_is_typed(site, page)
    focus_canvas(page)
    codes = dict(zip(PRINTED, page.locator(".cv-chip-hint").all_inner_texts(), strict=True))
    wanted = [("Price", "Demand", "-"), ("Demand", "Tax", "+"), ("Tax", "Price", "")]
    keys = [[*codes[source], *codes[sink], *([sign] if sign else [])] for source, sink, sign in wanted]
    for edge_keys in keys:
        assert len(edge_keys) <= 3
        press(page, *edge_keys)
    until(lambda: site.edges("hints"), wanted)
    press(page, codes["Wages"], " ", codes["Rent"])  # a space between codes is no key of its own
    press(page, codes["Wages"], "Backspace")
    expect(page.locator("g.armed")).to_have_count(0)
    until(lambda: len(site.edges("hints")), 4)
    press(page, "h")  # the key that turns them on turns them off: it is no letter of a code
    expect(page.locator(".cv-chip-hint")).to_have_count(0)
    expect(page.locator("g.armed")).to_have_count(0)
    press(page, "h")
    expect(page.locator(".cv-chip-hint")).to_have_count(6)
    press(page, "s")  # so do other commands work on
    expect(page.locator(".cv-banner")).to_contain_text("Any more?")
    press(page, "Escape")
    assert len(site.edges("hints")) == 4
    open_canvas(site, page, "hints")
    expect(page.locator(".cv-chip-hint")).to_have_count(0)  # hints end with the figure, codes stay
    focus_canvas(page)
    press(page, "h")
    expect(page.locator(".cv-chip-hint")).to_have_count(6)
    by_name = {}
    for name in PRINTED:
        focus_canvas(page)
        press(page, codes[name])
        by_name[name] = page.locator("g.armed").get_attribute("data-key")
        press(page, "Escape")
    assert by_name == {name: name for name in PRINTED}


def no_key_fires_while_text_is_typed(site: Site, page: Page) -> None:
    press(page, "/")
    page.keyboard.type("asf Hdx-+0?")
    expect(page.get_by_role("combobox")).to_have_value("asf Hdx-+0?")
    press(page, "Escape")
    page.get_by_label("Elsewhere").press_sequentially("asdf")
    page.wait_for_timeout(200)
    assert site.kinds("hints") == []
    expect(page.locator("g.armed")).to_have_count(0)


def test_a_graph_of_six_nodes_is_built_by_keyboard_alone(site: Site, page: Page) -> None:
    site.seed("keyboard", words=words())
    open_canvas(site, page, "keyboard")
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate(
            "document.activeElement?.shadowRoot?.activeElement?.classList.contains('cv-viewport') ?? false"
        ):
            break
    press(page, "ArrowRight", "Enter", "ArrowRight", "Enter", "+")  # Price -> Demand
    press(page, "Enter", "ArrowRight", "Enter", "-")  # Demand -> Supply
    press(page, "Enter", "ArrowDown", "Enter")  # Supply -> Tax
    press(page, "Enter", "ArrowLeft", "Enter", "d")  # Tax -> Rent
    press(page, "Enter", "ArrowLeft", "Enter")  # Rent -> Wages
    press(page, "Enter", "ArrowUp", "Enter")  # Wages -> Price
    press(page, "l")  # Price -> Price
    wanted = [
        ("Price", "Demand", "+"),
        ("Demand", "Supply", "-"),
        ("Supply", "Tax", ""),
        ("Tax", "Rent", ""),
        ("Rent", "Wages", ""),
        ("Wages", "Price", ""),
        ("Price", "Price", ""),
    ]
    until(lambda: site.edges("keyboard"), wanted)
    assert [e["delay"] for e in site.store("keyboard")["edges"]].index(True) == 3
    press(page, "Delete")
    until(lambda: site.edges("keyboard"), wanted[:-1])
    press(page, "Control+z")
    until(lambda: site.edges("keyboard"), wanted)
    press(page, "Control+Shift+z")
    until(lambda: site.edges("keyboard"), wanted[:-1])
    press(page, "/")
    page.keyboard.type("Interest rate")
    press(page, "Enter", "/")
    page.keyboard.type("dem")
    press(page, "Tab", "Enter")
    until(lambda: site.edges("keyboard")[-1], ("Interest rate", "Demand", ""))
    press(page, "?")
    expect(page.get_by_role("dialog")).to_be_visible()
    press(page, "Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    press(page, "/")
    page.keyboard.type("interest rate")  # another case is the same name
    press(page, "Enter", "Escape", "r")
    page.keyboard.type("Discount rate")
    press(page, "Enter")
    until(lambda: site.edges("keyboard")[-1], ("Discount rate", "Demand", ""))
    press(page, "Escape", "m", "ArrowDown", "Shift+ArrowRight", "Enter")
    until(lambda: site.kinds("keyboard")[-1], "move_node")
    press(page, "Delete")
    until(lambda: len(site.store("keyboard")["nodes"]), 6)
    assert site.edges("keyboard") == wanted[:-1]


def test_one_name_alone_can_be_looked_at(site: Site, page: Page) -> None:
    site.seed("focus", nodes=placed(), edges=[edge(1, 100, 101), edge(2, 101, 102), edge(3, 103, 104)])
    open_canvas(site, page, "focus")
    node(page, "Demand").focus()
    press(page, "n")
    expect(page.locator("g.cv-edge.dim")).to_have_count(1)
    expect(page.locator("g.cv-node.dim")).to_have_count(3)
    press(page, "n")
    expect(page.locator("g.dim")).to_have_count(0)
    press(page, "e")
    expect(between(page, "Price", "Demand")).to_be_focused()
    press(page, "e", "+")
    until(lambda: site.edges("focus")[1], ("Demand", "Supply", "+"))


# --- tray, menu, rename


def test_a_name_without_a_place_is_drawn_to_placed_by_key_or_dragged_from_the_tray(site: Site, page: Page) -> None:
    nodes = [
        *placed("Price"),
        {"id": "t1", "name": "Typed one", "box": None, "at": None, "swept": False},
        {"id": "t2", "name": "Tax", "box": None, "at": None, "swept": False},
        {"id": "t3", "name": "Typed too", "box": None, "at": None, "swept": False},
    ]
    site.seed("tray", nodes=nodes, words=words("Tax"), edges=[edge(1, 100, 100)])
    open_canvas(site, page, "tray")
    expect(node(page, "Tax")).to_be_visible()  # printed once, so it stands there
    chip = page.locator(".cv-tray-chip")
    expect(chip).to_have_text(["Typed one", "Typed too"])
    node(page, "Price").click()
    chip.nth(1).click()
    until(lambda: site.edges("tray")[1:], [("Price", "Typed too", "")])
    chip.nth(1).focus()
    press(page, "m", "ArrowRight", "Enter")
    expect(node(page, "Typed too")).to_be_focused()
    expect(between(page, "Price", "Typed too")).not_to_have_class(re.compile("stub"))
    press(page, "Escape")
    chip.hover()
    page.mouse.down()
    page.mouse.move(*at(page, 200, 200))
    page.mouse.move(*at(page, 210, 210))
    page.mouse.up()
    expect(chip).to_have_count(0)
    until(lambda: site.kinds("tray"), ["connect", "move_node", "move_node"])
    moved = site.store("tray")["nodes"][1]["at"]
    assert moved == [pytest.approx(210, abs=1), pytest.approx(210, abs=1)]


def test_the_menu_of_a_name_renames_and_removes(site: Site, page: Page) -> None:
    site.seed("menu", nodes=placed("Price", "Demand"), edges=[edge(1, 100, 101)])
    open_canvas(site, page, "menu")
    node(page, "Price").click(button="right")
    page.get_by_role("menuitem", name="Rename").click()
    page.keyboard.type("Net price")
    press(page, "Enter")
    expect(between(page, "Net price", "Demand")).to_have_count(1)
    until(lambda: site.edges("menu"), [("Net price", "Demand", "")])
    node(page, "Demand").click(button="right")
    page.get_by_role("menuitem", name="Remove").click()
    expect(drawn(page)).to_have_count(0)
    until(lambda: site.kinds("menu"), ["rename_node", "delete_node"])
    page.get_by_role("button", name="Undo").click()
    until(lambda: site.edges("menu"), [("Net price", "Demand", "")])


def grip(page: Page, end: str) -> tuple[float, float]:
    """The middle of a ring of the chosen line."""
    ring = page.locator(f".cv-grip[data-end={end}]")
    expect(ring).to_be_visible()
    box = ring.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_wrong_end_is_typed_or_dragged_to_another_name_and_the_course_stays(site: Site, page: Page) -> None:
    path = [[150, 125], [220, 90], [300, 125]]
    proposals = [{**proposal("Price", "Demand", 0.5, True), "path": path}, proposal("Rent", "Tax", 0.9)]
    site.seed("mend", nodes=placed("Wages"), words=words(), edges=[], proposals=proposals)
    open_canvas(site, page, "mend")
    focus_canvas(page)
    press(page, "p", ">")
    expect(page.get_by_label("New sink of Price → Demand +")).to_be_focused()
    page.keyboard.type("suppl")
    press(page, "ArrowDown", "Enter")
    expect(lit(page)).to_have_attribute("aria-label", re.compile("Rent to Tax"))  # the next one
    until(lambda: site.edges("mend"), [("Price", "Supply", "+")])
    assert site.store("mend")["edges"][0]["path"] == path
    press(page, "v")  # the other way round
    until(lambda: site.edges("mend")[1:], [("Tax", "Rent", "+")])
    between(page, "Price", "Supply").focus()
    press(page, "Enter")
    page.mouse.move(*grip(page, "source"))
    page.mouse.down()
    page.mouse.move(*at(page, 200, 200), steps=4)
    page.mouse.move(*at(page, 125, 305), steps=4)
    page.mouse.up()
    until(lambda: site.edges("mend")[0], ("Wages", "Supply", "+"))
    expect(between(page, "Wages", "Supply")).to_have_count(1)
    assert site.store("mend")["edges"][0]["path"] == path
    page.mouse.move(*grip(page, "sink"))
    page.mouse.down()
    page.mouse.move(*at(page, 200, 200), steps=4)
    page.mouse.up()
    expect(page.locator(".cv-words")).to_contain_text("Release over a node")
    press(page, "<")
    page.keyboard.type("Tax")
    press(page, "Enter")
    until(lambda: site.edges("mend")[0], ("Tax", "Supply", "+"))
    page.get_by_role("button", name="Reverse").click()
    until(lambda: site.edges("mend")[0], ("Supply", "Tax", "+"))
    press(page, "v")
    until(lambda: site.edges("mend")[0], ("Tax", "Supply", "+"))
    assert [kind for kind in site.kinds("mend") if kind != "place_node"] == [
        "accept_as",
        "accept_as",
        "edit_edge",
        "edit_edge",
        "reverse_edge",
        "reverse_edge",
    ]


# --- proposals and the sweep


def test_proposals_are_ruled_by_key_doubtful_ones_first(site: Site, page: Page) -> None:
    proposals = [
        proposal("Price", "Demand", 0.9),
        proposal("Demand", "Tax", 0.5, True),
        proposal("Tax", "Wages", 0.8),
        proposal("Rent", "Tax", 0.95),
        proposal("Rent", "Price", 0.4, True),
    ]
    site.seed("proposals", words=words(), proposals=proposals)
    open_canvas(site, page, "proposals")
    expect(page.locator("g.cv-proposal")).to_have_count(5)
    focus_canvas(page)
    press(page, "p")
    expect(lit(page)).to_have_attribute("aria-label", re.compile("Rent to Price"))
    expect(lit(page)).to_be_focused()
    press(page, "x")
    expect(lit(page)).to_have_attribute("aria-label", re.compile("Demand to Tax"))
    press(page, "Enter")
    expect(lit(page)).to_have_attribute("aria-label", re.compile("Tax to Wages"))
    press(page, "y")
    press(page, "Shift+Y")
    expect(page.locator("g.cv-proposal")).to_have_count(0)
    wanted = [("Demand", "Tax", "+"), ("Tax", "Wages", "+"), ("Price", "Demand", "+"), ("Rent", "Tax", "+")]
    until(lambda: sorted(site.edges("proposals")), sorted(wanted))
    assert site.kinds("proposals") == ["refuse", "accept", "accept", "accept"]
    expect(drawn(page)).to_have_count(4)


def picture(page: Page, name: str) -> None:
    """Kept where EDGEWISE_PICTURES says, to be looked at."""
    if folder := os.environ.get("EDGEWISE_PICTURES"):
        page.screenshot(path=Path(folder) / f"{name}.png")


def legible(page: Page, where: str, usually: str = "") -> None:
    """Nothing for axe as the canvas stands, in the usual theme if there is one; with everything in both."""
    for theme in usual(["dark", "light"], *{"dark", "light"} - {usually}):
        axe.turn(page, theme)
        assert axe.found(page, f"{where}, {theme}", axe.COMPONENT) == []


ROWS = [("Price", "Demand"), ("Demand", "Supply"), ("Wages", "Rent"), ("Rent", "Tax")]


@pytest.mark.skipif(not EVERYTHING, reason="long: three ways to rule")
def test_many_proposals_are_ruled_in_one_act_at_a_node_in_a_region_and_by_kind(site: Site, page: Page) -> None:
    of_rows = [proposal(*pair, 0.9 if n < 3 else 0.5) for n, pair in enumerate(ROWS)]
    wrong = {**proposal("Price", "Tax", 0.6), "path": [[152, 125], [298, 125]]}  # on the arrow to Demand
    site.seed("together", words=words(), proposals=[*of_rows, wrong])
    open_canvas(site, page, "together")
    focus_canvas(page)
    press(page, "p", "p")
    ends = page.locator(".cv-chip-end")
    expect(ends).to_have_text(["Price →", "→ Tax"])  # the line ends at Demand
    tip, demand = ends.nth(1).bounding_box(), word(page, "Demand").bounding_box()
    assert tip and demand and abs(tip["x"] + tip["width"] / 2 - demand["x"] - demand["width"] / 2) < 12
    expect(page.locator("g.cv-word.end")).to_have_count(2)
    expect(word(page, "Tax")).to_have_class(re.compile(r"\bend\b"))
    picture(page, "wrong-pair")
    press(page, "X")
    expect(page.get_by_role("menuitem")).to_have_text(
        ["Reject 2 proposals that are not certain", "Reject 5 proposals with the sign +"]
    )
    picture(page, "kinds")
    legible(page, "menu of kinds", "dark")
    press(page, "Enter")
    expect(page.locator("g.cv-proposal")).to_have_count(3)
    press(page, "Escape", "Control+z")
    expect(page.locator("g.cv-proposal")).to_have_count(5)

    word(page, "Rent").focus()
    press(page, "N")
    until(lambda: site.edges("together"), [("Wages", "Rent", "+"), ("Rent", "Tax", "+")])
    press(page, "Control+z")
    until(lambda: site.edges("together"), [])

    page.get_by_role("button", name="Select region").click()
    corners = [(85, 260), (525, 260), (525, 350), (85, 350)]
    page.mouse.move(*at(page, *corners[0]))
    page.mouse.down()
    for corner in [*corners[1:], (85, 262)]:
        page.mouse.move(*at(page, *corner), steps=3)
    page.mouse.up()
    expect(page.locator(".cv-words")).to_contain_text("Region: 2 proposals, 3 texts")
    picture(page, "region")
    legible(page, "region")
    press(page, "y")
    until(lambda: site.edges("together"), [("Wages", "Rent", "+"), ("Rent", "Tax", "+")])
    press(page, "Control+z", "O")
    until(lambda: site.edges("together"), [])
    press(page, *["ArrowUp"] * 14, *["ArrowLeft"] * 20, *["Shift+ArrowRight"] * 8)
    expect(page.locator(".cv-words")).to_contain_text("Region: 2 proposals, 2 texts")
    press(page, "x")
    expect(page.locator("g.cv-proposal")).to_have_count(3)
    until(
        lambda: [act.get("by") for act in site.store("together")["acts"]],
        ["kind", None, "node", None, "region", None, "region"],
    )


def test_texts_read_apart_are_joined_under_a_name_that_is_shown_first(site: Site, page: Page) -> None:
    parts = [("Staff", 100, 120), ("work-", 154, 120), ("load", 154, 133), ("Pnice", 400, 125)]
    texts = [[text, [x, y, x + 50, y + 10]] for text, x, y in parts]
    site.seed("join", words=texts, reads={"400": "Price"})
    open_canvas(site, page, "join")
    word(page, "Staff").click(modifiers=["Shift"])
    word(page, "work-").click(modifiers=["Shift"])
    expect(page.locator(".cv-words")).to_have_text(
        "“Staff” and “work-” are separate nodes. Join them as “Staff work-”?"
    )
    press(page, "M")
    field = page.locator(".cv-namebox input")
    expect(field).to_have_value("Staff work-")
    expect(field).to_have_attribute("aria-label", "One name for “Staff” and “work-” (2 nodes become one)")
    press(page, "Escape", "Control+z", "Control+z")
    until(lambda: site.store("join")["nodes"], [])

    page.get_by_role("button", name="Select region").click()
    press(page, *["ArrowLeft"] * 12, *["ArrowUp"] * 9)
    press(page, *["Shift+ArrowLeft"] * 8)
    expect(page.locator(".cv-words")).to_contain_text("0 proposals, 3 texts (together “Staff workload”)")
    press(page, "M")
    expect(field).to_have_value("Staff workload")
    picture(page, "join")
    legible(page, "join box")
    press(page, "Enter")
    expect(node(page, "Staff workload")).to_have_count(1)
    expect(page.locator("g.cv-word")).to_have_count(1)  # the fragments are its own
    until(lambda: [one["box"] for one in site.store("join")["nodes"]], [[100, 120, 204, 143]])

    word(page, "Pnice").focus()
    press(page, "r")
    expect(field).to_have_value("Pnice")
    press(page, "Escape")
    word(page, "Pnice").focus()
    press(page, "R")
    expect(field).to_have_value("Price")
    press(page, "Enter", "h")
    expect(node(page, "Price")).to_have_count(1)
    until(lambda: [one["box"] for one in site.store("join")["nodes"]], [[100, 120, 204, 143], [400, 125, 450, 135]])
    expect(page.locator(".cv-chip-read, .cv-chip-name")).to_have_text(["Price", "Staff workload"])
    picture(page, "names-read")
    press(page, "Escape", "h", "Control+z", "Control+z")
    until(lambda: site.store("join")["nodes"], [])
    assert site.kinds("join")[4:6] == ["join_names", "place_node"]


def test_the_sweep_goes_to_the_name_draws_from_it_and_ticks_it(site: Site, page: Page) -> None:
    site.seed("sweep", nodes=placed(), edges=[edge(1, 105, 104), edge(2, 100, 101)], sweep="Tax")
    open_canvas(site, page, "sweep")
    expect(page.get_by_text("Tax: 1 outgoing edge. Any more?").first).to_be_visible()
    expect(page.locator(".cv-viewport[data-zoomed]")).to_be_visible()
    expect(between(page, "Price", "Demand")).to_have_class(re.compile("dim"))
    focus_canvas(page)
    press(page, "f")
    node(page, "Supply").click()
    expect(page.locator(".cv-banner")).to_contain_text("Tax: 2 outgoing edges")
    press(page, "-", "t")
    expect(page.locator(".cv-banner")).to_contain_text("Price: 1 outgoing edge")
    until(lambda: site.edges("sweep")[-1], ("Tax", "Supply", "-"))
    until(lambda: [n["name"] for n in site.store("sweep")["nodes"] if n["swept"]], ["Tax"])
    expect(node(page, "Tax")).to_have_attribute("aria-label", re.compile("swept"))


def test_after_the_names_the_sweep_asks_about_every_printed_text_without_a_node(site: Site, page: Page) -> None:
    site.seed("left", nodes=placed("Price", "Demand"), edges=[edge(1, 100, 101)], words=words())
    open_canvas(site, page, "left")
    focus_canvas(page)
    press(page, "s")
    expect(page.locator(".cv-banner")).to_contain_text("Price: 1 outgoing edge. Any more?6 left")
    press(page, "s", "t", "t", "t")  # Price is left for later
    expect(page.locator(".cv-banner")).to_contain_text("“Rent” is printed, but no node uses it.")
    press(page, "Enter")
    expect(page.locator(".cv-banner")).to_contain_text("Rent: 0 outgoing edges")
    press(page, "t", "t")
    expect(page.locator(".cv-banner")).to_contain_text("Price: 1 outgoing edge. Any more?1 left")
    press(page, "t")
    expect(page.locator(".cv-words")).to_contain_text("nodes are swept")
    expect(page.locator(".cv-banner")).to_be_hidden()
    until(lambda: site.store("left")["none"], ["Supply", "Wages", "Tax"])
    until(lambda: sorted(n["name"] for n in site.store("left")["nodes"] if n["swept"]), ["Demand", "Price", "Rent"])
    expect(page.get_by_role("button", name="Sweep: 3 of 3 nodes swept")).to_be_visible()
    press(page, "Control+z", "Control+z")  # Price's tick and Tax's dismissal
    until(lambda: site.store("left")["none"], ["Supply", "Wages"])
    word(page, "Supply").click(button="right")
    page.get_by_role("menuitem", name="Mark as variable").click()
    until(lambda: site.store("left")["none"], ["Wages"])


# --- reconciling


def test_a_refused_act_goes_back_and_can_be_tried_again_and_a_refused_name_changed(site: Site, page: Page) -> None:
    site.seed("refused", nodes=placed("Price", "Demand"))
    open_canvas(site, page, "refused", sleep="0.3")
    node(page, "Price").click()
    page.mouse.dblclick(*at(page, 250, 250))
    expect(page.get_by_role("combobox")).to_be_focused()
    page.keyboard.type("a bad end")
    press(page, "Enter")
    expect(between(page, "Price", "a bad end")).to_have_count(1)
    notice = page.locator(".cv-notice")
    expect(notice).to_contain_text("No edge may end there. (draw edge “Price → a bad end”)")
    expect(drawn(page)).to_have_count(0)
    expect(node(page, "a bad end")).to_have_count(1)
    node(page, "a bad end").click(button="right")
    page.get_by_role("menuitem", name="Rename").click()
    page.keyboard.type("a good end")
    press(page, "Enter")
    until(lambda: site.kinds("refused"), ["place_node", "rename_node"])
    notice.get_by_role("button", name="Try again").click()
    expect(page.locator(".cv-notice")).to_contain_text("No edge may end there.")  # the act names the old end
    page.locator(".cv-notice").get_by_role("button", name="Dismiss").click()
    expect(page.locator(".cv-notice")).to_have_count(0)
    press(page, "Escape")
    page.mouse.dblclick(*at(page, 300, 320))
    page.keyboard.type("refuse this")
    press(page, "Enter")
    page.get_by_role("button", name="Change name").click()
    expect(page.get_by_role("combobox")).to_have_value("refuse this")
    page.keyboard.type("take this")
    press(page, "Enter")
    until(lambda: [one["name"] for one in site.store("refused")["nodes"]][3:], ["take this"])


def test_a_stale_copy_sends_nothing_and_keeps_what_was_typed(site: Site, page: Page) -> None:
    open_canvas(site, page, "stale")
    page.mouse.click(*at(page, 250, 250))
    page.keyboard.type("half a na")
    visit(page, site.url("stale", halted="1"))
    expect(page.locator(".cv-receipt", has_text="Stopped: nothing is sent")).to_be_visible()
    field = page.get_by_role("combobox")
    expect(field).to_have_value("half a na")
    press(page, "Enter")
    expect(field).to_have_value("half a na")
    expect(page.get_by_text("Your text stays here")).to_be_visible()
    assert site.kinds("stale") == []
    visit(page, site.url("stale"))
    expect(field).to_have_value("half a na")
    page.keyboard.press("End")
    page.keyboard.type("me")
    press(page, "Enter")
    until(lambda: [n["name"] for n in site.store("stale")["nodes"]], ["half a name"])


def test_a_closed_graph_can_be_looked_at_but_not_changed(site: Site, page: Page) -> None:
    site.seed("locked", nodes=placed(), edges=[edge(1, 100, 101)], proposals=[proposal("Tax", "Rent", 0.9)])
    open_canvas(site, page, "locked", locked="1")
    node(page, "Price").click()
    node(page, "Tax").click()
    page.mouse.click(*at(page, 225, 125))
    expect(between(page, "Price", "Demand")).to_have_class(re.compile("chosen"))
    press(page, "+", "Delete", "Control+z", "p", "y", "t", "/", "m", "l")
    page.mouse.click(*at(page, 400, 200))
    page.wait_for_timeout(300)
    assert site.kinds("locked") == []
    expect(page.get_by_role("combobox")).to_be_hidden()


def test_a_walk_by_arrows_goes_on_undisturbed_while_the_page_saves(site: Site, page: Page) -> None:
    site.seed("walk", words=words())
    open_canvas(site, page, "walk", sleep="0.2")
    focus_canvas(page)
    press(page, "ArrowRight", "Enter", "ArrowRight", "Enter")
    for _ in range(10):
        press(page, "ArrowRight", "ArrowLeft")
        page.wait_for_timeout(60)
    expect(page.locator(".cv-receipt", has_text="2 nodes, 1 edges")).to_be_visible()
    expect(node(page, "Demand")).to_be_focused()


# --- many edges, touch, narrow, dark


def many() -> dict[str, Any]:
    nodes = [
        {
            "id": f"n{n}",
            "name": f"Variable {n}",
            "at": None,
            "swept": False,
            "box": [70 + 45 * (n % 10), 88 + 40 * (n // 10), 105 + 45 * (n % 10), 94 + 40 * (n // 10)],
        }
        for n in range(70)
    ]
    pairs = [(a, (a * 7 + k * 13 + 1) % 70) for k in range(3) for a in range(70)]
    return {"nodes": nodes, "edges": [edge(n, a, b, "+") for n, (a, b) in enumerate(dict.fromkeys(pairs)) if n < 205]}


def test_an_act_on_205_edges_touches_only_what_it_changes(site: Site, page: Page) -> None:
    site.seed("many", **many())
    open_canvas(site, page, "many")
    expect(drawn(page)).to_have_count(205)
    changed: list[str] = page.evaluate(
        """async () => {
            const root = document.querySelector('[data-testid="stBidiComponentIsolated"]').shadowRoot;
            const group = (name) => root.querySelector(`g.cv-node[data-key="${name}"]`);
            const press = () => new MouseEvent('click', { bubbles: true, composed: true, detail: 0 });
            const click = (name) => group(name).dispatchEvent(press());
            const touched = new Set();
            const watch = new MutationObserver((records) => records.forEach(({ target, addedNodes }) => {
                const own = target.closest('g[data-key]');
                if (own) touched.add(`${own.dataset.kind} ${own.dataset.key}`);
                for (const node of addedNodes) if (node.dataset?.key) touched.add(`${node.dataset.kind} new`);
            }));
            watch.observe(root.querySelector('.cv-overlay'), { subtree: true, childList: true, attributes: true });
            click('Variable 3');
            click('Variable 60');
            await new Promise(requestAnimationFrame);
            watch.disconnect();
            return [...touched].filter((key) => !/^edge [0-9a-f]{8}-/.test(key)).sort();
        }"""
    )
    assert changed == ["edge new", "node Variable 0", "node Variable 3", "node Variable 60"]  # 0 gives up its tab stop
    expect(drawn(page)).to_have_count(206)


@pytest.mark.skipif(not EVERYTHING, reason="test_figure_components.py: two fingers; with a mouse: above")
def test_a_finger_taps_draws_pinches_and_opens_the_menu(site: Site, page: Page) -> None:
    site.seed("touch", words=words())
    open_canvas(site, page, "touch")
    with phone(page) as finger:
        a_finger_draws_and_pinches(site, page, finger)


def a_finger_draws_and_pinches(site: Site, page: Page, finger: Finger) -> None:
    touch = finger.touch
    finger.tap_at(*at(page, 125, 125))
    finger.tap_at(*at(page, 325, 125))
    until(lambda: site.edges("touch"), [("Price", "Demand", "")])
    wide = page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert wide, "nothing sticks out on a phone"
    x, y = at(page, 300, 220)
    touch("touchStart", (x - 20, y), (x + 20, y))
    for step in range(1, 6):
        touch("touchMove", (x - 20 - 10 * step, y), (x + 20 + 10 * step, y))
    touch("touchEnd")
    expect(page.locator(".cv-viewport[data-zoomed]")).to_be_visible()
    finger.tap(page.get_by_role("button", name="Fit the picture"))
    expect(page.locator(".cv-viewport:not([data-zoomed])")).to_be_visible()
    touch("touchStart", at(page, 125, 125))
    expect(page.get_by_role("menuitem", name="Rename")).to_be_visible()
    touch("touchEnd")
    finger.tap(page.get_by_role("menuitem", name="Remove"))
    until(lambda: site.edges("touch"), [])
    page.wait_for_timeout(100)
    touch("touchStart", at(page, 485, 125))
    for share in (0.3, 0.6, 1):
        touch("touchMove", at(page, 485, 125 + 180 * share))
    touch("touchEnd")
    until(lambda: site.edges("touch"), [("Supply", "Tax", "")])
    finger.tap(page.get_by_role("button", name="Select region"))
    touch("touchStart", at(page, 85, 270))
    for corner in ((370, 270), (370, 340), (85, 340), (85, 275)):
        touch("touchMove", at(page, *corner))
    touch("touchEnd")
    finger.tap(page.get_by_role("button", name="Join 2 texts…"))
    expect(page.locator(".cv-namebox input")).to_have_value("Wages Rent")
    page.keyboard.press("Enter")
    until(lambda: [one["name"] for one in site.store("touch")["nodes"]], ["Demand", "Supply", "Tax", "Wages Rent"])


def test_the_canvas_fills_the_window_by_key_and_button_and_all_of_it_is_in_reach(site: Site, page: Page) -> None:
    row = [proposal("Price", "Demand", 0.9), proposal("Demand", "Supply", 0.5)]
    site.seed("full", words=words(), proposals=row)
    open_canvas(site, page, "full")
    height = page.locator(".cv-viewport").bounding_box()
    page.get_by_role("button", name="Full window").click()
    for width, tall in ((1440, 900), (390, 844)):
        page.set_viewport_size({"width": width, "height": tall})
        room = page.locator(".cv[data-full]").bounding_box()
        assert room and height and (room["x"], room["y"], room["width"], room["height"]) == (0, 0, width, tall)
        figure = page.locator(".cv-viewport").bounding_box()
        assert figure and figure["height"] > (700 if width == 1440 else 480)
        press(page, "p")
        expect(page.locator(".cv-chip-end")).to_have_count(2)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        picture(page, f"full-{width}")
    page.get_by_role("button", name="Zoom in").focus()
    press(page, "Tab")
    expect(page.locator(".cv-viewport")).to_be_focused()
    press(page, "Escape", "Escape")
    expect(page.locator(".cv[data-full]")).to_have_count(0)
    press(page, "F")
    expect(page.locator(".cv[data-full]")).to_have_count(1)


@pytest.mark.skipif(not EVERYTHING, reason="test_every_screen.py")
def test_the_canvas_has_no_accessibility_fault_in_either_theme_or_width(site: Site, page: Page) -> None:
    nodes = [*placed(), {"id": "t", "name": "Typed", "box": None, "at": None, "swept": True}]
    site.seed(
        "axe",
        nodes=nodes,
        edges=[edge(1, 100, 101, "+"), edge(2, 101, 101)],
        words=[["Other", [200, 200, 240, 210]]],
        proposals=[proposal("Tax", "Rent", 0.4, True)],
        sweep="Price",
    )
    open_canvas(site, page, "axe")
    focus_canvas(page)
    states = (("Escape", "Escape", "p"), ("Escape", "h"), ("/",), ("Escape", "?"))
    for place, (size, theme) in enumerate(axe.LOOKS):
        axe.resize(page, size)
        axe.turn(page, theme)
        for number, keys in enumerate(states):
            press(page, *keys)
            page.wait_for_timeout(100)
            if not EVERYTHING and (number + place) % 2:  # each state in one of the two looks
                continue
            assert axe.found(page, f"{size}, {theme}, {keys}", axe.COMPONENT) == []
        press(page, "Escape", "h")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        small = page.evaluate(
            """() => [...document.querySelector('[data-testid="stBidiComponentIsolated"]').shadowRoot
                    .querySelectorAll('button')]
                .filter((one) => one.offsetParent && (one.offsetWidth < 24 || one.offsetHeight < 24))
                .map((one) => one.textContent)"""
        )
        assert small == []
