"""What the contact sheet's scripts declare of what crosses from and to Python is what Python gives and takes."""

from __future__ import annotations

from typing import Any

import pytest

from components.contact_sheet import acts, sheet
from components.desk.desk_state import DeskState
from components.desk.posting.acts import Act
from core.errors import BadInput
from core.papers.detected_figures import FigureDecision
from core.papers.pages import Box
from tests.components.crossing import POSTED, Sample, always_empty, mounted
from tests.components.noted import fields_read

ACTS: dict[str, dict[str, Any]] = {"decide_figure": {"figure": "paper/part", "decision": "located", "was": "waiting"}}


def samples() -> list[Sample]:
    laid = mounted(sheet, "_mount", lambda: sheet.contact_sheet("sheet", data_of(figure()), on_next=lambda: None))
    return [
        ("contact_sheet.SheetData", laid.data),
        ("contact_sheet.SheetActs", ACTS),
        ("contact_sheet.SheetState", laid.told(**POSTED, next=1)),
    ]


def figure(height: float = 792) -> sheet.SheetFigure:
    return sheet.SheetFigure(
        id="paper/part",
        paper="A paper",
        page=3,
        label="Figure 1",
        caption="Loops",
        image_url="/image/found/paper/3/0",
        page_url="/image/page/paper/3",
        width=612,
        height=height,
        box=Box(72, 72, 540, 360),
        link="/papers?paper=paper",
        decision=FigureDecision.LEFT_OUT,
    )


def data_of(*figures: sheet.SheetFigure) -> Any:
    standing = DeskState(subject="s", version=1)
    return sheet.sheet_data(standing, figures=figures, onward="All papers")


def test_every_list_and_nullable_place_is_filled_by_a_sample() -> None:
    assert always_empty(samples()) == []


def test_every_act_has_the_fields_that_python_reads() -> None:
    assert fields_read(acts._READERS, ACTS) == {kind: set(data) for kind, data in ACTS.items()}


@pytest.mark.parametrize(
    "change", [{"decision": "archived"}, {"was": None}, {"figure": ""}, {"figure": "x" * 201}, {"figure": 3}]
)
def test_what_no_sheet_can_send_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(BadInput):
        acts.read_sheet_act(Act("id", 1, "decide_figure", {**ACTS["decide_figure"], **change}))


def test_a_page_without_extent_is_refused() -> None:
    with pytest.raises(BadInput, match="cannot be shown"):
        data_of(figure(height=0))
