"""What a person does with the figure and with the page on which figures are chosen, in a real browser."""

from __future__ import annotations

import io
import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from PIL import Image, ImageDraw
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser import axe
from tests.browser.component_app import served
from tests.browser.phone import phone

PATIENCE_S = 20  # of a busy machine; nothing waits longer than it must
PAGE_W, PAGE_H = 612, 792  # points, US letter
HOSTILE = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>\'"&'

SCRIPT = """
import json
import os
import streamlit as st
from components.figure.crop import Crop
from components.figure.figure_view import FigureMark, figure_view
from components.figure.region_picker import PickRegion, region_picker
from core.papers.pages import Box

st.set_page_config(layout="wide")
images = os.environ["TEST_IMAGES"]
show = st.query_params.get("show", "picker")
if st.button("Fresh"):
    st.session_state["turn"] = st.session_state.get("turn", 0) + 1
    st.session_state.pop("saved", None)
turn = st.session_state.get("turn", 0)
hostile = os.environ["TEST_HOSTILE"]
if show == "figure":
    other = st.toggle("Other marks", key=f"other{turn}")
    marks = [
        FigureMark("node", "a", "Price", Box(110, 120, 170, 136), "attested"),
        FigureMark("word", "b", "Demand", Box(300, 120, 360, 136)),
        FigureMark("node", "c", hostile, Box(110, 240, 170, 256), "chosen"),
        FigureMark("box", "d", hostile, Box(280, 220, 370, 270)),
    ]
    if other:
        marks = [FigureMark("node", "b", "Demand", Box(300, 120, 360, 136)), *marks[2:]]
    click = figure_view(
        Crop(f"{images}/figure.png", 300, 200, "Figure 6", (100, 100)), key=f"fig{turn}", marks=marks, height_px=480,
    )
    st.text("click=" + json.dumps(None if click is None else [click.id, click.n]))
elif show == "broken":
    figure_view(Crop(f"{images}/missing.png", 300, 200, "Figure 9"), key="broken")
else:
    regions = [
        PickRegion("f6", "Figure 6", Box(72, 100, 312, 280)),
        PickRegion("f7", "Figure 7", Box(72, 400, 540, 620)),
        PickRegion("x", hostile, Box(350, 120, 540, 260)),
    ]
    if st.button("Forget"):
        st.session_state["saved"] = None
        st.session_state["forgot"] = True
    chosen = st.session_state.get("saved")
    picked = region_picker(
        key=f"pick{turn}", image_url=f"{images}/page.png", page_width=612, page_height=792, regions=regions,
        chosen=chosen, alt="Page 3 of the paper",
    )
    if picked is not None and not st.session_state.pop("forgot", False):
        st.session_state["saved"] = picked.box
    st.text("picked=" + json.dumps(None if picked is None else {
        "box": [picked.box.x0, picked.box.y0, picked.box.x1, picked.box.y1], "region": picked.region_id, "n": picked.n,
    }))
    st.button("Rerun")
st.text(f"turn {turn}")
"""


def drawn(width: int, height: int) -> bytes:
    """A white PNG with boxes and lines, two pixels a point."""
    image = Image.new("RGB", (width * 2, height * 2), "white")
    pen = ImageDraw.Draw(image)
    for y in range(40, height * 2 - 40, 28):
        pen.line([(144, y), (width * 2 - 144, y)], fill="#BBBBBB", width=5)
    for left, top, right, bottom in [(144, 200, 624, 560), (144, 800, 1080, 1240), (700, 240, 1080, 520)]:
        pen.rectangle([left, top, right, bottom], fill="white", outline="#444444", width=3)
        pen.ellipse([left + 40, top + 60, left + 200, top + 120], outline="#222222", width=4)
        pen.line([(left + 200, top + 90), (right - 60, bottom - 60)], fill="#222222", width=4)
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


