"""A practice transcription against the known answer: every kind of slip gets its sentence, and only right passes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.sign import Sign
from core.transcription.practice import Correctness, check, is_passed, next_step

RECORD = json.loads(
    (Path(__file__).resolve().parents[3] / "demo" / "practice" / "training.json").read_text(encoding="utf-8")
)
TRUE = CausalGraph.of(
    [
        Edge(edge["source"], edge["sink"], Sign(edge["sign"]) if edge["sign"] else None, edge["delay"])
        for edge in RECORD["graph"]["edges"]
    ],
    RECORD["graph"]["nodes"],
)
DELAYED = next(edge for edge in TRUE.edges if edge.delay)


def with_edges(*edges: Edge, instead_of: Edge | None = None) -> CausalGraph:
    return CausalGraph.of([*(edge for edge in TRUE.edges if edge != instead_of), *edges], TRUE.nodes)


def wrong(drawn: CausalGraph) -> list[tuple[str, tuple[str, str] | None]]:
    return [(finding.verdict.value, finding.pair) for finding in check(TRUE, drawn) if finding.verdict != "right"]


def test_the_answer_itself_passes_with_a_finding_for_every_edge() -> None:
    findings = check(TRUE, TRUE)
    assert is_passed(findings)
    assert len(findings) == len(TRUE.edges)


def test_an_empty_drawing_misses_every_edge_and_does_not_pass() -> None:
    findings = check(TRUE, CausalGraph((), ()))
    assert [finding.verdict for finding in findings] == [Correctness.MISSED] * len(TRUE.edges)
    assert not is_passed(findings)
    assert not is_passed(())


def test_each_slip_is_told_once_by_its_kind() -> None:
    first = TRUE.edges[0]
    other = Sign.MINUS if first.sign is Sign.PLUS else Sign.PLUS
    assert wrong(with_edges(instead_of=first)) == [("missed", first.pair)]
    turned = replace(first, source=first.sink, sink=first.source)
    assert wrong(with_edges(turned, instead_of=first)) == [("reversed", first.pair)]
    assert wrong(with_edges(replace(first, sign=other), instead_of=first)) == [("wrong sign", first.pair)]
    assert wrong(with_edges(replace(first, sign=None), instead_of=first)) == [("wrong sign", first.pair)]
    assert wrong(with_edges(replace(DELAYED, delay=False), instead_of=DELAYED)) == [("wrong delay mark", DELAYED.pair)]
    assert wrong(with_edges(Edge("Price of flour", "Waiting in line"))) == [
        ("not in the figure", ("Price of flour", "Waiting in line"))
    ]


def test_a_wrong_sign_and_a_missing_delay_are_told_in_one_sentence() -> None:
    (finding,) = [
        each
        for each in check(TRUE, with_edges(replace(DELAYED, sign=Sign.PLUS, delay=False), instead_of=DELAYED))
        if each.verdict != "right"
    ]
    assert finding.verdict is Correctness.WRONG_SIGN
    assert "carries no sign; your edge has a plus" in finding.said
    assert "mark the delay" in finding.said


def test_half_of_a_pair_of_arrows_is_missed_and_not_reversed() -> None:
    half = next(edge for edge in TRUE.edges if edge.pair == ("Waiting in line", "Customers per day"))
    assert wrong(with_edges(instead_of=half)) == [("missed", half.pair)]


def test_a_misspelt_name_is_one_finding_and_its_edges_are_judged_under_the_printed_name() -> None:
    name_of = {name: name for name in TRUE.nodes} | {"Waiting in line": "Waiting in lines"}
    drawn = CausalGraph.of([replace(edge, source=name_of[edge.source], sink=name_of[edge.sink]) for edge in TRUE.edges])
    assert wrong(drawn) == [("wrong name", None)]
    (finding,) = [each for each in check(TRUE, drawn) if each.verdict is Correctness.WRONG_NAME]
    assert finding.name == "Waiting in line"
    assert "“Waiting in lines”" in finding.said


def test_a_variable_that_is_not_printed_is_told_even_without_an_edge() -> None:
    drawn = CausalGraph.of(TRUE.edges, [*TRUE.nodes, "Moonlight"])
    assert wrong(drawn) == [("not in the figure", None)]
    assert not is_passed(check(TRUE, drawn))


def test_an_arrow_drawn_twice_is_told_once() -> None:
    first = TRUE.edges[0]
    assert [pair for _, pair in wrong(with_edges(replace(first, sign=None)))] == [first.pair]


@given(st.sets(st.sampled_from(range(len(TRUE.edges)))), st.sets(st.sampled_from(range(len(TRUE.edges)))))
def test_right_and_to_correct_always_add_up_to_the_printed_arrows(left_out: set[int], unsigned: set[int]) -> None:
    edges = [
        replace(edge, sign=None) if place in unsigned else edge
        for place, edge in enumerate(TRUE.edges)
        if place not in left_out
    ]
    findings = check(TRUE, CausalGraph.of(edges, TRUE.nodes))
    verdicts = [finding.verdict for finding in findings]
    assert len(findings) == len(TRUE.edges)
    assert verdicts.count(Correctness.MISSED) == len(left_out)
    lost = {place for place in unsigned - left_out if TRUE.edges[place].sign is not None}
    assert verdicts.count(Correctness.WRONG_SIGN) == len(lost)
    assert is_passed(findings) == (not left_out and not lost)


def test_the_first_edges_are_led_through_act_by_act_and_the_last_are_ones_own() -> None:
    first, delayed, minus, last = TRUE.edges
    acts = [
        (Edge(*first.pair), "press +"),
        (first, "Step 2 of 4: click “Price of flour”, where the arrow begins, then “Bread quality”"),
        (Edge(*delayed.pair), "press D to mark the delay"),
        (delayed, "Step 3 of 4"),
        (replace(minus, sign=Sign.PLUS), "press −"),
        (minus, "Draw what is left yourself"),
        (replace(last, sign=None), "Press “Check my work”"),
    ]
    drawn: dict[tuple[str, str], Edge] = {}
    assert next_step(TRUE, CausalGraph((), ())).startswith("Step 1 of 4: click “Bread quality”")
    for edge, instruction in acts:
        drawn[edge.pair] = edge
        assert instruction in next_step(TRUE, CausalGraph.of(drawn.values()))
    turned = CausalGraph.of([Edge(first.sink, first.source)])
    assert "your edge runs the other way" in next_step(TRUE, turned)


@pytest.mark.parametrize("verdict", list(Correctness))
def test_every_verdict_has_a_sentence_that_ends(verdict: Correctness) -> None:
    first = TRUE.edges[0]
    turned = replace(first, source=first.sink, sink=first.source)
    minus = replace(TRUE.edges[2], sign=None)
    drawings = (
        [turned, replace(DELAYED, delay=False), minus],
        [*TRUE.edges, Edge("Bakers employed", "Bread quality")],
        [first, Edge("Price of flours", "Bread quality")],
    )
    findings = [finding for drawn in drawings for finding in check(TRUE, CausalGraph.of(drawn))]
    sentences = [finding.said for finding in findings if finding.verdict is verdict]
    assert sentences
    assert all(sentence.endswith(".") for sentence in sentences)
