"""Proposed arrows: decided once a task, offered until answered, accepted into the graph, never merged or made alone."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier
from types import SimpleNamespace
from typing import Any, Literal

import pytest
from sqlmodel import select

from core.errors import BadInput, Conflict, Refused
from core.papers.pages import Box, part_of
from core.people import Receipt, Role, Viewer
from core.sign import Sign
from core.transcription.open_proposals import OpenProposal
from core.transcription.proposals import FigureProposals, ProposedEdge, ProposedName
from documents.reader import PROPOSALS_PRODUCER, PROPOSALS_VERSION
from services.papers import figures
from services.study import Study
from services.transcription import canvas_edits, proposal_settings, proposals, reading, transcribing
from services.transcription.proposal_settings import ProposalSettings
from services.transcription.proposals import OpenProposals
from store import documents as derived
from store import history
from store.graphs.marks import rebuild_marks
from store.tables import AssignmentRow, FigureRow, new_id
from tests.services.acts import VersionedAct

FRAME = Box(72, 72, 540, 360)  # where `add_figure` puts every figure


def label(text: str, x: float, y: float) -> ProposedName:
    return ProposedName(text, Box(x, y, x + 60, y + 10), (text,))


def arrow(
    source: int, sink: int, sign: Literal["+", "-", ""] = "+", *, confidence: float = 0.9, doubtful: bool = False
) -> ProposedEdge:
    path = ((100.0 + 10 * source, 100.0), (150.5, 120.0 + sink), (200.0 + 10 * sink, 100.0))
    return ProposedEdge(
        source=source,
        sink=sink,
        sign=sign,
        delay=False,
        confidence=confidence,
        is_direction_doubtful=doubtful,
        reasons=(),
        path=path,
    )


NAMES = (label("Price", 80, 80), label("Demand", 300, 80), label("Supply", 80, 200))
FOUND = FigureProposals(
    names=NAMES,
    edges=(arrow(2, 0, "-", confidence=0.4, doubtful=True), arrow(0, 1), arrow(1, 2, "")),
    origin="vector",
)


def lay_down(study: Study, figure: SimpleNamespace, found: FigureProposals = FOUND, box: Box = FRAME) -> None:
    """Have the engine's result lie in the store, as if the figure had been read."""
    with study.store.writing() as session:
        derived.keep_derived(
            session,
            figure.sha256,
            PROPOSALS_PRODUCER,
            str(PROPOSALS_VERSION),
            part_of(2, box),
            found.as_json(),
            study.clock(),
        )


@pytest.fixture
def figure(open_one: Study, a_figure: SimpleNamespace) -> SimpleNamespace:
    lay_down(open_one, a_figure)
    return a_figure


def take(viewer: Viewer, figure: SimpleNamespace) -> str:
    return transcribing.take(viewer, figure.id, act_id=new_id()).subject_id


def at(viewer: Viewer, work: str) -> VersionedAct:
    return {"seen": reading.transcription(viewer, work).version, "act_id": new_id()}


def edges(viewer: Viewer, work: str) -> list[str]:
    graph = reading.transcription(viewer, work).record.graph()
    return [f"{e.source} -> {e.sink}" + (f" ({e.sign})" if e.sign else "") for e in graph.edges]


def arrows(found: OpenProposals) -> list[tuple[str, str, Sign | None]]:
    return [(edge.source, edge.sink, edge.sign) for edge in found.edges]


def offer(viewer: Viewer, work: str, source: str, sink: str) -> OpenProposal:
    return next(
        edge for edge in proposals.open_proposals(viewer, work).edges if (edge.source, edge.sink) == (source, sink)
    )


def accept(viewer: Viewer, work: str, *chosen: OpenProposal) -> Receipt:
    return proposals.accept(viewer, work, [edge.id for edge in chosen], **at(viewer, work))


def refuse(viewer: Viewer, work: str, *chosen: OpenProposal) -> Receipt:
    return proposals.refuse(viewer, work, [edge.id for edge in chosen], **at(viewer, work))


def save(owner: Viewer, **changed: Any) -> None:
    now = proposal_settings.settings(owner)
    proposal_settings.save_settings(owner, replace(now, **changed), seen=now.version, act_id=new_id())


