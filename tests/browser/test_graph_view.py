"""The figure in a real browser: it draws, answers clicks, stays put while the graph grows, and runs no label."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from components.graph.view import StyledEdge, ViewNode, interactive_html
from core.graphs.labels import size_of
from core.graphs.layouts.layout import Point
from tests.browser.bare_tab import BareTab, visit
from tests.browser.component_app import ComponentApp, served
from tests.browser.overlay_app import LOOK, look
from tests.browser.profiles import Profiles, Watch
from tests.components.test_colours import signs
from tests.everything import EVERYTHING

SCRIPT = """
import json
import streamlit as st
from components.graph.view import StyledEdge, ViewNode, graph_table, graph_view
from core.graphs.layouts.layout import Point, place

NAMES = [
    "Rain", "hares killed per lynx", "Arbeitsunzufriedenheit im Betrieb", "Population.attractiveness from jobs",
    "WWWWWWWW MMMMMMMM", "Time For Market To Perceive Delivery Delay Over and Beyond the Time for Company",
    "Évaporation de l’eau", "illicit trial", "Производительность труда", "x" * 60,
]
kind = st.query_params.get("graph", "one")
if kind == "one":
    nodes, edges = [ViewNode("the-node", "Price")], []
elif kind == "pair":
    nodes = [ViewNode("a", "Price"), ViewNode("b", "Demand")]
    edges = [StyledEdge(id="the-edge", source_id="a", sink_id="b", sign="-", delay=True, style="missed")]
elif kind == "names":
    nodes, edges = [ViewNode(name, name) for name in NAMES], []
elif kind == "hub":
    nodes = [ViewNode("hub", "Demand")] + [ViewNode(f"n{i}", f"Cause {i}") for i in range(4)]
    edges = [StyledEdge(id=f"e{i}", source_id=f"n{i}", sink_id="hub", sign="+-"[i % 2]) for i in range(4)]
else:
    nodes = [ViewNode(f"n{i}", f"Variable number {i}") for i in range(140)]
    ends = [(i, i - 1 - (i * 7) % min(i, 9)) for i in range(1, 140)] + [((i * 31) % 140, (i * 53 + 17) % 140)
        for i in range(66)]
    edges = [StyledEdge(id=f"e{k}", source_id=f"n{i}", sink_id=f"n{j}", sign="+-"[k % 2]) for k, (i,
        j) in enumerate(ends)]
if st.button("Grow"):
    st.session_state["more"] = st.session_state.get("more", 0) + 1
for i in range(st.session_state.get("more", 0)):
    nodes.append(ViewNode(f"new{i}", f"New {i}"))
    edges.append(StyledEdge(id=f"new{i}", source_id=f"new{i}", sink_id=nodes[0].id, sign="+"))
places = place([n.id for n in nodes], [(e.source_id, e.sink_id) for e in edges], st.session_state.get("places"))
if kind == "hub":  # four arrows from nearly one side
    places = {"hub": Point(0, 0)} | {f"n{i}": Point(24 * i - 36, -160 - 60 * i) for i in range(4)}
