"""The second look: attestations that fall with the graph, texts and doubts answered, names never merged silently."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from core.errors import BadInput, Conflict, InvalidGraph, InvalidName, Refused
from core.graphs.checks import DoubtKind
from core.people import Receipt, Viewer
from core.transcription.proposals import FigureProposals
from core.transcription.sweep import doubt_key
from services.study import Study
from services.transcription import canvas_edits, reading, sweeping, transcribing
from services.transcription.sweeping import Coverage
from store import history
from store.graphs.marks import rebuild_marks
from store.tables import new_id
from tests.services.transcription.test_proposals import label, lay_down

NAMES = (label("Price", 80, 80), label("Demand", 300, 80), label("R1", 200, 200), label("R1", 220, 240))

FOUND = FigureProposals(names=NAMES, edges=(), origin="vector")


@pytest.fixture
def work(open_one: Study, people: SimpleNamespace, a_figure: SimpleNamespace) -> str:
    """The annotator's transcription of a figure that prints Price, Demand and twice R1."""
    lay_down(open_one, a_figure, FOUND)
    return transcribing.take(people.annotator, a_figure.id, act_id=new_id()).subject_id


def lines(text: str) -> tuple[Callable[..., Any], str]:
    def add(viewer: Viewer, work: str, text: str, **at: Any) -> Any:
        return transcribing.add_lines(viewer, work, text, pasted=False, **at)

    return add, text


def seen(people: SimpleNamespace, work: str) -> Coverage:
    return sweeping.coverage(people.annotator, work)


def swept(people: SimpleNamespace, work: str) -> list[str]:
    return [node.name for node in seen(people, work).nodes if node.swept]


def names(people: SimpleNamespace, work: str) -> list[str]:
    return [node.name for node in seen(people, work).nodes]


def edges(people: SimpleNamespace, work: str) -> list[str]:
    graph = reading.transcription(people.annotator, work).record.graph()
    return [f"{edge.source} -> {edge.sink}" for edge in graph.edges]


# --- attestations ------------------------------------------------------------------------------------------------


@pytest.mark.both
def test_an_attested_node_is_swept_until_it_loses_an_edge_and_undo_brings_that_back(
    study: Study, people: SimpleNamespace, work: str, do: Callable[..., Receipt]
) -> None:
    do(*lines("A -> B\nA -> C\nB -> C"))
    assert [(node.name, node.outgoing, node.incoming) for node in seen(people, work).nodes] == [
        ("A", 2, 0),
        ("B", 1, 1),
        ("C", 0, 2),
    ]
    for name in "ABC":
        do(sweeping.attest, name, True)
    assert swept(people, work) == ["A", "B", "C"]
    do(*lines("C -> A"))  # one more edge is nothing lost
    assert swept(people, work) == ["A", "B", "C"]
    record = reading.transcription(people.annotator, work).record
    first = record.ordered_edges()[0].id
    do(transcribing.remove_edge, first)
    assert swept(people, work) == ["B", "C"]
    do(transcribing.undo)
    assert swept(people, work) == ["A", "B", "C"]
    do(transcribing.redo)
    assert swept(people, work) == ["B", "C"]
    do(sweeping.attest, "B", False)
    assert swept(people, work) == ["C"]


def test_attesting_twice_is_an_act_without_a_change_and_an_unknown_node_is_refused(
    sqlite_study: Study, people: SimpleNamespace, work: str, do: Callable[..., Receipt]
) -> None:
    do(*lines("A -> B"))
    assert do(sweeping.attest, "A", True).version == 3
    assert do(sweeping.attest, "A", True).version == 3
    with pytest.raises(InvalidGraph, match="“Z” is no longer"):
        do(sweeping.attest, "Z", True)
    with pytest.raises(Conflict):
        sweeping.attest(people.annotator, work, "A", False, seen=2, act_id=new_id())


def test_what_is_handed_in_is_attested_no_more(
    sqlite_study: Study, people: SimpleNamespace, work: str, do: Callable[..., Receipt]
) -> None:
    do(*lines("A -> B"))
    with pytest.raises(Refused, match="stays hidden"):
        sweeping.coverage(people.reviewer, work)
    do(transcribing.submit)
    for act in ((sweeping.attest, "A", True), (sweeping.not_a_variable, "R1", True)):
        with pytest.raises(Refused, match="cannot be changed"):
            do(*act)
    assert [node.name for node in sweeping.coverage(people.reviewer, work).nodes] == ["A", "B"]


# --- printed texts -----------------------------------------------------------------------------------------------