class Images(ThreadingHTTPServer):
    """Serves the test pictures on loopback and counts what was asked for."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), ImageAnswer)
        self.files = {"/figure.png": drawn(300, 200), "/page.png": drawn(PAGE_W, PAGE_H)}
        self.asked: list[str] = []


class ImageAnswer(BaseHTTPRequestHandler):
    server: Images

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        body = self.server.files.get(self.path)
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", "image/png" if body else "text/plain")
        self.send_header("Access-Control-Allow-Origin", self.headers.get("Origin", "*"))
        self.send_header("Access-Control-Allow-Credentials", "true")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(body or b"no such picture")

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


@dataclass(frozen=True)
class Site:
    url: str
    images: Images
    desk: BrowserContext


@pytest.fixture(scope="module")
def site(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("figures")
    images = Images()
    threading.Thread(target=images.serve_forever, daemon=True).start()
    shown = {"TEST_IMAGES": f"http://127.0.0.1:{images.server_address[1]}", "TEST_HOSTILE": HOSTILE}
    try:
        with served(folder, SCRIPT, **shown) as app:
            # One context for all tests: the scripts then come from the cache.
            desk = browser.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
            yield Site(app.bare, images, desk)
            desk.close()
    finally:
        images.shutdown()
        images.server_close()


@dataclass(frozen=True)
class Tab:
    """A page of the test app that stays open."""

    page: Page
    faults: list[str]


def open_tab(site: Site, show: str) -> Tab:
    page = site.desk.new_page()
    page.set_default_timeout(PATIENCE_S * 1000)
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(f"{site.url}?show={show}")
    return Tab(page, faults)


@pytest.fixture(scope="module")
def figure_tab(site: Site) -> Iterator[Tab]:
    tab = open_tab(site, "figure")
    yield tab
    tab.page.close()


@pytest.fixture(scope="module")
def picker_tab(site: Site) -> Iterator[Tab]:
    tab = open_tab(site, "picker")
    yield tab
    tab.page.close()


@pytest.fixture
def figure(figure_tab: Tab) -> Iterator[Page]:
    """The tab with a figure that nobody has touched yet."""
    yield fresh(figure_tab.page, "click")
    assert figure_tab.faults == []


@pytest.fixture
def picker(picker_tab: Tab) -> Iterator[Page]:
    """The tab with a page on which nothing is chosen yet."""
    yield fresh(picker_tab.page, "picked")
    assert picker_tab.faults == []


def fresh(page: Page, name: str) -> Page:
    """Another key for the component, so that Streamlit mounts it anew."""
    page.bring_to_front()
    turn = page.get_by_text(re.compile(r"^turn \d+$"))
    before = int(turn.inner_text().split()[1])
    page.get_by_role("button", name="Fresh").click()
    expect(page.get_by_text(f"turn {before + 1}", exact=True)).to_be_visible()
    expect(page.get_by_text(f"{name}=null")).to_be_visible()
    expect(page.locator(".pz-viewport")).to_have_count(1)
    return loaded(page)


def loaded(page: Page) -> Page:
    viewport = page.locator(".pz-viewport")
    expect(viewport.locator("img.pz-image")).to_have_js_property("complete", True)
    expect(viewport).not_to_have_attribute("aria-busy", "true")
    return page


def content_box(page: Page) -> dict[str, float]:
    box = page.locator(".pz-content").bounding_box()
    assert box is not None
    return dict(box)


def at(page: Page, x: float, y: float) -> tuple[float, float]:
    """Where a point of the page (in points) stands on the screen."""
    box = content_box(page)
    return box["x"] + x / PAGE_W * box["width"], box["y"] + y / PAGE_H * box["height"]


def drag(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    page.mouse.move(*end)
    page.mouse.up()


def told(page: Page, name: str, after: int = 0) -> object:
    """What Python says it got, once its number is above `after`."""
    line = page.get_by_test_id("stText").filter(has_text=re.compile(f"^{name}="))
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        value = json.loads(line.inner_text().split("=", 1)[1])
        number = value["n"] if isinstance(value, dict) else value[1] if value else 0
        if number > after:
            return value
        page.wait_for_timeout(40)
    raise AssertionError(f"Python was not told anything newer than {after}")


def told_box(page: Page, box: list[float]) -> dict[str, object]:
    """Python's answer once it holds this box: on a slow machine a row of keys may count as several choices."""
    found: list[dict[str, object]] = []

    def arrived() -> bool:
        value = told(page, "picked")
        assert isinstance(value, dict)
        found.append(value)
        return bool(value["box"] == box)

    wait_for(page, arrived)
    return found[-1]


def wait_for(page: Page, holds: Callable[[], bool]) -> None:
    """Until a gesture has arrived: Playwright does not wait for the wheel."""
    until = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < until, "the gesture had no such effect"
        page.wait_for_timeout(30)


def near(found: object, expected: tuple[float, ...], within: float = 1.5) -> bool:
    assert isinstance(found, list)
    return all(abs(a - b) <= within for a, b in zip(found, expected, strict=True))


# --- the figure


