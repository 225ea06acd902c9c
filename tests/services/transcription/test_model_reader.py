"""A model as one more reader of figures: asked over HTTP once an owner has named it, its edges proposals among others.

The figure is that of a demonstration paper, with its real reading and its real picture; only the model is scripted.
"""

from __future__ import annotations

import asyncio
import io
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import text

from benchmarks.running_server import RunningServer, running_server
from core.errors import BadInput, Conflict, Refused
from core.papers.pages import Box
from core.people import Viewer
from core.runs.filters import FailureFilters
from core.runs.states import ItemStatus, RunState
from core.transcription.model_reading import NO_ARROW, NOT_PRINTED
from core.transcription.open_proposals import OpenProposal
from core.transcription.voting import DIRECTION
from runs.endpoint.retrying import Policy
from runs.worker import Pace, Worker
from services.acting import ReadContext, terminal_viewer
from services.agreement import annotators
from services.failures import failures
from services.papers import figures, importing
from services.runs import acts, endpoints, model_cards, planning, reading
from services.runs.endpoints import EndpointDraft
from services.runs.exports.files import export_run
from services.runs.model_cards import ModelCardDraft
from services.runs.settings import BudgetSettings, RunConfig, SampleSource
from services.study import Study
from services.transcription import model_reader, proposal_report, proposals, queue, transcribing
from services.transcription import reading as transcription_reading
from services.transcription.figure_proposals import place_of, read_proposals
from services.transcription.post_submission import reader
from store import assignments
from store.graphs import exposures
from store.tables import new_id
from tests.conftest import advance
from tests.runs.begun import fall_silent, worker
from tests.services.queue_hands import hand_in
from tests.services.run_parts import act, finished, set_up, start, work_here
from tests.services.run_parts import place_of as store_place
from tests.services.transcription.test_proposals import accept, at, refuse, save, take
from tests.shared_fixture import laid_once

DEMO = Path(__file__).resolve().parents[3] / "demo"
PAPER = next(each for each in json.loads((DEMO / "papers.json").read_text()) if each["file"] == "waiting-lists.pdf")
FRAME = Box(*PAPER["figure"]["box"])
SIGNS = {"+": "+", "-": "-", "": "none"}
MODELS = ("right", "turned", "lost", "inventive", "prose", "silent", "nothing", "no-pictures")


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


@pytest.fixture
def world(open_one: Study, people: SimpleNamespace, request: pytest.FixtureRequest) -> SimpleNamespace:
    """A paper with its figure located; and cards that nobody has named yet."""

    def make() -> SimpleNamespace:
        content = (DEMO / PAPER["file"]).read_bytes()
        paper = importing.import_file(people.owner, PAPER["file"], content, **act()).paper_id
        page = PAPER["figure"]["page"]
        located = figures.locate(people.owner, paper, page, FRAME, label="Figure 1", **act())
        return SimpleNamespace(paper=paper, figure=located.subject_id, page=page)

    found = laid_once(request, open_one, make, people)
    assert isinstance(found, SimpleNamespace)
    return found


@pytest.fixture
def named(world: SimpleNamespace, people: SimpleNamespace, server: RunningServer) -> SimpleNamespace:
    """The same, with every card named by the owner."""
    server.play({})
    server.forget()
    set_up(people.owner, server, MODELS, takes_images=True, tokens_per_image=1_000, price_input=1.0, price_output=2.0)
    name(people.owner, *MODELS)
    return world


def name(owner: Viewer, *cards: str) -> None:
    seen = model_reader.settings(owner).version
    model_reader.save_settings(owner, cards, agreed=True, seen=seen, **act())


def wanted(*models: str, **changed: Any) -> RunConfig:
    asked: dict[str, Any] = {
        "title": "",
        "tasks": ("edges",),
        "variants": ("with-names",),
        "options": {"figures": "all"},
    }
    return RunConfig(protocol="figure-reading", source=SampleSource(), models=models, **{**asked, **changed})


