"""Adjudicating a figure: blind, one act a ruling, the ground truth in step with the rulings, sent back to both."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from types import SimpleNamespace
from typing import Any

import pytest

from core.adjudication.differences import Choice, DifferenceKind, Reason, edge_key, name_key
from core.errors import BadInput, Conflict, Missing, Refused
from core.graphs.alignment import NameClass
from core.people import Role, Viewer
from core.sign import Sign
from core.transcription.proposals import FigureProposals, PrintedArrow
from services.adjudication import adjudicating, editor, feedback, rounds
from services.adjudication import lists as adjudication_lists
from services.adjudication.editor import AdjudicationView
from services.graphs import lab
from services.study import Study
from services.transcription import lists, transcribing
from store import history
from store.graphs import graphs as stored_graphs
from store.tables import GraphRow, new_id
from tests.services.transcription.test_proposals import label, lay_down
from tests.shared_fixture import laid_once

pytestmark = pytest.mark.both


def handed_in(viewer: Viewer, figure_id: str, lines: str) -> str:
    work = transcribing.take(viewer, figure_id, act_id=new_id()).subject_id
    outcome = transcribing.add_lines(viewer, work, lines, pasted=True, seen=1, act_id=new_id())
    assert outcome.receipt is not None and not outcome.faults, outcome.faults
    transcribing.submit(viewer, work, seen=outcome.receipt.version, act_id=new_id())
    return work


@pytest.fixture
def twice(
    open_one: Study, people: SimpleNamespace, a_figure: SimpleNamespace, request: pytest.FixtureRequest
) -> SimpleNamespace:
    """The figure submitted by the annotator (A) and the colleague (B)."""

    def make() -> SimpleNamespace:
        first = handed_in(people.annotator, a_figure.id, '"Demand for water" -> Price\nPrice ->- Use\nRain -> Supply')
        second = handed_in(people.colleague, a_figure.id, '"Demand of water" -> Price\nPrice -> Use\nSupply -> Rain')
        return SimpleNamespace(figure=a_figure.id, first=first, second=second)

    return laid_once(request, open_one, make, people, a_figure)


@pytest.fixture
def case(people: SimpleNamespace, twice: SimpleNamespace) -> str:
    return rounds.begin(people.reviewer, twice.figure, act_id=new_id()).subject_id


def look(viewer: Viewer, case: str) -> AdjudicationView:
    return editor.desk(viewer, case)


def rule(viewer: Viewer, case: str, key: str, choice: Choice, **said: Any) -> None:
    version = look(viewer, case).version
    adjudicating.rule(viewer, case, key, choice, seen=version, act_id=new_id(), **said)


def rule_name(viewer: Viewer, case: str, choice: Choice = Choice.A, **said: Any) -> None:
    given = {"reference": "Demand for water", "name_class": NameClass.MINOR, **said}
    version = look(viewer, case).version
    adjudicating.rule_name(
        viewer,
        case,
        "Demand of water",
        choice,
        seen=version,
        act_id=new_id(),
        **given,
    )


def test_the_desk_has_the_print_under_the_edges_of_both(
    open_one: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    names = (label("Price", 80, 80), label("Use", 300, 80))
    arrow = PrintedArrow(path=((112.0, 80.0), (268.0, 80.0)), tails=((0, 0.2),), tips=((1, 0.2),))
    lay_down(open_one, a_figure, FigureProposals(names=names, edges=(), origin="vector", notice="", arrows=(arrow,)))
    handed_in(people.annotator, a_figure.id, "Price -> Use")
    handed_in(people.colleague, a_figure.id, "price ->+ Use")
    case = rounds.begin(people.reviewer, a_figure.id, act_id=new_id()).subject_id
    found = [(one.side, one.source, one.sink, one.sign, one.path) for one in look(people.reviewer, case).courses]
    assert found == [
        ("a", "Price", "Use", None, arrow.path),
        ("b", "Price", "Use", Sign.PLUS, arrow.path),
    ]


def truth(study: Study, viewer: Viewer, case: str) -> list[str]:
    with study.store.reading() as session:
        graph = stored_graphs.read_graph(session, look(viewer, case).graph_id).graph()
    return sorted(f"{e.source} -> {e.sink}{f' ({e.sign})' if e.sign else ''}" for e in graph.edges)


def rule_all(viewer: Viewer, case: str) -> None:
    rule_name(viewer, case)
    for found in look(viewer, case).differences:
        rule(viewer, case, found.difference.key, Choice.A)


def finish(viewer: Viewer, case: str) -> None:
    rounds.finish(viewer, case, seen=look(viewer, case).version, act_id=new_id())


def test_the_desk_asks_for_names_first_and_then_for_each_difference(people: SimpleNamespace, case: str) -> None:
    found = look(people.reviewer, case)
    assert [(n.question.name, n.question.offers[0]) for n in found.names] == [("Demand of water", "Demand for water")]
    rule_name(people.reviewer, case)
    found = look(people.reviewer, case)
    assert {d.difference.kind for d in found.differences} == {DifferenceKind.SIGN, DifferenceKind.REVERSED}
    assert [d.sentence for d in found.differences if d.difference.kind is DifferenceKind.SIGN] == [
        "“Price” → “Use”: which sign?"
    ]
    assert [(a.source, a.sink) for a in found.arrows] == [("Demand for water", "Price"), ("Price", "Use")]


@pytest.mark.both(usually=False)
def test_each_ruling_moves_the_ground_truth_and_undo_takes_both_back(
    study: Study, people: SimpleNamespace, case: str
) -> None:
    viewer = people.reviewer
    rule_name(viewer, case, Choice.B)
    rule(
        viewer,
        case,
        edge_key(DifferenceKind.SIGN, "Price", "Use"),
        Choice.A,
        reasons=[Reason.SIGN],
        comment="a clear minus",
    )
    assert truth(study, viewer, case) == ["Demand of water -> Price", "Price -> Use (-)"]
    rule(viewer, case, edge_key(DifferenceKind.REVERSED, "Rain", "Supply"), Choice.BOTH)
    assert "Supply -> Rain" in truth(study, viewer, case)
    for _ in range(3):
        adjudicating.undo(viewer, case, seen=look(viewer, case).version, act_id=new_id())
    found = look(viewer, case)
    assert not any(d.ruling for d in found.differences) and found.names[0].ruling is None and not found.can_undo
    assert truth(study, viewer, case) == ["Price -> Use"]
    for _ in range(3):
        adjudicating.redo(viewer, case, seen=look(viewer, case).version, act_id=new_id())
    assert truth(study, viewer, case) == [
        "Demand of water -> Price",
        "Price -> Use (-)",
        "Rain -> Supply",
        "Supply -> Rain",
    ]
    with study.store.reading() as session:
        graph_id = look(viewer, case).graph_id
        assert history.rebuild(session, graph_id) == stored_graphs.read_graph(session, graph_id)


def test_a_ruling_about_a_name_is_the_alignment_that_figures_follow(people: SimpleNamespace, case: str) -> None:
    before = look(people.reviewer, case).figures
    rule_name(people.reviewer, case)
    after = look(people.reviewer, case).figures
    assert (before.edge_f1.value, after.edge_f1.value) == pytest.approx((1 / 3, 2 / 3))
    assert after.node_f1_printed.value == pytest.approx(10 / 11)
    assert after.node_f1_aligned.value == 1.0


@pytest.mark.parametrize("who", ["annotator", "expert"])
def test_who_does_not_adjudicate_is_refused(people: SimpleNamespace, twice: SimpleNamespace, who: str) -> None:
    with pytest.raises(Refused):
        rounds.begin(getattr(people, who), twice.figure, act_id=new_id())


def test_nobody_rules_on_a_figure_they_transcribe(
    people: SimpleNamespace, a_figure: SimpleNamespace, newcomer: Callable[..., Viewer]
) -> None:
    handed_in(people.researcher, a_figure.id, "A -> B")
    handed_in(people.colleague, a_figure.id, "A -> B")
    with pytest.raises(Refused, match="You are an annotator of this figure"):
        rounds.begin(people.researcher, a_figure.id, act_id=new_id())
    case = rounds.begin(people.reviewer, a_figure.id, act_id=new_id()).subject_id
    with pytest.raises(Refused, match="You are an annotator of this figure"):
        editor.desk(people.researcher, case)
    assert adjudication_lists.waiting(people.researcher) == ()


def test_one_transcription_is_not_enough(people: SimpleNamespace, a_figure: SimpleNamespace) -> None:
    with pytest.raises(Refused, match="none is submitted"):
        rounds.begin(people.reviewer, a_figure.id, act_id=new_id())
    handed_in(people.annotator, a_figure.id, "A -> B")
    with pytest.raises(Refused, match="only 1 is submitted"):
        rounds.begin(people.reviewer, a_figure.id, act_id=new_id())
    assert adjudication_lists.waiting(people.reviewer) == ()


def test_a_case_is_one_persons_until_it_lies_idle(
    people: SimpleNamespace, twice: SimpleNamespace, case: str, clock: SimpleNamespace, newcomer: Callable[..., Viewer]
) -> None:
    with pytest.raises(Refused, match="Someone else is adjudicating"):
        rounds.begin(people.owner, twice.figure, act_id=new_id())
    clock.now += timedelta(hours=25)
    late, before = newcomer("A late reviewer", Role.REVIEWER), newcomer("An early reviewer", Role.REVIEWER)
    taken = rounds.begin(late, twice.figure, act_id=new_id())
    assert taken.subject_id == case and look(late, case).may_rule and not look(before, case).may_rule
    with pytest.raises(Refused, match="Someone else is now adjudicating"):
        rule(before, case, edge_key(DifferenceKind.REVERSED, "Rain", "Supply"), Choice.A)


def test_of_many_who_begin_at_once_one_gets_the_figure(
    study: Study, people: SimpleNamespace, twice: SimpleNamespace, newcomer: Callable[..., Viewer]
) -> None:
    reviewers = [newcomer(f"Reviewer {number}", Role.REVIEWER) for number in range(12)]
    barrier = Barrier(len(reviewers))

    def begin(viewer: Viewer) -> str:
        barrier.wait()
        try:
            return rounds.begin(viewer, twice.figure, act_id=new_id()).subject_id
        except Refused:
            return ""

    with ThreadPoolExecutor(len(reviewers)) as pool:
        begun = [case for case in pool.map(begin, reviewers) if case]
    assert len(begun) == 1
    assert sum(look(viewer, begun[0]).may_rule for viewer in reviewers) == 1


def test_a_stale_ruling_is_refused_and_the_same_act_twice_is_one(people: SimpleNamespace, case: str) -> None:
    viewer, act_id = people.reviewer, new_id()
    key = edge_key(DifferenceKind.REVERSED, "Rain", "Supply")
    version = look(viewer, case).version
    first = adjudicating.rule(viewer, case, key, Choice.A, seen=version, act_id=act_id)
    again = adjudicating.rule(viewer, case, key, Choice.A, seen=version, act_id=act_id)
    assert again.is_repeat and again.seq == first.seq and look(viewer, case).version == version + 1
    with pytest.raises(Conflict):
        adjudicating.rule(viewer, case, key, Choice.B, seen=version, act_id=new_id())


def test_a_choice_that_leaves_nothing_between_two_is_refused(people: SimpleNamespace, case: str) -> None:
    with pytest.raises(BadInput, match="choose A, B, neither"):
        rule(people.reviewer, case, edge_key(DifferenceKind.SIGN, "Price", "Use"), Choice.BOTH)
    with pytest.raises(Missing):
        rule(people.reviewer, case, edge_key(DifferenceKind.EDGE, "No", "Such"), Choice.A)
    with pytest.raises(BadInput, match="no difference"):
        adjudicating.withdraw_ruling(
            people.reviewer, case, "nonsense", seen=look(people.reviewer, case).version, act_id=new_id()
        )


def test_names_need_a_counterpart_a_class_and_a_free_wording(people: SimpleNamespace, case: str) -> None:
    viewer = people.reviewer
    with pytest.raises(BadInput, match="how the names differ"):
        rule_name(viewer, case, name_class=None)
    with pytest.raises(Missing, match="no node"):
        rule_name(viewer, case, reference="Snow")
    with pytest.raises(BadInput, match=r"called .Price. already"):
        rule_name(viewer, case, Choice.NEITHER, wording="Price")
    rule_name(viewer, case, Choice.NEITHER, wording="  Water demand ")
    assert [n.wording for n in look(viewer, case).nodes if n.name == "Demand for water"] == ["Water demand"]


@pytest.mark.both(usually=False)
def test_finishing_waits_for_every_ruling_and_sends_them_to_both(
    study: Study, people: SimpleNamespace, twice: SimpleNamespace, case: str
) -> None:
    viewer = people.reviewer
    with pytest.raises(Refused, match="without a ruling"):
        finish(viewer, case)
    rule_name(viewer, case)
    rule(
        viewer,
        case,
        edge_key(DifferenceKind.SIGN, "Price", "Use"),
        Choice.A,
        reasons=[Reason.SIGN],
        comment="see the minus",
    )
    rule(viewer, case, edge_key(DifferenceKind.REVERSED, "Rain", "Supply"), Choice.B, is_gap=True)
    finish(viewer, case)
    assert truth(study, viewer, case) == ["Demand for water -> Price", "Price -> Use (-)", "Supply -> Rain"]
    assert [work.state for work in lists.own_lists(people.annotator).mine] == ["accepted"]
    ours, theirs = (
        feedback.feedback(people.annotator, twice.first),
        feedback.feedback(people.colleague, twice.second),
    )
    assert [(row.own, row.ruling, row.stood) for row in ours.rows] == [
        ("“Demand for water”", "“Demand for water” (minor difference)", True),
        ("−", "−", True),
        ("“Rain” → “Supply”", "“Supply” → “Rain”", False),
    ]
    assert [row.stood for row in theirs.rows] == [False, False, True] and theirs.rows[2].is_gap
    assert ours.rows[1].reasons == ("sign misread",) and ours.rows[1].comment == "see the minus"
    with pytest.raises(Refused, match="go to its annotator"):
        feedback.feedback(people.annotator, twice.second)


def test_what_came_back_is_new_until_it_is_looked_at_and_again_after_another_round(
    people: SimpleNamespace, twice: SimpleNamespace, case: str, clock: SimpleNamespace
) -> None:
    assert feedback.feedback_list(people.annotator) == ()
    rule_all(people.reviewer, case)
    finish(people.reviewer, case)
    assert [(line.is_new, line.differences, line.upheld) for line in feedback.feedback_list(people.annotator)] == [
        (True, 3, 3)
    ]
    clock.now += timedelta(minutes=1)
    feedback.mark_seen(people.annotator, twice.first, act_id=new_id())
    assert not feedback.feedback_list(people.annotator)[0].is_new and feedback.feedback_list(people.colleague)[0].is_new
    clock.now += timedelta(minutes=1)
    rounds.reopen(people.reviewer, case, "the figure was reread", act_id=new_id())
    assert feedback.feedback_list(people.annotator) == (), "while it is open again nothing is ruled"
    clock.now += timedelta(minutes=1)
    finish(people.reviewer, case)
    assert feedback.feedback_list(people.annotator)[0].is_new


@pytest.mark.both(usually=False)
def test_reopening_keeps_the_ground_truth_before_and_begins_with_the_same_rulings(
    study: Study, people: SimpleNamespace, case: str
) -> None:
    viewer = people.reviewer
    rule_all(viewer, case)
    finish(viewer, case)
    before = look(viewer, case)
    with pytest.raises(Refused, match="finished"):
        adjudicating.undo(viewer, case, seen=before.version, act_id=new_id())
    with pytest.raises(BadInput, match="reason for reopening"):
        rounds.reopen(viewer, case, " ", act_id=new_id())
    rounds.reopen(people.owner, case, "B was right about the rain", act_id=new_id())
    after = look(people.owner, case)
    assert after.round == 2 and after.may_rule and after.graph_id != before.graph_id and after.waiting == ()
    assert truth(study, people.owner, case) == ["Demand for water -> Price", "Price -> Use (-)", "Rain -> Supply"]
    rule(people.owner, case, edge_key(DifferenceKind.REVERSED, "Rain", "Supply"), Choice.B)
    finish(people.owner, case)
    with study.store.reading() as session:
        old, new = (session.get(GraphRow, graph_id) for graph_id in (before.graph_id, after.graph_id))
        assert old is not None and new is not None
        assert old.archived_at is not None and new.archived_at is None and new.based_on == old.id
        kept = {(e.source, e.sink) for e in stored_graphs.read_graph(session, old.id).graph().edges}
        assert ("Rain", "Supply") in kept, "what the first round ruled is still there to be read"
    assert truth(study, people.owner, case)[-1] == "Supply -> Rain"


@pytest.mark.both(usually=False)
def test_an_arrow_of_the_adjudicators_own_is_added_and_one_that_both_drew_is_struck(
    study: Study, people: SimpleNamespace, twice: SimpleNamespace, case: str
) -> None:
    viewer = people.reviewer
    rule_all(viewer, case)

    def set_arrow(source: str, sink: str, **said: Any) -> None:
        adjudicating.set_arrow(
            viewer,
            case,
            source,
            sink,
            seen=look(viewer, case).version,
            act_id=new_id(),
            **said,
        )

    set_arrow("Use", "Waste", is_there=True, sign=Sign.PLUS, delay=True)
    set_arrow("Demand for water", "Price", is_there=False, reasons=[Reason.NOT_THERE])
    assert truth(study, viewer, case) == ["Price -> Use (-)", "Rain -> Supply", "Use -> Waste (+)"]
    finish(viewer, case)
    rows = {row.sentence: row for row in feedback.feedback(people.colleague, twice.second).rows}
    assert (rows["“Use” → “Waste”"].own, rows["“Use” → “Waste”"].ruling) == ("not drawn", "drawn, +, delay")
    struck = rows["“Demand for water” → “Price”"]
    assert (struck.own, struck.ruling, struck.stood) == ("drawn", "not drawn", False)


def test_a_transcription_is_not_returned_while_its_figure_is_adjudicated(
    people: SimpleNamespace, twice: SimpleNamespace, case: str
) -> None:
    with pytest.raises(Refused, match="in adjudication"):
        transcribing.return_to_annotator(people.owner, twice.first, "look again", act_id=new_id())


@pytest.mark.both(usually=False)
def test_alike_transcriptions_are_ground_truth_without_a_ruling(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    for viewer in (people.annotator, people.colleague):
        handed_in(viewer, a_figure.id, "A -> B\nB ->- A")
    case = rounds.begin(people.reviewer, a_figure.id, act_id=new_id()).subject_id
    assert look(people.reviewer, case).waiting == ()
    finish(people.reviewer, case)
    assert truth(study, people.reviewer, case) == ["A -> B", "B -> A (-)"]


def test_a_ground_truth_in_the_making_is_blind_to_annotators(people: SimpleNamespace, case: str) -> None:
    graph_id = look(people.reviewer, case).graph_id
    with pytest.raises(Refused):
        lab.open_graph(people.annotator, graph_id)


def test_the_list_says_what_is_ready_what_is_open_and_how_far(people: SimpleNamespace, twice: SimpleNamespace) -> None:
    viewer = people.reviewer
    assert [(one.state, one.transcriptions) for one in adjudication_lists.waiting(viewer)] == [("ready", 2)]
    case = rounds.begin(viewer, twice.figure, act_id=new_id()).subject_id
    rule_name(viewer, case)
    assert [(one.state, one.is_mine, one.ruled, one.all) for one in adjudication_lists.waiting(viewer)] == [
        ("open", True, 1, 3)
    ]
    assert adjudication_lists.waiting(people.owner)[0].is_mine is False
    adjudicating.withdraw_ruling(
        viewer, case, name_key("Demand of water"), seen=look(viewer, case).version, act_id=new_id()
    )
    rule_all(viewer, case)
    finish(viewer, case)
    assert [one.state for one in adjudication_lists.waiting(viewer)] == ["submitted"]
