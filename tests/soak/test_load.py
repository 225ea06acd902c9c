"""A class at work for ten minutes: 25 people over the websocket, two more in real browsers as probes."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from benchmarks.accept_edge import accept
from tests.browser.conftest import sign_in
from tests.browser.storm import ask
from tests.soak.load_clients import Client, Cost, Heard
from tests.soak.table import scaled

CLIENTS, PROBES, FIGURES = 25, 2, 300
SECONDS = scaled(600, least=40)
RAMP_S = SECONDS / 10
PROBE_EVERY_S = 5
LARGEST = (140, 205)  # nodes and edges of ReCITE's largest diagram; one of the works begins with as many
RERUN_GATE_MS, SAVE_GATE_MS, MEMORY_GATE_MB = 1_000, 500, 1_500
FILL = """
from core.papers.pages import Box
from core.people import Role, Viewer
from services.papers import importing as paper_importing
from services.transcription import transcribing
from services.acting import TERMINAL
from store import milestones
from store.tables import FigureRow
hashed = passwords.hash_password(given["password"])
pdf = Path("demo/reservoir.pdf").read_bytes()
paper = paper_importing.import_file(terminal, "p.pdf", pdf, act_id=new_act()).paper_id
now = study.clock()
figures, viewers = [], []
with study.store.writing() as session:
    for number in range(given["figures"]):
        figures.append(FigureRow(paper_id=paper, page=1, x0=90, y0=420, x1=540, y1=590, label=f"Figure {number}",
                                 created_by="terminal", created_at=now))
    session.add_all(figures)
    for name in given["names"]:
        person = access.new_person(session, name, [Role.ANNOTATOR], now, password_hash=hashed)
        milestones.keep_milestone(session, person.id, milestones.TRAINING, 0, "terminal", now, {"how": "waived"})
        milestones.keep_milestone(session, person.id, milestones.GUIDELINES, 1_000_000, "terminal", now, {})
        viewers.append(Viewer(person_id=person.id, name=name, roles=frozenset({Role.ANNOTATOR}), session_id=TERMINAL))
works = [transcribing.take(viewer, figure.id, act_id=new_act()).subject_id for viewer, figure in zip(viewers, figures)]
nodes, edges = given["largest"]
lines = [f"Name number {n % nodes} -> Name number {(n * 7 + 3 + n // nodes) % nodes}" for n in range(edges)]
for viewer, work in zip(viewers, works):
    text = chr(10).join(lines[:2] if work != works[0] else lines)
    transcribing.add_lines(viewer, work, text, pasted=True, seen=1, act_id=new_act())
print(json.dumps(works))
"""
KEPT = "SELECT count(*) FROM edge JOIN assignment ON assignment.graph_id = edge.graph_id WHERE assignment.id = ?"


def probe(browser: Browser, server: Any, name: str, work: str) -> Page:
    """A real browser's page with that work open."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, base_url=server.url, bypass_csp=True)
    context.set_default_timeout(60_000)
    sign_in(context, server, name)
    page = context.new_page()
    page.goto(f"/transcribe?transcription={work}")
    page.get_by_label("Type an edge").wait_for()
    page.locator(".receipt").get_by_text("edges").wait_for(state="attached")  # the figure's own is in sight
    return page


@pytest.mark.proof(
    "load",
    "25 people and 2 browsers at work",
    gate="0 errors, 0 lost, rerun p95 at most 1 s, save p95 at most 0.5 s, below 1.5 GB",
)
def test_a_class_works_for_ten_minutes(
    start_server: Callable[..., Any], browser: Browser, record_property: Callable[[str, object], None]
) -> None:
    server = start_server()
    names = [f"Annotator {number}" for number in range(CLIENTS + PROBES)]
    told = server.seed(FILL, password=server.password, figures=FIGURES, names=names, largest=LARGEST)
    works = json.loads(told.splitlines()[-1])
    before = {work: kept(server, work) for work in works}
    heard, cost, end = Heard(), Cost(server.process.pid), time.monotonic() + SECONDS
    clients = [
        Client(server.url, name, server.password, work, RAMP_S * number / CLIENTS, end, heard)
        for number, (name, work) in enumerate(zip(names[:CLIENTS], works[:CLIENTS], strict=True))
    ]
    # Before the others: in a short ramp so many sign in at once that some are asked to try again.
    probes = {
        work: probe(browser, server, name, work) for name, work in zip(names[CLIENTS:], works[CLIENTS:], strict=True)
    }
    cost.start()
    for client in clients:
        client.start()
    seen_ms = watch_through(probes, end, heard)
    for client in clients:
        client.join()
    cost.stop()
    lost = sum(heard.receipted.get(work, 0) - (kept(server, work) - before[work]) for work in works)
    record_property("repetitions", len(heard.saves_ms) + len(seen_ms))
    record_property("figure", words(heard, seen_ms, cost, lost))
    assert heard.errors == []
    assert lost == 0
    assert cost.all_mb < MEMORY_GATE_MB
    assert Heard.quantile(heard.saves_ms, 0.95) <= SAVE_GATE_MS
    assert Heard.quantile(heard.reruns_ms, 0.95) <= RERUN_GATE_MS


def watch_through(probes: dict[str, Page], end: float, heard: Heard) -> list[float]:
    """Type an edge in each browser in turn until the end; milliseconds from Enter until its receipt was seen."""
    seen_ms: list[float] = []
    while time.monotonic() < end:
        for work, page in probes.items():
            seen_ms.append(accept(page, f"Seen {len(seen_ms)}"))
            heard.receipted[work] = heard.receipted.get(work, 0) + 1
            page.wait_for_timeout(PROBE_EVERY_S / len(probes) * 1000)
    return seen_ms


def kept(server: Any, work: str) -> int:
    return int(ask(server, KEPT, work)[0][0])


def words(heard: Heard, seen_ms: list[float], cost: Cost, lost: int) -> str:
    def both(times_ms: list[float]) -> str:
        return f"p50 {Heard.quantile(times_ms, 0.5):.0f} ms, p95 {Heard.quantile(times_ms, 0.95):.0f} ms"

    return (
        f"{SECONDS / 60:.0f} minutes: {lost} lost, {len(heard.errors)} errors; save {both(heard.saves_ms)}; rerun "
        f"{both(heard.reruns_ms)}; page {both(heard.loads_ms)}; in a browser, from Enter to the receipt seen, "
        f"{both(seen_ms)}; server {cost.server_mb:.0f} MB, with document readers {cost.all_mb:.0f} MB; "
        f"{cost.cores:.2f} cores"
    )
