"""The graph lab in a real browser, as an expert uses it: choose, light, test, find, compare, align, take away."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from secrets import token_hex
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.axe import turn
from tests.browser.lists import choose, choose_line
from tests.everything import EVERYTHING

Open = Callable[..., Page]
FILL = """
from store.tables import PersonRow
from services.graphs import lab as graphs
from services.acting import TERMINAL
with study.store.writing() as session:
    for person in people.list_people(terminal):
        row = session.get(PersonRow, person.id)
        row.password_hash = passwords.hash_password(given["password"])
        session.add(row)
owner = next(row for row in people.list_people(terminal) if row.name == "Owner")
me = Viewer(person_id=owner.id, name=owner.name, roles=frozenset(owner.roles), session_id=TERMINAL)
print(json.dumps({line.title: line.id for line in graphs.list_graphs(me).lines if line.kind == "import"}))
"""
BRING_IN = """
from services.graphs import comparing, importing
act = importing.import_graphs(terminal, [(f"{name}.json", text.encode()) for name, text in given["files"].items()],
                              with_faulty=False, act_id=new_act()).subject_id
truth, found = (line.id for line in importing.imported_graphs(terminal, act))
for seen, (name, meant) in enumerate(given["names"].items()):
    comparing.align(terminal, truth, found, name, meant, seen=seen, act_id=new_act())
