"""A run of several steps on a phone: a group opened and left by keyboard alone; axe finds nothing in both themes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from benchmarks.running_server import running_server
from tests.browser import axe

SEED = """
from tests.runs import toy_protocol
from tests.runs.begun import model, work
toy_protocol.register()
toy_protocol.begin(study.store, model(given["url"]), toy_protocol.texts(30))
work(study.store)
"""
SCRIPT: dict[str, Any] = {"rules": [{"matches": r"number 2\.$", "fault": "bad_request", "times": 1}]}
SIDEWAYS = "document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth"


def test_a_blocked_group_is_opened_read_and_left_by_keyboard_alone(
    start_server: Callable[..., Any], page_as: Callable[..., Page], settled: Callable[[Page], None]
) -> None:
    server = start_server(door="tests.browser.steps_door:app")
    with running_server() as models:
        models.play(SCRIPT)
        server.seed(SEED, url=models.url)
    page = page_as("reviewer", "/runs?run=1", on=server, width=390, height=844)
    expect(page.get_by_text("30 keys. A cell opens its group.")).to_be_visible()
    faults = looked(page, "steps")
    page.get_by_role("button", name="1 blocked").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 key. A cell opens its group.")).to_be_visible()
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
    expect(page.get_by_text("1 key. A cell opens its group.")).to_be_visible()
    page.get_by_test_id("stDataFrame").click(position={"x": 180, "y": 52})  # a canvas: the second cell of its line
    expect(page.get_by_role("heading", name="One label · p02")).to_be_visible()
    assert faults == []


def looked(page: Page, where: str) -> list[str]:
    assert page.evaluate(SIDEWAYS) <= 0
    return axe.faults(page, where)