# --- offering and answering --------------------------------------------------------------------------------------


@pytest.mark.both
def test_arrows_are_offered_doubtful_first_with_the_same_ids_at_every_call(
    study: Study, people: SimpleNamespace, figure: SimpleNamespace
) -> None:
    work = take(people.annotator, figure)
    found = proposals.open_proposals(people.annotator, work)
    assert (found.names, found.origin, found.notice, found.withheld) == (NAMES, "vector", "", "")
    assert arrows(found) == [
        ("Supply", "Price", Sign.MINUS),
        ("Price", "Demand", Sign.PLUS),
        ("Demand", "Supply", None),
    ]
    assert [(edge.is_doubtful, edge.is_certain) for edge in found.edges] == [
        (True, False),
        (False, True),
        (False, True),
    ]
    assert proposals.open_proposals(people.annotator, work) == found
    assert len({edge.id for edge in found.edges}) == 3


@pytest.mark.both(usually=False)
def test_accepted_arrows_become_edges_between_printed_names_in_one_act_that_undo_takes_back(
    study: Study, people: SimpleNamespace, figure: SimpleNamespace
) -> None:
    me, work = people.annotator, take(people.annotator, figure)
    before = proposals.open_proposals(me, work)
    receipt = accept(me, work, *before.edges)
    now = reading.transcription(me, work)
    assert receipt.version == now.version == 2
    assert edges(me, work) == ["Supply -> Price (-)", "Price -> Demand (+)", "Demand -> Supply"]
    first = now.record.ordered_edges()[0]
    assert (first.origin, first.confidence, first.box) == ("proposal", 0.4, (120.0, 100.0, 200.0, 120.0))
    price = now.record.node_named("Price")
    assert price is not None
    assert (price.origin, price.x, price.y, price.box) == ("proposal", 110.0, 85.0, (80.0, 80.0, 140.0, 90.0))
    assert now.paths[first.id] == before.edges[0].path
    assert proposals.open_proposals(me, work).edges == ()
    transcribing.undo(me, work, **at(me, work))
    assert edges(me, work) == []
    assert proposals.open_proposals(me, work) == before
    transcribing.redo(me, work, **at(me, work))
    assert reading.transcription(me, work).marks == now.marks
    with study.store.reading() as session:
        assert rebuild_marks(session, now.graph_id) == now.marks
        assert history.rebuild(session, now.graph_id) == now.record


@pytest.mark.parametrize(("answer", "verb"), [(proposals.accept, "accept"), (proposals.refuse, "refuse")])
def test_many_are_answered_in_one_event_that_says_how_they_were_chosen_and_one_undo_takes_back(
    study: Study, people: SimpleNamespace, figure: SimpleNamespace, answer: Callable[..., Receipt], verb: str
) -> None:
    me, work = people.annotator, take(people.annotator, figure)
    ids = [edge.id for edge in proposals.open_proposals(me, work).edges]
    act = at(me, work)
    receipt = answer(me, work, ids, "region", **act)
    assert answer(me, work, ids, "region", **act).seq == receipt.seq  # sent again
    with study.store.reading() as session:
        event = history.event_of(session, str(act["act_id"]))
    assert event is not None
    assert event.payload["what"] == f"{verb} proposals, all in a region"
    assert proposals.open_proposals(me, work).edges == ()
    transcribing.undo(me, work, **at(me, work))
    assert [edge.id for edge in proposals.open_proposals(me, work).edges] == ids
    assert edges(me, work) == []


@pytest.mark.both
def test_a_refused_arrow_is_not_offered_again_and_makes_nothing(
    study: Study, people: SimpleNamespace, figure: SimpleNamespace
) -> None:
    me, work = people.annotator, take(people.annotator, figure)
    receipt = refuse(me, work, offer(me, work, "Price", "Demand"))
    assert receipt.version == 2  # marks are part of the work: undo takes them back
    assert arrows(proposals.open_proposals(me, work)) == [("Supply", "Price", Sign.MINUS), ("Demand", "Supply", None)]
    assert reading.transcription(me, work).record.nodes == {}
    transcribing.undo(me, work, **at(me, work))
    assert len(proposals.open_proposals(me, work).edges) == 3