print(json.dumps([truth, found]))
"""
FARM = "Late farm succession, a made-up loop diagram"
FOLDER = Path(__file__).resolve().parents[2] / "demo" / "graphs"
SAME = {
    "Water in the reservoir": "Water stored in the reservoir",
    "Irrigated area": "Area under irrigation",
    "Farm releases": "Water released to farms",
}


@pytest.fixture(scope="module")
def lab(start_server: Callable[..., Any], made_demo: Path) -> tuple[Any, dict[str, str]]:
    """A server with the demo study, and its graphs by title."""
    server = start_server(demo=made_demo)
    return server, json.loads(server.seed(FILL, password=server.password))


@pytest.fixture
def open_lab(lab: tuple[Any, dict[str, str]], page_as: Open) -> Open:
    """`open_lab(title, name="Owner", **link)`: that graph, or the list without a title."""

    def open_page(title: str = "", name: str = "Owner", link: str = "", **options: object) -> Page:
        server, ids = lab
        return page_as(name, f"/graphs?graph={ids[title]}{link}" if title else "/graphs", on=server, **options)

    return open_page


def part(page: Page, word: str) -> None:
    page.get_by_role("radio", name=word, exact=True).click()


def counts(page: Page) -> dict[str, str]:
    """What the legend says of each class."""
    rows = page.locator(".legend li:has(input)")
    return {row.locator("input").input_value(): row.locator(".counts").inner_text() for row in rows.all()}


def lit(page: Page, words: str) -> None:
    """What the line below the figure says."""
    expect(page.locator(".line")).to_have_text(words)


def first_table(page: Page) -> Locator:
    return page.get_by_test_id("stDataFrame").first


# --- one graph ----------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not EVERYTHING, reason="tests/pages/graphs, test_graph_focus.py")
def test_one_visit_finds_a_graph_lights_its_loops_paths_and_nodes_asks_and_takes_files_away(
    open_lab: Open, settled: Callable[[Page], None]
) -> None:
    page = open_lab()
    a_graph_is_found_by_a_variable_and_a_chosen_loop_is_lit_and_in_the_link(page, settled)
    a_variable_is_found_centred_and_its_neighbours_lit(page)
    graphml_and_a_picture_are_taken_away(page)
    two_clicks_ask_for_mediators(page)
    a_main_button_that_cannot_be_pressed_yet_is_seen_in_the_dark(page)


def a_graph_is_found_by_a_variable_and_a_chosen_loop_is_lit_and_in_the_link(
    page: Page, settled: Callable[[Page], None]
) -> None:
    page.get_by_label("Search titles and nodes").fill("HEIRS skills")
    page.get_by_label("Search titles and nodes").press("Enter")
    expect(page.get_by_text("1 graph", exact=True)).to_be_visible()
    expect(page.get_by_text("Skills of the heirs")).to_be_visible()
    title = page.get_by_role("button", name=FARM)
    left = "it => getComputedStyle(it).textAlign"
    assert title.locator("p").evaluate(left) == "left"  # of both lines of a title that takes two
    title.click()
    expect(page.get_by_text("14 loops: 8 R, 4 B, 2 undetermined")).to_be_visible()
    choose_line(page, "R3")
    lit(page, "Highlighted: R3, 3 nodes, 3 edges")
    expect(page).to_have_url(re.compile("loop=R3"))
    settled(page)
    first_table(page).locator(".dvn-scroller").click(position={"x": 120, "y": 35 + 17})  # its first row
    lit(page, "Highlighted: R1, 2 nodes, 2 edges")


def a_variable_is_found_centred_and_its_neighbours_lit(page: Page) -> None:
    part(page, "Node")
    choose(page, "Node", "Willingness")
    lit(page, "Highlighted: 7 nodes, 7 edges")
    expect(page.get_by_text("On 9 loops")).to_be_visible()
    expect(page).to_have_url(re.compile("node="))
    part(page, "Loops")  # keeps the variable as its filter
    expect(page.get_by_role("combobox", name="Through", exact=True)).to_have_value("Willingness of the heirs")


def graphml_and_a_picture_are_taken_away(page: Page) -> None:
    part(page, "Download")
    with page.expect_download() as taken:
        page.get_by_role("button", name="GraphML", exact=True).click()
    assert taken.value.suggested_filename == "late-farm-succession-a-made-up-loop-diagram.graphml"
    assert "<graphml" in Path(taken.value.path()).read_text(encoding="utf-8")
    expect(page.get_by_role("button", name="DAGitty", exact=True)).to_be_disabled()  # it has loops
    with page.expect_download() as drawn:
        page.get_by_role("button", name="SVG", exact=True).click()
    assert "<svg" in Path(drawn.value.path()).read_text(encoding="utf-8")

    with page.expect_download() as alone:
        page.get_by_role("button", name="Interactive HTML", exact=True).click()
    assert alone.value.suggested_filename == "late-farm-succession-a-made-up-loop-diagram.html"
    assert f"<h1>{FARM}</h1>" in Path(alone.value.path()).read_text(encoding="utf-8")


def a_main_button_that_cannot_be_pressed_yet_is_seen_in_the_dark(page: Page) -> None:
    turn(page, "dark")
    part(page, "Comparison")
    button = page.get_by_role("button", name="Compare graphs", exact=True)
    dark_ink = "rgb(16, 32, 31)"  # for the light primary colour; on the page's dark ground nobody reads it
    expect(button).to_be_disabled()
    expect(button).not_to_have_css("color", dark_ink)
    choose(page, "Compare with", "Reservoir diagram with signs")
    expect(button).to_be_enabled()
    expect(button).to_have_css("color", dark_ink)


def two_clicks_ask_for_mediators(page: Page) -> None:
    part(page, "Queries")
    expect(page.get_by_text("Which variables are forks?")).to_be_visible()  # it has no source
    lit(page, "Highlighted: 11 nodes, 16 edges")
    choose(page, "Query", "Sources")
    expect(page.get_by_text("None: every variable has an incoming edge.")).to_be_visible()
    expect(page.locator(".line")).not_to_contain_text("Highlighted")  # nothing answers, so nothing is dimmed
    click_named(page, "Investment in the farm")
    expect(page.get_by_text(re.compile("Choose Variable B"))).to_be_visible()
    click_named(page, "Farm profit")
    expect(page.get_by_text("1 variable: Debt", exact=True)).to_be_visible()
    expect(page.get_by_text("Edges: Investment in the farm → Debt → Farm profit.")).to_be_visible()
    expect(page.locator(".line")).to_contain_text("Highlighted: 3 nodes, 2 edges")


NODE_SPOT = """({ figure }, name) => {
  const [number] = [...figure.facts].find(([, fact]) => fact.kind === "node" && fact.node.name === name);
  return figure.network.canvasToDOM(figure.network.getPosition(number));
}"""


def click_named(page: Page, name: str) -> None:
    page.locator(".stage canvas").click(position=page.locator(".figure").evaluate(NODE_SPOT, name))


# --- two graphs ---------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not EVERYTHING, reason="tests/pages/graphs/test_screen.py, test_graph_overlay.py")
def test_two_graphs_are_compared_and_a_name_aligned(lab: tuple[Any, dict[str, str]], page_as: Open) -> None:
    found_title = f"found {token_hex(3)}"  # a second try must not meet the first one's graphs
    files = {"truth": "reservoir-with-signs", found_title: "reservoir-prediction"}  # the demo's own, once more
    texts = {name: (FOLDER / f"{file}.json").read_text(encoding="utf-8") for name, file in files.items()}
    truth, _found = json.loads(lab[0].seed(BRING_IN, files=texts, names=SAME))
    page = page_as("Owner", f"/graphs?graph={truth}&part=Compare", on=lab[0])
    choose(page, "Compare with", found_title)
    page.get_by_role("button", name="Compare graphs", exact=True).click()
    expect(page.locator(".legend")).to_be_visible()
    assert counts(page) == {
        "matched": "6 edges, 7 nodes",
        "missed": "7 edges, 3 nodes",
        "spurious": "3 edges, 2 nodes",
        "reversed": "1 edge",
    }
    part(page, "Names")
    choose_line(page, "Complaints downstream")
    expect(page.get_by_text("Similar names: Complaints from downstream users")).to_be_visible()
    page.get_by_role("button", name="Align names", exact=True).dblclick()
    expect(page.get_by_text(re.compile(r"1 of \d+ names in the prediction without"))).to_be_visible()
    expect(page.get_by_text(re.compile(r"Saved \d\d:\d\d:\d\d"))).to_be_visible()
    expect(page.locator(".legend li.matched .counts")).to_have_text("7 edges, 8 nodes")
    assert counts(page)["missed"] == "6 edges, 2 nodes"

    part(page, "Elements")
    choose_line(page, "Irrigation demand → Area under irrigation")
    lit(page, "Highlighted: 2 nodes, 1 edge")


# --- everybody, everywhere ----------------------------------------------------------------------------------------


def test_a_transcription_leads_to_the_lab_and_back(lab: tuple[Any, dict[str, str]], page_as: Open) -> None:
    page = page_as("Demo annotator", "/transcribe", on=lab[0])
    page.get_by_role("button", name="Open").first.click()
    page.get_by_role("button", name="Graph", exact=True).click()
    page.get_by_role("link", name="Open in the Graph lab").click()
    expect(page.get_by_text(re.compile("^.*4 loops|loops?: "))).to_be_visible()
    expect(page.get_by_text("· A2").first).to_be_visible()
    page.get_by_role("link", name="Open transcription").click()
    expect(page.get_by_role("button", name="Figure", exact=True)).to_be_visible()
