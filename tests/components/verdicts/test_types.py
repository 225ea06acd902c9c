"""What the verdict desk's scripts declare of what crosses from and to Python is what Python gives and takes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from components.desk.desk_state import DeskState
from components.verdicts import acts, desk
from core.verdicts.labels import LabelBlock, Section
from core.verdicts.overlay import MatchState
from core.verdicts.pictured import PicturedEdge
from tests.components.crossing import POSTED, Sample, always_empty, mounted
from tests.components.noted import fields_read

ACTS: dict[str, dict[str, Any]] = {
    "label": {"number": 1, "block": "graph", "field": "presence_label", "label": "PRESENCE_WEAK_MATCH"},
    "compare": {"number": 1},
    "keep": {"number": 1, "reason": "too harsh", "note": "", "seen_review": 0},
    "concede": {"number": 1, "seen_review": 0},
    "both": {"number": 1, "seen_review": 0},
    "flag": {"number": 1, "note": "Unclear."},
    "take_back": {"number": 1},
    "counterpart": {"truth": 1, "answer": 2, "is_one": True},
    "submit": {},
    "skip": {"reason": "Not mine."},
}
OWN = {(LabelBlock.GRAPH, "presence_label"): "PRESENCE_STRONG_MATCH"}


def samples() -> list[Sample]:
    blind = data_of(None)
    over = mounted(desk, "_mount", lambda: place(desk.DeskScores("0.460", "0.430", "1 label overridden")))
    return [
        ("verdicts.VerdictData", blind),
        ("verdicts.VerdictData", over.data),
        ("verdicts.VerdictActs", ACTS),
        ("verdicts.VerdictActs", {**ACTS, "label": {**ACTS["label"], "label": None}}),
        ("verdicts.VerdictState", over.told(**POSTED, next=1, whole=1, item=1)),
    ]


def item() -> desk.DeskItem:
    return desk.DeskItem(
        number=1,
        names=("rain", "flood"),
        at=(0, 1),
        own=OWN,
        is_compared=True,
        is_flagged=False,
        judges=(desk.DeskJudge("judge", True, OWN),),
        current=OWN,
        score=1.0,
        rulings=(desk.DeskRuling("the judge is right", "Annotator 1", True),),
        oddities=("graph only without a graph match",),
        warnings=("“SEMANTIC_NA” is legal only with PRESENCE_NO_MATCH.",),
        marks=(desk.DeskMark(0, 4, "holds both names"),),
        quotes=(("Rain floods", desk.DeskMark(0, 0, "")),),
    )


def place(scores: desk.DeskScores | None) -> Any:
    done = lambda: None  # noqa: E731
    return desk.verdict_desk("desk", data_of(scores), start=0, on_next=done, on_whole=done, on_item=done)


def data_of(scores: desk.DeskScores | None, text: str = "Rain floods.") -> Any:
    rain = desk.DeskNode(name="rain", lines=("rain",), x=80, y=20, width=60, height=31, truth=1, answer=1)
    flood = desk.DeskNode(name="flood", lines=("flood",), x=300, y=20, width=60, height=31, truth=2, answer=0)
    return desk.verdict_data(
        DeskState(subject="s", version=1, receipt=""),
        section=Section.EDGE_PRECISION,
        title="A paper",
        state="open",
        items=[item()],
        graph=desk.DeskGraph(
            nodes=[rain, flood],
            edges=[PicturedEdge(0, 1, 1, 0)],
            links=[desk.DeskLink(2, 1, "maybe", False)],
            states={section: {1: "matched"} for section in Section},
            is_whole=False,
            may_show_whole=True,
        ),
        text=text,
        to_judge=[desk.DeskMark(0, 4, "addresses the judge")],
        label_first=True,
        review_version=0,
        scores=scores,
        judge="",
        judged="",
        reasoning="/reasoning/1",
        onward="Next sheet",
    )


def test_places_are_counted_as_a_browser_counts() -> None:
    data = data_of(None, "🌧 Rain floods.")
    assert [(each["start"], each["end"]) for each in data["items"][0]["marks"]] == [(0, 5)]


def test_every_list_and_nullable_place_is_filled_by_a_sample() -> None:
    assert always_empty(samples()) == []


def test_every_act_has_the_fields_that_python_reads() -> None:
    assert fields_read(acts._READERS, ACTS) == {kind: set(data) for kind, data in ACTS.items()}


def test_the_picture_knows_every_state_of_a_match() -> None:
    picture = Path(desk.__file__).with_name("picture.js").read_text(encoding="utf-8")
    states = re.search(r"STATES = \[(.*?)\]", picture)
    assert states is not None
    assert set(re.findall(r'"(\w+)"', states[1])) == {state.value for state in MatchState}