def program(study: Study, figure: str) -> Any:
    """What the program reads in the figure by itself."""
    with study.store.reading() as session:
        row = assignments.figure(session, figure)
        here = ReadContext(study, session, terminal_viewer(), study.clock())
        place = place_of(here, row, with_models=False)
    return read_proposals(place)


def answer(found: Any, change: Callable[[int, int], tuple[int, int]] = lambda a, b: (a, b), **more: Any) -> str:
    """The program's own edges by number, as a model would say them."""
    edges = []
    for edge in found.edges:
        source, sink = change(edge.source + 1, edge.sink + 1)
        edges.append({"from": source, "to": sink, "sign": SIGNS[edge.sign]})
    said = {"edges": edges, "missing": []} | more
    said["edges"] = [*edges, *more.get("edges", [])]
    return json.dumps(said)


def play(server: RunningServer, found: Any) -> None:
    """What each model answers, whatever it is asked."""
    last = len(found.names)
    sunspots = [{"number": last + 1, "name": "Sunspots"}]
    answers = {
        "right": answer(found),
        "turned": answer(found, lambda a, b: (b, a)),
        "lost": answer(found, edges=[{"from": 1, "to": 77, "sign": "+"}]),
        "inventive": answer(found, missing=sunspots, edges=[{"from": last + 1, "to": 1, "sign": "+"}]),
        "prose": "Referrals raise the number of patients who wait.",
        "silent": "",
        "nothing": '{"edges": [], "missing": []}',
    }
    rules: list[dict[str, Any]] = [{"model": model, "answer": said} for model, said in answers.items()]
    server.play({"rules": [*rules, {"model": "no-pictures", "fault": "no_pictures"}]})


def play_unsaid(server: RunningServer, found: Any) -> None:
    """The model “right” answers three edges between names that the program sees no arrow between."""
    said = {(edge.source, edge.sink) for edge in found.edges}
    pairs = [(a, b) for a, b in permutations(range(len(found.names)), 2) if not {(a, b), (b, a)} & said]
    rows = [{"from": a + 1, "to": b + 1, "sign": "none"} for a, b in pairs[:3]]
    server.play({"rules": [{"model": "right", "answer": json.dumps({"edges": rows, "missing": []})}]})


def run(study: Study, viewer: Viewer, *models: str, **changed: Any) -> str:
    """A run, and a minute in which a worker does all of it."""
    run_id = start(viewer, wanted(*models, **changed))
    process_queue(study)
    return run_id


def process_queue(study: Study) -> None:
    """A worker does all that waits, by the study's own clock."""
    advance(study, minutes=1)
    one = Worker(study.store, clock=study.clock, pace=Pace(retries=Policy(base_s=0.01)))
    assert asyncio.run(one.run(is_once=True)) == 0


def kept(study: Study, query: str, **values: Any) -> list[tuple[Any, ...]]:
    with study.store.reading() as session:
        return [tuple(row) for row in session.execute(text(query), values)]


def items(study: Study, run_id: str) -> dict[str, tuple[str, str]]:
    found = kept(study, "SELECT model, status, fault FROM run_item WHERE run_id = :run", run=run_id)
    return {model: (status, fault) for model, status, fault in found}


def origins(edges: Sequence[OpenProposal]) -> Counter[str]:
    return Counter(edge.origin for edge in edges)


# --- the owner's word -----------------------------------------------------------------------------------------------


def test_nothing_is_sent_of_a_study_whose_owner_named_no_model(
    sqlite_study: Study, people: SimpleNamespace, world: SimpleNamespace, server: RunningServer
) -> None:
    server.play({})
    server.forget()
    set_up(people.owner, server, ["right", "other"], takes_images=True, tokens_per_image=1_000)
    plan = planning.plan(people.researcher, wanted("right"))
    assert plan.faults == (
        "No owner of this study has named a model that may be sent figures. Until then no figure is sent.",
    )
    with pytest.raises(BadInput, match="named a model"):
        start(people.researcher, wanted("right"))
    assert planning.options(people.researcher).offers["figures"] == ()
    name(people.owner, "other")
    with pytest.raises(
        BadInput, match=r"No owner of the study has allowed that this is sent to right\. Nothing is sent"
    ):
        start(people.researcher, wanted("right", "other"))
    offered = planning.options(people.researcher).offers["figures"]
    assert isinstance(offered, tuple)
    assert [each.label for each in offered] == ["Figure 1"]
    work_here(sqlite_study)
    assert server.log()["requests"] == 0
    assert kept(sqlite_study, "SELECT count(*) FROM run") == [(0,)]


