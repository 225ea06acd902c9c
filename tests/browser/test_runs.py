"""A person sets up a run, a worker of its own process does it, and every number is opened down to its answers."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from benchmarks.running_server import RunningServer, running_server
from tests.browser.lists import choose_line, tick
from tests.browser.walking import walk
from tests.everything import EVERYTHING
from tests.runs.begun import worker

SAMPLES = 24
SLOW_MS = 60_000
"""A process may take its time to start on a busy machine."""
SIGNS = ("+", "-", "None", "mixed")
HOSTILE = "<img src=x onerror=alert(1)> ![x](http://evil.example/x.png) **bold**"
SEED = """
from core.people import Viewer
from services.runs import endpoints, model_cards
from services.triplets import importing as triplet_importing
from services.acting import TERMINAL
rows = "".join(json.dumps(row) + "\\n" for row in given["rows"])
triplet_importing.import_triplets(
    terminal, "claims.jsonl", rows.encode(), with_faulty=False, title="Claims", act_id=new_act()
)
owner = next(person for person in people.list_people(terminal) if person.name == "owner")
owner = Viewer(person_id=owner.id, name=owner.name, roles=frozenset(owner.roles), session_id=TERMINAL)
lab = endpoints.EndpointDraft(name="lab", base_url=given["url"], concurrency=4)
endpoints.save_endpoint(owner, lab, seen=0, act_id=new_act())
for name, model in (("Plain", "scripted:plus"), ("Odd", "odd")):
    card = model_cards.ModelCardDraft(name=name, endpoint="lab", model=model, price_input=1.0, price_output=2.0)
    model_cards.save_card(owner, card, seen=0, act_id=new_act())
