"""What a person does in the list of edges, in a real browser over a kept graph (transcription_app.py)."""

from __future__ import annotations

import json
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
from tests.browser.profiles import Profiles, Watch
from tests.browser.transcription_app import SCRIPT
from tests.everything import EVERYTHING, usual


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
        return f"{self.app.url if 'streamlit' in options else self.app.bare}?subject={subject}&list=1{more}"

    def store(self, subject: str) -> dict[str, Any]:
        """What is kept, the ends of edges by name."""
        path = self.folder / f"{subject}.json"
        if not path.exists():
            return {"acts": [], "edges": []}
        kept = json.loads(path.read_text())
        names = {node["id"]: node["name"] for node in kept["nodes"]}
        for edge in kept["edges"]:
            edge.update(source=names[edge["source"]], sink=names[edge["sink"]])
        return {"acts": [], **kept}

    def seed(self, subject: str, pairs: list[tuple[str, str]], nodes: tuple[str, ...] = ()) -> None:
        names = list(dict.fromkeys((*nodes, *(end for pair in pairs for end in pair))))
        edges = [
            {"id": f"e{n}", "source": f"n{names.index(source)}", "sink": f"n{names.index(sink)}", "sign": ""}
            for n, (source, sink) in enumerate(pairs)
        ]
        plain = {"delay": False, "flag": "", "note": ""}
        store = {
            "nodes": [{"id": f"n{n}", "name": name} for n, name in enumerate(names)],
            "edges": [{**edge, **plain} for edge in edges],
        }
        (self.folder / f"{subject}.json").write_text(json.dumps(store))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("desk")
    with served(folder, SCRIPT, DESK_STORE=str(folder)) as app:
        yield Site(app)


@pytest.fixture(scope="module")
def tab(site: Site, profiles: Profiles) -> Iterator[BareTab]:
    opened = BareTab(site.app, profiles)
    yield opened
    opened.close()


@pytest.fixture
def page(tab: BareTab, request: pytest.FixtureRequest, watch: Watch) -> Iterator[Page]:
    """Each test has its own subject."""
    yield from tab.handed_to(request, watch)


def kept_here(page: Page, subject: str) -> list[str]:
    """What this browser keeps of the subject."""
    keys: list[str] = page.evaluate("Object.keys(localStorage)")
    return [key for key in keys if f"{subject}." in f"{key}."]


def line(page: Page) -> Locator:
    return page.get_by_label("Type an edge")


def rows(page: Page) -> Locator:
    return page.locator(".row[aria-selected]")


def options(page: Page) -> Locator:
    return page.locator("#names").get_by_role("option")


def until(found: Callable[[], object], expected: object, seconds: float = 12) -> None:
    deadline = time.monotonic() + seconds
    while found() != expected and time.monotonic() < deadline:
        time.sleep(0.05)
    assert found() == expected


def kinds(site: Site, subject: str) -> list[str]:
    return [act["kind"] for act in site.store(subject)["acts"]]


def texts(site: Site, subject: str) -> list[str]:
    return [act["text"] for act in site.store(subject)["acts"] if act["kind"] == "lines"]


@pytest.mark.skipif(not EVERYTHING, reason="test_canvas_storm has as many acts, and cuts the connection twice")
@pytest.mark.parametrize("gap_ms", [0, 30, 100, 250])
def test_acts_in_quick_succession_are_all_stored_once_and_in_order(site: Site, page: Page, gap_ms: int) -> None:
    subject = f"burst{gap_ms}"
    page.goto(site.url(subject, sleep="0.01", streamlit="1"))  # whose page drops events that come too fast
    line(page).wait_for()
    # In the page, because the test's own round trip is longer than the shorter gaps.
    page.evaluate(
        """async (gap) => {
            const root = document.querySelector('[data-testid="stBidiComponentIsolated"]').shadowRoot;
            const field = root.querySelector('textarea');
            for (let n = 0; n < 20; n += 1) {
                field.value = `A${n} -> B${n}`;
                field.dispatchEvent(new Event('input', { bubbles: true }));
                field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
                if (gap > 0) await new Promise((done) => setTimeout(done, gap));
            }
        }""",
        gap_ms,
    )
    until(lambda: texts(site, subject), [f"A{n} -> B{n}" for n in range(20)])
    expect(page.get_by_text("Saved ")).to_contain_text("40 nodes, 20 edges")
    expect(rows(page)).to_have_count(20)
    assert kept_here(page, subject) == []


