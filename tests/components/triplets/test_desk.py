from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from components.desk.desk_state import DeskState
from components.desk.posting.acts import Act, read_acts
from components.triplets.acts import (
    LONGEST_TEXT,
    Comment,
    ScoreTriplet,
    ScoringAct,
    SkipTriplet,
    SubmitScores,
    read_scoring_act,
)
from components.triplets.desk import (
    DeskClaim,
    DeskPaper,
    ModelAnswer,
    criterion_name,
    scoring_data,
    sign_words,
    web_address,
)
from core.errors import BadInput, EdgewiseError
from core.sign import Sign
from core.triplets.forms import Rubric
from core.triplets.jel import JEL_TITLES
from services.triplets import scoring as service

COMPONENTS = Path(__file__).resolve().parents[3] / "components"
ACT_ID = "0198c0de-0000-7000-8000-000000000001"
CLAIM = DeskClaim(
    treatment="wages",
    outcome="jobs",
    sign=Sign.NONE,
    context="",
    methods="",
    paper=DeskPaper("A paper", ""),
    evidence=(),
)


def read(kind: str, **data: Any) -> ScoringAct:
    """Through both readers, as an act comes from the browser."""
    (act,) = read_acts({"acts": [{"id": ACT_ID, "seq": 1, "kind": kind, **data}]})
    return read_scoring_act(act)


# --- acts


@pytest.mark.parametrize(
    ("kind", "data", "expected"),
    [
        ("score", {"criterion": "sign", "value": 0}, ScoreTriplet("sign", 0)),
        ("score", {"criterion": "verdict", "value": None}, ScoreTriplet("verdict", None)),
        ("comment", {"text": " <b>so</b>\n"}, Comment(" <b>so</b>\n")),
        ("skip", {"reason": "not mine"}, SkipTriplet("not mine")),
        ("submit", {}, SubmitScores()),
    ],
)
def test_each_act_is_read_into_its_value(kind: str, data: dict[str, Any], expected: ScoringAct) -> None:
    assert read(kind, **data) == expected


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("resume", {}),
        ("score", {"value": 1}),
        ("score", {"criterion": "", "value": 1}),
        ("score", {"criterion": "x" * 61, "value": 1}),
        ("score", {"criterion": "sign", "value": True}),
        ("score", {"criterion": "sign", "value": 1.0}),
        ("score", {"criterion": "sign", "value": -1}),
        ("score", {"criterion": "sign", "value": 10}),
        ("score", {"criterion": 3, "value": 1}),
        ("comment", {"text": None}),
        ("skip", {}),
    ],
)
def test_a_forged_act_is_refused_with_what_is_wrong(kind: str, data: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match="Reload"):
        read(kind, **data)


@pytest.mark.parametrize(("kind", "field"), [("comment", "text"), ("skip", "reason")])
def test_a_text_that_is_too_long_says_so_to_the_person_who_wrote_it(kind: str, field: str) -> None:
    with pytest.raises(BadInput, match="at most 2,000"):
        read(kind, **{field: "x" * (LONGEST_TEXT + 1)})


def test_the_desk_and_the_service_keep_texts_of_one_length_and_the_same_letters() -> None:
    assert service.LONGEST_COMMENT == LONGEST_TEXT
    assert set(JEL_TITLES) == service.LETTERS


PLAIN = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9)


@given(
    kind=st.sampled_from(["score", "comment", "skip", "submit", "x"]),
    data=st.dictionaries(
        st.sampled_from(["criterion", "value", "text", "reason"]), PLAIN | st.lists(PLAIN, max_size=3)
    ),
)
def test_whatever_is_sent_is_either_read_or_refused_by_name(kind: str, data: dict[str, Any]) -> None:
    try:
        read_scoring_act(Act(ACT_ID, 1, kind, data))
    except EdgewiseError:
        return


# --- mounting


def test_nothing_that_came_of_the_scores_is_sent_before_they_are_handed_in() -> None:
    with pytest.raises(BadInput, match="submitted"):
        scoring_data(
            DeskState(subject="s", version=1, receipt=""),
            claim=CLAIM,
            criteria=Rubric.ECONCAUSAL.criteria,
            scores={},
            own_verdict=None,
            comment="",
            state="open",
            answer=ModelAnswer("Accepted", "18 of 18", ""),
            onward="",
        )


def sent(page: Any) -> dict[str, Any]:
    done = AppTest.from_function(page).run()
    assert not done.exception, done.exception
    (element,) = done.get("bidi_component")
    data: dict[str, Any] = json.loads(element.proto.json)
    return data


def test_the_desk_tells_the_browser_the_claim_its_evidence_and_the_words_of_every_score() -> None:
    def page() -> None:
        from components.desk.desk_state import DeskState
        from components.triplets.desk import DeskClaim, DeskEvidence, DeskPaper, DeskPlace, scoring_data, scoring_desk
        from core.papers.pages import Box
        from core.sign import Sign
        from core.triplets.forms import Rubric

        place = DeskPlace(2, "/image/page/p/2", 612, 792, (Box(1, 2, 3, 4),))
        claim = DeskClaim(
            treatment="wages",
            outcome="jobs",
            sign=Sign.MINUS,
            context="A town.",
            methods="IV",
            paper=DeskPaper("A paper", "1990", "javascript:alert(1)"),
            evidence=(DeskEvidence("They fell.", "page 2", "", (place,)), DeskEvidence("They rose.", "", "Not found")),
        )
        data = scoring_data(
            DeskState(subject="s", version=3, receipt="Saved"),
            claim=claim,
            criteria=Rubric.VALIDATION.criteria,
            scores={"entities": 2},
            own_verdict=None,
            comment="",
            state="open",
            onward="Next",
        )
        scoring_desk("d", data)

    data = sent(page)
    assert (data["claim"]["sign"], data["claim"]["verb"]) == ("−", "decreases")
    assert data["claim"]["paper"]["url"] == ""
    assert data["claim"]["evidence"][0]["places"] == [
        {"page": 2, "image_url": "/image/page/p/2", "width": 612, "height": 792, "boxes": [[1, 2, 3, 4]]}
    ]
    assert [(each["key"], len(each["words"])) for each in data["criteria"]] == [
        ("entities", 3),
        ("direction", 2),
        ("causal", 2),
    ]
    assert data["answer"] is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (" https://doi.org/10.1/x ", "https://doi.org/10.1/x"),
        ("http://nber.org/w1", "http://nber.org/w1"),
        ("javascript:alert(1)", ""),
        ("//nber.org", ""),
        ("nber.org/w1", ""),
        ("", ""),
        ("http://[", ""),
        ("data:text/html,x", ""),
    ],
)
def test_only_an_address_of_the_web_becomes_a_link(text: str, expected: str) -> None:
    assert web_address(text) == expected


def test_signs_and_criteria_are_written_in_words() -> None:
    assert [sign_words(sign) for sign in Sign] == [
        "+ increases",
        "− decreases",
        "has no effect on",
        "has mixed effects on",
    ]
    assert criterion_name("main_claim") == "Main claim"