def test_only_an_owner_names_models_and_only_after_the_sentence_was_agreed_to(
    sqlite_study: Study, people: SimpleNamespace, world: SimpleNamespace, server: RunningServer
) -> None:
    set_up(people.owner, server, ["right"], takes_images=True, tokens_per_image=1_000)
    blind = ModelCardDraft(name="blind", endpoint="lab", model="blind")
    model_cards.save_card(people.owner, blind, seen=0, **act())
    with pytest.raises(Refused):
        model_reader.save_settings(people.researcher, ["right"], agreed=True, seen=0, **act())
    with pytest.raises(BadInput, match=r"Figures leave this machine: .* Confirm this first"):
        model_reader.save_settings(people.owner, ["right"], agreed=False, seen=0, **act())
    with pytest.raises(
        BadInput, match="“blind” cannot be sent figures: its card does not say that it accepts pictures"
    ):
        model_reader.save_settings(people.owner, ["right", "blind"], agreed=True, seen=0, **act())
    with pytest.raises(BadInput, match="“gone” cannot be sent figures: there is no such card in use"):
        model_reader.save_settings(people.owner, ["gone"], agreed=True, seen=0, **act())
    name(people.owner, "right")
    with pytest.raises(Conflict):
        model_reader.save_settings(people.owner, [], agreed=False, seen=0, **act())
    (event,) = kept(sqlite_study, "SELECT payload FROM event WHERE act = 'proposals.models'")
    payload = json.loads(event[0])
    assert payload["after"] == [{"card": "right", "endpoint": "lab", "base_url": server.url, "model": "right"}]
    assert payload["told"] == model_reader.LEAVES
    now = model_reader.settings(people.owner)
    assert [each.card for each in now.named] == ["right"]
    assert {each.card: bool(each.trouble) for each in now.offered} == {"right": False, "blind": True}


def test_a_word_for_a_model_is_for_its_address(
    sqlite_study: Study, people: SimpleNamespace, named: SimpleNamespace, server: RunningServer
) -> None:
    card = next(each for each in model_cards.list_cards(people.owner) if each.name == "right")
    moved = ModelCardDraft(
        id=card.id, name="right", endpoint="lab", model="another", takes_images=True, tokens_per_image=9
    )
    model_cards.save_card(people.owner, moved, seen=card.version, **act())
    assert "sent to right" in planning.plan(people.owner, wanted("right")).faults[0]
    with pytest.raises(BadInput, match="sent to right"):
        start(people.owner, wanted("right"))
    assert server.log()["requests"] == 0


@pytest.mark.both(usually=False)
def test_a_withdrawn_word_stops_a_run_before_its_next_figure(
    study: Study, people: SimpleNamespace, named: SimpleNamespace, server: RunningServer
) -> None:
    v = people.researcher
    play(server, program(study, named.figure))
    run_id = start(v, wanted("right"))
    name(people.owner, "turned")
    now = finished(study, v, run_id)
    assert (now.state, now.reason) == (
        RunState.STOPPED,
        "No owner of the study has allowed that this is sent to right. Nothing is sent.",
    )
    assert server.log()["requests"] == 0
    with pytest.raises(Refused, match="sent to right"):
        acts.resume(v, run_id, seen=now.version, **act())
    with pytest.raises(Refused, match="sent to right"):
        acts.retry_failed(v, run_id, seen=now.version, **act())
    name(people.owner, "right")
    acts.resume(v, run_id, seen=now.version, **act())
    assert finished(study, v, run_id).state is RunState.DONE
    assert server.log()["requests"] == 1


# --- what is asked --------------------------------------------------------------------------------------------------