@pytest.mark.both(usually=False)
def test_a_printed_text_is_unused_until_a_node_uses_it_or_it_is_dismissed(
    study: Study, people: SimpleNamespace, work: str, do: Callable[..., Receipt]
) -> None:
    assert [(text.text, text.is_dismissed) for text in seen(people, work).unused] == [
        ("Price", False),
        ("Demand", False),
        ("R1", False),
    ]
    do(*lines("price -> Costs"))  # a spelling of the same name uses the text
    do(canvas_edits.place_node, "Demnd", (330, 85), NAMES[1].box, "printed")
    do(transcribing.rename_node, "Demnd", "Demand for grain")  # taken from that print, and renamed
    assert [text.text for text in seen(people, work).unused] == ["R1"]
    do(sweeping.not_a_variable, "R1", True)
    now = seen(people, work)
    assert [(text.text, text.is_dismissed) for text in now.unused] == [("R1", True)]
    assert DoubtKind.UNUSED_LABEL not in [doubt.kind for doubt in now.open_doubts]
    assert do(sweeping.not_a_variable, " r1", True).version == do(sweeping.not_a_variable, "R1", True).version
    do(sweeping.not_a_variable, "R1", False)
    now = seen(people, work)
    assert not now.unused[0].is_dismissed
    assert DoubtKind.UNUSED_LABEL in [doubt.kind for doubt in now.open_doubts]


def test_a_name_that_was_misread_and_mended_is_used_by_its_node_also_before_submitting(
    study: Study, people: SimpleNamespace, work: str, do: Callable[..., Receipt]
) -> None:
    do(canvas_edits.place_node, "Price", (110, 85), NAMES[0].box, "printed")
    do(transcribing.rename_node, "Price", "Price of bread")
    asked = [
        doubt.subjects
        for doubt in reading.transcription(people.annotator, work, FOUND).doubts
        if doubt.kind is DoubtKind.UNUSED_LABEL
    ]
    assert asked == [("Demand",), ("R1",)]  # "Price" is printed where "Price of bread" stands


@pytest.mark.parametrize("text", ["", "  \n", "x" * 1_001])
def test_a_text_that_is_none_is_refused(
    sqlite_study: Study, people: SimpleNamespace, do: Callable[..., Receipt], text: str
) -> None:
    with pytest.raises(BadInput, match="printed text"):
        do(sweeping.not_a_variable, text, True)


@pytest.mark.both(usually=False)
def test_refused_arrows_are_said_not_to_be_in_the_figure_in_one_act(
    study: Study, people: SimpleNamespace, work: str, do: Callable[..., Receipt]
) -> None:
    do(*lines("A -> B"))
    asked = doubt_key("refused arrow", ("B", "A"))
    do(sweeping.not_in_figure, [("B", "A"), ("B", "B")])
    marks = reading.transcription(people.annotator, work).marks
    assert marks.get("as printed", asked) == {"kind": "refused arrow", "about": ["B", "A"]}
    assert len(marks.of("as printed")) == 2
    do(transcribing.undo)
    assert reading.transcription(people.annotator, work).marks.of("as printed") == {}
    with pytest.raises(BadInput, match="1 to 1,000 edges at once, not for 0"):
        do(sweeping.not_in_figure, [])


# --- names -------------------------------------------------------------------------------------------------------


def near(people: SimpleNamespace, work: str) -> list[tuple[str, ...]]:
    kinds = (DoubtKind.NEAR_DUPLICATE, DoubtKind.CASE_ONLY)
    return [doubt.subjects for doubt in seen(people, work).open_doubts if doubt.kind in kinds]


def test_gdp_and_gnp_stay_two_until_a_person_says_otherwise(
    study: Study, people: SimpleNamespace, work: str, do: Callable[..., Receipt]
) -> None:
    do(*lines("GDP -> Trade\nGNP -> Trade"))
    assert names(people, work) == ["GDP", "Trade", "GNP"]
    assert near(people, work) == [("GDP", "GNP")]
    do(sweeping.decide_names, "GNP", "GDP", "distinct")
    assert near(people, work) == []
    assert [doubt.kind for doubt in reading.transcription(people.annotator, work).doubts] == []
    assert names(people, work) == ["GDP", "Trade", "GNP"]
    do(sweeping.decide_names, "GDP", "GNP", "")
    assert near(people, work) == [("GDP", "GNP")]


