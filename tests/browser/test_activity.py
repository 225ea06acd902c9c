"""The invisible clock on Streamlit's page: real inputs, reruns and remounts. What it counts when is tested in
tests/components/activity/activity.test.js, with a clock that the test turns."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from tests.browser.component_app import ComponentApp, served
from tests.everything import EVERYTHING

SCRIPT = """
import json

import streamlit as st
from components.activity.activity import activity, read_report

st.session_state["runs"] = st.session_state.get("runs", 0) + 1
subject = st.radio("Task", ["first", "second"])
st.text(f"full runs: {st.session_state['runs']}")
st.button("Draw anew")
kept = st.session_state.setdefault("kept", {})


@st.fragment
def watch():
    name = f"watch.{subject}"

    def report():
        found = read_report(st.session_state.get(name))
        if found is None or found.subject != subject:
            return
        kept.setdefault(subject, {})[found.id] = found.seconds

    answered = [each for reports in kept.values() for each in reports]
    activity(key=name, subject=subject, answered=answered, on_report=report, idle_s=2.0, report_s=0.5)
    total = {task: round(sum(reports.values()), 3) for task, reports in kept.items()}
    st.html(f"<p id='kept'>{json.dumps(total)}</p>")


watch()
"""
STEP_MS = 100


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ComponentApp]:
    with served(tmp_path_factory.mktemp("activity"), SCRIPT) as found:
        yield found


@pytest.fixture
def page(app: ComponentApp, new_page: Callable[..., Page]) -> Page:
    opened = new_page(app, width=1200, height=800)
    opened.goto("/")
    expect(opened.locator("#kept")).to_be_attached(timeout=20_000)
    opened.evaluate(WATCHED)
    return opened


CUT_OFF_MS = 2_000
WATCHED = """() => {
    window.inputs = [];
    for (const name of ["pointermove", "pointerdown", "keydown", "wheel"])
        document.addEventListener(name, () => window.inputs.push(performance.now()), { capture: true });
}"""


def active(page: Page) -> float:
    """Seconds of activity by the test's own record of when inputs came: a busy machine may deliver them late."""
    times = page.evaluate("window.inputs")
    gaps = [later - earlier for earlier, later in pairwise(times)]
    return sum(gap for gap in gaps if gap <= CUT_OFF_MS) / 1000


def move(page: Page, steps: int) -> None:
    """Move the pointer, a tenth of a second apart."""
    for step in range(steps + 1):
        page.mouse.move(20 + step % 2, 20)
        page.wait_for_timeout(STEP_MS)


def counted(page: Page, task: str = "first") -> float:
    return float(json.loads(page.locator("#kept").inner_text()).get(task, 0.0))


def all_counted(page: Page, *, task: str = "first") -> float:
    """Wait until what the browser was active is counted for the task; returns that."""
    expected = active(page)
    assert expected > 0.3
    for _ in range(150):
        if counted(page, task) == pytest.approx(expected, abs=0.2):
            return counted(page, task)
        page.wait_for_timeout(STEP_MS)
    raise AssertionError(f"{counted(page, task)} s counted, {expected} s active")


@pytest.mark.skipif(not EVERYTHING, reason="test_training counts time on the real page, node when it is counted")
def test_reports_rerun_their_own_piece_alone_outlive_a_rerun_of_the_page_and_are_counted_by_task(page: Page) -> None:
    reports_rerun_nothing_but_their_own_piece(page)
    what_is_counted_outlives_a_rerun_of_the_whole_page_and_another_task_is_another_count(page)


def reports_rerun_nothing_but_their_own_piece(page: Page) -> None:
    runs = page.get_by_text("full runs: 1", exact=True)
    expect(runs).to_be_visible()
    move(page, 10)
    for act in (lambda: page.keyboard.press("Shift"), lambda: page.mouse.wheel(0, 1)):
        for _ in range(6):
            page.wait_for_timeout(STEP_MS)
            act()
    assert all_counted(page) > 1.8
    expect(runs).to_be_visible()


def what_is_counted_outlives_a_rerun_of_the_whole_page_and_another_task_is_another_count(page: Page) -> None:
    move(page, 8)
    page.get_by_role("button", name="Draw anew").click()
    expect(page.get_by_text("full runs: 2", exact=True)).to_be_visible()
    page.mouse.move(40, 40)
    all_counted(page)
    page.get_by_text("second", exact=True).click()
    expect(page.get_by_role("radio", name="second")).to_be_checked()
    page.wait_for_timeout(500)
    first = counted(page)
    page.evaluate("window.inputs = []")
    move(page, 8)
    all_counted(page, task="second")
    assert counted(page) == first
