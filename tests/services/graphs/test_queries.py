"""A graph's encodings and the true answers to questions about it, for those who may see the graph."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from core.errors import InvalidGraph, Missing, Refused, TooLarge
from core.graphs.edge import Edge
from core.graphs.encodings import Encoding
from core.graphs.graph import CausalGraph
from core.graphs.naming import Naming
from core.graphs.orders import EdgeOrder
from core.graphs.queries import Query, QueryKind, Variant
from core.people import Viewer
from services.graphs import importing, queries
from services.study import Study
from services.transcription import reading, transcribing
from store.tables import new_id

# Rain → Grain → Income with a short cut, and Debt alone.
LINES = b'"Rain" ->+ "Grain"\n"Grain" ->- "Income"\n"Rain" -> "Income"\n"Debt"\n'


def bring_in(viewer: Viewer, content: bytes = LINES) -> str:
    receipt = importing.import_graphs(viewer, [("a graph.txt", content)], with_faulty=False, act_id=new_id())
    return importing.imported_graphs(viewer, receipt.subject_id)[0].id


@pytest.fixture
def graph_id(sqlite_study: Study, people: SimpleNamespace) -> str:
    return bring_in(people.researcher)


def test_an_answer_comes_in_node_order_with_its_edges_and_how_many_like_it_are_empty(
    graph_id: str, people: SimpleNamespace
) -> None:
    found = queries.answer_query(people.expert, graph_id, Query(kind=QueryKind.SOURCE))
    assert (found.answer, found.why.edges) == (("Rain", "Debt"), ())
    assert (found.count.queries, found.count.empty) == (1, 0)
    found = queries.answer_query(people.expert, graph_id, Query(kind=QueryKind.MEDIATOR, between=("Rain", "Income")))
    assert (found.answer, found.why.edges) == (("Grain",), (("Rain", "Grain"), ("Grain", "Income")))
    # Six pairs of four nodes; only Rain and Income have a mediator.
    assert (found.count.queries, found.count.empty) == (6, 5)
    found = queries.answer_query(
        people.expert, graph_id, Query(kind=QueryKind.CONFOUNDER, between=("Grain", "Income"), node="Rain")
    )
    assert found.answer is True
    # Each of the pairs with two other nodes; Rain alone confounds, and one pair alone.
    assert (found.count.queries, found.count.empty) == (12, 11)
    found = queries.answer_query(people.expert, graph_id, Query(kind=QueryKind.INTERVENTION, of="Grain"))
    assert (found.answer, found.why.cut) == (("Income",), (("Rain", "Grain"),))


def test_on_a_cycle_what_needs_no_order_is_answered_and_pairs_are_not_counted(
    sqlite_study: Study, people: SimpleNamespace
) -> None:
    graph_id = bring_in(people.researcher, b"A -> B\nB -> A\nA -> C\n")
    found = queries.answer_query(people.expert, graph_id, Query(kind=QueryKind.MEDIATOR, between=("B", "C")))
    assert found.answer == ("A",)
    assert (found.count.queries, "no causal order: A → B → A" in found.count.reason) == (0, True)
    parents = queries.answer_query(people.expert, graph_id, Query(kind=QueryKind.PARENT, of="A"))
    assert (parents.answer, parents.count.queries, parents.count.empty) == (("B",), 3, 0)
    with pytest.raises(InvalidGraph, match="A → B → A"):
        any_path = Query(kind=QueryKind.MEDIATOR, variant=Variant.MEDIATOR_ANY_PATH, between=("B", "C"))
        queries.answer_query(people.expert, graph_id, any_path)
    with pytest.raises(Missing, match="no variable"):
        queries.answer_query(people.expert, graph_id, Query(kind=QueryKind.PARENT, of="Z"))


def test_an_encoding_comes_with_the_sizes_of_all_seven_and_what_they_leave_out(
    graph_id: str, people: SimpleNamespace
) -> None:
    found = queries.encoded(people.expert, graph_id, Encoding.MULTI)
    assert found.text == "Rain causes Grain, Income. Grain causes Income.\nNodes without relations: Debt."
    assert set(found.sizes) == set(Encoding)
    size = found.sizes[Encoding.MULTI]
    assert (size.characters, size.tokens) == (len(found.text), round(len(found.text) / 4))
    assert (found.left_out, found.own) == (("signs",), {})


def test_neutral_names_have_their_own_beside_them_and_reversed_edges_keep_theirs(
    graph_id: str, people: SimpleNamespace
) -> None:
    drawn = queries.encoded(people.expert, graph_id, Encoding.ADJACENCY, naming=Naming.NEUTRAL, seed=2)
    assert set(drawn.own) == {"0", "1", "2", "3"}
    assert set(drawn.own.values()) == {"Rain", "Grain", "Income", "Debt"}
    assert "Rain" not in drawn.text
    assert drawn.own != queries.encoded(people.expert, graph_id, Encoding.ADJACENCY, naming=Naming.NEUTRAL, seed=3).own
    turned = queries.encoded(people.expert, graph_id, Encoding.ADJACENCY, EdgeOrder.BFS, Naming.REVERSED)
    assert "(Grain, Rain)" in turned.text and "(Rain, Grain)" not in turned.text


def test_a_name_that_an_encoding_refuses_leaves_the_other_encodings() -> None:
    graph = CausalGraph.of([Edge("Soil\u2028water", "Grain")])
    sizes = queries.sizes_of(graph, EdgeOrder.GIVEN)
    assert "a line break" in sizes[Encoding.SINGLE].refusal
    assert sizes[Encoding.JSON].characters and not sizes[Encoding.JSON].refusal


def test_more_than_two_thousand_nodes_are_refused_with_their_number(
    sqlite_study: Study, people: SimpleNamespace
) -> None:
    graph_id = bring_in(people.researcher, "\n".join(f"V{n} -> V{n + 1}" for n in range(2_000)).encode())
    with pytest.raises(TooLarge, match=r"2,001 nodes.*at most 2,000"):
        queries.encoded(people.expert, graph_id, Encoding.JSON)


@pytest.mark.both
def test_only_those_who_may_see_a_graph_may_ask_it(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    work = transcribing.take(people.colleague, a_figure.id, act_id=new_id()).subject_id
    transcribing.add_lines(people.colleague, work, "Hidden -> Grain", pasted=False, seen=1, act_id=new_id())
    graph_id = reading.transcription(people.colleague, work).graph_id
    assert queries.answer_query(people.colleague, graph_id, Query(kind=QueryKind.SOURCE)).answer == ("Hidden",)
    for viewer in (people.annotator, people.expert, people.reviewer):
        with pytest.raises(Refused, match="stays blind"):
            queries.answer_query(viewer, graph_id, Query(kind=QueryKind.SOURCE))
        with pytest.raises(Refused, match="stays blind"):
            queries.encoded(viewer, graph_id, Encoding.JSON)
