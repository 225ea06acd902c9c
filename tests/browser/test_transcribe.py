"""Transcribing in a real browser: nothing is lost, nothing is overwritten, nothing happens twice."""

from __future__ import annotations

import json
import re
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.profiles import EMPTY

DEMO = Path(__file__).resolve().parents[2] / "demo" / "reservoir.pdf"
HURRIED = 3  # edges typed just before the kill
LABELS = ("stale", "double", "killed")
FIGURES = """
from core.papers.pages import Box
from services.papers import figures, importing as paper_importing
pdf = Path(given["pdf"]).read_bytes()
paper = paper_importing.import_file(terminal, "reservoir.pdf", pdf, act_id=new_act()).paper_id
print(json.dumps({label: figures.locate(terminal, paper, 1, Box(90, 420, 540, 590), label=label,
                                        act_id=new_act()).subject_id for label in given["labels"]}))
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
    """A server whose study has one figure per test, and its store read beside it."""

    def __init__(self, server: Any) -> None:
        self.server = server
        self.figures: dict[str, str] = json.loads(server.seed(FIGURES, pdf=str(DEMO), labels=LABELS))

    def ask(self, query: str, *values: str) -> list[Any]:
        with sqlite3.connect(f"file:{self.server.store}?mode=ro", uri=True) as connection:
            return connection.execute(query, values).fetchall()

    def work(self, label: str, name: str = "annotator") -> tuple[str, str]:
        """Ids of a person's transcription of a figure and of its graph."""
        query = "SELECT a.id, a.graph_id FROM assignment a JOIN person p ON p.id = a.person_id WHERE p.name = ?"
        (found,) = self.ask(query + " AND a.subject_id = ?", name, self.figures[label])
        return found[0], found[1]

    def edges(self, label: str, name: str = "annotator") -> list[str]:
        query = """SELECT s.name || ' -> ' || t.name FROM edge e JOIN node s ON s.id = e.source_id
                   JOIN node t ON t.id = e.sink_id WHERE e.graph_id = ? ORDER BY 1"""
        return [row[0] for row in self.ask(query, self.work(label, name)[1])]

    def acts(self, label: str, name: str = "annotator") -> list[str]:
        """Every act kept on a person's transcription of a figure, in order."""
        query = "SELECT act FROM event WHERE subject_id IN (?, ?) ORDER BY seq"
        return [row[0] for row in self.ask(query, *self.work(label, name))]


@pytest.fixture(scope="module")
def desk(start_server: Callable[..., Any]) -> Desk:
    return Desk(start_server())


@pytest.fixture
def take(desk: Desk, page_as: Open) -> Callable[..., Page]:
    """`take(label, name)`: that figure's transcription, opened by that person; `after` as `page_as` has it."""

    def open_figure(label: str, name: str = "annotator", after: Page | None = None) -> Page:
        page = page_as(name, f"/transcribe?figure={desk.figures[label]}", on=desk.server, after=after)
        expect(line(page)).to_be_editable()
        return page

    return open_figure


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


def test_a_stale_tab_is_refused_and_goes_on_when_told_and_a_session_that_ends_leads_back_with_the_act(
    desk: Desk, take: Callable[..., Page], settled: Callable[[Page], None], watch: Any
) -> None:
    watch.expected.append(r"401 \(Unauthorized\) \(\S+/desk/")  # whose session ended gets no answer there either
    first = take("stale")
    second = first.context.new_page()
    second.goto(first.url)
    settled(second)
    type_edge(first, "Rain -> Harvest")
    saved(first, "2 nodes, 1 edge")
    type_edge(second, "Harvest -> Income")
    expect(second.get_by_text("Another tab changed this transcription. Nothing was overwritten")).to_be_visible()
    expect(second.get_by_text("Your copy (version 1)")).to_be_visible()
    expect(second.get_by_text("Newer version (version 2)")).to_be_visible()
    expect(second.locator(".receipt")).to_have_text("Stopped: 1 act kept on this computer, not sent")
    expect(second.locator(".row.waiting")).to_have_text("Harvest -> Incomewaiting")
    expect(second.get_by_role("button", name="Submit", exact=True)).to_be_disabled()
    assert desk.edges("stale") == ["Rain -> Harvest"]
    mounted = second.locator(".desk").element_handle()
    second.get_by_role("button", name="Use newer version").click()
    saved(second, "3 nodes, 2 edges")
    expect(second.get_by_text("Another tab changed this transcription")).to_have_count(0)
    assert mounted.evaluate("desk => desk.isConnected")  # the same desk all along, with its caret
    assert desk.edges("stale") == ["Harvest -> Income", "Rain -> Harvest"]
    first.goto(EMPTY)
    a_session_that_ends_in_mid_work_leads_back_to_it_and_the_act_is_kept(desk, second)