def test_a_reload_while_typing_brings_the_text_back(site: Site, page: Page) -> None:
    visit(page, site.url("draft"))
    expect(line(page)).to_be_focused()  # one can type at once
    line(page).press_sequentially("Price -> Dem")
    page.reload()
    expect(line(page)).to_have_value("Price -> Dem")
    line(page).press("End")
    line(page).press_sequentially("and")
    line(page).press("Enter")
    until(lambda: texts(site, "draft"), ["Price -> Demand"])
    expect(line(page)).to_have_value("")
    page.reload()
    expect(rows(page)).to_have_count(1)
    expect(line(page)).to_have_value("")


def test_typing_goes_on_undisturbed_while_the_page_saves(site: Site, page: Page) -> None:
    visit(page, site.url("caret", sleep="0.2"))
    line(page).fill("A -> B")
    line(page).press("Enter")
    line(page).press_sequentially("Second source -> second sink", delay=25)
    expect(page.get_by_text("Saved ")).to_be_visible()
    expect(line(page)).to_have_value("Second source -> second sink")
    expect(line(page)).to_be_focused()


def test_the_acts_of_a_dead_tab_are_taken_over_once(site: Site, page: Page) -> None:
    visit(page, site.url("halting", halted="1"))
    line(page).wait_for()
    acts = [
        {
            "id": f"0198c0de-000{n}-7000-8000-000000000000",  # what an act makes is told apart by its last 16 bits
            "seq": n,
            "kind": "lines",
            "text": f"A -> B{n}",
            "pasted": False,
        }
        for n in range(3)
    ]
    dead = "edgewise.outbox.transcription%20orphan.0198c0de-0000-7000-8000-0000000000ff"
    page.evaluate("([key, acts]) => localStorage.setItem(key, JSON.stringify(acts))", [dead, acts])
    second = page.context.new_page()
    for tab in (page, second):
        tab.goto(site.url("orphan"))
    until(lambda: texts(site, "orphan"), ["A -> B0", "A -> B1", "A -> B2"])
    until(lambda: kept_here(page, "orphan"), [])


def test_a_double_click_on_add_is_one_act(site: Site, page: Page) -> None:
    visit(page, site.url("double", sleep="0.2"))
    line(page).fill("A -> B")
    page.get_by_role("button", name="Add", exact=True).dblclick()
    expect(page.get_by_text("1 edges")).to_be_visible()
    assert kinds(site, "double") == ["lines"]


def test_names_are_completed_by_keyboard_alone(site: Site, page: Page) -> None:
    site.seed("complete", [("Annual sunshine hours", "Cash crop")])
    visit(page, site.url("complete"))
    line(page).click()
    page.keyboard.type("ann")
    expect(options(page)).to_have_text(["Annual sunshine hours", "Annual precipitation"])
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.keyboard.type(" ->- GRAIN")  # not the first word of "Total grain output", not its case
    page.keyboard.press("Tab")
    page.keyboard.type("; real")
    page.keyboard.press("Tab")
    expect(line(page)).to_have_value('Annual precipitation ->- Total grain output; "Net price; real"')
    expect(line(page)).to_be_focused()
    page.keyboard.press("Enter")
    until(lambda: texts(site, "complete"), ['Annual precipitation ->- Total grain output; "Net price; real"'])


def test_a_new_edge_is_the_selected_one(site: Site, page: Page) -> None:
    site.seed("newest", [("A", "B"), ("B", "C")])
    visit(page, site.url("newest", sleep="0.3"))
    rows(page).first.click()
    line(page).fill("C -> D")
    line(page).press("Enter")
    expect(page.get_by_role("button", name="Minus", exact=True)).to_be_disabled()  # until there is an edge to hit
    expect(rows(page).nth(2)).to_have_attribute("aria-selected", "true")
    expect(line(page)).to_be_focused()
    page.get_by_role("button", name="Minus", exact=True).click()
    until(lambda: [edge["sign"] for edge in site.store("newest")["edges"]], ["", "", "-"])
    line(page).fill("no arrow")
    line(page).press("Enter")
    expect(page.get_by_text("1 line to correct")).to_be_visible()
    expect(rows(page).nth(2)).to_have_attribute("aria-selected", "true")


