"""The scripted models know every query that the graph lab asks, and answer it about the graph that they read."""

from __future__ import annotations

import pytest

from core.graphs.encodings import Encoding, encode
from core.graphs.graph import CausalGraph, Edge
from core.graphs.queries import AnswerShape, Query, QueryKind, Variant, shape_of
from protocols.causalgraph2llm import asking
from runs.scripted.graph_answers import AFTER, BEFORE, GraphQuestion, copied, graph_question

GRAPH = CausalGraph.of(
    (Edge("Rain", "Lake"), Edge("Rain", "Soil"), Edge("Lake", "Town, old"), Edge("Soil", "Town, old"))
)
NAMES = {"x": "Rain", "a": "Rain", "b": '"Town, old"'}
KINDS = [each for each in asking._TYPES if each is not Variant.INTERVENTION_PAIR]


def parsed(request: str) -> GraphQuestion | None:
    encoded = encode(GRAPH, Encoding.JSON)
    return graph_question(f"{BEFORE}{encoded}{AFTER}, whatever else you know about its variables. {request}\nThink.")


def query_of(kind: QueryKind | Variant, node: str | None) -> Query:
    shape = shape_of(kind)
    return Query(
        kind=kind.kind if isinstance(kind, Variant) else kind,
        variant=kind if isinstance(kind, Variant) else None,
        of="Rain" if shape is AnswerShape.OF else None,
        between=("Rain", "Town, old") if shape is AnswerShape.BETWEEN else None,
        node=node,
    )


@pytest.mark.parametrize("kind", KINDS)
def test_every_query_about_all_variables_and_about_one_is_read(kind: QueryKind | Variant) -> None:
    one, several = (words(NAMES) for words in asking._TYPES[kind])
    question = parsed(f"Name all {several} in the graph.")
    assert question is not None
    assert question.query == query_of(kind, None)
    is_event = kind is QueryKind.INTERVENTION
    question = parsed(
        f"Suppose that {one}. Does Lake change because of that?" if is_event else f"Is Lake a {one} in the graph?"
    )
    assert question is not None
    assert question.query == query_of(kind, "Lake")


def test_the_copier_names_a_variable_where_none_is_asked_about() -> None:
    question = parsed("Name all forks in the graph.")
    assert question is not None
    assert copied(question).text == "These stand beside it in the graph. <Answer>[Rain]</Answer>"


def test_another_request_is_no_query() -> None:
    assert parsed("Suppose that it rains. Does Lake change because of that?") is None
    assert parsed("Name all lakes in the graph.") is None