st.session_state["places"] = places
chosen = graph_view(nodes, edges, places, key="graph", height=420)
st.text("chosen " + json.dumps([chosen.kind, chosen.id] if chosen else None))
graph_table(nodes, edges, key="table")
st.container(height=900, border=True).text("end of page")
"""


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ComponentApp]:
    with served(tmp_path_factory.mktemp("figure"), SCRIPT) as found:
        yield found


@pytest.fixture(scope="module")
def address(app: ComponentApp) -> str:
    return app.bare


@pytest.fixture(scope="module")
def tab(app: ComponentApp, profiles: Profiles) -> Iterator[BareTab]:
    opened = BareTab(app, profiles, width=1100, height=800)
    yield opened
    opened.close()


@pytest.fixture
def page(tab: BareTab, request: pytest.FixtureRequest, watch: Watch) -> Iterator[Page]:
    yield from tab.handed_to(request, watch)


def open_graph(page: Page, address: str, graph: str) -> None:
    visit(page, f"{address}?graph={graph}")
    drawn(page)


def drawn(page: Page) -> None:
    page.locator(".figure[data-nodes]").wait_for(timeout=60_000)
    settled(page)


def settled(page: Page) -> int:
    """Wait until two looks at the figure are the same, and count the pixels that carry ink."""
    until = time.monotonic() + 20
    seen = -1
    while time.monotonic() < until:
        page.wait_for_timeout(200)
        found = painted(page)
        if found == seen:
            return found
        seen = found
    pytest.fail("the figure does not come to rest")


def click_middle(page: Page) -> None:
    page.locator(".stage canvas").click()


def painted(page: Page) -> int:
    """Pixels of the canvas that carry ink."""
    return int(
        page.locator(".stage canvas").evaluate(
            """canvas => {
              const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
              let n = 0;
              for (let i = 3; i < data.length; i += 4) if (data[i] > 0) n += 1;
              return n;
            }"""
        )
    )


def test_a_click_on_a_node_returns_its_id(page: Page, address: str) -> None:
    open_graph(page, address, "one")
    click_middle(page)  # one node is drawn in the middle
    expect(page.get_by_text('chosen ["node", "the-node"]')).to_be_visible()
    page.locator(".stage canvas").click(position={"x": 15, "y": 400})
    expect(page.get_by_text("chosen null")).to_be_visible()


def test_an_edge_is_clicked_the_wheel_and_keys_move_the_figure_and_growth_adds_to_it(page: Page, address: str) -> None:
    """One visit, of which the figure is drawn once, and its library fetched once."""
    received: list[int] = []
    scripts: list[str] = []
    page.on("websocket", lambda ws: ws.on("framereceived", lambda frame: received.append(len(frame))))
    page.on("request", lambda asked: scripts.append(asked.url) if "/script/" in asked.url else None)
    page.goto(f"{address}?graph=pair", wait_until="domcontentloaded")  # a document of its own
    drawn(page)
    assert sum(url.endswith("/graph/vis_network.js") for url in scripts) == 1
    scripts.clear()
    the_page_scrolls_past_the_figure_until_it_has_the_focus(page)
    the_keyboard_zooms_pans_and_leaves(page)
    a_click_on_an_edge_returns_its_id_and_says_what_it_is(page)
    the_figure_follows_the_theme(page)
    received.clear()
    figure = page.locator(".figure")
    for n in (3, 4):
        page.get_by_role("button", name="Grow").click()
        expect(figure).to_have_attribute("data-nodes", str(n))
        expect(figure).to_have_attribute("data-edges", str(n - 1))
        expect(figure).to_have_attribute("data-renders", "1")
    assert 0 < sum(received) < 50_000
    assert scripts == []
    expect(page.locator(".stage")).to_have_attribute(
        "aria-label", "Causal graph: 4 nodes, 3 edges (1 missed; 2 plus, 1 minus, 0 without sign)."
    )


def a_click_on_an_edge_returns_its_id_and_says_what_it_is(page: Page) -> None:
    settled(page)
    click_middle(page)  # the edge runs through the middle, from left to right
    expect(page.get_by_text('chosen ["edge", "the-edge"]')).to_be_visible()
    expect(page.locator(".line")).to_have_text("Price → Demand (−, delay, missed (ground truth only))")
    expect(page.locator(".legend")).to_have_text("missed (ground truth only)1 edge, 0 nodes")


def the_page_scrolls_past_the_figure_until_it_has_the_focus(page: Page) -> None:
    scrolled = "() => document.querySelector('[data-testid=stMain]').scrollTop"
    stage = page.locator(".stage")
    stage.hover()
    page.mouse.wheel(0, 120)
    page.wait_for_function(f"({scrolled})() > 0")
    page.mouse.wheel(0, -1000)
    page.wait_for_function(f"({scrolled})() === 0")
    click_middle(page)
    expect(stage).to_be_focused()
    before = settled(page)
    for _ in range(4):
        page.mouse.wheel(0, 120)
    assert settled(page) < before * 0.9  # zoomed out
    assert page.evaluate(scrolled) == 0


def the_keyboard_zooms_pans_and_leaves(page: Page) -> None:
    stage = page.locator(".stage")
    page.get_by_role("button", name="Grow").focus()
    page.keyboard.press("Tab")
    expect(stage).to_be_focused()
    page.keyboard.press("f")
    fitted = settled(page)
    for _ in range(2):
        page.keyboard.press("-")
    assert settled(page) < fitted * 0.8
    page.keyboard.press("f")
    assert settled(page) == pytest.approx(fitted, rel=0.05)
    for _ in range(20):
        page.keyboard.press("ArrowRight")
    assert settled(page) == 0  # panned out of sight
    page.keyboard.press("0")
    page.keyboard.press("Escape")
    expect(stage).not_to_be_focused()


def the_figure_follows_the_theme(page: Page) -> None:
    """Without being drawn anew."""
    missed = "figure => figure.style.getPropertyValue('--missed')"
    figure = page.locator(".figure")
    assert figure.evaluate(missed) == "#0072B2"
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("() => window.matchMedia('(prefers-color-scheme: dark)').matches")
    expect(figure).to_have_attribute("style", "--matched: #D6D3CD; --missed: #5BB0E8; --spurious: #F08A4B;")
    expect(figure).to_have_attribute("data-renders", "1")


def test_labels_are_as_large_as_the_layout_thinks(page: Page, address: str) -> None:
    open_graph(page, address, "names")
    drawn = look(page)["nodes"]
    assert len(drawn) == 10
    for name, node in drawn.items():
        size = size_of(name)
        assert 0.6 * size.width < node["width"] <= size.width, name
        assert 0.8 * size.height < node["height"] <= size.height, name


def test_signs_of_arrows_that_meet_do_not_cover_each_other(page: Page, address: str) -> None:
    open_graph(page, address, "hub")
    seen = look(page)
    signs = [edge["sign"] for edge in seen["edges"].values()]
    assert len(signs) == 4
    apart = [max(abs(a["x"] - b["x"]), abs(a["y"] - b["y"])) for a, b in itertools.combinations(signs, 2)]
    assert min(apart) > 10 * seen["scale"]


@pytest.mark.skipif(not EVERYTHING, reason="tests/components/graph/look.test.js")
def test_signs_have_colours_if_a_person_asks_also_after_a_reload_and_stay_printed(page: Page, address: str) -> None:
    open_graph(page, address, "hub")
    button = page.get_by_role("button", name="Signs in colour")
    expect(button).to_have_attribute("aria-pressed", "false")
    plain = {edge["colour"] for edge in look(page)["edges"].values()}
    assert len(plain) == 1
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    coloured = look(page)["edges"].values()
    assert {edge["text"]["sign"]: edge["colour"] for edge in coloured} == signs("light")
    page.goto(f"{address}?graph=hub", wait_until="domcontentloaded")  # a document of its own
    drawn(page)
    assert {edge["colour"] for edge in look(page)["edges"].values()} == set(signs("light").values())
    button.click()
    assert {edge["colour"] for edge in look(page)["edges"].values()} == plain
    open_graph(page, address, "pair")  # whose one edge is in a comparison
    expect(button).to_be_hidden()


PICTURE = """
async () => {
  const from = performance.getEntriesByType("resource").find(({ name }) => name.endsWith("/graph/picture.js"));
  const { createPicture } = await import(from.name);
  const host = document.createElement("div");
  Object.assign(host, { className: "figure second" });
  Object.assign(host.style, { position: "fixed", inset: "0", background: "white", zIndex: 9 });
  document.body.append(host);
  const node = (ref, x, style) => ({ ref, name: ref, label: ref, x, y: 0, style, badge: "" });
  const edge = (ref, from, to, style, bend, flag = "") =>
    ({ ref, from, to, style, bend, mark: "", delay: false, flag, differs: "" });
  const nodes = [node("a", 0, "both"), node("b", 400, "truth"), node("c", 800, "prediction")];
  const edges = [
    edge("as missed", 0, 1, "missed", 0.12), edge("as spurious", 0, 1, "spurious", -0.12),
    edge("link", 1, 2, "link", 0, "Maybe one node"),
  ];
  const data = {
    nodes, edges, marks: [], summary: "Two graphs", selected: null, lit: null, shown: null, hidden: [], centre: null,
    ends: ["truth", "prediction"], tells_moves: false, tools: true, height: 300, signature: "1",
  };
  window.chosen = [];
  window.picture = createPicture(host, { onChoose: (one) => window.chosen.push(one && [one.kind, one.id]) });
  window.picture.show(data);
  window.shown = (ids) => window.picture.show({ ...data, shown: ids, signature: JSON.stringify(ids) });
}
"""


def test_a_picture_shows_by_id_two_lines_side_by_side_and_a_link_to_click(page: Page, address: str) -> None:
    """What `createPicture` gives to scripts, without a Python part."""
    open_graph(page, address, "pair")
    page.evaluate(PICTURE)
    second = page.locator(".figure.second")

    def seen() -> dict[str, Any]:
        page.wait_for_timeout(150)
        return json.loads(second.evaluate(LOOK))  # type: ignore[no-any-return]

    nodes, edges = (seen()[kind] for kind in ("nodes", "edges"))
    gap = abs(edges["as missed"]["middle"]["y"] - edges["as spurious"]["middle"]["y"])
    assert 10 < gap < 100, "one above the other, and both their own"
    assert (edges["link"]["heads"], edges["link"]["says"]) == (0, "Maybe one node")
    stage = second.locator(".stage").bounding_box()
    assert stage is not None
    page.mouse.click(stage["x"] + (nodes["b"]["x"] + nodes["c"]["x"]) / 2, stage["y"] + nodes["b"]["y"])
    assert page.evaluate("window.chosen") == [["edge", "link"]]
    expect(second.locator(".legend .both")).to_have_text("both0 edges, 1 node")
    expect(second.locator(".legend li")).to_have_count(5)  # a link is no class of edges
    page.evaluate("window.shown(['a', 'b', 'as missed'])")
    drawn = seen()
    shown = {name for name, one in {**drawn["nodes"], **drawn["edges"]}.items() if not one["hidden"]}
    assert shown == {"a", "b", "as missed"}
    page.evaluate("window.shown(null)")
    page.evaluate("window.picture.frame(['c'])")
    framed = seen()
    middle = stage["width"] / 2
    assert framed["nodes"]["c"]["x"] == pytest.approx(middle, abs=2)
    page.evaluate("window.picture.frame(null)")
    whole = seen()
    assert whole["nodes"]["b"]["x"] == pytest.approx(middle, abs=2)
    page.evaluate("window.picture.close()")
    expect(second.locator("canvas")).to_have_count(0)


HOSTILE = ["</script><img src=x onerror=alert(1)>", "{{ 7*7 }}", "<!--<script>", "__proto__", 'a\u2028b & "c"\'']


def test_a_graph_in_one_file_is_drawn_offline_and_asks_for_nothing(
    app: ComponentApp, new_page: Callable[..., Page], tmp_path: Path
) -> None:
    nodes = [ViewNode(str(n), name, ("plain", "missed")[n % 2], name) for n, name in enumerate(HOSTILE)]  # type: ignore[arg-type]
    edges = [
        StyledEdge(id=HOSTILE[0], source_id="0", sink_id="1", sign="+", flag=HOSTILE[0], style="missed"),
        StyledEdge(id="loop", source_id="2", sink_id="2", sign="-", delay=True),
    ]
    places = {node.id: Point(150 * n, 90 * (n % 2)) for n, node in enumerate(nodes)}
    file = tmp_path / "graph.html"
    file.write_text(interactive_html(nodes, edges, places, f"Title {HOSTILE[0]}"), encoding="utf-8")

    page = new_page(app, width=900, height=600)
    page.context.set_offline(True)
    asked: list[str] = []
    wrong: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if said.type in ("error", "warning") else None)
    page.on("dialog", lambda dialog: wrong.append(dialog.message) or dialog.dismiss())  # type: ignore[func-returns-value]
    page.goto(file.as_uri())
    expect(page.locator("h1")).to_have_text(f"Title {HOSTILE[0]}")
    drawn = page.evaluate("[network.body.data.nodes.length, network.body.data.edges.length]")
    assert drawn == [len(nodes), len(edges)]
    labels = page.evaluate("network.body.data.nodes.get().map(({ label }) => label.replaceAll('\\n', ' '))")
    assert "".join(labels[0].split()) == "".join(HOSTILE[0].split())
    before = page.evaluate("network.getPosition(0)")
    spot = page.evaluate("network.canvasToDOM(network.getPosition(0))")
    box = page.locator("#graph").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + spot["x"], box["y"] + spot["y"])
    page.mouse.down()
    page.mouse.move(box["x"] + spot["x"] + 40, box["y"] + spot["y"] + 30, steps=4)
    page.mouse.up()
    assert page.evaluate("network.getPosition(0)") != before
    assert (asked, wrong) == ([file.as_uri()], [])


@pytest.mark.skipif(not EVERYTHING, reason="smaller graphs; test_every_screen.py")
def test_the_largest_published_size_is_drawn_on_a_phone_without_sideways_scrolling(
    app: ComponentApp, address: str, new_page: Callable[..., Page]
) -> None:
    page = new_page(app, width=390, height=844, has_touch=True, is_mobile=True)
    open_graph(page, address, "large")
    figure = page.locator(".figure")
    expect(figure).to_have_attribute("data-nodes", "140")
    expect(figure).to_have_attribute("data-edges", "205")
    expect(figure).to_have_attribute("data-renders", "1")
    assert painted(page) > 5_000
    wide = page.evaluate("() => document.documentElement.scrollWidth")
    sizes = json.loads(page.evaluate("() => JSON.stringify([innerWidth, innerHeight])"))
    assert wide <= sizes[0] == 390
    expect(page.locator(".line")).to_contain_text("Part of the graph is shown")
    stage, tools = (page.locator(f".figure {part}").bounding_box() for part in (".stage", ".tools"))
    assert stage is not None and tools is not None
    assert tools["y"] >= stage["y"] + stage["height"], "the buttons cover no node"