"""
WORK = """
from tests.services.run_parts import work_here
work_here(study)
"""
SCRIPT: dict[str, Any] = {
    "rules": [
        {"model": "odd", "matches": "Setting 0\\.", "answer": HOSTILE},
        {"model": "odd", "matches": "Setting 1\\.", "times": 1, "fault": "server_error"},
        {"model": "odd", "matches": "Setting 2\\.", "fault": "bad_request"},
        {"model": "odd", "sign": "-"},
    ],
}


@dataclass(frozen=True)
class Bench:
    """Edgewise, the model server, and a way to start a worker on the study."""

    server: Any
    models: RunningServer

    def worker(self) -> subprocess.Popen[str]:
        return worker(str(self.server.store), "--once")


@pytest.fixture(scope="module")
def bench(start_server: Callable[..., Any]) -> Iterator[Bench]:
    rows = [
        {
            "paper_id": f"p{n // 2}",
            "title": f"Paper {n // 2}",
            "publication_year": 2001 + n // 4,
            "jel_codes": "J",
            "published_venue": "American Economic Review",
            "treatment": f"Cause {n}",
            "outcome": f"Effect {n}",
            "sign": SIGNS[n % 4],
            "context": f"Setting {n}.",
        }
        for n in range(SAMPLES)
    ]
    with running_server() as models:
        server = start_server()
        server.seed(SEED, rows=rows, url=models.url)
        yield Bench(server, models)


@pytest.mark.skipif(not EVERYTHING, reason="tests/pages/runs/test_screen.py, results and failures")
def test_a_run_is_set_up_watched_paused_resumed_and_done_and_each_number_opens_its_answers(
    bench: Bench, page_as: Callable[..., Page]
) -> None:
    page = page_as("researcher", "/runs", on=bench.server)
    page.get_by_role("button", name="New run").click()
    a_form_is_filled_in(page)
    a_run_is_watched_paused_resumed_and_done(bench, page)
    run = parse_qs(urlsplit(page.url).query)["run"][0]
    walk(page, f"/results?run={run}&table=sign")
    a_cell_of_the_results_is_clicked_and_opens_its_answers(page)
    walk(page, f"/failures?run={run}&model=Odd")
    an_answer_is_opened_and_stepped_through_by_keys(page)


def a_form_is_filled_in(page: Page) -> None:
    tick(page, page.get_by_role("combobox", name="Models"), "Plain · lab")
    tick(page, page.get_by_role("combobox", name="Models"), "Odd · lab")
    page.get_by_text("Title, budget, parameters and prompts").click()
    page.get_by_label("Title").fill("Watched")


def a_run_is_watched_paused_resumed_and_done(bench: Bench, page: Page) -> None:
    page.get_by_role("button", name="Start dry run").click()
    expect(page.get_by_text("48 requests to send")).to_be_visible()
    page.get_by_role("button", name="Start run").click()
    expect(page.get_by_role("heading", name="Watched", exact=False)).to_be_visible()
    expect(page.get_by_text("No worker is running, so nothing is sent.", exact=False)).to_be_visible()
    bench.models.play({**SCRIPT, "latency_ms": 1_500})  # time to press Pause on a busy machine
    process = bench.worker()
    try:
        # The page draws itself anew; nobody reloads it.
        expect(page.get_by_text("No worker is running", exact=False)).to_have_count(0, timeout=SLOW_MS)
        expect(page.get_by_text(re.compile(r"[1-9]\d* of 96 answered, .*\d+ pending · "))).to_be_visible(
            timeout=SLOW_MS
        )
        page.get_by_role("button", name="Pause").click()
        expect(page.get_by_role("button", name="Resume")).to_be_visible()
        expect(page.get_by_text("Saved", exact=False).first).to_be_visible()
    finally:
        process.communicate(timeout=60)  # with nothing left that may be asked, it ends by itself
    bench.models.play(SCRIPT)
    page.get_by_role("button", name="Resume").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    bench.server.seed(WORK)  # the same worker, without a start of its own
    expect(page.get_by_text("94 of 96 answered, 1 unparsable, 1 failed")).to_be_visible(timeout=SLOW_MS)
    expect(page.get_by_role("button", name="Retry 1 failed")).to_be_visible()
    # One attempt, or two where it had failed before the pause: resuming asks what failed again.
    refused = re.compile(r"Request rejected by the provider: \d attempts?, 1 item still without a reply")
    expect(page.get_by_text(refused)).to_be_visible()
    page.get_by_role("button", name="Show 1 unparsable").click()
    expect(page.get_by_text("1 item matches: 1 unparsable.")).to_be_visible()


def an_answer_is_opened_and_stepped_through_by_keys(page: Page) -> None:
    expect(page.get_by_text("17 items are wrong: 16 answered, 1 unparsable.")).to_be_visible()
    choose_line(page, "Cause 0")
    expect(page.get_by_text("Answer of Odd")).to_be_visible()
    expect(page.get_by_test_id("stMain").get_by_text("unparsable", exact=True).first).to_be_visible()
    expect(page.get_by_test_id("stMain").get_by_text(HOSTILE).first).to_be_visible()  # as text, nothing of it drawn
    assert page.locator("[data-testid=stMain] img").count() == 0
    page.get_by_role("heading", name="Cause 0").click()  # away from any field
    page.keyboard.press("n")
    expect(page.get_by_role("heading", name="the effect of “Cause 3”")).to_be_visible()
    expect(page.get_by_text("2 of 17")).to_be_visible()
    page.keyboard.press("p")
    expect(page.get_by_role("heading", name="the effect of “Cause 0”")).to_be_visible()
    page.keyboard.press("l")
    expect(page.get_by_text("17 items")).to_be_visible()
    assert "item=" not in page.url


def a_cell_of_the_results_is_clicked_and_opens_its_answers(page: Page) -> None:
    expect(page.get_by_text(re.compile(r"^Model: Plain · .*: Task 1 · \+$"))).to_be_visible()
    expect(page.get_by_text(re.compile(r"^6 asked = 6 scored"))).to_be_visible()
    cell = page.get_by_test_id("stDataFrame").first.bounding_box()
    assert cell is not None
    page.mouse.click(cell["x"] + cell["width"] - 30, cell["y"] + 35 * 2.5)  # the second line, the last column
    expect(page.get_by_text(re.compile(r"^Model: Odd · .*: Task 1 · mixed$"))).to_be_visible()
    choose_line(page, "Cause 7")
    expect(page.get_by_role("heading", name="the effect of “Cause 7”")).to_be_visible()
    page.get_by_role("button", name="Back to table").click()
    expect(page.get_by_text(re.compile(r"^Model: Odd · .*: Task 1 · mixed$"))).to_be_visible()
    page.get_by_role("button", name="Download", exact=True).click()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="CSV (all values)").click()
    assert re.fullmatch(r"run-\d+-sign\.csv", waiting.value.suggested_filename)
