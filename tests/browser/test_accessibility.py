"""axe over every screen, in both themes and both sizes: nothing serious, nothing critical."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import LOOKS, SIZES, faults, found
from tests.runs.begun import worker

EMPTY = """
from sqlmodel import delete
from store.tables import MilestoneRow, PersonRow
with study.store.writing() as session:
    session.exec(delete(MilestoneRow))
    session.exec(delete(PersonRow))
"""
FILL = """
from services.transcription import transcribing, lists as worklists
from services.acting import TERMINAL
from services.demo.study import make_demo
make_demo()
for person in people.list_people(terminal):
    if person.name == "Owner":
        me = Viewer(person_id=person.id, name=person.name, roles=frozenset(person.roles), session_id=TERMINAL)
(work,) = [work.assignment_id for work in worklists.my_work(me)]
version = transcribing.transcription(me, work).version
transcribing.add_lines(me, work, "Alone -> Alone\\nno arrow ->", pasted=True, seen=version, act_id=new_act())
with study.store.writing() as session:
    row = session.get(PersonRow, me.person_id)
    row.password_hash = passwords.hash_password(given["password"])
    session.add(row)
from services.papers import papers
paper = next(line.id for line in papers.list_papers(terminal) if line.figures)
submitted = worklists.submitted_work(me)[0].assignment_id
from services.graphs import lab as graphs
imports = [line.id for line in graphs.list_graphs(me).lines if line.kind == "import"]
from services.adjudication import adjudicating
from services.triplets import scoring
ready = next(one.figure_id for one in adjudicating.waiting(me) if one.state == "ready")
done = next(one.adjudication_id for one in adjudicating.waiting(me) if one.state == "submitted")
scored = scoring.take_next(me, act_id=new_act()).subject_id
print(json.dumps({"ready": ready, "done": done, "scored": scored, "work": work, "paper": paper,
                  "submitted": submitted, "graph": imports[0], "other": imports[1],
                  "token": invitations.invite(me, [Role.ANNOTATOR], act_id=new_act())}))