def test_a_dry_run_counts_the_figure_and_a_card_without_pictures_is_refused_in_it(
    sqlite_study: Study, people: SimpleNamespace, named: SimpleNamespace, server: RunningServer
) -> None:
    plan = planning.plan(people.researcher, wanted("right"))
    assert (plan.faults, plan.samples, plan.requests) == ((), 1, 1)
    assert plan.tokens_in > 1_000 and plan.cost_most is not None and plan.cost_most > 0
    blind = ModelCardDraft(name="blind", endpoint="lab", model="blind")
    model_cards.save_card(people.owner, blind, seen=0, **act())
    faults = planning.plan(people.researcher, wanted("blind")).faults
    assert faults == (
        "No owner of the study has allowed that this is sent to blind. Nothing is sent.",
        "The card of blind does not say that it accepts pictures; change the card, choose another, or leave out the "
        "pictures.",
    )
    assert kept(sqlite_study, "SELECT count(*) FROM file") == [(1,)]  # the paper's: a dry run keeps no picture
    for options, fault in (
        ({"figures": "nowhere"}, "1 figure of 1 not in use in this study: nowhere."),
        ({"figures": "all", "dpi": "72"}, "Resolution (dpi): found '72'; expected one of 100, 150, 200, 300."),
    ):
        assert planning.plan(people.researcher, wanted("right", options=options)).faults == (fault,)
    assert server.log()["requests"] == 0


@pytest.mark.both(usually=False)
def test_every_kind_of_answer_ends_in_its_own_status(
    study: Study, people: SimpleNamespace, named: SimpleNamespace, server: RunningServer
) -> None:
    play(server, program(study, named.figure))
    run_id = run(study, people.researcher, *MODELS)
    found = items(study, run_id)
    assert {model: status for model, (status, _fault) in found.items()} == {
        "right": "answered",
        "turned": "answered",
        "inventive": "answered",
        "nothing": "answered",
        "lost": "incomplete",
        "prose": "unparsable",
        "silent": "failed",
        "no-pictures": "failed",
    }
    assert found["silent"][1].startswith("no_content: The reply's text is empty")
    assert "found 77; right would be 1 to" in found["lost"][1]
    assert "image_url is only supported by certain models" in found["no-pictures"][1]
    asked = Counter(entry["model"] for entry in server.log()["entries"])
    assert asked == {"right": 1, "turned": 1, "inventive": 1, "nothing": 1, "lost": 2, "prose": 2, "silent": 3} | {
        "no-pictures": 1
    }
    (picture,) = kept(study, "SELECT media_type, original_name FROM file WHERE media_type = 'image/png'")
    assert picture[1].startswith("Figure 1, ")


def test_only_figures_that_wait_are_asked_about_unless_more_are_wanted(
    sqlite_study: Study, people: SimpleNamespace, named: SimpleNamespace
) -> None:
    for viewer in (people.annotator, people.colleague):
        work = take(viewer, SimpleNamespace(id=named.figure))
        outcome = transcribing.add_lines(viewer, work, "A -> B", pasted=True, seen=1, act_id=new_id())
        assert outcome.receipt is not None
        transcribing.submit(viewer, work, seen=outcome.receipt.version, act_id=new_id())
    waiting = planning.plan(people.owner, wanted("right", options={}))
    assert waiting.samples == 0 and waiting.faults
    assert planning.plan(people.owner, wanted("right")).samples == 1
    chosen = planning.plan(people.owner, wanted("right", options={"figures": f" {named.figure},"}))
    assert chosen.samples == 1


# --- what becomes of it ---------------------------------------------------------------------------------------------


def test_a_model_that_reads_right_agrees_with_every_edge(
    sqlite_study: Study, people: SimpleNamespace, named: SimpleNamespace, server: RunningServer
) -> None:
    found = program(sqlite_study, named.figure)
    work = take(people.annotator, SimpleNamespace(id=named.figure))
    before = proposals.open_proposals(people.annotator, work)
    play(server, found)
    run(sqlite_study, people.researcher, "right")
    after = proposals.open_proposals(people.annotator, work)
    assert len(found.edges) > 8 and origins(before.edges) == {"vector": len(found.edges)}
    assert origins(after.edges) == {"vector+model": len(found.edges)}
    assert {edge.id for edge in after.edges} == {edge.id for edge in before.edges}  # what was answered stays answered
    assert sum(edge.is_certain for edge in after.edges) == sum(edge.is_certain for edge in before.edges)
    assert after.names == before.names and after.notice == before.notice