def test_an_accepted_arrow_that_is_removed_counts_as_refused_and_comes_back_by_undo(
    study: Study, people: SimpleNamespace, figure: SimpleNamespace
) -> None:
    me, work = people.annotator, take(people.annotator, figure)
    accept(me, work, offer(me, work, "Price", "Demand"))
    edge_id = next(iter(reading.transcription(me, work).record.edges))
    transcribing.remove_edge(me, work, edge_id, **at(me, work))
    now = reading.transcription(me, work)
    assert (now.record.edges, now.record.nodes, now.paths) == ({}, {}, {})
    assert ("Price", "Demand", Sign.PLUS) not in arrows(proposals.open_proposals(me, work))
    transcribing.undo(me, work, **at(me, work))
    assert list(reading.transcription(me, work).paths) == [edge_id]


@pytest.mark.both(usually=False)
def test_an_edge_turned_round_keeps_what_was_said_of_it_its_printed_course_and_its_history(
    study: Study, people: SimpleNamespace, figure: SimpleNamespace
) -> None:
    me, work = people.annotator, take(people.annotator, figure)
    first = offer(me, work, "Price", "Demand")
    accept(me, work, first)
    edge_id = next(iter(reading.transcription(me, work).record.edges))
    for field, value in (("delay", True), ("note", "see page 3")):
        transcribing.edit_edge(me, work, edge_id, field, value, **at(me, work))
    before = reading.transcription(me, work)
    receipt = transcribing.reverse_edge(me, work, edge_id, **at(me, work))
    now = reading.transcription(me, work)
    assert receipt.version == now.version == before.version + 1  # one act
    assert edges(me, work) == ["Demand -> Price (+)"]
    kept = now.record.edges[edge_id]
    assert (kept.delay, kept.note, kept.origin) == (True, "see page 3", "proposal")
    assert now.paths[edge_id] == first.path[::-1]
    assert ("Price", "Demand", Sign.PLUS) not in arrows(proposals.open_proposals(me, work))
    with study.store.reading() as session:
        assert history.rebuild(session, now.graph_id) == now.record
        assert rebuild_marks(session, now.graph_id) == now.marks
    transcribing.undo(me, work, **at(me, work))
    assert reading.transcription(me, work).record == before.record
    assert reading.transcription(me, work).paths == before.paths


def test_only_its_annotator_turns_an_edge_round(
    sqlite_study: Study, people: SimpleNamespace, figure: SimpleNamespace
) -> None:
    me, work = people.annotator, take(people.annotator, figure)
    accept(me, work, offer(me, work, "Price", "Demand"))
    edge_id = next(iter(reading.transcription(me, work).record.edges))
    with pytest.raises(Refused, match="Only its annotator"):
        transcribing.reverse_edge(people.colleague, work, edge_id, seen=2, act_id=new_id())
    with pytest.raises(Refused, match="Only its annotator"):
        proposals.accept_as(people.colleague, work, "x", "A", "B", seen=2, act_id=new_id())


@pytest.mark.parametrize(
    ("source", "sink", "turned"),
    [("Price", "Supply", False), ("Demand", "Price", True), ("Price", "Costs", False), ("Weather", "Demand", False)],
)
def test_a_proposal_with_a_wrong_end_is_accepted_mended_and_keeps_its_printed_course(
    study: Study, people: SimpleNamespace, figure: SimpleNamespace, source: str, sink: str, turned: bool
) -> None:
    me, work = people.annotator, take(people.annotator, figure)
    first = offer(me, work, "Price", "Demand")
    proposals.accept_as(me, work, first.id, source, sink, **at(me, work))
    now = reading.transcription(me, work)
    assert edges(me, work) == [f"{source} -> {sink} (+)"]
    (edge,) = now.record.edges.values()
    assert (edge.origin, now.paths[edge.id]) == ("proposal", first.path[::-1] if turned else first.path)
    printed = {name.text for name in NAMES}
    assert all((node.box is not None) == (node.name in printed) for node in now.record.nodes.values())
    assert now.marks.of("proposal")[first.id]["mended"]
    assert first.id not in {each.id for each in proposals.open_proposals(me, work).edges}
    transcribing.undo(me, work, **at(me, work))
    assert reading.transcription(me, work).record.edges == {}
    assert first.id in {each.id for each in proposals.open_proposals(me, work).edges}


