"""The desk's letters are drawn for each adjudication, and nothing on it says who submitted first."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import pytest

from core.adjudication.differences import Choice, DifferenceKind
from core.errors import Refused
from core.graphs.alignment import NameClass
from core.people import Viewer
from exchange.forms import GraphForm
from services.adjudication import adjudicating, editor, feedback, reading_comparison, rounds
from services.adjudication.editor import AdjudicationView
from services.agreement.annotators import study_agreement
from services.graphs import comparing, exporting, lab
from services.study import Study
from services.transcription import lists, reading
from store.graphs import graphs as stored_graphs
from store.tables import AssignmentRow, new_id
from tests.services.adjudication.test_adjudicating import finish, handed_in, rule

ONE = 'Price ->- Use\nRain -> Supply\nSnow -> Supply\nCost -> Price\n"Ice"'
OTHER = 'Heat -> Use\nSupply -> Rain\nPrice -> Use\nCost -> Price\nCost -> Wind\n"Wood"'


def draw(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    monkeypatch.setattr("services.adjudication.rounds.randbelow", lambda _many: number)


def begin(people: SimpleNamespace, figure: str) -> AdjudicationView:
    case = rounds.begin(people.reviewer, figure, act_id=new_id()).subject_id
    return editor.desk(people.reviewer, case)


def shown(view: AdjudicationView) -> object:
    """All that the desk draws but for ids."""
    return (
        [
            (d.difference.kind, d.difference.source, d.difference.sink, d.difference.a, d.difference.b)
            for d in view.differences
        ],
        [(d.sentence, d.a_says, d.b_says, d.ruling and d.ruling.choice) for d in view.differences],
        [(d.question, d.ruling) for d in view.names],
        view.nodes,
        view.arrows,
        view.courses,
        view.figures,
        view.said,
        view.reasons,
    )


def test_the_desk_is_the_same_whoever_submitted_first(
    people: SimpleNamespace,
    a_figure: SimpleNamespace,
    another_figure: Callable[[str], SimpleNamespace],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A drew ONE and B drew OTHER; in one figure A was first, in the other B."""
    second = another_figure("Another")
    handed_in(people.annotator, a_figure.id, ONE)
    other = f"{OTHER}\nSnows -> Wind"  # one may be a misprint of another
    handed_in(people.colleague, a_figure.id, other)
    handed_in(people.annotator, second.id, other)
    handed_in(people.colleague, second.id, ONE)
    draw(monkeypatch, 0)
    straight = begin(people, a_figure.id)
    draw(monkeypatch, 1)
    turned = begin(people, second.id)
    assert any(each.question.offers for each in straight.names) and shown(straight) == shown(turned)
    assert {d.sentence for d in turned.differences} >= {"“Snow” → “Supply” is drawn by A only"}
    for view in (straight, turned):  # and as it is ruled on
        for found in view.differences:
            choice = Choice.A if found.difference.kind is DifferenceKind.REVERSED else Choice.B
            rule(people.reviewer, view.id, found.difference.key, choice)
    straight, turned = (editor.desk(people.reviewer, view.id) for view in (straight, turned))
    assert shown(straight) == shown(turned)
    assert {d.ruling.choice for d in turned.differences if d.ruling} == {Choice.A, Choice.B}


@pytest.mark.parametrize("number", [0, 1])
def test_the_order_changes_neither_the_ground_truth_nor_feedback_nor_agreement(
    number: int,
    study: Study,
    people: SimpleNamespace,
    a_figure: SimpleNamespace,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The first to submit is right about everything, by whatever letter."""
    first = handed_in(people.annotator, a_figure.id, "Rainfall -> Supply\nPrice ->- Use")
    handed_in(people.colleague, a_figure.id, "Rainfal -> Supply\nUse -> Price")
    draw(monkeypatch, number)
    view = begin(people, a_figure.id)
    letter = Choice("AB"[number])
    (asked,) = (each.question for each in view.names)
    adjudicating.rule_name(
        people.reviewer,
        view.id,
        asked.name,
        letter,
        reference=asked.offers[0],
        name_class=NameClass.TYPO,
        seen=view.version,
        act_id=new_id(),
    )
    view = editor.desk(people.reviewer, view.id)
    (difference,) = view.differences
    assert (difference.a_says if letter is Choice.A else difference.b_says) == "“Price” → “Use”, −"
    adjudicating.rule(people.reviewer, view.id, difference.difference.key, letter, seen=view.version, act_id=new_id())
    view = editor.desk(people.reviewer, view.id)
    rulings = [*(each.ruling for each in view.names), *(each.ruling for each in view.differences)]
    assert [ruling and ruling.choice for ruling in rulings] == [letter, letter]
    with study.store.reading() as session:
        truth = stored_graphs.read_graph(session, view.graph_id).graph()
    assert sorted(f"{edge.source} {edge.sign} {edge.sink}" for edge in truth.edges) == [
        "Price - Use",
        "Rainfall None Supply",
    ]
    finish(people.reviewer, view.id)
    assert feedback.feedback(people.annotator, first).upheld == 2
    (figure,) = study_agreement(people.reviewer).figures
    assert figure.first_graph == (view.first_graph if number == 0 else view.second_graph)
    again = rounds.reopen(people.reviewer, view.id, "reread", act_id=new_id())
    then = editor.desk(people.reviewer, again.subject_id)
    assert then.first_graph == view.first_graph  # another round has the same letters


def test_both_letters_are_drawn(
    study: Study,
    people: SimpleNamespace,
    another_figure: Callable[[str], SimpleNamespace],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.undo()
    drawn = set()
    for number in range(40):
        figure = another_figure(f"Figure {number}").id
        first, _second = (handed_in(who, figure, "Price -> Use") for who in (people.annotator, people.colleague))
        view = begin(people, figure)
        with study.store.reading() as session:
            drawn.add(session.get_one(AssignmentRow, first).graph_id == view.first_graph)
        if len(drawn) == 2:
            return
    pytest.fail("one letter forty times running")


def test_whoever_rules_on_a_figure_sees_its_transcriptions_on_the_desk_alone_until_it_is_finished(
    people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    works = [handed_in(people.annotator, a_figure.id, ONE), handed_in(people.colleague, a_figure.id, OTHER)]
    view = begin(people, a_figure.id)
    graphs = (view.first_graph, view.second_graph)
    routes: dict[str, Callable[[Viewer], object]] = {
        "one": lambda v: lab.open_graph(v, graphs[0]),
        "both": lambda v: comparing.comparison(v, *graphs),
        "transcription": lambda v: reading.transcription(v, works[0]),
        "export": lambda v: exporting.export_transcription(v, works[1], GraphForm.STANDARD),
    }
    for name, route in routes.items():
        with pytest.raises(Refused, match="You are adjudicating this figure"):
            route(people.reviewer)
        assert route(people.owner), name
    assert lists.submitted_work(people.reviewer) == () != lists.submitted_work(people.owner)
    found = study_agreement(people.reviewer)
    assert (found.figures, found.left_out) == ((), 1)
    assert reading_comparison.reading_comparison(people.reviewer, view.id).changes == ()
    for each in view.differences:
        rule(people.reviewer, view.id, each.difference.key, Choice.A)
    finish(people.reviewer, view.id)
    for name, route in routes.items():
        assert route(people.reviewer), name