def test_reversed_edges_are_doubts_about_directions_and_no_edge_changes_nothing(
    sqlite_study: Study, people: SimpleNamespace, named: SimpleNamespace, server: RunningServer
) -> None:
    play(server, program(sqlite_study, named.figure))
    work = take(people.annotator, SimpleNamespace(id=named.figure))
    before = proposals.open_proposals(people.annotator, work)
    run(sqlite_study, people.researcher, "nothing")
    assert proposals.open_proposals(people.annotator, work) == before
    run(sqlite_study, people.researcher, "turned")
    after = proposals.open_proposals(people.annotator, work)
    both = {(edge.source, edge.sink) for edge in before.edges} & {(edge.sink, edge.source) for edge in before.edges}
    alone = [edge for edge in after.edges if (edge.source, edge.sink) not in both]
    assert alone and all(edge.is_doubtful and DIRECTION in edge.reasons for edge in alone)
    assert {(edge.source, edge.sink) for edge in after.edges} == {(edge.source, edge.sink) for edge in before.edges}


def test_a_name_that_stands_nowhere_is_marked_and_its_edge_is_proposed_without_a_place(
    sqlite_study: Study, people: SimpleNamespace, named: SimpleNamespace, server: RunningServer
) -> None:
    found = program(sqlite_study, named.figure)
    play(server, found)
    run(sqlite_study, people.researcher, "inventive")
    work = take(people.annotator, SimpleNamespace(id=named.figure))
    offered = proposals.open_proposals(people.annotator, work)
    assert "A model named “Sunspots”: printed nowhere in the figure" in offered.notice
    assert "Sunspots" not in [name.text for name in offered.names]  # nothing to click
    (edge,) = [edge for edge in offered.edges if edge.source == "Sunspots"]
    assert (edge.origin, edge.path, edge.is_certain) == ("model", (), False)
    assert edge.reasons == (NOT_PRINTED.format(name="Sunspots"),)
    accept(people.annotator, work, edge)
    record = transcription_reading.transcription(people.annotator, work).record
    node = record.node_named("Sunspots")
    assert node is not None and node.x is None and node.box is None
    assert all(each.source != "Sunspots" for each in proposals.open_proposals(people.annotator, work).edges)


def test_what_only_a_model_says_is_proposed_as_its_own_and_counted_by_origin(
    sqlite_study: Study, people: SimpleNamespace, named: SimpleNamespace, server: RunningServer
) -> None:
    found = program(sqlite_study, named.figure)
    play_unsaid(server, found)
    run(sqlite_study, people.researcher, "right")
    me = people.annotator
    work = take(me, SimpleNamespace(id=named.figure))
    own = [edge for edge in proposals.open_proposals(me, work).edges if edge.origin == "model"]
    assert len(own) == 3 and all(edge.reasons == (NO_ARROW,) for edge in own)
    assert transcription_reading.transcription(me, work).record.edges == {}  # nobody's until it is accepted
    accept(me, work, own[0])
    refuse(me, work, own[1])
    advance(sqlite_study, minutes=1)
    transcribing.submit(me, work, **at(me, work))
    counted = {row.origin: row for row in proposal_report.report(people.reviewer).origins}
    model, vector = counted["model"], counted["vector"]
    assert (model.proposed, model.accepted, model.refused, model.unanswered) == (3, 1, 1, 1)
    assert (vector.proposed, vector.unanswered) == (len(found.edges), len(found.edges))


def test_what_came_after_submitting_is_not_counted_as_proposed(
    sqlite_study: Study, people: SimpleNamespace, named: SimpleNamespace, server: RunningServer
) -> None:
    me = people.annotator
    work = take(me, SimpleNamespace(id=named.figure))
    accept(me, work, proposals.open_proposals(me, work).edges[0])
    transcribing.submit(me, work, **at(me, work))
    play(server, program(sqlite_study, named.figure))
    run(sqlite_study, people.researcher, "inventive")
    assert "model" not in {row.origin for row in proposal_report.report(people.reviewer).origins}