def test_a_widened_figure_keeps_its_edges_and_proposes_only_what_is_new(
    sqlite_study: Study, people: SimpleNamespace, figure: SimpleNamespace
) -> None:
    me, work = people.researcher, take(people.researcher, figure)
    accept(me, work, offer(me, work, "Price", "Demand"))
    before = reading.transcription(me, work)
    wider = Box(60, 60, 580, 500)
    names = (*NAMES, label("Weather", 80, 400))
    moved = [replace(edge, path=tuple((x + 1, y) for x, y in edge.path)) for edge in FOUND.edges]
    lay_down(sqlite_study, figure, FigureProposals(names=names, edges=(*moved, arrow(3, 2)), origin="vector"), wider)
    figures.relocate(me, figure.id, wider, "", "", seen=1, act_id=new_id())
    now = reading.transcription(me, work)
    assert (now.figure.box, now.record, now.paths) == (wider, before.record, before.paths)
    assert [edge[:2] for edge in arrows(proposals.open_proposals(me, work))] == [
        ("Supply", "Price"),
        ("Demand", "Supply"),
        ("Weather", "Supply"),
    ]


def test_what_was_drawn_by_hand_is_not_offered_and_keeps_its_node(
    study: Study, people: SimpleNamespace, figure: SimpleNamespace
) -> None:
    me, work = people.annotator, take(people.annotator, figure)
    canvas_edits.connect(me, work, "Price", "Demand", None, False, **at(me, work))
    assert arrows(proposals.open_proposals(me, work)) == [("Supply", "Price", Sign.MINUS), ("Demand", "Supply", None)]
    node = reading.transcription(me, work).record.node_named("Price")
    accept(me, work, *proposals.open_proposals(me, work).edges)
    now = reading.transcription(me, work).record
    assert edges(me, work) == ["Price -> Demand", "Supply -> Price (-)", "Demand -> Supply"]
    assert node is not None
    assert now.nodes[node.id] == replace(node, x=110.0, y=85.0, box=(80.0, 80.0, 140.0, 90.0))  # printed there


def test_a_node_renamed_since_is_still_the_one_that_is_printed_there(
    study: Study, people: SimpleNamespace, figure: SimpleNamespace
) -> None:
    me, work = people.annotator, take(people.annotator, figure)
    box = NAMES[0].box
    canvas_edits.place_node(me, work, "Pr1ce", (110, 85), box, "printed", **at(me, work))
    transcribing.rename_node(me, work, "Pr1ce", "The price", **at(me, work))
    accept(me, work, offer(me, work, "The price", "Demand"))
    assert edges(me, work) == ["The price -> Demand (+)"]