def test_wheel_zooms_about_the_pointer_only_with_focus_and_stays_clamped(figure: Page):
    viewport = figure.locator(".pz-viewport")
    fitted = content_box(figure)
    spot = (fitted["x"] + 0.7 * fitted["width"], fitted["y"] + 0.6 * fitted["height"])
    figure.mouse.move(*spot)
    figure.mouse.wheel(0, -100)
    figure.wait_for_timeout(80)
    assert content_box(figure)["width"] == pytest.approx(fitted["width"], abs=0.5)

    viewport.focus()
    figure.mouse.wheel(0, -200)  # one event: exp(200 x 0.0022) = 1.55
    wait_for(figure, lambda: content_box(figure)["width"] > 1.5 * fitted["width"])
    zoomed = content_box(figure)
    # The picture's point under the pointer is still 70 % from its left and 60 % from its top.
    assert (spot[0] - zoomed["x"]) / zoomed["width"] == pytest.approx(0.7, abs=0.002)
    assert (spot[1] - zoomed["y"]) / zoomed["height"] == pytest.approx(0.6, abs=0.002)

    for _ in range(5):
        figure.mouse.wheel(0, -1000)
    wait_for(figure, lambda: content_box(figure)["width"] > 11.9 * fitted["width"])
    assert content_box(figure)["width"] == pytest.approx(12 * fitted["width"], rel=0.01)
    for _ in range(7):
        figure.mouse.wheel(0, 1000)
    wait_for(figure, lambda: content_box(figure) == pytest.approx(fitted, abs=1))


def test_keys_and_buttons_zoom_pan_and_fit(figure: Page):
    viewport = figure.locator(".pz-viewport")
    fitted = content_box(figure)
    viewport.focus()
    figure.keyboard.press("+")
    figure.keyboard.press("+")
    bigger = content_box(figure)
    assert bigger["width"] == pytest.approx(1.96 * fitted["width"], rel=0.01)  # 1.4 squared
    figure.keyboard.press("ArrowRight")
    assert content_box(figure)["x"] == pytest.approx(bigger["x"] - 60, abs=1)
    for _ in range(60):
        figure.keyboard.press("ArrowRight")
    # Panning ends where the right edge is at its fitted place: the figure never leaves the window.
    right = content_box(figure)["x"] + content_box(figure)["width"]
    assert right == pytest.approx(fitted["x"] + fitted["width"], abs=1)
    figure.keyboard.press("f")
    assert content_box(figure) == pytest.approx(fitted, abs=1)
    figure.get_by_role("button", name="Zoom in").click()
    assert content_box(figure)["width"] == pytest.approx(1.4 * fitted["width"], rel=0.01)
    figure.get_by_role("button", name="Fit the picture into the window").click()
    assert content_box(figure) == pytest.approx(fitted, abs=1)


def test_dragging_pans_and_clicks_nothing(figure: Page):
    viewport = figure.locator(".pz-viewport")
    viewport.focus()
    figure.keyboard.press("+")
    before = content_box(figure)
    mark = figure.locator("[data-id=c]").bounding_box()
    assert mark is not None
    start = (mark["x"] + mark["width"] / 2, mark["y"] + mark["height"] / 2)
    drag(figure, start, (start[0] - 40, start[1] - 30))
    after = content_box(figure)
    assert (after["x"] - before["x"], after["y"] - before["y"]) == pytest.approx((-40, -30), abs=1)
    figure.wait_for_timeout(150)
    expect(figure.get_by_text("click=null")).to_be_visible()


def test_other_marks_keep_the_zoom_and_do_not_load_the_picture_again(figure: Page, site: Site):
    viewport = figure.locator(".pz-viewport")
    viewport.focus()
    figure.keyboard.press("+")
    figure.keyboard.press("+")
    zoomed = content_box(figure)
    asked = site.images.asked.count("/figure.png")
    first = figure.locator("img.pz-image").element_handle()
    figure.get_by_text("Other marks").click()
    expect(figure.locator("[data-id=a]")).to_have_count(0)
    expect(figure.locator("[data-id=b]")).to_have_attribute("data-kind", "node")
    assert content_box(figure)["width"] == pytest.approx(zoomed["width"], abs=0.5)
    assert site.images.asked.count("/figure.png") == asked
    assert first is not None
    assert first.evaluate("image => image.isConnected")