def a_session_that_ends_in_mid_work_leads_back_to_it_and_the_act_is_kept(desk: Desk, page: Page) -> None:
    desk.server.seed(END, name="annotator")
    address = page.url
    type_edge(page, "Income -> School")
    expect(page.get_by_text("You are signed out.")).to_be_visible()
    assert len(desk.edges("stale")) == 2
    page.get_by_role("link", name="Sign in").click()
    page.get_by_label("Name").fill("annotator")
    page.get_by_label("Password").fill(desk.server.password)
    page.get_by_role("button", name="Sign in").click()
    saved(page, "4 nodes, 3 edges")
    assert page.url == address
    assert desk.edges("stale") == ["Harvest -> Income", "Income -> School", "Rain -> Harvest"]


def test_a_double_click_on_any_button_has_one_effect_and_what_is_submitted_is_locked(
    desk: Desk, page_as: Open, settled: Callable[[Page], None]
) -> None:
    page = page_as("annotator", "/transcribe", on=desk.server)
    row = page.locator(f".st-key-transcribe-Figures-to-take-{desk.figures['double']}")
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
    submit(page)
    expect(line(page)).to_be_hidden()
    drawn = ["transcription.take", "graph.edit", "graph.edit", "graph.undo", "transcription.submit"]
    assert desk.acts("double") == drawn

    reviewer = page_as("reviewer", "/transcribe", on=desk.server, after=page)
    reviewer.locator(f".st-key-transcribe-Submitted-work-{desk.work('double')[0]}").get_by_role("button").click()
    settled(reviewer)
    reviewer.get_by_text("Return with a comment").click()
    reviewer.get_by_role("button", name="Return transcription", exact=True).click()
    expect(reviewer.get_by_text("Write what to check again")).to_be_visible()
    expect(reviewer.get_by_role("radio", name="Figure")).to_be_visible()
    reviewer.get_by_label("What to check again").fill("Look *again*")
    reviewer.get_by_role("button", name="Return transcription", exact=True).dblclick()
    expect(reviewer.get_by_text("Submitted work")).to_be_visible()
    expect(reviewer.get_by_text(re.compile(r"^Returned \d"))).to_be_visible()
    assert desk.acts("double")[len(drawn) :] == ["transcription.return"]


def test_a_server_killed_during_saving_loses_nothing_and_doubles_nothing(
    desk: Desk, take: Callable[..., Page], watch: Any, integrity: Callable[[Path], str]
) -> None:
    watch.expected.append("^console: ")  # Streamlit tells the console in many words that the server is away
    page = take("killed")
    type_edge(page, "Before -> Kill")
    saved(page, "2 nodes, 1 edge")
    for number in range(HURRIED):
        type_edge(page, f"Source {number} -> Sink {number}")
    desk.server.process.kill()
    desk.server.process.wait()
    kept_at_kill = desk.edges("killed")
    assert "Before -> Kill" in kept_at_kill
    type_edge(page, "During -> Outage")
    line(page).fill("half typed")
    expect(page.locator(".receipt")).to_contain_text("Not connected", timeout=15_000)
    desk.server.start()
    page.reload()
    saved_edges = sorted(["Before -> Kill", "During -> Outage", *(f"Source {n} -> Sink {n}" for n in range(HURRIED))])
    kept = len(saved_edges)
    until(lambda: desk.edges("killed"), saved_edges, seconds=40)
    saved(page, f"{2 * kept} nodes, {kept} edges")
    expect(line(page)).to_have_value("half typed")
    assert desk.acts("killed").count("graph.edit") == kept
    assert integrity(desk.server.store) == "ok"
