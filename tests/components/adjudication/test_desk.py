from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from components.adjudication.acts import (
    LONGEST_COMMENT,
    Note,
    RedoRuling,
    RuleAct,
    RuleName,
    RulingAct,
    RulingReason,
    SetArrow,
    UndoRuling,
    WithdrawRuling,
    read_ruling_act,
)
from components.adjudication.desk import NAME_CLASSES, ruling_data
from components.desk.desk_state import DeskState
from components.desk.posting.acts import Act, read_acts
from components.figure.crop import Crop
from core.adjudication.differences import Choice, DifferenceKind, Reason, edge_key
from core.errors import BadInput, EdgewiseError
from core.graphs.alignment import NameClass
from core.sign import Sign
from services.adjudication import editing as service
from tests.components.test_colours import classes

COMPONENTS = Path(__file__).resolve().parents[3] / "components"
ACT_ID = "0198c0de-0000-7000-8000-000000000001"
KEY = edge_key(DifferenceKind.EDGE, "A", "B")
NOTHING = {"reasons": [], "comment": "", "is_gap": False}
NONE = RulingReason((), "", False)


def read(kind: str, **data: Any) -> RulingAct:
    """Through both readers, as an act comes from the browser."""
    (act,) = read_acts({"acts": [{"id": ACT_ID, "seq": 1, "kind": kind, **data}]})
    return read_ruling_act(act)


# --- acts

SAID = {"reasons": ["overlooked", "other", "overlooked"], "comment": " twice <b>", "is_gap": True}
NAME = {"name": "Harvst", "choice": "A", "reference": "Harvest", "name_class": "minor difference", "wording": ""}
ARROW = {"source": "A", "sink": "__proto__", "is_there": True, "sign": "-", "delay": True}


@pytest.mark.parametrize(
    ("kind", "data", "expected"),
    [
        ("rule", {"key": KEY, "choice": "B", **NOTHING}, RuleAct(KEY, Choice.B, NONE)),
        (
            "rule",
            {"key": KEY, "choice": "neither", **SAID},
            RuleAct(KEY, Choice.NEITHER, RulingReason((Reason.MISSED, Reason.OTHER), " twice <b>", True)),
        ),
        ("rule_name", {**NAME, **NOTHING}, RuleName("Harvst", Choice.A, "Harvest", NameClass.MINOR, "", NONE)),
        (
            "rule_name",
            {**NAME, **NOTHING, "choice": "both", "reference": None, "name_class": None},
            RuleName("Harvst", Choice.BOTH, None, None, "", NONE),
        ),
        ("note", {"key": KEY, **NOTHING}, Note(KEY, NONE)),
        ("set_arrow", {**ARROW, **NOTHING}, SetArrow("A", "__proto__", True, Sign.MINUS, True, NONE)),
        (
            "set_arrow",
            {**ARROW, **NOTHING, "is_there": False, "sign": "", "delay": False},
            SetArrow("A", "__proto__", False, None, False, NONE),
        ),
        ("take_back", {"key": KEY}, WithdrawRuling(KEY)),
        ("undo", {}, UndoRuling()),
        ("redo", {}, RedoRuling()),
    ],
)
def test_each_act_is_read_into_its_value(kind: str, data: dict[str, Any], expected: RulingAct) -> None:
    assert read(kind, **data) == expected


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("finish", {}),
        ("rule", {}),
        ("rule", {"key": KEY, "choice": "C", **NOTHING}),
        ("rule", {"key": "", "choice": "A", **NOTHING}),
        ("rule", {"key": "k" * 2001, "choice": "A", **NOTHING}),
        ("rule", {"key": KEY, "choice": "A"}),
        ("rule", {"key": KEY, "choice": "A", **NOTHING, "is_gap": 1}),
        ("rule", {"key": KEY, "choice": "A", **NOTHING, "reasons": "overlooked"}),
        ("rule", {"key": KEY, "choice": "A", **NOTHING, "reasons": ["lazy"]}),
        ("rule", {"key": KEY, "choice": "A", **NOTHING, "reasons": ["other"] * 10}),
        ("rule_name", {**NAME, **NOTHING, "reference": 5}),
        ("rule_name", {**NAME, **NOTHING, "name_class": "slip"}),
        ("rule_name", {**NAME, **NOTHING, "wording": None}),
        ("note", {"key": KEY, "reasons": []}),
        ("set_arrow", {**ARROW, **NOTHING, "sign": "mixed"}),
        ("set_arrow", {**ARROW, **NOTHING, "sign": None}),
        ("set_arrow", {**ARROW, **NOTHING, "sign": []}),
        ("set_arrow", {**ARROW, **NOTHING, "delay": "yes"}),
        ("take_back", {"key": None}),
    ],
)
def test_a_forged_act_is_refused_with_what_is_wrong(kind: str, data: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match="Reload"):
        read(kind, **data)


