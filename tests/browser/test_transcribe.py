"""Transcribing in a real browser: nothing is lost, nothing is overwritten, nothing happens twice."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.drawing import locate

DEMO = Path(__file__).resolve().parents[2] / "demo" / "reservoir.pdf"
HURRIED = 3  # edges typed just before the kill
REDRAWN_MS = 2_200  # after an answer the page is drawn again within two seconds; a session that ended would end it
ELSEWHERE = """
from services.transcription import reading, transcribing
for person in people.list_people(terminal):
    if person.name == given["name"]:
        me = Viewer(person_id=person.id, name=person.name, roles=frozenset(person.roles), session_id="terminal")
seen = reading.transcription(me, given["work"]).version
transcribing.add_lines(me, given["work"], given["line"], pasted=False, seen=seen, act_id=new_act())
"""

END = """
from store import people as rows, sessions
with study.store.writing() as session:
    for row in rows.all_people(session):
        if row.name == given["name"]:
            sessions.end_sessions(session, row.id, study.clock())
"""

Open = Callable[..., Page]


class Desk:
    """A server whose study has one figure, and its store read beside it."""

    def __init__(self, server: Any) -> None:
        self.server = server
        self.figure = locate(server, [("The figure", DEMO, 1, (90, 420, 540, 590))])["The figure"]

    def ask(self, query: str, *values: str) -> list[Any]:
        with sqlite3.connect(f"file:{self.server.store}?mode=ro", uri=True) as connection:
            return connection.execute(query, values).fetchall()

    def work(self) -> tuple[str, str]:
        """Ids of the annotator's transcription of the figure and of its graph."""
        query = "SELECT a.id, a.graph_id FROM assignment a JOIN person p ON p.id = a.person_id WHERE p.name = ?"
        (found,) = self.ask(query + " AND a.subject_id = ?", "annotator", self.figure)
        return found[0], found[1]

    def edges(self) -> list[str]:
        query = """SELECT s.name || ' -> ' || t.name FROM edge e JOIN node s ON s.id = e.source_id
                   JOIN node t ON t.id = e.sink_id WHERE e.graph_id = ? ORDER BY 1"""
        return [row[0] for row in self.ask(query, self.work()[1])]

    def acts(self) -> list[str]:
        """Every act kept on the annotator's transcription of the figure, in order."""
        query = "SELECT act FROM event WHERE subject_id IN (?, ?) ORDER BY seq"
        return [row[0] for row in self.ask(query, *self.work())]


@pytest.fixture(scope="module")
def desk(start_server: Callable[..., Any]) -> Desk:
    return Desk(start_server())


def line(page: Page) -> Locator:
    return page.get_by_label("Type an edge")


def type_edge(page: Page, text: str) -> None:
    line(page).fill(text)
    line(page).press("Enter")


def saved(page: Page, counts: str) -> None:
    expect(page.locator(".receipt")).to_have_text(re.compile(rf"^Saved \d\d:\d\d:\d\d · {counts}$"))