"""


@pytest.fixture(scope="module")
def filled(start_server: Callable[..., Any]) -> tuple[Any, dict[str, str]]:
    """A server with the demo study, and what its links need. The demo makes its own people."""
    server = start_server()
    return server, json.loads(server.seed(EMPTY + FILL, password=server.password))


@pytest.fixture(scope="module")
def with_run(filled: tuple[Any, dict[str, str]]) -> tuple[Any, dict[str, str]]:
    """The same with a run that a worker has ended, a model and an endpoint where nobody listens."""
    server, _ = filled
    ids = json.loads(server.seed(RUNS))
    process = worker(str(server.store), "--once")
    process.communicate(timeout=60)
    assert process.returncode == 0
    return server, {**ids, "item": server.seed(ANSWER)}


def test_no_screen_has_a_serious_fault(
    filled: tuple[Any, dict[str, str]],
    new_page: Callable[..., Page],
    page_as: Callable[..., Page],
    settled: Callable[[Page], None],
    watch: Any,
) -> None:
    server, ids = filled
    watch.expected.append("403.*/invitation/unknown")
    outside = new_page(server)
    said = []
    for path in ("/sign-in", f"/invitation/{ids['token']}", "/invitation/unknown"):
        outside.goto(path)
        for size, theme in LOOKS:
            outside.set_viewport_size(SIZES[size])
            outside.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
            said += found(outside, f"{path}, {size}, {theme}")
    page = page_as("Owner", on=server)
    paper = f"/papers?paper={ids['paper']}"
    paths = [
        "/",
        "/papers",
        "/papers?view=add",
        "/papers?view=flow",
        f"{paper}&tab=locate",
        f"{paper}&tab=screen",
        f"{paper}&tab=metadata",
        "/transcribe",
        f"/transcribe?transcription={ids['submitted']}",
        "/exchange",
        "/people",
        "/people?part=guidelines",
        "/people?part=account",
    ]
    for path in paths:
        page.goto(path)
        settled(page)
        said += faults(page, path, to_and_fro=False)
    page.goto(f"/transcribe?transcription={ids['work']}")
    settled(page)
    for view in ("Graph", "Table", "Figure"):
        page.get_by_role("radio", name=view).click()
        settled(page)
        said += faults(page, view)
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.get_by_role("dialog").get_by_role("button", name="Submit", exact=True)).to_be_visible()
    said += faults(page, "dialog")
    assert said == []


def test_no_part_of_the_graph_lab_and_no_question_of_an_import_has_a_serious_fault(
    filled: tuple[Any, dict[str, str]], page_as: Callable[..., Page], settled: Callable[[Page], None]
) -> None:
    server, ids = filled
    page = page_as("Owner", "/graphs", on=server)
    settled(page)
    said = faults(page, "list")
    one, two = f"/graphs?graph={ids['graph']}", f"/graphs?graph={ids['graph']}&with={ids['other']}"
    parts = ("Loops", "Sign test", "Variable", "Measures", "Table", "Take away", "Compare")
    for path, words in ((one, parts), (two, ("Scores", "Names", "Elements"))):
        page.goto(path)
        for word in words:
            page.get_by_role("radio", name=word, exact=True).click()
            settled(page)
            said += faults(page, f"{path[:8]} {word}")
    page.goto("/exchange")
    files = {"faulty.csv": "source,sink,sign\nA,B,maybe\nB,C,+\n", "asked.csv": "a,b\nc,d\n"}
    files["encoded.csv"] = "source,sink\n\u00c4rger,Schlaf\n"
    page.locator("input[type=file]").set_input_files(
        [{"name": name, "mimeType": "text/csv", "buffer": text.encode("cp1252")} for name, text in files.items()]
    )
    expect(page.get_by_text("encoded.csv cannot be read yet")).to_be_visible()
    settled(page)
    said += faults(page, "import")
    assert said == []


def test_no_screen_of_queue_rulings_releases_and_scores_has_a_serious_fault(
    filled: tuple[Any, dict[str, str]], page_as: Callable[..., Page], settled: Callable[[Page], None]
) -> None:
    server, ids = filled
    page = page_as("Owner", "/adjudicate", on=server)
    paths = [
        "/transcribe?show=queue",
        "/adjudicate",
        f"/adjudicate?figure={ids['ready']}",
        f"/adjudicate?adjudication={ids['done']}",
        "/agreement",
        "/agreement?part=raters",
        "/releases",
        "/releases?release=1",
        "/people?part=credit",
        "/people?part=identities",
        "/triplets",
        f"/triplets?scoring={ids['scored']}",
        "/exchange",
    ]
    said = []
    for path in paths:
        page.goto(path)
        settled(page)
        expect(page.get_by_test_id("stException")).to_have_count(0)
        said += faults(page, path, to_and_fro=False)
    page.get_by_role("radio", name="Triplets", exact=True).click()
    settled(page)
    said += faults(page, "triplet files")
    assert said == []


RUNS = """
from core.people import Viewer
from services.runs import endpoints, model_cards, planning as run_planning
from services.triplets import lists as triplet_lists
from services.acting import TERMINAL
from services.runs.settings import RunConfig, SampleSource
me = next(person for person in people.list_people(terminal) if person.name == "Owner")
me = Viewer(person_id=me.id, name=me.name, roles=frozenset(me.roles), session_id=TERMINAL)
endpoints.save_endpoint(me, endpoints.EndpointDraft(name="lab", base_url="http://127.0.0.1:9/v1"), seen=0,
    act_id=new_act())
card = model_cards.ModelCardDraft(name="Nobody", endpoint="lab", model="any")
model = model_cards.save_card(me, card, seen=0, act_id=new_act()).subject_id
claims = triplet_lists.collections(me)[0].id
both = ("always-plus", "majority")
wanted = RunConfig(title="Two baselines", source=SampleSource((claims,)), tasks=("task1",),
    variants=("context",), baselines=both)
run = run_planning.start(me, wanted, act_id=new_act()).subject_id
print(json.dumps({"run": run, "model": model}))
"""
ANSWER = """
from services.runs import failures as run_failures
print(run_failures.failures(terminal).lines[0].item_id)
"""


def test_no_screen_of_runs_failures_and_results_has_a_serious_fault(
    with_run: tuple[Any, dict[str, str]], page_as: Callable[..., Page], settled: Callable[[Page], None]
) -> None:
    server, ids = with_run
    page = page_as("Owner", "/runs", on=server)
    paths = [
        "/runs",
        "/runs?show=new",
        f"/runs?run={ids['run']}",
        f"/runs?run={ids['run']}&part=card",
        "/runs?show=models",
        f"/runs?show=models&model={ids['model']}",
        "/runs?show=endpoints&endpoint=lab",
        "/failures?only=all",
        "/failures?show=compare",
        f"/failures?item={ids['item']}",
        "/results?says=interval",
        "/results?table=calibration",
    ]
    said = []
    for path in paths:
        page.goto(path)
        settled(page)
        expect(page.get_by_test_id("stException")).to_have_count(0)
        said += faults(page, path, to_and_fro=False)
    page.goto("/runs?show=new")
    page.get_by_role("button", name="Dry run").click()
    settled(page)
    page.get_by_text("Parameters and prompts").click()
    said += faults(page, "dry run")
    assert said == []
