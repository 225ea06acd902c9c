"""Ids that browsers make: known before the store answers, the same on both sides, and never another's."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from components.desk.tab import DeskAnswer
from core.act_ids import id_within
from core.graphs.record import GraphRecord
from core.people import Viewer
from core.transcription.proposals import FigureProposals
from services.study import Study
from services.transcription import proposals, reading, transcribing
from store.tables import new_id
from tests.core.test_act_ids import EXAMPLES
from tests.pages.transcription.tabs import opened
from tests.pages.transcription.tabs import send as send_to
from tests.services.transcription.test_proposals import arrow, label, lay_down

PRINTED = EXAMPLES["printed"]
SPOTS = ((80, 80), (300, 80), (80, 200))
FOUND = FigureProposals(
    names=tuple(label(name, x, y) for name, (x, y) in zip(PRINTED, SPOTS, strict=True)),
    edges=tuple(
        arrow(PRINTED.index(source), PRINTED.index(sink), sign) for source, sink, sign in EXAMPLES["proposals"]
    ),
    origin="vector",
)


def act_id(number: int) -> str:
    return f"0198c0de-0000-7000-8000-{number:08}0000"


def act(number: int, kind: str, **data: object) -> dict[str, Any]:
    return {"id": act_id(number), "seq": number, "kind": kind, **data}


def connect(number: int, source: str = "A", sink: str = "B") -> dict[str, Any]:
    return act(number, "connect", source=source, sink=sink, sign="", delay=False, lit="")


def send(viewer: Viewer, work: str, *acts: dict[str, Any]) -> DeskAnswer:
    """What a new tab of theirs answers to acts."""
    return send_to(opened(viewer, work), viewer, *acts)


def ids(record: GraphRecord) -> tuple[dict[str, str], dict[str, str]]:
    """(nodes by name, edges as "source > sink sign") with their ids."""
    named = {key: node.name for key, node in record.nodes.items()}
    drawn = {
        f"{named[each.source_id]} > {named[each.sink_id]} {each.sign.value if each.sign else ''}": each.id
        for each in record.edges.values()
    }
    return {name: key for key, name in named.items()}, drawn


def record(viewer: Viewer, work: str) -> GraphRecord:
    return reading.transcription(viewer, work).record


@pytest.fixture
def work(sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace) -> str:
    lay_down(sqlite_study, a_figure, FOUND)
    return transcribing.take(people.annotator, a_figure.id, act_id=new_id()).subject_id


@pytest.fixture
def elsewhere(people: SimpleNamespace, another_figure: Callable[[str], SimpleNamespace]) -> str:
    """A colleague's transcription of another figure."""
    return transcribing.take(people.colleague, another_figure("Another paper").id, act_id=new_id()).subject_id


def test_what_acts_make_has_the_ids_that_the_browser_gave_it(people: SimpleNamespace, work: str) -> None:
    offered = [edge.id for edge in proposals.open_proposals(people.annotator, work).edges]
    by_ends = {(e.source, e.sink): e.id for e in proposals.open_proposals(people.annotator, work).edges}
    listed = [by_ends[source, sink] for source, sink, _sign in EXAMPLES["proposals"]]
    assert sorted(listed) == sorted(offered)

    def sent(number: int, told: dict[str, Any]) -> dict[str, Any]:
        more = {"connect": {"lit": ""}, "accept": {"by": ""}}.get(told["kind"], {})
        data = {**told, **more}
        if "edge_id" in data:
            data["edge_id"] = id_within(act_id(data["edge_id"][0]), data["edge_id"][1])
        if "proposal_id" in data:
            data["proposal_id"] = listed[data["proposal_id"]]
        if "proposal_ids" in data:
            data["proposal_ids"] = [listed[place] for place in data["proposal_ids"]]
        return act(number, **data)

    acts = [sent(number, told) for number, told in enumerate(EXAMPLES["acts"], start=1)]
    answer = send(people.annotator, work, *acts)
    assert answer.refused == {}
    nodes, drawn = ids(record(people.annotator, work))
    assert nodes == {name: id_within(act_id(act), number) for name, (act, number) in EXAMPLES["nodes"].items()}
    assert drawn == {name: id_within(act_id(act), number) for name, (act, number) in EXAMPLES["edges"].items()}


def test_typed_lines_are_numbered_edges_first_then_their_ends_then_lone_nodes(
    people: SimpleNamespace, work: str
) -> None:
    typed = 'A -> B (+)\nB -> C\nA -> B (+)\nA -> C\n"Z"'  # the line that stands twice is one edge
    send(people.annotator, work, act(1, "lines", text=typed, pasted=False))
    nodes, drawn = ids(record(people.annotator, work))
    made = [id_within(act_id(1), number) for number in range(11)]
    assert drawn == {"A > B +": made[1], "B > C ": made[2], "A > C ": made[3]}
    assert nodes == {"A": made[4], "B": made[5], "C": made[7], "Z": made[10]}


