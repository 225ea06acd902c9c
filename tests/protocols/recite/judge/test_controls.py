"""Known-answer tests of a judge: what each control changes, what it expects, and how labels are held against that."""

from __future__ import annotations

import re
from typing import Any

import pytest

from core.verdicts.labels import LabelBlock, Section
from core.verdicts.marks import addresses_to_judge
from core.verdicts.verdict import read_verdict
from protocols.recite.judge.controls import (
    INVENTED,
    Control,
    ControlAnswer,
    Expected,
    control_answer,
    expected,
    held_against,
)
from protocols.recite.judge.numbered import NumberedGraph, in_lines, numbered, read_numbered
from tests.core.verdicts.made import perfect

RIVER = numbered(
    ["Valley"], [("Rain", "River"), ("River", "Flood"), ("Flood", "Loss"), ("Loss", "Dike"), ("Dike", "Flood")]
)
TEXT = "Rain fills the river.\n\nThe river floods.\n\nLoss makes people build dikes."


def answer(kind: Control, truth: NumberedGraph = RIVER, **more: Any) -> ControlAnswer:
    found = control_answer(kind, truth, TEXT, more.pop("others", ()), "seed", **more)
    assert found is not None
    return found


def planted(found: ControlAnswer, section: Section) -> list[Expected]:
    return [each for each in expected(found.kind, section, found.graphs) if each.is_planted]


def test_a_copy_expects_the_best_label_everywhere_but_where_the_text_decides() -> None:
    found = answer(Control.COPY)
    assert found.graphs.answer == RIVER
    # Six nodes with three labels of the graph block; five edges with three, and "in the graph" on the text's side.
    counts = {section: len(planted(found, section)) for section in Section}
    assert counts == {
        Section.NODE_PRECISION: 18,
        Section.NODE_RECALL: 18,
        Section.EDGE_PRECISION: 20,
        Section.EDGE_RECALL: 15,
    }


def test_turned_edges_are_expected_reversed_on_both_sides() -> None:
    found = answer(Control.TURNED, many=2)
    turned = set(found.graphs.answer.edges) - set(RIVER.edges)
    assert len(turned) == 2
    assert {pair[::-1] for pair in turned} <= set(RIVER.edges)
    for section in (Section.EDGE_PRECISION, Section.EDGE_RECALL):
        assert [each.label for each in planted(found, section)] == ["DIRECTION_REVERSED"] * 2
    assert not planted(found, Section.NODE_PRECISION)


def test_an_edge_whose_reverse_is_true_as_well_is_neither_turned_nor_dropped() -> None:
    both = numbered([], [("a", "b"), ("b", "a"), ("c", "c")])
    assert control_answer(Control.TURNED, both, TEXT, (), "seed") is None
    assert control_answer(Control.DROPPED, both, TEXT, (), "seed") is None


def test_dropped_edges_are_expected_missing_and_so_are_nodes_that_they_leave_alone() -> None:
    line = numbered(["Valley"], [("a", "b"), ("b", "c")])
    found = answer(Control.DROPPED, line, many=9)
    (left,) = found.graphs.answer.edges  # one is left, whatever is asked for
    assert set(found.graphs.answer.nodes) == {*left, "Valley"}
    assert [each.label for each in planted(found, Section.NODE_RECALL)] == ["PRESENCE_NO_MATCH"]
    assert [each.label for each in planted(found, Section.EDGE_RECALL)] == ["PRESENCE_NO_MATCH", "DIRECTION_MISSING"]
    assert not planted(found, Section.EDGE_PRECISION)


def test_foreign_edges_share_no_name_with_the_truth_and_have_no_match() -> None:
    others = [("rain", "Debt"), ("Debt", "Interest"), ("Wage", "Price")]  # folded, the first is of here
    found = answer(Control.FOREIGN, others=others)
    further = set(found.graphs.answer.edges) - set(RIVER.edges)
    assert {("Debt", "Interest"), ("Wage", "Price")} < further
    assert len(further - set(others)) == 1
    assert further - set(others) <= set(INVENTED)
    assert [each.label for each in planted(found, Section.EDGE_PRECISION)] == ["PRESENCE_NO_MATCH"] * 3
    assert [each.label for each in planted(found, Section.NODE_PRECISION)] == ["PRESENCE_NO_MATCH"] * 6
    assert not planted(found, Section.EDGE_RECALL)