def test_the_list_is_worked_by_keyboard(site: Site, page: Page) -> None:
    site.seed("keys", [("A", "B"), ("B", "C"), ("C", "D")])
    visit(page, site.url("keys"))
    expect(rows(page)).to_have_count(3)
    line(page).click()
    page.keyboard.press("ArrowDown")  # from the empty line to the last edge
    page.keyboard.press("ArrowUp")
    for key in ("+", "d", "f"):
        page.keyboard.press(key)
    page.keyboard.press("n")
    page.keyboard.type("dashed in print")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Note: dashed in print")).to_be_visible()
    page.keyboard.press("Enter")
    page.keyboard.type("B2")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Delete")
    expect(rows(page)).to_have_count(2)
    until(lambda: kinds(site, "keys"), ["edit_edge"] * 5 + ["delete_edge"])
    stored = site.store("keys")["edges"][1]
    assert {name: stored[name] for name in ("source", "sink", "sign", "delay", "flag", "note")} == {
        "source": "B2",
        "sink": "C",
        "sign": "+",
        "delay": True,
        "flag": "ambiguous arrow",
        "note": "dashed in print",
    }
    page.keyboard.press("Control+z")
    expect(rows(page)).to_have_count(3)
    page.keyboard.press("Control+Shift+z")
    expect(rows(page)).to_have_count(2)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()


def test_ctrl_z_undoes_the_graph_from_an_empty_line_and_the_text_from_a_full_one(site: Site, page: Page) -> None:
    visit(page, site.url("undo"))
    line(page).fill("A -> B")
    line(page).press("Enter")
    expect(rows(page)).to_have_count(1)
    line(page).press_sequentially("x")
    line(page).press("Control+z")
    expect(line(page)).to_have_value("")
    assert kinds(site, "undo") == ["lines"]
    line(page).press("Control+z")
    expect(rows(page)).to_have_count(0)
    line(page).press("Control+y")
    expect(rows(page)).to_have_count(1)
    assert kinds(site, "undo") == ["lines", "undo", "redo"]


def test_an_edge_that_a_redo_brings_back_is_selected(site: Site, page: Page) -> None:
    site.seed("again", [("A", "B")])
    visit(page, site.url("again"))
    line(page).fill("C -> D")
    line(page).press("Enter")
    until(lambda: len(texts(site, "again")), 1)
    line(page).press("Control+z")
    expect(rows(page)).to_have_count(1)
    rows(page).first.click()
    page.keyboard.press("Control+y")
    expect(page.locator(".row[aria-selected=true]")).to_contain_text("D")


def test_a_node_is_renamed_everywhere_and_a_lone_one_removed(site: Site, page: Page) -> None:
    site.seed("rename", [("A", "B"), ("B", "C")], nodes=("Lone",))
    visit(page, site.url("rename"))
    rows(page).first.dblclick(position={"x": 20, "y": 15})
    page.keyboard.type("Alpha")
    page.get_by_role("button", name="Rename everywhere").click()
    expect(rows(page).first).to_contain_text("Alpha")
    page.get_by_role("button", name="Remove Lone").click()
    expect(page.get_by_text("Nodes without edges")).to_be_hidden()
    until(lambda: kinds(site, "rename"), ["rename_node", "delete_node"])