def test_a_comment_that_is_too_long_says_so_to_the_person_who_wrote_it() -> None:
    with pytest.raises(BadInput, match="at most 5,000"):
        read("note", key=KEY, reasons=[], comment="x" * (LONGEST_COMMENT + 1), is_gap=False)


def test_the_desk_and_the_service_keep_comments_of_one_length() -> None:
    assert service.LONGEST_COMMENT == LONGEST_COMMENT


PLAIN = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9)


@given(
    kind=st.sampled_from(["rule", "rule_name", "note", "set_arrow", "take_back", "x"]),
    data=st.dictionaries(
        st.sampled_from(["key", "choice", "reasons", "comment", "is_gap", "name", "reference", "sign", "source"]),
        PLAIN | st.lists(PLAIN, max_size=3),
    ),
)
def test_whatever_is_sent_is_either_read_or_refused_by_name(kind: str, data: dict[str, Any]) -> None:
    try:
        read_ruling_act(Act(ACT_ID, 1, kind, data))
    except EdgewiseError:
        return


# --- mounting


def test_a_figure_without_extent_is_refused() -> None:
    with pytest.raises(BadInput, match="100 by 0 points"):
        ruling_data(
            Crop("", 100, 0, ""),
            DeskState(subject="s", version=0, receipt=""),
            nodes=[],
            arrows=[],
            names=[],
            differences=[],
            own=[],
            waiting=[],
        )


def test_the_desk_tells_the_browser_what_is_asked_and_who_is_likely_right_about_a_name() -> None:
    def page() -> None:
        from components.adjudication.desk import RulingItem, RulingNode, ruling_data, ruling_desk
        from components.desk.desk_state import DeskState
        from components.figure.crop import Crop
        from core.adjudication.differences import (
            Choice,
            Difference,
            DifferenceKind,
            NameQuestion,
            Ruling,
            edge_key,
            name_key,
        )
        from core.adjudication.ground_truth import TrueArrow
        from core.papers.pages import Box
        from core.sign import Sign

        marks = ((Sign.MINUS, True),)
        found = Difference(
            key=edge_key(DifferenceKind.EDGE, "A", "B"), kind=DifferenceKind.EDGE, source="A", sink="B", a=marks, b=()
        )
        question = NameQuestion(
            key=name_key("Harvst"),
            name="Harvst",
            offers=("Harvest", "Help"),
            reference=None,
            name_class=None,
            is_open=True,
        )
        struck = Ruling(
            key=edge_key(DifferenceKind.OWN, "B", "A"), kind=DifferenceKind.OWN, choice=Choice.NEITHER, is_there=False
        )
        data = ruling_data(
            Crop("/image", 100, 100, "Figure 1"),
            DeskState(subject="s", version=3, receipt="Saved"),
            nodes=[RulingNode("A", "A", "A", "a", Box(1, 2, 3, 4)), RulingNode("B", "B", None, "B", None, (5, 6))],
            arrows=[TrueArrow(source="A", sink="B", sign=Sign.PLUS, delay=False, origin="both")],
            names=[(question, None)],
            differences=[RulingItem(found, None, "A → B is drawn by A only", "drawn, −, delay", "not drawn")],
            own=[struck],
            words=[("A", Box(1, 2, 3, 4))],
            waiting=[question.key, found.key],
        )
        ruling_desk("d", data)

    done = AppTest.from_function(page).run()
    assert not done.exception
    (element,) = done.get("bidi_component")
    data = json.loads(element.proto.json)
    assert data["names"][0]["likely"] == {"Harvest": "auto-correctable typo", "Help": "major mismatch"}
    assert data["differences"][0]["legal"] == ["A", "B"]
    assert data["differences"][0]["a"] == [{"sign": "-", "delay": True}]
    assert data["own"][0] | {"source": "B", "sink": "A", "is_there": False} == data["own"][0]
    assert data["classes"] == [each.value for each in NAME_CLASSES]


# --- the colours


def test_the_two_sides_have_the_colours_that_every_vision_tells_apart() -> None:
    found = dict(
        re.findall(
            r"--(both|a|b): (#[0-9A-F]{6})", (COMPONENTS / "adjudication" / "desk.css").read_text(encoding="utf-8")
        )
    )
    measured = classes("light")  # the figure keeps its white ground in both themes
    assert found == {"both": measured["matched"], "a": measured["missed"], "b": measured["spurious"]}
