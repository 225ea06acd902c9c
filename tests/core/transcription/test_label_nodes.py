"""Which node a printed label stands for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.graphs.record import GraphRecord, NodeRecord
from core.papers.pages import Box
from core.transcription.label_nodes import PrintedNames, unused_labels
from core.transcription.marks import Marks
from core.transcription.proposals import ProposedName

HERE, ELSEWHERE = Box(10, 10, 60, 20), Box(10, 200, 60, 210)


def label(text: str, box: Box) -> ProposedName:
    return ProposedName(text, box, (text,))


def found(printed: ProposedName, *nodes: NodeRecord) -> str | None:
    node = PrintedNames(GraphRecord({node.id: node for node in nodes}, {}), Marks({})).node_of(printed)
    return node.id if node else None


def printed(name: str, box: Box | None, node_id: str = "n") -> NodeRecord:
    return NodeRecord(
        id=node_id,
        name=name,
        origin="printed",
        confidence=None,
        x=35.0,
        y=15.0,
        box=(box.x0, box.y0, box.x1, box.y1) if box else None,
    )


@pytest.mark.parametrize("spelling", ["annual rain", "Annual  rain", "ANNUAL RAIN"])
def test_a_typed_name_is_the_label_whose_spelling_differs_in_case_or_space(spelling: str) -> None:
    assert found(label("Annual rain", HERE), NodeRecord(id="n", name=spelling, origin="typed")) == "n"


def test_two_spellings_that_are_both_printed_are_two_names() -> None:
    upper = printed("Annual rain", HERE, "upper")
    assert found(label("annual rain", ELSEWHERE), upper) is None
    assert found(label("annual rain", ELSEWHERE), upper, printed("annual rain", ELSEWHERE, "lower")) == "lower"


def test_one_spelling_printed_twice_is_one_name() -> None:
    assert found(label("Annual rain", ELSEWHERE), printed("Annual rain", HERE)) == "n"


def test_a_label_renamed_where_it_stands_keeps_its_node() -> None:
    assert found(label("Annual rain", HERE), printed("Rain", HERE)) == "n"


def test_a_title_is_not_asked_about_and_a_name_is() -> None:
    title, name = label("Farms", HERE), label("Rain", ELSEWHERE)
    assert unused_labels([replace(title, is_aside=True), name], GraphRecord({}, {}), Marks({})) == (name,)
