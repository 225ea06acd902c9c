"""A run of several steps on a phone: a group opened and left, a decision made and a step redone by keyboard alone; axe
finds nothing in both themes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from benchmarks.running_server import RunningServer, running_server
from tests.browser import axe
from tests.browser.walking import walk
from tests.everything import EVERYTHING

TOY = """
from types import SimpleNamespace
from runs.steps import group_progress, making_child
from runs.steps.stepped_run import stepped_run
from tests.runs import toy_protocol
from tests.runs.begun import model, now, work
from tests.services.run_parts import set_up
toy_protocol.register()

async def begin_here(place, run_id, group_id):  # a child would take a second for each step over the whole run
    with study.store.reading() as session:
        run = stepped_run(session, run_id)
    group_progress.begin(study.store, run, group_id, now())

making_child.begin = begin_here
"""
SEED = (
    TOY
    + """
toy_protocol.begin(study.store, model(given["url"]), toy_protocol.texts(4))
work(study.store)
toy_protocol.begin(study.store, model(given["url"]), toy_protocol.texts(1))
work(study.store)
set_up(terminal, SimpleNamespace(url=given["url"]), ["scripted:plus"])
"""
)
WORK = TOY + "work(study.store)"
SCRIPT: dict[str, Any] = {"rules": [{"matches": r"number 2\.$", "fault": "bad_request", "times": 1}]}
SIDEWAYS = "document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth"


@pytest.fixture(scope="module")
def models() -> Iterator[RunningServer]:
    with running_server() as running:
        running.play(SCRIPT)
        yield running


@pytest.fixture(scope="module")
def steps(start_server: Callable[..., Any], models: RunningServer) -> Any:
    """A server with two runs: over four texts, of which one is blocked, and over one text, for people to decide."""
    server = start_server(door="tests.browser.steps_door:app")
    server.seed(SEED, url=models.url)
    return server


@pytest.mark.skipif(not EVERYTHING, reason="tests/pages/runs/steps shows each of its parts")
def test_a_group_is_opened_and_left_people_decide_and_a_step_is_redone_by_keyboard_alone(
    steps: Any, models: RunningServer, page_as: Callable[..., Page]
) -> None:
    page = page_as("researcher", "/runs?run=1", on=steps, width=390, height=844)
    faults = a_blocked_group_is_opened_read_and_left(page)
    walk(page, "/texts")  # within one page, what was chosen there last would outlive the link
    walk(page, "/runs?run=2")
    axe.turn(page, "dark")  # the first run is looked at in light
    faults += people_decide_and_a_step_is_redone(page, steps, models)
    assert page.evaluate(SIDEWAYS) <= 0
    assert faults == []


def a_blocked_group_is_opened_read_and_left(page: Page) -> list[str]:
    expect(page.get_by_text("4 keys. Click a cell to open its group.")).to_be_visible()
    faults = looked(page, "steps")
    page.get_by_role("button", name="1 blocked").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 key. Click a cell to open its group.")).to_be_visible()
    page.get_by_role("combobox", name="Open group").focus()
    page.keyboard.type("blocked")
    expect(page.get_by_role("option")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="One label · p02")).to_be_visible()
    expect(page.get_by_text("of 3 failed: ", exact=False).first).to_be_visible()
    assert "lane=label" in page.url and "group=p02" in page.url
    faults += looked(page, "lane")
    page.get_by_role("button", name="Back to steps").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 key. Click a cell to open its group.")).to_be_visible()
    page.get_by_test_id("stDataFrame").click(position={"x": 180, "y": 52})  # a canvas: the second cell of its line
    expect(page.get_by_role("heading", name="One label · p02")).to_be_visible()
    return faults


def people_decide_and_a_step_is_redone(page: Page, steps: Any, models: RunningServer) -> list[str]:
    press(page, "Decide 3 values")
    expect(page.get_by_text("3 of 3 values to decide")).to_be_visible()
    faults = looked(page, "decisions")
    page.get_by_role("radio", name="Keep").first.focus()
    page.keyboard.press("ArrowLeft")  # round to the last
    expect(page.get_by_placeholder("required: why the value is not kept")).to_have_count(1)
    page.keyboard.press("Tab")
    page.keyboard.type("not about this paper")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Save decision").first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Decided: left out")).to_be_visible()
    expect(page.get_by_text("2 of 3 values to decide")).to_be_visible()
    press(page, "Back to steps")
    page.get_by_role("button", name="Redo step").nth(3).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("New run: redo Asked again of run 2")).to_be_visible()
    page.get_by_role("combobox", name="Model").focus()
    page.keyboard.type("plus")
    page.keyboard.press("Enter")
    press(page, "Start dry run")
    expect(page.get_by_text("3 requests to send; 3 cached replies used")).to_be_visible()
    faults += looked(page, "redo")
    press(page, "Start run")
    expect(page.get_by_role("link", name="Redone from run 2, step Asked again")).to_be_visible()
    models.forget()
    steps.seed(WORK)
    assert [entry["model"] for entry in models.log()["entries"]] == ["scripted:plus"] * 3
    expect(page.get_by_text("1 earlier decision: 1 to be decided again")).to_be_visible()
    return faults


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name).focus()
    page.keyboard.press("Enter")


def looked(page: Page, where: str) -> list[str]:
    assert page.evaluate(SIDEWAYS) <= 0
    page.add_style_tag(content=axe.STILL)
    return axe.faults(page, where) if EVERYTHING else axe.found(page, where)