@pytest.mark.both(usually=False)
def test_the_same_variable_keeps_the_first_name_and_undo_makes_two_again(
    study: Study, people: SimpleNamespace, work: str, do: Callable[..., Receipt]
) -> None:
    do(*lines("Tree -> Wood\nTrees -> Wood\nTrees -> Shade"))
    for name in ("Tree", "Trees", "Wood"):
        do(sweeping.attest, name, True)
    before = reading.transcription(people.annotator, work)
    do(sweeping.decide_names, "Tree", "Trees", "same")
    after = reading.transcription(people.annotator, work)
    assert edges(people, work) == ["Tree -> Wood", "Tree -> Shade"]
    assert after.marks.merged == {"Trees": "Tree"}
    assert swept(people, work) == ["Tree", "Wood"]
    with pytest.raises(Refused, match="Undo the merge"):
        do(sweeping.decide_names, "Tree", "Trees", "")
    do(transcribing.undo)
    now = reading.transcription(people.annotator, work)
    assert (now.record, now.marks) == (before.record, before.marks)
    do(transcribing.redo)
    with study.store.reading() as session:
        assert history.rebuild(session, now.graph_id) == after.record
        assert rebuild_marks(session, now.graph_id) == after.marks


def test_a_rename_onto_another_name_is_kept_as_a_merge(
    sqlite_study: Study, people: SimpleNamespace, work: str, do: Callable[..., Receipt]
) -> None:
    do(*lines("Tree -> Wood\nTrees -> Shade"))
    do(transcribing.rename_node, "Trees", "Tree")
    assert reading.transcription(people.annotator, work).marks.merged == {"Trees": "Tree"}


def test_a_printed_spelling_may_be_the_same_as_a_node_or_told_apart_again(
    sqlite_study: Study, people: SimpleNamespace, work: str, do: Callable[..., Receipt]
) -> None:
    do(*lines("Prices -> Demand"))
    assert [text.text for text in seen(people, work).unused] == ["Price", "R1"]
    do(sweeping.decide_names, "Prices", "Price", "same")
    assert [text.text for text in seen(people, work).unused] == ["R1"]
    assert names(people, work) == ["Prices", "Demand"]
    do(sweeping.decide_names, "Prices", "Price", "distinct")
    assert [text.text for text in seen(people, work).unused] == ["Price", "R1"]


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("A", "A", "distinct"), BadInput),
        (("A", "A ", "same"), BadInput),
        (("A", "B", "maybe"), BadInput),
        (("", "B", "distinct"), InvalidName),
        (("Z", "A", "same"), InvalidGraph),
    ],
)
def test_an_answer_that_is_none_changes_nothing(
    sqlite_study: Study,
    people: SimpleNamespace,
    work: str,
    do: Callable[..., Receipt],
    arguments: tuple[str, ...],
    error: type[Exception],
) -> None:
    do(*lines("A -> B"))
    before = reading.transcription(people.annotator, work)
    with pytest.raises(error):
        do(sweeping.decide_names, *arguments)
    assert reading.transcription(people.annotator, work) == before


# --- doubts ------------------------------------------------------------------------------------------------------


@pytest.mark.both(usually=False)
def test_a_doubt_that_stands_as_printed_is_closed_and_can_be_opened_again(
    study: Study, people: SimpleNamespace, work: str, do: Callable[..., Receipt]
) -> None:
    do(*lines("Price -> Price\nPrice -> Demand\nDemand -> Price"))

    def kinds() -> list[DoubtKind]:
        return [d.kind for d in seen(people, work).open_doubts if d.kind != DoubtKind.UNUSED_LABEL]

    assert kinds() == [DoubtKind.SELF_LOOP, DoubtKind.REVERSED_PAIR]
    for doubt in seen(people, work).open_doubts[:2]:
        do(sweeping.as_printed, doubt.kind, doubt.subjects, True)
    assert kinds() == []
    do(sweeping.as_printed, "self-loop", ["Price"], False)
    assert kinds() == [DoubtKind.SELF_LOOP]
    do(transcribing.undo)
    assert kinds() == []


@pytest.mark.parametrize(
    ("kind", "about"),
    [("unused label", ["R1"]), ("whatever", ["A"]), ("self-loop", []), ("self-loop", ["A"] * 11)],
)
def test_a_doubt_that_is_none_is_refused(
    sqlite_study: Study, people: SimpleNamespace, do: Callable[..., Receipt], kind: str, about: list[str]
) -> None:
    with pytest.raises(BadInput, match="doubt"):
        do(sweeping.as_printed, kind, about, True)


def test_a_transcription_is_complete_once_everything_was_looked_at(
    sqlite_study: Study, people: SimpleNamespace, work: str, do: Callable[..., Receipt]
) -> None:
    do(*lines("Price -> Demand"))
    assert not seen(people, work).is_complete
    do(sweeping.not_a_variable, "R1", True)
    do(sweeping.attest, "Price", True)
    assert not seen(people, work).is_complete
    do(sweeping.attest, "Demand", True)
    assert seen(people, work).is_complete
