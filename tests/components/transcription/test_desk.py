from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.canvas.keys import KEY_TABLE
from components.desk.desk_state import DeskState
from components.desk.graph_acts import DeleteEdge, DeleteNode, EditEdge, RedoAct, RenameNode, UndoAct
from components.desk.posting.acts import Act, read_acts
from components.figure.crop import Crop
from components.transcription.acts import (
    Accept,
    AcceptAs,
    AddLines,
    Attest,
    Connect,
    DropFault,
    MoveNode,
    NotAnEdge,
    NotAVariable,
    PlaceNode,
    Refuse,
    ReverseEdge,
    TranscriptionAct,
    read_transcription_act,
)
from components.transcription.desk import DeskFigure, transcription_data
from core.errors import BadInput, EdgewiseError, InvalidName
from core.graphs.record import GraphRecord
from core.papers.pages import Box
from core.sign import Sign

COMPONENTS = Path(__file__).resolve().parents[3] / "components"
CROP = Box(60, 80, 540, 380)
ACT_ID = "0198c0de-0000-7000-8000-000000000001"


def read(kind: str, **data: Any) -> TranscriptionAct:
    """Through both readers, as an act comes from the browser."""
    (act,) = read_acts({"acts": [{"id": ACT_ID, "seq": 1, "kind": kind, **data}]})
    return read_transcription_act(act, CROP)


def script_of(name: str) -> str:
    return (COMPONENTS / name).read_text(encoding="utf-8")


# --- acts

DRAWN = {"source": "A", "sink": "B", "sign": "", "delay": False, "lit": ""}


@pytest.mark.parametrize(
    ("kind", "data", "expected"),
    [
        (
            "place_node",
            {"name": " Net\nprice ", "x": 100, "y": 90.5, "box": None, "origin": "drawn"},
            PlaceNode("Net price", 100.0, 90.5, None, "drawn"),
        ),
        (
            "place_node",
            {"name": "GDP", "x": 60, "y": 380, "box": [60, 370, 80, 380], "origin": "printed"},
            PlaceNode("GDP", 60.0, 380.0, Box(60, 370, 80, 380), "printed"),
        ),
        ("move_node", {"node": "GDP", "x": 61, "y": 81}, MoveNode("GDP", 61.0, 81.0)),
        (
            "connect",
            {"source": "A", "sink": "A", "sign": "-", "delay": True, "lit": ""},
            Connect("A", "A", Sign.MINUS, True),
        ),
        (
            "connect",
            {"source": "A", "sink": "B", "sign": "", "delay": False, "lit": ""},
            Connect("A", "B", None, False),
        ),
        ("edit_edge", {"edge_id": "e1", "field": "sign", "value": "+"}, EditEdge("e1", "sign", "+")),
        ("edit_edge", {"edge_id": "e1", "field": "delay", "value": False}, EditEdge("e1", "delay", False)),
        ("edit_edge", {"edge_id": "e1", "field": "flag", "value": "not causal"}, EditEdge("e1", "flag", "not causal")),
        ("edit_edge", {"edge_id": "e1", "field": "sink", "value": " C\n1"}, EditEdge("e1", "sink", "C 1")),
        ("reverse_edge", {"edge_id": "e1"}, ReverseEdge("e1")),
        ("accept_as", {"proposal_id": "p1", "source": "A", "sink": "C"}, AcceptAs("p1", "A", "C")),
        ("delete_edge", {"edge_id": "e1"}, DeleteEdge("e1")),
        ("delete_node", {"node": "__proto__"}, DeleteNode("__proto__")),
        ("rename_node", {"node": "A", "name": "</script>"}, RenameNode("A", "</script>")),
        ("accept", {"proposal_ids": ["p1", "p2"], "by": ""}, Accept(("p1", "p2"))),
        ("refuse", {"proposal_ids": ["p1"], "by": ""}, Refuse(("p1",))),
        ("accept", {"proposal_ids": ["p1"], "by": "region"}, Accept(("p1",), "region")),
        ("refuse", {"proposal_ids": ["p1"], "by": "kind"}, Refuse(("p1",), "kind")),
        ("attest", {"node": "A", "swept": True}, Attest("A", True)),
        ("not_a_variable", {"text": "Fig.  2", "is_none": True}, NotAVariable("Fig. 2", True)),
        ("not_an_edge", {"arrow": "w1", "is_none": True}, NotAnEdge("w1", True)),
        (
            "connect",
            {"source": "A", "sink": "B", "sign": "", "delay": False, "lit": "w1"},
            Connect("A", "B", None, False, "w1"),
        ),
        ("lines", {"text": "A -> B", "pasted": True}, AddLines("A -> B", True)),
        ("drop_fault", {"text": "A -"}, DropFault("A -")),
        ("undo", {}, UndoAct()),
        ("redo", {}, RedoAct()),
    ],
)
def test_each_act_is_read_into_its_value(kind: str, data: dict[str, Any], expected: TranscriptionAct) -> None:
    assert read(kind, **data) == expected


