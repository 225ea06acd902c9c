"""What the scoring desk's scripts declare of what crosses from and to Python is what Python gives and takes."""

from __future__ import annotations

from typing import Any

import pytest

from components.desk.desk_state import DeskState
from components.desk.outbox import ActLedger
from components.triplets import acts, desk
from core.papers.pages import Box
from core.sign import Sign
from core.triplets.forms import CriterionWords
from tests.components.declared import fields_of, fields_read, unlike

ACTS: dict[str, dict[str, Any]] = {
    "score": {"criterion": "sign", "value": 1},
    "comment": {"text": "So."},
    "skip": {"reason": "Outside my field"},
    "submit": {},
}


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


def given(state: desk.State, answer: desk.DeskAnswer | None, abstract: str | None, own_verdict: bool | None) -> Any:
    ledger = ActLedger()
    ledger.ack("a1")
    ledger.refuse("a2", "No.")
    return desk.scoring_desk(
        "desk",
        DeskState(subject="s", ledger=ledger, version=1, receipt=""),
        claim=claim(abstract),
        criteria=[CriterionWords("sign", "Is it so?", ("no", "yes"))],
        scores={"sign": 1},
        own_verdict=own_verdict,
        comment="",
        state=state,
        answer=answer,
        onward="Next",
        on_acts=lambda: None,
    )


def test_the_page_gives_what_is_declared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk, "_mount", lambda **mounted: mounted["data"])
    critic = desk.DeskCritic("C", True, {"sign": 1}, {"sign": "It is."})
    answer = desk.DeskAnswer("Accepted", "1 of 1", "All agree.", (critic,))
    data = [given("open", None, None, None), given("submitted", answer, "We find.", True)]
    assert unlike("triplets", "TripletData", *data) == []


def test_every_act_has_the_fields_that_python_reads() -> None:
    assert unlike("triplets", "TripletActs", ACTS) == []
    assert set(ACTS) == set(acts._READERS)
    for kind, data in ACTS.items():
        assert fields_read(acts._READERS[kind], data) == fields_of("triplets", "TripletActs", kind), kind
