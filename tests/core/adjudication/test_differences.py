"""Two transcriptions laid over each other: what is asked, and what the rulings make of it."""

from __future__ import annotations

from itertools import count
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.adjudication.differences import (
    LEGAL,
    Choice,
    ComparedTranscriptions,
    DifferenceKind,
    Ruling,
    differences_of,
    edge_key,
    name_key,
    parts_of,
)
from core.adjudication.ground_truth import changes_to, resolve
from core.errors import BadInput
from core.graphs import edits
from core.graphs.alignment import OWN, NameClass
from core.graphs.record import GraphRecord, NodeRecord
from core.sign import Sign

PLUS, MINUS = Sign.PLUS, Sign.MINUS


def record(*lines: tuple[str, str, Sign | None] | tuple[str, str], lone: tuple[str, ...] = ()) -> GraphRecord:
    ids = count(1)
    rows = [(line[0], line[1], line[2] if len(line) == 3 else None) for line in lines]
    changes, _notices = edits.add_edges(GraphRecord(), rows, lone, new_id=lambda: f"n{next(ids)}", origin="typed")
    return GraphRecord().apply(changes)


def graph_of(two: ComparedTranscriptions, *rulings: Ruling) -> list[tuple[str, str, Sign | None]]:
    return [(e.source, e.sink, e.sign) for e in resolve(two, rulings).edges]


def ruled(two: ComparedTranscriptions, *choices: Choice) -> list[Ruling]:
    return [Ruling(key=d.key, kind=d.kind, choice=choice) for d, choice in zip(two.differences, choices, strict=True)]


def test_what_both_drew_alike_stands_without_a_ruling() -> None:
    two = differences_of(record(("A", "B", PLUS)), record(("A", "B", PLUS)))
    assert two.agreed == (("A", "B"),) and two.differences == () and two.names == ()
    assert graph_of(two) == [("A", "B", PLUS)]


def test_an_arrow_of_one_waits_and_follows_who_is_right() -> None:
    two = differences_of(record(("A", "B"), ("B", "C")), record(("A", "B")))
    assert [d.kind for d in two.differences] == [DifferenceKind.EDGE]
    assert resolve(two, []).waiting == (edge_key(DifferenceKind.EDGE, "B", "C"),)
    assert graph_of(two, *ruled(two, Choice.A)) == [("A", "B", None), ("B", "C", None)]
    assert graph_of(two, *ruled(two, Choice.B)) == [("A", "B", None)]
    assert [n.name for n in resolve(two, ruled(two, Choice.B)).nodes] == ["A", "B"], "a variable goes with its arrow"


@pytest.mark.parametrize(
    ("choice", "stands"),
    [
        (Choice.A, [("A", "B", PLUS)]),
        (Choice.B, [("B", "A", MINUS)]),
        (Choice.BOTH, [("A", "B", PLUS), ("B", "A", MINUS)]),
        (Choice.NEITHER, []),
    ],
)
def test_a_turned_arrow_is_one_question(choice: Choice, stands: list[tuple[str, str, Sign | None]]) -> None:
    two = differences_of(record(("A", "B", PLUS)), record(("B", "A", MINUS)))
    assert [d.kind for d in two.differences] == [DifferenceKind.REVERSED]
    assert graph_of(two, *ruled(two, choice)) == stands


@pytest.mark.parametrize(("choice", "sign"), [(Choice.A, PLUS), (Choice.B, MINUS), (Choice.NEITHER, None)])
def test_an_arrow_with_two_signs_stands_and_its_sign_is_asked(choice: Choice, sign: Sign | None) -> None:
    two = differences_of(record(("A", "B", PLUS)), record(("A", "B", MINUS)))
    assert [d.kind for d in two.differences] == [DifferenceKind.SIGN]
    assert graph_of(two) == [("A", "B", None)], "until then it stands without a sign"
    assert graph_of(two, *ruled(two, choice)) == [("A", "B", sign)]