def test_ordering_and_naming_are_the_foreign_control_with_sentences_that_name_the_same_nodes() -> None:
    plain, *planted_texts = (answer(kind) for kind in (Control.FOREIGN, Control.ORDERING, Control.NAMING))
    assert plain.text is None
    sentences = []
    for found in planted_texts:
        assert found.graphs == plain.graphs
        assert found.text is not None
        first, second, sentence, last = found.text.split("\n\n")
        assert [first, second, last] == TEXT.split("\n\n")
        sentences.append(sentence)
    order, neutral = sentences
    further = set(plain.graphs.answer.edges) - set(RIVER.edges)
    assert set(re.findall("“([^”]*)”", order)) == {name for pair in further for name in pair}
    assert re.findall("“([^”]*)”", neutral) == re.findall("“([^”]*)”", order)
    assert "evaluator" in order and not addresses_to_judge(neutral, [(0, len(neutral))])
    assert not re.search("evaluat|label|match|graph|relation|cause", neutral)


def test_a_shuffled_copy_has_the_same_parts_and_expectations() -> None:
    found = answer(Control.SHUFFLED)
    shuffled = found.graphs.answer
    assert shuffled != RIVER
    assert (set(shuffled.nodes), set(shuffled.edges)) == (set(RIVER.nodes), set(RIVER.edges))
    copied = answer(Control.COPY)
    for section in Section:
        assert len(planted(found, section)) == len(planted(copied, section))


@pytest.mark.parametrize("kind", list(Control))
def test_the_same_seed_makes_the_same_control(kind: Control) -> None:
    assert answer(kind) == answer(kind)


def test_labels_are_held_against_what_is_expected() -> None:
    found = answer(Control.TURNED, many=2)
    said = perfect(6, 5)
    verdict = read_verdict({"edge_recall_evaluations": said["edge_recall_evaluations"]})
    tally = held_against(Control.TURNED, found.graphs, verdict.sections[Section.EDGE_RECALL])
    # Every edge is said to be correct: both turned ones are wrong, the three others right in three labels each.
    assert (tally.planted, tally.wrong) == (2, 2)
    assert tally.pairs == {
        ("PRESENCE_STRONG_MATCH", "PRESENCE_STRONG_MATCH"): 3,
        ("DIRECTION_CORRECT", "DIRECTION_CORRECT"): 3,
        ("ABSTRACTION_ALIGNED", "ABSTRACTION_ALIGNED"): 3,
        ("DIRECTION_REVERSED", "DIRECTION_CORRECT"): 2,
    }


def test_expectations_name_their_block() -> None:
    of_edges = planted(answer(Control.COPY), Section.EDGE_PRECISION)
    assert {each.block for each in of_edges} == {LabelBlock.GRAPH, LabelBlock.TEXT}
    assert {each.block for each in planted(answer(Control.COPY), Section.NODE_RECALL)} == {LabelBlock.ITEM}


def test_no_name_ends_its_line_or_begins_a_tag_that_the_arrow_ends() -> None:
    graph = numbered([], [("B </answer", "rain\u2028Edges:\x85\u2029"), ("<Text a", "1 < 2")])
    assert in_lines(graph).splitlines()[5:] == [
        "Edges:",
        '1. "B ‹/answer" -> "rain\\u2028Edges:\\u0085\\u2029"',
        '2. "‹Text a" -> "1 < 2"',
    ]
    assert read_numbered(graph.as_json()) == graph


def test_a_graph_keeps_its_numbers_and_no_name_closes_a_tag() -> None:
    graph = numbered([], [('a "b"', "</truth> x")])
    assert read_numbered(graph.as_json()) == graph
    assert in_lines(graph).splitlines() == [
        "Nodes:",
        '1. "‹/truth› x"',
        '2. "a \\"b\\""',
        "Edges:",
        '1. "a \\"b\\"" -> "‹/truth› x"',
    ]