def until(found: Callable[[], object], expected: object, seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while found() != expected and time.monotonic() < deadline:
        time.sleep(0.1)
    assert found() == expected


def submit(page: Page) -> None:
    page.get_by_role("button", name="Submit", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Submit", exact=True).dblclick()
    expect(page.get_by_text("Submitted, read-only")).to_be_visible()


def test_one_visit_to_a_figure_loses_nothing_overwrites_nothing_and_does_nothing_twice(
    desk: Desk, page_as: Open, settled: Callable[[Page], None], watch: Any, integrity: Callable[[Path], str]
) -> None:
    # Whose session ended gets no answer, and Streamlit tells the console in many words that the server is away.
    watch.expected.append("^console: ")
    page = page_as("annotator", "/transcribe", on=desk.server)
    a_double_click_on_any_button_has_one_effect(desk, page, settled)
    a_stale_copy_is_refused_and_goes_on_when_told(desk, page)
    a_session_that_ends_in_mid_work_leads_back_to_it_and_the_act_is_kept(desk, page)
    a_server_killed_during_saving_loses_nothing_and_doubles_nothing(desk, page, settled)
    assert integrity(desk.server.store) == "ok"
    before = len(desk.acts())
    submit(page)
    expect(line(page)).to_be_hidden()
    it_is_returned_once_with_a_comment(page_as("reviewer", "/transcribe", on=desk.server, after=page), desk, settled)
    assert desk.acts()[before:] == ["transcription.submit", "transcription.return"]


def a_double_click_on_any_button_has_one_effect(desk: Desk, page: Page, settled: Callable[[Page], None]) -> None:
    row = page.locator(f".st-key-transcribe-Figures-to-take-{desk.figure}")
    row.get_by_role("button", name="Take").dblclick()
    expect(line(page)).to_be_editable()
    line(page).fill("Rain -> Harvest")
    page.get_by_role("button", name="Add", exact=True).dblclick()
    saved(page, "2 nodes, 1 edge")
    page.get_by_text("Graph", exact=True).click()
    page.get_by_role("button", name="Rearrange").dblclick()
    settled(page)
    page.get_by_role("button", name="Remove", exact=True).dblclick()
    saved(page, "0 nodes, 0 edges")
    page.get_by_role("button", name="Undo").click()
    saved(page, "2 nodes, 1 edge")
    assert desk.acts() == ["transcription.take", "graph.edit", "graph.edit", "graph.undo"]


def a_stale_copy_is_refused_and_goes_on_when_told(desk: Desk, page: Page) -> None:
    desk.server.seed(ELSEWHERE, name="annotator", work=desk.work()[0], line="Rain -> Flood")
    type_edge(page, "Harvest -> Income")
    expect(page.get_by_text("Another tab changed this transcription. Nothing was overwritten")).to_be_visible()
    expect(page.get_by_text("Your copy (version 4)")).to_be_visible()
    expect(page.get_by_text("Newer version (version 5)")).to_be_visible()
    expect(page.locator(".receipt")).to_have_text("Stopped: 1 act kept on this computer, not sent")
    expect(page.locator(".row.waiting")).to_have_text("Harvest -> Incomewaiting")
    expect(page.get_by_role("button", name="Submit", exact=True)).to_be_disabled()
    assert desk.edges() == ["Rain -> Flood", "Rain -> Harvest"]
    mounted = page.locator(".desk").element_handle()
    page.get_by_role("button", name="Use newer version").click()
    saved(page, "4 nodes, 3 edges")
    expect(page.get_by_text("Another tab changed this transcription")).to_have_count(0)
    assert mounted.evaluate("desk => desk.isConnected")  # the same desk all along, with its caret
    assert desk.edges() == ["Harvest -> Income", "Rain -> Flood", "Rain -> Harvest"]
    page.wait_for_timeout(REDRAWN_MS)


def a_session_that_ends_in_mid_work_leads_back_to_it_and_the_act_is_kept(desk: Desk, page: Page) -> None:
    desk.server.seed(END, name="annotator")
    address = page.url
    type_edge(page, "Income -> School")
    expect(page.locator(".receipt")).to_have_text("You are signed out. Sign in; your changes are kept in this browser.")
    assert len(desk.edges()) == 3
    page.get_by_role("link", name="Sign in").click()
    page.get_by_label("Name").fill("annotator")
    page.get_by_label("Password").fill(desk.server.password)
    page.get_by_role("button", name="Sign in").click()
    saved(page, "5 nodes, 4 edges")
    assert page.url == address
    assert desk.edges() == ["Harvest -> Income", "Income -> School", "Rain -> Flood", "Rain -> Harvest"]


def a_server_killed_during_saving_loses_nothing_and_doubles_nothing(
    desk: Desk, page: Page, settled: Callable[[Page], None]
) -> None:
    before, acts = desk.edges(), len(desk.acts())
    for number in range(HURRIED):
        type_edge(page, f"Source {number} -> Sink {number}")
    desk.server.process.kill()
    desk.server.process.wait()
    assert set(before) <= set(desk.edges())
    type_edge(page, "During -> Outage")
    line(page).fill("half typed")
    expect(page.locator(".receipt")).to_contain_text("Not connected", timeout=15_000)
    desk.server.start()
    page.reload()
    edges = sorted([*before, "During -> Outage", *(f"Source {n} -> Sink {n}" for n in range(HURRIED))])
    until(desk.edges, edges, seconds=40)
    saved(page, f"{5 + 2 + 2 * HURRIED} nodes, {len(edges)} edges")
    expect(line(page)).to_have_value("half typed")
    assert desk.acts()[acts:] == ["graph.edit"] * (HURRIED + 1)
    line(page).fill("")
    settled(page)


def it_is_returned_once_with_a_comment(page: Page, desk: Desk, settled: Callable[[Page], None]) -> None:
    page.locator(f".st-key-transcribe-Submitted-work-{desk.work()[0]}").get_by_role("button").click()
    settled(page)
    page.get_by_text("Return with a comment").click()
    page.get_by_role("button", name="Return transcription", exact=True).click()
    expect(page.get_by_text("Write what to check again")).to_be_visible()
    expect(page.get_by_role("button", name="Figure", exact=True)).to_be_visible()
    page.get_by_label("What to check again").fill("Look *again*")
    page.get_by_role("button", name="Return transcription", exact=True).dblclick()
    expect(page.get_by_text("Submitted work")).to_be_visible()
    expect(page.get_by_text(re.compile(r"^Returned \d"))).to_be_visible()


def test_an_act_that_arrives_after_submitting_is_refused_and_its_text_comes_back(desk: Desk, page_as: Open) -> None:
    figures = locate(desk.server, [("Handed in early", DEMO, 1, (90, 120, 540, 290))])
    page = page_as("annotator2", f"/transcribe?figure={figures['Handed in early']}", on=desk.server)
    type_edge(page, "Rain -> Harvest")
    saved(page, "2 nodes, 1 edge")
    page.wait_for_timeout(REDRAWN_MS)
    held: list[Route] = []
    page.route("**/desk/*", lambda route: held.append(route))
    with page.expect_request("**/desk/*"):
        type_edge(page, "Harvest -> Income")
    page.get_by_role("button", name="Submit", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Submit", exact=True).click()
    expect(page.get_by_text("Submitted, read-only")).to_be_visible()
    expect(page.locator(".cv[data-waiting='1']")).to_be_visible()
    assert len(held) == 1
    held[0].continue_()
    expect(page.locator(".cv-notice")).to_contain_text(re.compile("submitted.*Harvest -> Income"))
    expect(page.locator(".cv[data-waiting='0']")).to_be_visible()
    query = "SELECT count(*) FROM edge e JOIN assignment a ON a.graph_id = e.graph_id WHERE a.subject_id = ?"
    assert desk.ask(query, figures["Handed in early"]) == [(1,)]