def test_half_of_a_reciprocal_pair_is_an_arrow_of_one_not_a_turned_one() -> None:
    two = differences_of(record(("A", "B"), ("B", "A")), record(("A", "B")))
    assert [(d.kind, d.source, d.sink) for d in two.differences] == [(DifferenceKind.EDGE, "B", "A")]


def test_a_variable_without_an_arrow_that_one_listed_is_asked_about() -> None:
    two = differences_of(record(("A", "B"), lone=("C",)), record(("A", "B")))
    assert [(d.kind, d.source, d.sink) for d in two.differences] == [(DifferenceKind.NODE, "C", "")]
    assert [n.name for n in resolve(two, ruled(two, Choice.A)).nodes] == ["A", "B", "C"]
    assert [n.name for n in resolve(two, ruled(two, Choice.B)).nodes] == ["A", "B"]


def test_spelling_that_folds_away_needs_nobody_and_keeps_the_wording_of_a() -> None:
    two = differences_of(record(("Work – Life", "B")), record(("work-life", "B")))
    assert [(q.is_open, q.is_folded) for q in two.names] == [(False, True)]
    assert graph_of(two) == [("Work – Life", "B", None)] and resolve(two, []).waiting == ()


def test_near_names_are_asked_about_first_and_never_merged_unasked() -> None:
    two = differences_of(record(("Demand for water", "B")), record(("Demand of water", "B")))
    question = two.names[0]
    assert question.is_open and question.offers == ("Demand for water",)
    assert resolve(two, []).waiting[0] == question.key == name_key("Demand of water")
    assert {d.kind for d in two.differences} == {DifferenceKind.EDGE}, "two variables until someone says otherwise"


def test_a_variable_that_b_wrote_twice_once_wrongly_is_asked_about() -> None:
    first = record(("Rain", "Household income"), ("GDP", "Household income"))
    two = differences_of(first, record(("Rain", "Household income"), ("GDP", "Househould income")))
    assert [(q.name, q.offers) for q in two.names] == [("Househould income", ("Household income",))]
    named = Ruling(
        key=two.names[0].key,
        kind=DifferenceKind.NAME,
        choice=Choice.A,
        reference="Household income",
        name_class=NameClass.TYPO,
    )
    again = differences_of(first, two.second, {"Househould income": "Household income"}, {}, [named])
    assert again.differences == () and len(again.agreed) == 2


def test_the_wording_that_was_ruled_stands_and_leaves_other_rulings_alone() -> None:
    first, second = record(("Demand for water", "B"), ("B", "C")), record(("Demand of water", "B"))
    named = Ruling(
        key=name_key("Demand of water"),
        kind=DifferenceKind.NAME,
        choice=Choice.B,
        reference="Demand for water",
        name_class=NameClass.MINOR,
    )
    other = Ruling(key=edge_key(DifferenceKind.EDGE, "B", "C"), kind=DifferenceKind.EDGE, choice=Choice.A)
    decided = {"Demand of water": "Demand for water"}
    two = differences_of(first, second, decided, {"Demand of water": NameClass.MINOR}, [named, other])
    assert graph_of(two, named, other) == [("Demand of water", "B", None), ("B", "C", None)]
    assert resolve(two, [named, other]).waiting == ()


def test_two_variables_that_look_alike_stay_two() -> None:
    named = Ruling(key=name_key("GNP"), kind=DifferenceKind.NAME, choice=Choice.BOTH, name_class=NameClass.DISTINCT)
    two = differences_of(record(("GDP", "B")), record(("GNP", "B")), {"GNP": OWN}, {"GNP": NameClass.DISTINCT}, [named])
    both = [Ruling(key=d.key, kind=d.kind, choice=Choice.A if d.a else Choice.B) for d in two.differences]
    assert graph_of(two, named, *both) == [("GDP", "B", None), ("GNP", "B", None)]