def test_gdp_and_gnp_stay_two_and_so_do_names_that_differ_in_case(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    names = (label("GDP", 80, 80), label("GNP", 300, 80), label("Trade", 80, 200), label("trade", 300, 200))
    lay_down(
        study, a_figure, FigureProposals(names=names, edges=(arrow(0, 2), arrow(1, 2), arrow(0, 3)), origin="vector")
    )
    me, work = people.annotator, take(people.annotator, a_figure)
    accept(me, work, *proposals.open_proposals(me, work).edges)
    assert edges(me, work) == ["GDP -> Trade (+)", "GNP -> Trade (+)", "GDP -> trade (+)"]


def test_a_variable_printed_twice_is_one_node(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    names = (label("Price", 80, 80), label("Demand", 300, 80), label("Price", 80, 200))
    lay_down(sqlite_study, a_figure, FigureProposals(names=names, edges=(arrow(0, 1), arrow(1, 2)), origin="vector"))
    me, work = people.annotator, take(people.annotator, a_figure)
    accept(me, work, *proposals.open_proposals(me, work).edges)
    assert edges(me, work) == ["Price -> Demand (+)", "Demand -> Price (+)"]
    assert len(reading.transcription(me, work).record.nodes) == 2


@pytest.mark.both(usually=False)
def test_answers_are_given_once_and_unknown_or_stale_ones_are_refused_whole(
    study: Study, people: SimpleNamespace, figure: SimpleNamespace
) -> None:
    me, work = people.annotator, take(people.annotator, figure)
    chosen = offer(me, work, "Price", "Demand")
    with pytest.raises(BadInput, match="1 of 2 proposals"):
        proposals.accept(me, work, [chosen.id, "0" * 32], **at(me, work))
    assert edges(me, work) == []
    act_id = new_id()
    first = proposals.accept(me, work, [chosen.id], seen=1, act_id=act_id)
    again = proposals.accept(me, work, [chosen.id], seen=1, act_id=act_id)
    assert (again.seq, again.is_repeat) == (first.seq, True)
    with pytest.raises(Conflict):
        proposals.accept(me, work, [chosen.id], seen=1, act_id=new_id())
    assert accept(me, work, chosen).version == 2  # accepted already: nothing changes
    assert refuse(me, work, chosen).version == 2
    assert edges(me, work) == ["Price -> Demand (+)"]


def test_those_who_review_see_printed_names_and_no_arrows(
    sqlite_study: Study, people: SimpleNamespace, figure: SimpleNamespace
) -> None:
    me, work = people.annotator, take(people.annotator, figure)
    with pytest.raises(Refused, match="stays hidden"):
        proposals.open_proposals(people.reviewer, work)
    accept(me, work, offer(me, work, "Price", "Demand"))
    transcribing.submit(me, work, **at(me, work))
    for viewer in (people.reviewer, me):
        found = proposals.open_proposals(viewer, work)
        assert (found.names, found.edges) == (NAMES, ())


def test_a_figure_that_cannot_be_read_offers_nothing_and_says_why(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    work = take(people.annotator, a_figure)  # the file only looks like a PDF
    found = proposals.open_proposals(people.annotator, work)
    assert (found.names, found.edges) == ((), ())
    assert found.notice
    assert proposals.open_proposals(people.annotator, work) == found


# --- who is offered arrows ---------------------------------------------------------------------------------------


def decision(study: Study, work: str) -> str:
    with study.store.reading() as session:
        row = session.get(AssignmentRow, work)
        assert row is not None
        return row.proposals


def test_a_second_annotator_is_offered_names_only_and_may_accept_nothing(
    study: Study, people: SimpleNamespace, figure: SimpleNamespace
) -> None:
    first, second = take(people.annotator, figure), take(people.colleague, figure)
    ids = [edge.id for edge in proposals.open_proposals(people.annotator, first).edges]
    found = proposals.open_proposals(people.colleague, second)
    assert (found.names, found.edges) == (NAMES, ())
    assert "second transcription" in found.withheld
    for answer in (proposals.accept, proposals.refuse):
        with pytest.raises(Refused, match="second transcription"):
            answer(people.colleague, second, ids, seen=1, act_id=new_id())
    assert edges(people.colleague, second) == []
    assert (decision(study, first), decision(study, second)) == ("shown", "second")


@pytest.mark.both
def test_two_who_take_a_figure_at_once_are_a_first_and_a_second(
    study: Study, people: SimpleNamespace, figure: SimpleNamespace
) -> None:
    together = Barrier(2)

    def begin(viewer: Viewer) -> str:
        together.wait()
        return take(viewer, figure)

    with ThreadPoolExecutor(2) as threads:
        works = list(threads.map(begin, (people.annotator, people.colleague)))
    assert sorted(decision(study, work) for work in works) == ["second", "shown"]


def test_a_second_annotator_is_offered_arrows_if_the_study_says_so(
    sqlite_study: Study, people: SimpleNamespace, figure: SimpleNamespace
) -> None:
    save(people.owner, for_second=True)
    take(people.annotator, figure)
    assert len(proposals.open_proposals(people.colleague, take(people.colleague, figure)).edges) == 3


@pytest.mark.parametrize(
    ("changed", "word"), [({"on": False}, "proposes no edges"), ({"share_without": 1.0}, "random share")]
)
def test_a_task_taken_without_proposals_stays_without_and_one_taken_with_them_keeps_them(
    study: Study,
    people: SimpleNamespace,
    another_figure: Callable[[str], SimpleNamespace],
    changed: dict[str, object],
    word: str,
) -> None:
    me, early, late = people.annotator, another_figure("Early"), another_figure("Late")
    lay_down(study, early)
    lay_down(study, late)
    with_arrows = take(me, early)
    save(people.owner, **changed)
    without = take(me, late)
    save(people.owner, on=True, share_without=0.0)
    take(me, late)  # going on changes nothing
    assert len(proposals.open_proposals(me, with_arrows).edges) == 3
    found = proposals.open_proposals(me, without)
    assert (found.names, found.edges) == (NAMES, ())
    assert word in found.withheld
    with pytest.raises(Refused, match=word):
        proposals.accept(me, without, [], seen=1, act_id=new_id())


def test_work_begun_before_there_were_proposals_goes_on_without(
    sqlite_study: Study, people: SimpleNamespace, figure: SimpleNamespace
) -> None:
    work = take(people.annotator, figure)
    with sqlite_study.store.writing() as session:
        row = session.get(AssignmentRow, work)
        assert row is not None
        row.proposals = ""
    found = proposals.open_proposals(people.annotator, work)
    assert found.edges == ()
    assert "started before" in found.withheld


def test_a_share_of_the_tasks_is_drawn_and_the_same_seed_draws_the_same(
    sqlite_study: Study, people: SimpleNamespace, another_figure: Callable[[str], SimpleNamespace]
) -> None:
    from core.transcription.random_share import is_drawn

    save(people.owner, share_without=0.5, seed=11)
    figures = [another_figure(f"Paper {number}") for number in range(12)]
    for each in figures:
        work = take(people.annotator, each)
        assert decision(sqlite_study, work) == ("left out" if is_drawn(11, each.id, 0.5) else "shown")


# --- settings ----------------------------------------------------------------------------------------------------


@pytest.mark.both
def test_settings_are_kept_and_a_stale_owner_is_told(study: Study, people: SimpleNamespace) -> None:
    assert proposal_settings.settings(people.owner) == ProposalSettings()
    wanted = ProposalSettings(True, 0.25, 7, True)
    proposal_settings.save_settings(people.owner, wanted, seen=0, act_id=new_id())
    assert proposal_settings.settings(people.owner) == replace(wanted, version=1)
    with pytest.raises(Conflict) as caught:
        proposal_settings.save_settings(people.owner, ProposalSettings(), seen=0, act_id=new_id())
    assert (caught.value.seen, caught.value.found) == (0, 1)
    proposal_settings.save_settings(people.owner, ProposalSettings(on=False), seen=1, act_id=new_id())
    assert not proposal_settings.settings(people.owner).on


@pytest.mark.parametrize(
    ("wanted", "word"),
    [
        (ProposalSettings(share_without=-0.1), "share"),
        (ProposalSettings(share_without=1.01), "share"),
        (ProposalSettings(share_without=float("nan")), "share"),
        (ProposalSettings(seed=-1), "seed"),
        (ProposalSettings(seed=2**31), "seed"),
        (ProposalSettings(seed=True), "seed"),
    ],
)
def test_a_share_or_seed_that_is_none_is_refused(
    sqlite_study: Study, people: SimpleNamespace, wanted: ProposalSettings, word: str
) -> None:
    with pytest.raises(BadInput, match=word):
        proposal_settings.save_settings(people.owner, wanted, seen=0, act_id=new_id())


def test_nobody_but_the_owner_sets_them(sqlite_study: Study, people: SimpleNamespace) -> None:
    for role in set(Role) - {Role.OWNER}:
        viewer = getattr(people, role.value)
        with pytest.raises(Refused):
            proposal_settings.save_settings(viewer, ProposalSettings(on=False), seen=0, act_id=new_id())


def test_a_figure_moved_on_its_page_is_read_anew(
    sqlite_study: Study, people: SimpleNamespace, figure: SimpleNamespace
) -> None:
    me, work = people.annotator, take(people.annotator, figure)
    assert len(proposals.open_proposals(me, work).edges) == 3
    with sqlite_study.store.writing() as session:
        row = session.exec(select(FigureRow)).one()
        row.x0 += 5
    assert proposals.open_proposals(me, work).edges == ()  # nothing is known of the new rectangle, and the file is none
