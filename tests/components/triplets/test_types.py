"""What the scoring desk's scripts declare of what crosses from and to Python is what Python gives and takes."""

from __future__ import annotations

from typing import Any

from components.desk.desk_state import DeskState
from components.triplets import acts, desk
from core.papers.pages import Box
from core.sign import Sign
from core.triplets.forms import CriterionWords
from tests.components.crossing import POSTED, Sample, always_empty, mounted
from tests.components.noted import fields_read

ACTS: dict[str, dict[str, Any]] = {
    "score": {"criterion": "sign", "value": 1},
    "comment": {"text": "So."},
    "skip": {"reason": "Outside my field"},
    "submit": {},
}
CRITIC = desk.DeskCritic("C", True, {"sign": 1}, {"sign": "It is."})
ANSWER = desk.ModelAnswer("Accepted", "1 of 1", "All agree.", (CRITIC,))


def samples() -> list[Sample]:
    asked = mounted(desk, "_mount", lambda: desk.scoring_desk("desk", data_of("open", None, None, None)))
    shown = data_of("submitted", ANSWER, "We find.", True)
    return [
        ("triplets.TripletData", asked.data),
        ("triplets.TripletData", shown),
        ("triplets.TripletActs", ACTS),
        ("triplets.TripletActs", {**ACTS, "score": {"criterion": "verdict", "value": None}}),
        ("triplets.TripletState", asked.told(**POSTED, next=1)),
    ]


def claim(abstract: str | None) -> desk.DeskClaim:
    place = desk.DeskPlace(3, "/picture/3", 600, 800, (Box(0, 0, 10, 10),))
    return desk.DeskClaim(
        treatment="wages",
        outcome="jobs",
        sign=Sign.PLUS,
        context="",
        methods="",
        paper=desk.DeskPaper("A paper", "2020", "https://example.org"),
        evidence=(desk.DeskEvidence("Wages raise jobs.", places=(place,)),),
        abstract=abstract,
    )


def data_of(state: desk.State, answer: desk.ModelAnswer | None, abstract: str | None, own_verdict: bool | None) -> Any:
    return desk.scoring_data(
        DeskState(subject="s", version=1, receipt=""),
        claim=claim(abstract),
        criteria=[CriterionWords("sign", "Is it so?", ("no", "yes"))],
        scores={"sign": 1},
        own_verdict=own_verdict,
        comment="",
        state=state,
        answer=answer,
        onward="Next",
    )


def test_every_list_and_nullable_place_is_filled_by_a_sample() -> None:
    assert always_empty(samples()) == []


def test_every_act_has_the_fields_that_python_reads() -> None:
    assert fields_read(acts._READERS, ACTS) == {kind: set(data) for kind, data in ACTS.items()}