def test_the_adjudicators_own_arrow_outranks_what_both_drew() -> None:
    two = differences_of(record(("A", "B", PLUS)), record(("A", "B", PLUS)))
    struck = Ruling(
        key=edge_key(DifferenceKind.OWN, "A", "B"), kind=DifferenceKind.OWN, choice=Choice.NEITHER, is_there=False
    )
    added = Ruling(
        key=edge_key(DifferenceKind.OWN, "B", "D"),
        kind=DifferenceKind.OWN,
        choice=Choice.NEITHER,
        sign=MINUS,
        delay=True,
    )
    found = resolve(two, [struck, added])
    assert [(e.source, e.sink, e.sign, e.delay, e.origin) for e in found.edges] == [
        ("B", "D", MINUS, True, "adjudicator")
    ]
    assert [(n.name, n.origin) for n in found.nodes] == [("A", "both"), ("B", "both"), ("D", "adjudicator")]


def test_a_variable_stands_where_a_put_it_else_where_b_did() -> None:
    first = GraphRecord({"1": NodeRecord(id="1", name="A", x=1.0, y=2.0), "2": NodeRecord(id="2", name="B")}, {})
    second = GraphRecord(
        {"3": NodeRecord(id="3", name="A", x=9.0, y=9.0), "4": NodeRecord(id="4", name="B", x=5.0, y=6.0)}, {}
    )
    found = {node.name: (node.x, node.y) for node in resolve(differences_of(first, second), []).nodes}
    assert found == {"A": (1.0, 2.0), "B": (5.0, 6.0)}


@pytest.mark.parametrize("key", ["", "x", "[]", '["arrow","A"]', '["name","A","B"]', '["planet","A","B"]', "[1,2,3]"])
def test_a_key_that_nobody_made_is_refused(key: str) -> None:
    with pytest.raises(BadInput, match="no difference"):
        parts_of(key)


Arrows = list[tuple[str, str, Sign | None]]

NAMES = st.sampled_from("ABCDE")
ARROWS = st.lists(
    st.tuples(NAMES, NAMES, st.sampled_from([None, PLUS, MINUS])), max_size=8, unique_by=lambda arrow: arrow[:2]
)


@given(ARROWS, ARROWS)
def test_siding_with_one_everywhere_gives_their_graph(first: Arrows, second: Arrows) -> None:
    two = differences_of(record(*first), record(*second))
    for choice, arrows in ((Choice.A, first), (Choice.B, second)):
        found = resolve(two, ruled(two, *(choice for _ in two.differences)))
        assert sorted((e.source, e.sink, str(e.sign)) for e in found.edges) == sorted(
            (source, sink, str(sign)) for source, sink, sign in arrows
        )
        assert found.waiting == ()


@given(ARROWS, ARROWS, st.randoms(use_true_random=False))
def test_rewriting_a_ground_truth_reaches_the_resolved_graph_and_keeps_ids(
    first: Arrows, second: Arrows, random: Random
) -> None:
    two, ids = differences_of(record(*first), record(*second)), count(1)
    truth = GraphRecord()
    for _step in range(4):
        rulings = [
            Ruling(key=d.key, kind=d.kind, choice=random.choice(LEGAL[d.kind]))
            for d in two.differences
            if random.random() < 0.7
        ]
        resolved, before = resolve(two, rulings), truth
        truth = truth.apply(changes_to(truth, resolved, lambda: f"t{next(ids)}"))
        assert [(e.source, e.sink, e.sign) for e in truth.graph().edges] == [
            (e.source, e.sink, e.sign) for e in resolved.edges
        ]
        assert {n.name for n in truth.nodes.values()} == {n.name for n in resolved.nodes}
        for node in before.nodes.values():
            still = truth.node_named(node.name)
            assert still is None or still.id == node.id


@given(ARROWS, ARROWS)
def test_the_two_may_change_places(first: Arrows, second: Arrows) -> None:
    """Who was first decides the order and the wording of questions, not what is asked or what stands unasked."""
    one, other = differences_of(record(*first), record(*second)), differences_of(record(*second), record(*first))
    assert sorted(one.agreed) == sorted(other.agreed)

    def asked(two: ComparedTranscriptions) -> list[tuple[str, list[str]]]:
        return sorted((d.kind.value, sorted((d.source, d.sink))) for d in two.differences)

    assert asked(one) == asked(other)