PLACED = {"name": "A", "x": 100, "y": 100, "box": None, "origin": "drawn"}
EDGE = {"edge_id": "e", "source": "A", "sink": "B"}


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("lines", {"text": "A -> B"}),
        ("lines", {"text": 5, "pasted": False}),
        ("drop_fault", {}),
        ("place_node", {}),
        ("place_node", PLACED | {"x": "100"}),
        ("place_node", PLACED | {"x": True}),
        ("place_node", PLACED | {"x": None}),
        ("place_node", PLACED | {"x": 59}),
        ("place_node", PLACED | {"y": 381}),
        ("place_node", PLACED | {"x": 10**400}),
        ("place_node", PLACED | {"name": 5}),
        ("place_node", PLACED | {"origin": "model"}),
        ("place_node", PLACED | {"box": [1, 2, 3]}),
        ("place_node", PLACED | {"box": "1234"}),
        ("place_node", PLACED | {"box": [120, 90, 100, 110]}),
        ("place_node", PLACED | {"box": [0, 90, 100, 110]}),
        ("place_node", PLACED | {"box": [100, 90, 100, "110"]}),
        ("move_node", {"node": "A"}),
        ("connect", {"source": "A"}),
        ("connect", {"source": "A", "sink": "B", "sign": "", "delay": False, "lit": 1}),
        ("not_an_edge", {"arrow": "", "is_none": True}),
        ("connect", {"source": "A", "sink": "B", "sign": "mixed", "delay": False}),
        ("connect", {"source": "A", "sink": "B", "sign": None, "delay": False}),
        ("connect", {"source": "A", "sink": "B", "sign": "", "delay": 1}),
        ("edit_edge", EDGE | {"field": "note", "value": 7}),
        ("edit_edge", EDGE | {"field": "flag", "value": "wrong"}),
        ("edit_edge", EDGE | {"field": "flag", "value": []}),
        ("edit_edge", EDGE | {"field": "sign", "value": True}),
        ("edit_edge", EDGE | {"field": "delay", "value": "true"}),
        ("edit_edge", EDGE | {"edge_id": ""}),
        ("edit_edge", EDGE | {"edge_id": 5}),
        ("delete_edge", EDGE | {"edge_id": "x" * 201}),
        ("accept", {"proposal_ids": []}),
        ("accept", {"proposal_ids": "p1"}),
        ("accept", {"proposal_ids": ["p", "p"]}),
        ("refuse", {"proposal_ids": [1]}),
        ("join_names", {"name": "Rain", "nodes": "Rain", "words": []}),
        ("join_names", {"name": "Rain", "nodes": [1], "words": []}),
        ("join_names", {"name": "Rain", "nodes": [], "words": [{"text": "Rain", "box": None}]}),
        ("join_names", {"name": "Rain", "nodes": [], "words": ["Rain"]}),
        ("join_names", {"name": "Rain", "nodes": ["Rain"] * 21, "words": []}),
        ("refuse", {"proposal_ids": ["p"], "by": "chance"}),
        ("accept", {"proposal_ids": ["p"], "by": ["node"]}),
        ("refuse", {"proposal_ids": [f"p{n}" for n in range(1001)]}),
        ("attest", {"node": "A", "swept": "yes"}),
    ],
)
def test_a_forged_act_is_refused_with_what_is_wrong(kind: str, data: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match="Reload"):
        read(kind, **data)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_a_place_is_finite_even_past_the_outbox(value: float) -> None:
    with pytest.raises(BadInput, match="not finite"):
        read_transcription_act(Act(ACT_ID, 1, "move_node", {"node": "A", "x": value, "y": 100.0}), CROP)


def test_a_name_that_cannot_be_kept_says_why_to_the_person_who_typed_it() -> None:
    with pytest.raises(InvalidName, match="at most 300"):
        read("rename_node", node="A", name="x" * 301)


PLAIN = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9)


@given(
    kind=st.sampled_from(["place_node", "move_node", "connect", "edit_edge", "delete_edge", "accept", "attest", "x"]),
    data=st.dictionaries(
        st.sampled_from(["name", "node", "x", "y", "box", "origin", "source", "sink", "sign", "delay", "proposal_ids"]),
        PLAIN | st.lists(PLAIN, max_size=4),
    ),
)
def test_whatever_is_sent_is_either_read_or_refused_by_name(kind: str, data: dict[str, Any]) -> None:
    try:
        found = read_transcription_act(Act(ACT_ID, 1, kind, data), CROP)
    except EdgewiseError:
        return
    if isinstance(found, PlaceNode | MoveNode):
        assert CROP.x0 - 0.5 <= found.x <= CROP.x1 + 0.5
        assert CROP.y0 - 0.5 <= found.y <= CROP.y1 + 0.5


# --- mounting


def test_where_there_is_no_figure_edges_are_typed_and_nothing_is_drawn() -> None:
    typed = Act(ACT_ID, 1, "lines", {"text": "A -> B", "pasted": False})
    assert read_transcription_act(typed) == AddLines("A -> B", False)
    with pytest.raises(BadInput, match="does not know: connect"):
        read_transcription_act(Act(ACT_ID, 1, "connect", {"source": "A", "sink": "B", "sign": "", "delay": False}))


def test_a_figure_without_extent_is_refused() -> None:
    figure = DeskFigure(crop=Crop("", 0, 100, ""), paths={}, offers={})
    with pytest.raises(BadInput, match="0 by 100 points"):
        transcription_data(DeskState(subject="s", version=0), GraphRecord(), names=[], figure=figure)


# --- the table of keys


def test_no_hint_letter_is_a_command_in_either_case() -> None:
    found = re.search(r'HINT_LETTERS = "([a-z0-9]+)"', script_of("canvas/hints.js"))
    assert found is not None
    presses = {press.lower() for key in KEY_TABLE.keys for press in key.presses}
    assert len(set(found[1])) == len(found[1]) == 16
    assert presses.isdisjoint(found[1])