def test_faulty_lines_of_a_paste_and_a_refused_text_are_kept_for_correction(site: Site, page: Page) -> None:
    visit(page, site.url("faults"))
    line(page).click()
    page.evaluate(
        """() => {
            const root = document.querySelector('[data-testid="stBidiComponentIsolated"]').shadowRoot;
            const clip = new DataTransfer();
            clip.setData('text/plain', 'A -> B\\nno arrow\\nC -> D\\nnone either');
            const paste = new ClipboardEvent('paste', { clipboardData: clip, bubbles: true });
            root.querySelector('textarea').dispatchEvent(paste);
        }"""
    )
    line(page).fill("A -> B\nno arrow\nC -> D\nnone either")
    expect(page.get_by_text("4 lines: Enter adds all")).to_be_visible()
    line(page).press("Enter")
    expect(page.get_by_text("2 lines to correct")).to_be_visible()
    page.reload()  # the page's session forgets them, the desk does not
    expect(page.get_by_label("Line 2")).to_have_value("no arrow")
    page.get_by_label("Line 2").fill("E -> F")
    page.get_by_label("Line 2").press("Enter")
    page.get_by_role("button", name="Discard").click()
    expect(page.get_by_text("to correct")).to_be_hidden()
    wanted = [
        ("lines", "A -> B\nno arrow\nC -> D\nnone either", True),
        ("drop_fault", "no arrow", None),  # before the corrected line, which may be faulty in the same words
        ("lines", "E -> F", False),
        ("drop_fault", "none either", None),
    ]
    until(lambda: [(a["kind"], a["text"], a.get("pasted")) for a in site.store("faults")["acts"]], wanted)
    line(page).fill("refuse me -> B")
    line(page).press("Enter")
    expect(page.get_by_text("This study takes no such name.")).to_be_visible()
    expect(page.get_by_label("Line", exact=True)).to_have_value("refuse me -> B")
    assert len(site.store("faults")["acts"]) == len(wanted)


def test_a_locked_desk_can_be_read_and_lines_to_correct_are_for_those_who_can_correct_them(
    site: Site, page: Page
) -> None:
    site.seed("shown", [("A", "B")], nodes=("Lone",))
    visit(page, site.url("shown"))
    line(page).wait_for()
    page.evaluate(
        """() => {
            const fault = { line: 2, text: "no arrow", message: "No arrow.", offer: "", typed: "no arrow" };
            const open = [["earlier:2:no arrow", { ...fault, typed: "half" }], ["act:2:no arrow", fault]];
            localStorage.setItem("edgewise.faults.shown", JSON.stringify({ open, settled: [] }));
        }"""
    )
    visit(page, site.url("shown", locked="1"))
    expect(rows(page)).to_have_count(1)
    expect(page.locator(".faults")).to_be_hidden()
    expect(line(page)).to_be_hidden()
    rows(page).first.focus()
    for key in ("+", "Delete", "Enter", "n", "Control+z"):
        page.keyboard.press(key)
    page.wait_for_timeout(300)
    assert site.store("shown")["acts"] == []
    assert page.get_by_role("button", name="Undo").is_disabled()
    visit(page, site.url("shown", halted="1"))
    expect(page.get_by_label("Line 2")).to_have_value("half")
    expect(page.get_by_role("button", name="Discard")).to_be_disabled()
    visit(page, site.url("shown"))
    expect(page.get_by_text("1 line to correct")).to_be_visible()
    page.get_by_role("button", name="Discard").click()
    expect(page.locator(".faults")).to_be_hidden()
    assert texts(site, "shown") == []


def test_two_hundred_edges_stay_quick_and_in_their_box(site: Site, page: Page) -> None:
    site.seed(
        "many", [(f"Variable {n} of the river basin", f"Variable {n + 1} of the river basin") for n in range(205)]
    )
    visit(page, site.url("many"))
    expect(rows(page)).to_have_count(205)
    kept = page.locator(".row[aria-selected]").nth(3).element_handle()
    line(page).fill("New source -> New sink")
    line(page).press("Enter")
    expect(rows(page)).to_have_count(206)
    expect(rows(page).last).to_be_in_viewport()
    expect(line(page)).to_be_in_viewport()
    assert kept is not None and kept.evaluate("(row) => row.isConnected"), "rows are reused, not rebuilt"
    redraw_ms = page.evaluate(
        """() => {
            const root = document.querySelector('[data-testid="stBidiComponentIsolated"]').shadowRoot;
            const add = [...root.querySelectorAll('button')].find((one) => one.textContent === 'Add');
            const field = root.querySelector('textarea');
            field.value = 'X -> Y';
            field.dispatchEvent(new Event('input', { bubbles: true }));
            const start = performance.now();
            add.click();
            root.querySelector('.row.waiting').offsetHeight;
            return performance.now() - start;
        }"""
    )
    assert redraw_ms < 100
    line(page).fill("no arrow\nnone either")
    line(page).press("Enter")
    expect(page.get_by_text("2 lines to correct")).to_be_visible()  # the list gives way to them
    expect(rows(page).last).to_be_in_viewport()
    expect(page.get_by_text("? all keys")).to_be_in_viewport()
    page.get_by_label("Find a node").fill("VARIABLE 17 of")
    expect(page.get_by_text("2 of 207")).to_be_visible()
    expect(rows(page).locator("visible=true")).to_have_count(2)