def test_whoever_draws_without_proposals_sees_nothing_of_a_model_before_submitting(
    sqlite_study: Study, people: SimpleNamespace, named: SimpleNamespace, server: RunningServer
) -> None:
    play(server, program(sqlite_study, named.figure))
    run(sqlite_study, people.researcher, "inventive")
    save(people.owner, on=False)
    me = people.annotator
    work = take(me, SimpleNamespace(id=named.figure))
    offered = proposals.open_proposals(me, work)
    assert offered.edges == () and "Sunspots" not in repr(offered)
    assert all("model" not in edge.origins for edge in offered.reading.edges)
    lines = "Patients waiting -> Waiting time"
    outcome = transcribing.add_lines(me, work, lines, pasted=True, seen=1, act_id=new_id())
    assert outcome.receipt is not None
    transcribing.submit(me, work, seen=outcome.receipt.version, act_id=new_id())
    assert reader.post_submission_reading(me, work).state == "due"
    reader.open_window(me, work, seen=reader.post_submission_reading(me, work).version, act_id=new_id())
    rows = reader.post_submission_reading(me, work).rows
    assert rows and all("model" in row.read.origin for row in rows)
    assert "Sunspots" not in repr(rows)


def opened(viewer: Viewer, run_id: str) -> None:
    (line,) = failures.failures(viewer, FailureFilters(runs=(run_id,))).lines
    failures.item(viewer, line.item_id)


@pytest.mark.parametrize("see", [opened, lambda v, run_id: export_run(v, run_id, io.BytesIO())], ids=["item", "export"])
def test_whoever_saw_what_a_model_read_does_not_draw_the_figure_blind(
    see: Callable[[Viewer, str], object],
    open_one: Study,
    people: SimpleNamespace,
    server: RunningServer,
    named: SimpleNamespace,
) -> None:
    play(server, program(open_one, named.figure))
    run_id = start(people.owner, wanted("right"))
    finished(open_one, people.owner, run_id)
    queue.want(people.owner, [named.figure], 2, **act())
    drawn = SimpleNamespace(id=named.figure)
    work = take(people.researcher, drawn)
    failures.failures(people.researcher, FailureFilters(runs=(run_id,)))  # a line says nothing of an answer
    assert not exposed(open_one, people.researcher)
    see(people.researcher, run_id)
    see(people.owner, run_id)
    assert exposed(open_one, people.researcher) == {named.figure}
    # Who had not begun is not given the figure; who had is named in Agreement.
    with pytest.raises(Refused, match="not be blind"):
        take(people.owner, drawn)
    hand_in(people.researcher, work)
    hand_in(people.annotator, take(people.annotator, drawn))
    (figure,) = annotators.study_agreement(people.reviewer).not_blind
    assert len(figure.looked) == 1


def exposed(study: Study, viewer: Viewer) -> set[str]:
    with study.store.reading() as session:
        return exposures.looked_at(session, viewer.person_id, "figure")


def test_an_archived_run_and_a_figure_that_moved_propose_nothing(
    sqlite_study: Study, people: SimpleNamespace, named: SimpleNamespace, server: RunningServer
) -> None:
    play(server, program(sqlite_study, named.figure))
    run_id = run(sqlite_study, people.researcher, "inventive")
    me = people.annotator
    work = take(me, SimpleNamespace(id=named.figure))

    def is_read() -> bool:
        return "model" in {one for each in proposals.open_proposals(me, work).edges for one in each.origin.split("+")}

    assert is_read()
    for is_archived in (True, False):
        version = reading.progress(people.researcher, run_id).version
        acts.archive(people.researcher, run_id, is_archived, seen=version, **act())
        assert is_read() is not is_archived
    smaller = replace(FRAME, x1=FRAME.x1 - 2)
    figures.relocate(people.owner, named.figure, smaller, "", "", seen=1, **act())
    assert not is_read()