def test_an_act_sent_again_is_harmless_also_to_a_tab_that_does_not_know_it(people: SimpleNamespace, work: str) -> None:
    acts = [connect(1), act(2, "edit_edge", edge_id=act_id(1), field="sign", value="+"), act(3, "undo")]
    held = opened(people.annotator, work)
    send_to(held, people.annotator, *acts)
    before = reading.transcription(people.annotator, work)
    for tab in (held, opened(people.annotator, work)):
        answer = send_to(tab, people.annotator, *acts)
        assert (answer.done, answer.refused) == (tuple(each["id"] for each in acts), {})
        assert reading.transcription(people.annotator, work) == before


def test_another_act_that_would_make_the_same_with_the_same_ids_is_harmless(people: SimpleNamespace, work: str) -> None:
    placed = act(2, "place_node", name="C", x=100, y=100, box=None, origin="drawn")
    send(people.annotator, work, connect(1), placed)
    before = reading.transcription(people.annotator, work)
    again = [{**each, "id": each["id"][:-1] + "9"} for each in (connect(1), placed)]
    answer = send(people.annotator, work, *again)
    assert answer.refused == {}
    assert reading.transcription(people.annotator, work) == before


# --- forged ids --------------------------------------------------------------------------------------------------


@pytest.mark.proof("T7", "forged messages: ids of nodes and edges that are there already", gate="0 accepted")
@pytest.mark.parametrize(
    "forged",
    [
        {"kind": "connect", "source": "C", "sink": "D", "sign": "", "delay": False, "lit": ""},
        {"kind": "place_node", "name": "C", "x": 100, "y": 100, "box": None, "origin": "drawn"},
        {"kind": "lines", "text": "C -> D", "pasted": False},
    ],
)
@pytest.mark.parametrize("whose", ["theirs", "own"])
def test_an_id_that_is_taken_is_refused_and_nothing_is_written(
    people: SimpleNamespace, work: str, elsewhere: str, forged: dict[str, Any], whose: str
) -> None:
    """The act's own id is new, but what it would make has the ids of what is there, as an edge or as a node."""
    viewer, there = (people.colleague, elsewhere) if whose == "theirs" else (people.annotator, work)
    send(viewer, there, connect(1))
    before = record(people.annotator, work), record(people.colleague, elsewhere)
    one = {**forged, "id": act_id(1)[:-1] + "9", "seq": 2}
    answer = send(people.annotator, work, one)
    graph = "another graph" if whose == "theirs" else "another node or edge of this graph"
    assert f"is taken by {graph}" in answer.refused[one["id"]]
    assert (record(people.annotator, work), record(people.colleague, elsewhere)) == before
    send(people.annotator, work, connect(5, "X", "Y"))  # the work goes on
    assert record(people.annotator, work).node_named("Y") is not None


def test_an_act_id_that_comes_again_and_asks_for_something_else_is_refused(people: SimpleNamespace, work: str) -> None:
    send(people.annotator, work, connect(1))
    before = reading.transcription(people.annotator, work)
    for other in (
        connect(1, "A", "C"),
        {**connect(1), "sign": "+"},
        act(1, "place_node", name="A", x=100, y=100, box=None, origin="drawn"),
        act(1, "attest", node="A", swept=True),
        act(1, "undo"),
    ):
        answer = send(people.annotator, work, other)
        assert "Another act is stored under this act's id" in answer.refused[act_id(1)]
        assert reading.transcription(people.annotator, work) == before


def test_an_act_id_of_somebody_else_is_refused(people: SimpleNamespace, work: str, elsewhere: str) -> None:
    send(people.colleague, elsewhere, connect(1))
    answer = send(people.annotator, work, connect(1))
    assert answer.refused == {act_id(1): "This act belongs to someone else."}
    assert record(people.annotator, work) == GraphRecord()


def test_nothing_of_somebody_elses_is_meant_by_its_ids(people: SimpleNamespace, work: str, elsewhere: str) -> None:
    acts = connect(1), {**connect(2, "C", "D"), "id": act_id(2)[:-4] + "beef"}
    send(people.colleague, elsewhere, *acts)
    before = record(people.colleague, elsewhere)
    theirs = [*before.edges, *before.nodes, *(each["id"] for each in acts)]
    sent = [
        act(10 * number + place, **about)
        for number, one in enumerate(theirs, start=1)
        for place, about in enumerate(
            (
                {"kind": "edit_edge", "edge_id": one, "field": "sign", "value": "+"},
                {"kind": "reverse_edge", "edge_id": one},
                {"kind": "delete_edge", "edge_id": one},
                {"kind": "rename_node", "node": one, "name": "Mine"},
                {"kind": "delete_node", "node": one},
            )
        )
    ]
    answer = send(people.annotator, work, *sent)
    said = answer.refused
    assert list(said) == [each["id"] for each in sent]
    assert all("is no longer in the" in words for words in said.values())
    assert record(people.colleague, elsewhere) == before