IS_WHOLE = """
(row) => {
  const list = row.closest(".list");
  const [box, around, head] = [row, list, list.querySelector(".head")].map((one) => one.getBoundingClientRect());
  const top = head.height > 0 ? head.bottom : around.top;
  return box.height > 0 && box.top >= top - 1 && box.bottom <= around.bottom + 1;
}
"""


@pytest.mark.skipif(not EVERYTHING, reason="two hundred edges: above")
def test_of_many_rows_of_any_height_the_selected_one_is_in_sight(site: Site, page: Page) -> None:
    """Those out of sight are not laid out, so that nobody knows how high they are."""
    words = "quantity of water in the lower basin "
    pairs = [(f"{words * (n % 5)}{n}", f"Sink {n} {words * (n % 3)}") for n in range(700)]
    site.seed("rows", pairs)
    visit(page, site.url("rows"))
    expect(rows(page)).to_have_count(700)

    def is_whole(row: Locator) -> None:
        handle = row.element_handle()
        page.wait_for_function(IS_WHOLE, arg=handle)
        page.wait_for_timeout(100)  # nor is it pushed out again
        assert row.evaluate(IS_WHOLE), row.text_content()

    is_whole(rows(page).last)
    for n in (350, 20, 501):
        rows(page).nth(n).dispatch_event("click")  # which scrolls nothing by itself
        selected = page.locator(".row[aria-selected=true]")
        expect(selected).to_contain_text(f"Sink {n} ")
        is_whole(selected)
    rows(page).nth(501).focus()
    for key, place in (("End", 699), ("ArrowUp", 698), ("Home", 0), ("ArrowDown", 1)):
        page.keyboard.press(key)
        expect(rows(page).nth(place)).to_be_focused()
        is_whole(rows(page).nth(place))
    line(page).fill("New source -> New sink")
    line(page).press("Enter")
    expect(rows(page)).to_have_count(701)
    is_whole(rows(page).last)
    page.get_by_label("Find a node").fill("sink 699")
    expect(rows(page).locator("visible=true")).to_have_count(1)
    is_whole(rows(page).nth(699))


@pytest.mark.skipif(not EVERYTHING, reason="test_every_screen.py")
def test_the_desk_has_no_serious_accessibility_fault(site: Site, page: Page) -> None:
    pairs = [("Price", "Demand"), ("Demand", "Demand"), *((f"A{n}", f"B{n}") for n in range(16))]
    site.seed("axe", pairs, nodes=("Lone",))
    visit(page, site.url("axe"))
    expect(rows(page)).to_have_count(18)
    line(page).fill("no arrow")
    line(page).press("Enter")
    expect(page.get_by_label("Line 1")).to_be_visible()
    rows(page).first.click()
    expect(page.get_by_role("toolbar", name="Selected edge: Price → Demand")).to_be_visible()
    line(page).press_sequentially("ann")
    expect(options(page).first).to_be_visible()
    for size, theme in usual(axe.LOOKS, axe.WIDE):  # wide and light it stands on the screens of the walk
        axe.resize(page, size)
        axe.turn(page, theme)
        assert axe.found(page, f"{size}, {theme}", axe.COMPONENT) == []
        too_small = (
            "(all) => all.map((one) => one.getBoundingClientRect()).filter((at) => at.height < 24 || at.width < 24)"
        )
        assert page.locator(".desk :is(button, select, input):visible").evaluate_all(too_small) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
