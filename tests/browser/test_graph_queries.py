"""Queries about graphs as a person asks them: one of the lab, its answer on its graph, and the prompts of a run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from benchmarks.running_server import RunningServer, running_server
from tests.browser.walking import walk
from tests.everything import EVERYTHING

SEED = """
from core.people import Viewer
from services.runs import endpoints, model_cards
from services.graphs import importing
from services.acting import TERMINAL
owner = next(person for person in people.list_people(terminal) if person.name == "owner")
owner = Viewer(person_id=owner.id, name=owner.name, roles=frozenset(owner.roles), session_id=TERMINAL)
lab = endpoints.EndpointDraft(name="lab", base_url=given["url"], concurrency=4)
endpoints.save_endpoint(owner, lab, seen=0, act_id=new_act())
card = model_cards.ModelCardDraft(name="Asked", endpoint="lab", model="asked", price_input=1.0, price_output=2.0)
model_cards.save_card(owner, card, seen=0, act_id=new_act())
lines = b"Rain -> Grain\\nGrain -> Income\\nRain -> Income\\nSoil -> Grain\\n"
importing.import_graphs(owner, [("Harvest.txt", lines)], with_faulty=False, act_id=new_act())
print(importing.imported_graphs(owner)[0].id)
"""

WORK = """
from tests.services.run_parts import work_here
work_here(study)
"""
ITEM = """
from sqlalchemy import text
with study.store.reading() as session:
    print(session.execute(text("SELECT id FROM run_item")).scalar_one())
"""


@pytest.fixture(scope="module")
def bench(start_server: Callable[..., Any]) -> Iterator[tuple[Any, RunningServer, str]]:
    with running_server() as models:
        models.play({"rules": [{"model": "asked", "answer": "So <Answer>[Income, Soil]</Answer>"}]})
        server = start_server()
        graph = server.seed(SEED, url=models.url)
        yield server, models, graph


@pytest.mark.skipif(not EVERYTHING, reason="tests/pages/graphs/test_queries.py")
def test_a_query_of_the_lab_is_asked_by_keys_alone_lit_opened_and_planned_for_a_run(
    bench: tuple[Any, RunningServer, str], page_as: Callable[..., Page], settled: Callable[[Page], None]
) -> None:
    server, models, graph = bench
    page = page_as("researcher", f"/graphs?graph={graph}&part=Queries&kind=child", on=server)
    box = page.get_by_role("combobox", name="Variable X")
    box.focus()
    page.keyboard.type("Rain")
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 request, about")).to_be_visible()
    settled(page)
    before = models.log()["requests"]
    page.get_by_role("button", name="Ask model").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 pending")).to_be_visible()
    server.seed(WORK)
    expect(page.get_by_text("Spurious: Soil.")).to_be_visible()
    for words in ("Matched: Income.", "Missed: Grain.", "wrong, F1 0.50."):
        expect(page.get_by_text(words)).to_be_visible()
    expect(page.get_by_text("1 cached reply, no cost")).to_be_visible()
    expect(page.get_by_text("spurious (answer only)")).to_be_visible()
    assert models.log()["requests"] == before + 1
    its_answer_opens_on_the_graph_that_was_told(page, server.seed(ITEM))
    a_dry_run_shows_the_prompts_beside_the_graph(page, graph, settled)


def its_answer_opens_on_the_graph_that_was_told(page: Page, item: str) -> None:
    walk(page, f"/failures?item={item}")
    expect(page.get_by_role("heading", name="Request")).to_be_visible()
    expect(page.locator(".line")).to_contain_text("Highlighted")


def a_dry_run_shows_the_prompts_beside_the_graph(page: Page, graph: str, settled: Callable[[Page], None]) -> None:
    walk(page, f"/runs?show=new&protocol=causalgraph2llm&graphs={graph}")
    page.get_by_role("button", name="Start dry run").click()
    expect(page.get_by_text("queries per encoding")).to_be_visible()
    settled(page)
    page.get_by_text("Prompts by encoding").click()
    expect(page.get_by_text("True answer:")).to_be_visible()
    expect(page.locator(".line")).to_contain_text("Highlighted")
    expect(page.get_by_role("button", name="Start run")).to_be_enabled()
