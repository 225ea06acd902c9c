"""What the scripts of the desk of a text declare of what crosses from and to Python is what Python gives and takes."""

from __future__ import annotations

from typing import Any

from components.desk.desk_state import DeskState
from components.texts import acts, desk
from components.texts.labels import acts as label_acts
from components.texts.labels import desk as label_desk
from core.texts.explicitness import ExplicitnessLevel
from core.texts.leaks import Leak, LeakFinding
from core.texts.redline import TextChange
from tests.components.crossing import POSTED, Sample, always_empty, mounted
from tests.components.noted import fields_read

ACTS: dict[str, dict[str, Any]] = {
    "reject_change": {"text": "t", "number": 1},
    "restore_change": {"text": "t", "number": 1},
    "replace_stretch": {"text": "t", "start": 0, "end": 4, "was": "Rain", "replacement": "Snow"},
    "ready": {},
    "undo": {},
    "redo": {},
}
LABEL_ACTS: dict[str, dict[str, Any]] = {"label": {"node": "Rain", "level": 1}, "submit_levels": {}}
CHANGE = TextChange(
    number=1, start=4, end=12, was=" (1999)", replacement="", kind="citation", page=2, flagged=("snow",)
)
FINDING = LeakFinding(
    kind=Leak.ARROW, line=1, start=0, end=9, text="rain → lake", nodes=("Rain", "Lake"), edges=(("Rain", "Lake"),)
)


def samples() -> list[Sample]:
    full = mounted(desk, "_mount", lambda: desk.text_desk("desk", data_of((CHANGE,), True)))
    bare = data_of((TextChange(number=1, start=0, end=1, was="a", replacement="b", kind="by hand"),))
    labelled = mounted(label_desk, "_mount", lambda: label_desk.label_desk("desk", label_data(), on_next=lambda: None))
    return [
        ("texts.LabelData", labelled.data),
        ("texts.LabelActs", LABEL_ACTS),
        ("texts.LabelActs", {**LABEL_ACTS, "label": {"node": "Rain", "level": None}}),
        ("texts.LabelState", labelled.told(**POSTED, next=1)),
        ("texts.TextData", full.data),
        ("texts.TextData", bare),
        ("texts.TextActs", ACTS),
        ("texts.TextState", full.told(**POSTED)),
    ]


def data_of(changes: tuple[TextChange, ...], has_passed: bool | None = None) -> Any:
    stage = desk.DeskStage(
        text_id="t", label="Markdown", url="/text/0", size="9 words", has_passed=has_passed, changes=changes
    )
    return desk.text_data(
        DeskState(subject="s", version=1, receipt=""),
        stages=[stage],
        findings=[FINDING],
        unmet_requirements=["This figure has no ground truth yet."],
        is_ready=False,
    )


def label_data() -> Any:
    return label_desk.label_data(
        DeskState(subject="s", version=1, receipt=""),
        url="/text/0",
        nodes=["Rain"],
        levels={"Rain": ExplicitnessLevel.IMPLICIT},
        state="open",
        onward="Next text",
    )


def test_every_list_and_nullable_place_is_filled_by_a_sample() -> None:
    assert always_empty(samples()) == []


def test_every_act_has_the_fields_that_python_reads() -> None:
    assert fields_read(acts._READERS, ACTS) == {kind: set(data) for kind, data in ACTS.items()}
    assert fields_read(label_acts._READERS, LABEL_ACTS) == {kind: set(data) for kind, data in LABEL_ACTS.items()}