def test_clicking_a_mark_returns_it_and_every_click_has_a_higher_number(figure: Page):
    figure.locator("[data-id=a]").click()
    first = told(figure, "click")
    assert isinstance(first, list)
    assert first[0] == "a"
    figure.locator("[data-id=a]").click()
    again = told(figure, "click", after=first[1])
    assert isinstance(again, list)
    assert again[0] == "a"


def test_marks_are_reached_and_clicked_by_keyboard(figure: Page):
    viewport = figure.locator(".pz-viewport")
    viewport.focus()
    figure.keyboard.press("Tab")
    expect(figure.locator("[data-id=a]")).to_be_focused()
    figure.keyboard.press("ArrowRight")  # Demand stands right of Price
    expect(figure.locator("[data-id=b]")).to_be_focused()
    figure.keyboard.press("Enter")
    value = told(figure, "click")
    assert isinstance(value, list)
    assert value[0] == "b"
    expect(figure.locator("[data-id=b]")).to_be_focused()


def test_the_overlay_is_in_points_of_the_page_and_keeps_a_layer_for_the_canvas(figure: Page):
    expect(figure.locator("svg.pz-overlay")).to_have_attribute("viewBox", "100 100 300 200")
    expect(figure.locator("svg.pz-overlay > [data-layer=canvas]")).to_have_count(1)
    # The box from (280, 220) to (370, 270) of a crop at (100, 100) is 60 % to 90 % across and 60 % to 85 % down.
    crop = content_box(figure)
    box = figure.locator("[data-id=d] rect").bounding_box()
    assert box is not None
    assert (box["x"] - crop["x"]) / crop["width"] == pytest.approx(0.6, abs=0.006)
    assert (box["y"] + box["height"] - crop["y"]) / crop["height"] == pytest.approx(0.85, abs=0.006)


def test_a_picture_that_does_not_load_says_why_and_can_be_retried(site: Site):
    tab = open_tab(site, "broken")
    notice = tab.page.get_by_role("alert").filter(has_text="The picture did not load")
    expect(notice).to_contain_text("no longer has this picture")
    assert_accessible(tab.page)
    site.images.files["/missing.png"] = drawn(300, 200)
    try:
        tab.page.get_by_role("button", name="Retry").click()
        expect(notice).to_be_hidden()
        expect(tab.page.get_by_role("img", name="Figure 9")).to_be_visible()
    finally:
        del site.images.files["/missing.png"]
        tab.page.close()
    assert tab.faults == []


# --- the page on which a figure is chosen


def test_clicking_a_region_returns_its_box(picker: Page):
    picker.get_by_role("button", name="Figure 6, 240 by 180 points").click()
    value = told(picker, "picked")
    assert isinstance(value, dict)
    assert value["box"] == [72, 100, 312, 280]
    assert value["region"] == "f6"


def test_dragging_draws_a_rectangle_in_points_also_across_regions(picker: Page):
    drag(picker, at(picker, 100, 120), at(picker, 400, 500))
    value = told(picker, "picked")
    assert isinstance(value, dict)
    assert near(value["box"], (100, 120, 400, 500))
    assert value["region"] is None


def test_drawing_is_as_exact_when_zoomed_and_corners_can_be_moved(picker: Page):
    viewport = picker.locator(".pz-viewport")
    viewport.focus()
    picker.mouse.move(*at(picker, 200, 200))
    zoomed_from = content_box(picker)["width"]
    for _ in range(3):
        picker.mouse.wheel(0, -240)
    # Three events of exp(240 x 0.0022) = 1.7 each make 4.87.
    wait_for(picker, lambda: content_box(picker)["width"] > 4.8 * zoomed_from)
    drag(picker, at(picker, 180, 190), at(picker, 320, 250))
    first = told(picker, "picked")
    assert isinstance(first, dict)
    assert near(first["box"], (180, 190, 320, 250))

    drag(picker, at(picker, 320, 250), at(picker, 300, 235))  # the lower right corner
    second = told(picker, "picked", after=first["n"])
    assert isinstance(second, dict)
    assert near(second["box"], (180, 190, 300, 235))


def test_drawing_over_the_edge_stops_at_the_edge_and_space_pans(picker: Page):
    viewport = picker.locator(".pz-viewport")
    start, end = at(picker, 500, 700), at(picker, 700, 780)
    drag(picker, start, end)
    value = told(picker, "picked")
    assert isinstance(value, dict)
    assert near(value["box"], (500, 700, 612, 780))
    viewport.focus()
    picker.keyboard.press("+")
    before = content_box(picker)
    picker.keyboard.down(" ")
    drag(picker, (700, 300), (700, 260))
    picker.keyboard.up(" ")
    assert content_box(picker)["y"] == pytest.approx(before["y"] - 40, abs=1)
    picker.wait_for_timeout(500)
    assert told(picker, "picked") == value