def test_the_newest_answer_of_each_model_counts(
    sqlite_study: Study, people: SimpleNamespace, named: SimpleNamespace, server: RunningServer
) -> None:
    found = program(sqlite_study, named.figure)
    play(server, found)
    run(sqlite_study, people.researcher, "right", "inventive")
    work = take(people.annotator, SimpleNamespace(id=named.figure))
    edges = proposals.open_proposals(people.annotator, work).edges
    assert origins(edges) == {"vector+model": len(found.edges), "model": 1}
    server.play({"rules": [{"model": "inventive", "answer": '{"edges": [], "missing": []}'}]})
    run(sqlite_study, people.researcher, "inventive", parameters={"temperature": 0.5})
    edges = proposals.open_proposals(people.annotator, work).edges
    assert origins(edges) == {"vector+model": len(found.edges)}


# --- as any run -----------------------------------------------------------------------------------------------------


def many(people: SimpleNamespace, named: SimpleNamespace, count: int) -> None:
    """More figures on the page, each a little smaller than the one before."""
    for number in range(1, count):
        box = replace(FRAME, x0=FRAME.x0 + number)
        figures.locate(people.owner, named.paper, named.page, box, label=f"Figure {number + 1}", **act())


def test_a_budget_stops_it_and_kept_replies_are_not_asked_again(
    sqlite_study: Study, people: SimpleNamespace, named: SimpleNamespace, server: RunningServer
) -> None:
    v = people.researcher
    many(people, named, 4)
    server.play({"rules": [{"model": "right", "answer": '{"edges": [], "missing": []}'}]})
    run_id = run(sqlite_study, v, "right", budget=BudgetSettings(requests=3))
    now = reading.progress(v, run_id)
    assert (now.state, now.by_status[ItemStatus.ANSWERED]) == (RunState.STOPPED, 3)
    assert now.reason.startswith("Budget of 3 requests") and server.log()["requests"] == 3
    assert planning.plan(v, wanted("right")).cached == 3
    acts.set_budget(v, run_id, BudgetSettings(requests=4), seen=now.version, **act())
    acts.resume(v, run_id, seen=reading.progress(v, run_id).version, **act())
    assert finished(sqlite_study, v, run_id).by_status[ItemStatus.ANSWERED] == 4
    assert server.log()["requests"] == 4


def test_a_killed_worker_loses_no_answer_and_asks_for_none_twice(
    sqlite_study: Study, people: SimpleNamespace, named: SimpleNamespace, server: RunningServer
) -> None:
    v = people.researcher
    many(people, named, 6)
    server.play({"latency_ms": 60, "rules": [{"model": "right", "answer": '{"edges": [], "missing": []}'}]})
    lab = endpoints.list_endpoints(people.owner)[0]
    slower = EndpointDraft(name="lab", base_url=lab.base_url, concurrency=2, deadline_s=30)
    endpoints.save_endpoint(people.owner, slower, seen=lab.version, **act())
    run_id = start(v, wanted("right"))
    process = worker(store_place(sqlite_study))
    count, last = "SELECT count(*) FROM run_item WHERE status = 'answered'", time.monotonic() + 60
    while kept(sqlite_study, count)[0][0] < 2:
        assert time.monotonic() < last, "the worker answers nothing"
        time.sleep(0.02)
    process.kill()
    process.wait()
    answered = {key for (key,) in kept(sqlite_study, "SELECT request_hash FROM reply")}
    assert 2 <= len(answered) < 6
    fall_silent(sqlite_study.store)
    now = finished(sqlite_study, v, run_id)
    assert now.state is RunState.DONE and now.by_status[ItemStatus.ANSWERED] == 6
    sent = Counter(key for (key,) in kept(sqlite_study, "SELECT request_hash FROM attempt"))
    assert len(sent) == 6 and all(sent[key] == 1 for key in answered)
    uncertain = kept(sqlite_study, "SELECT count(*) FROM attempt WHERE state = 'uncertain'")[0][0]
    assert sum(sent.values()) == 6 + uncertain
    assert 6 <= server.log()["requests"] <= 6 + uncertain  # one may be kept as sent and not have left yet
