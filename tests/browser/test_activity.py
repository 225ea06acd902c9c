"""The invisible clock in a real browser: it runs while a person does something, and not while they do nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from tests.browser.component_app import ComponentApp, served

SCRIPT = """
import json

import streamlit as st
from components.desk.activity import activity, read_report

st.session_state["runs"] = st.session_state.get("runs", 0) + 1
subject = st.radio("Task", ["first", "second"])
st.text(f"full runs: {st.session_state['runs']}")
st.button("Draw anew")
kept = st.session_state.setdefault("kept", {})
deaf = st.session_state.setdefault("deaf", [int(st.query_params.get("deaf", "0"))])


@st.fragment
def watch():
    name = f"watch.{subject}"

    def report():
        found = read_report(st.session_state.get(name))
        if found is None or found.subject != subject:
            return
        st.session_state["heard"] = st.session_state.get("heard", 0) + 1
        if deaf[0] > 0:  # as when the store is busy: no answer
            deaf[0] -= 1
            return
        kept.setdefault(subject, {})[found.id] = found.seconds

    answered = [each for reports in kept.values() for each in reports]
    activity(key=name, subject=subject, answered=answered, on_report=report, idle_s=2.0, report_s=0.5)
    total = {task: round(sum(reports.values()), 3) for task, reports in kept.items()}
    st.html(f"<p id='kept' data-heard='{st.session_state.get('heard', 0)}'>{json.dumps(total)}</p>")


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


def all_counted(page: Page, *, before: float = 0.0, task: str = "first") -> float:
    """Wait until what the browser was active since `before` is counted for the task; returns that."""
    expected = active(page) - before
    assert expected > 0.3
    for _ in range(150):
        if counted(page, task) == pytest.approx(expected, abs=0.2):
            return counted(page, task)
        page.wait_for_timeout(STEP_MS)
    raise AssertionError(f"{counted(page, task)} s counted, {expected} s active")


def test_time_counts_while_there_is_input_and_a_pause_counts_nothing(page: Page) -> None:
    move(page, 15)
    held = all_counted(page)
    page.wait_for_timeout(CUT_OFF_MS + 1_000)
    assert counted(page) == held  # idle: not a second more
    move(page, 10)
    assert all_counted(page) > held  # and the pause before it, longer than the cut-off, is in neither count


def test_reports_rerun_nothing_but_their_own_piece(page: Page) -> None:
    runs = page.get_by_text("full runs: 1", exact=True)
    expect(runs).to_be_visible()
    move(page, 15)
    all_counted(page)
    expect(runs).to_be_visible()


def test_keys_and_the_wheel_are_activity_too(page: Page) -> None:
    for act in (lambda: page.keyboard.press("Shift"), lambda: page.mouse.wheel(0, 1)):
        before = active(page)
        for _ in range(8):
            page.wait_for_timeout(STEP_MS)
            act()
        assert active(page) > before + 0.3
        all_counted(page)


def test_what_is_counted_outlives_a_rerun_of_the_whole_page(page: Page) -> None:
    move(page, 8)
    page.get_by_role("button", name="Draw anew").click()
    expect(page.get_by_text("full runs: 2", exact=True)).to_be_visible()
    page.mouse.move(40, 40)
    all_counted(page)


def test_hiding_the_tab_reports_at_once_and_counts_nothing_from_then_on(page: Page) -> None:
    hide = """(hidden) => {
        Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
        document.dispatchEvent(new Event("visibilitychange"));
    }"""
    move(page, 6)
    page.evaluate(hide, True)
    held = all_counted(page)
    page.evaluate(hide, False)
    page.mouse.move(300, 300)  # perhaps soon enough for the cut-off, but the tab was hidden
    page.wait_for_timeout(1_500)
    assert counted(page) == held


def test_another_task_is_another_count(page: Page) -> None:
    move(page, 8)
    all_counted(page)
    page.get_by_text("second", exact=True).click()
    expect(page.get_by_role("radio", name="second")).to_be_checked()
    page.wait_for_timeout(CUT_OFF_MS + 500)
    before, first = active(page), counted(page)
    move(page, 8)
    all_counted(page, before=before, task="second")
    assert counted(page) == first


def test_a_report_without_an_answer_comes_again_and_counts_once(page: Page, settled: Callable[[Page], None]) -> None:
    page.goto("/?deaf=3")
    settled(page)
    page.evaluate(WATCHED)
    move(page, 10)
    all_counted(page)
    heard = int(page.locator("#kept").get_attribute("data-heard") or 0)
    assert heard >= 4  # three times nobody answered