def test_too_small_a_rectangle_is_refused_in_place(picker: Page):
    drag(picker, at(picker, 100, 650), at(picker, 108, 658))
    expect(picker.get_by_role("alert")).to_contain_text("Draw at least 12 × 12")
    picker.wait_for_timeout(150)
    expect(picker.get_by_text("picked=null")).to_be_visible()


def test_keyboard_alone_chooses_and_adjusts(picker: Page):
    viewport = picker.locator(".pz-viewport")
    viewport.focus()
    picker.keyboard.press("Tab")
    expect(picker.get_by_role("button", name="Figure 6, 240 by 180 points")).to_be_focused()
    picker.keyboard.press("Enter")
    first = told(picker, "picked")
    assert isinstance(first, dict)
    assert first["box"] == [72, 100, 312, 280]
    for key in ("ArrowRight", "ArrowRight", "Shift+ArrowDown", "Alt+ArrowLeft", "Alt+Shift+ArrowDown"):
        picker.keyboard.press(key)
    # 2 right and 10 down, then 1 narrower and 10 higher.
    second = told_box(picker, [74, 110, 313, 300])
    assert second["region"] == "f6"
    picker.keyboard.press("ArrowUp")
    picker.keyboard.press("Enter")
    told_box(picker, [74, 109, 313, 299])


def test_r_starts_a_rectangle_in_the_middle_of_the_page(picker: Page):
    viewport = picker.locator(".pz-viewport")
    viewport.focus()
    picker.keyboard.press("r")
    value = told(picker, "picked")
    assert isinstance(value, dict)
    # A third of 612 by 792 in the middle: 204 by 264.
    assert near(value["box"], (204, 264, 408, 528), within=0.1)


def test_a_choice_fed_back_by_the_page_does_not_undo_newer_keys(picker: Page):
    picker.get_by_role("button", name="Figure 7, 468 by 220 points").click()
    for _ in range(6):
        picker.keyboard.press("ArrowUp")
        picker.wait_for_timeout(60)
    told_box(picker, [72, 394, 540, 614])
    picker.get_by_role("button", name="Rerun").click()
    expect(picker.locator(".rp-chosen")).to_have_attribute("aria-label", re.compile("394 from the top"))


def test_a_choice_the_page_takes_back_is_no_longer_shown(picker: Page):
    picker.get_by_role("button", name="Figure 7, 468 by 220 points").click()
    told(picker, "picked")
    picker.get_by_role("button", name="Rerun").click()
    picker.wait_for_timeout(200)
    expect(picker.locator(".rp-chosen")).to_be_visible()
    picker.get_by_role("button", name="Forget").click()
    expect(picker.locator(".rp-chosen")).to_be_hidden()


def test_two_fingers_zoom_and_one_finger_draws(picker: Page):
    with phone(picker) as finger:
        fitted = content_box(picker)
        assert fitted["width"] < 390
        start, end = at(picker, 100, 300), at(picker, 400, 600)
        finger.touch("touchStart", start)
        finger.touch("touchMove", (start[0] + 30, start[1] + 30))
        finger.touch("touchMove", end)
        finger.touch("touchEnd")
        value = told(picker, "picked")
        assert isinstance(value, dict)
        assert near(value["box"], (100, 300, 400, 600))

        x, y = fitted["x"] + fitted["width"] / 2, fitted["y"] + fitted["height"] / 2
        finger.touch("touchStart", (x - 40, y))
        finger.touch("touchStart", (x - 40, y), (x + 40, y))
        finger.touch("touchMove", (x - 60, y), (x + 60, y))
        finger.touch("touchMove", (x - 80, y), (x + 80, y))
        finger.touch("touchEnd")
        assert content_box(picker)["width"] == pytest.approx(2 * fitted["width"], rel=0.03)
        assert told(picker, "picked") == value


def assert_accessible(page: Page) -> None:
    """Nothing serious or critical inside the components, in both themes."""
    grounds = set()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.wait_for_timeout(150)
        grounds.add(page.get_by_test_id("stApp").evaluate("app => getComputedStyle(app).backgroundColor"))
        assert axe.found(page, scheme, "[data-testid^=stBidiComponent]") == []
    assert len(grounds) == 2  # both themes were really seen
