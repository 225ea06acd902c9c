"""What the scripts of pictures declare of what crosses from and to Python is what Python gives and takes."""

from __future__ import annotations

from typing import Any

from components.figure import figure_view, region_picker
from components.figure.crop import Crop
from core.papers.pages import Box
from tests.components.crossing import Mounted, Sample, always_empty, mounted

BOX = Box(0, 0, 20, 30)
CLICK = {"id": "m1", "n": 3}
PICKED = [{"box": [0, 0, 20, 30], "region_id": region, "n": 4} for region in (None, "r1")]


def samples() -> list[Sample]:
    figure = mounted(figure_view, "_mount", place_figure, {})
    return [
        ("figure.FigureViewData", figure.data),
        ("figure.FigureViewState", figure.told(click=CLICK)),
        *(("figure.PickerData", picker(chosen).data) for chosen in (None, BOX)),
        *(("figure.PickerState", picker(None).told(picked=picked)) for picked in PICKED),
    ]


def place_figure() -> Any:
    marks = [figure_view.FigureMark("word", "m1", "Rain", BOX, "attested", [(1.0, 2.0)])]
    return figure_view.figure_view(Crop("/picture/1", 100, 50, "A figure"), key="figure", marks=marks)


def picker(chosen: Box | None) -> Mounted:
    page: dict[str, Any] = {"image_url": "/picture/1", "page_width": 600, "page_height": 800, "alt": "Page 1"}
    regions = [region_picker.PickRegion("r1", "", BOX)]
    return mounted(
        region_picker,
        "_mount",
        lambda: region_picker.region_picker(key="page", regions=regions, chosen=chosen, **page),
        {},
    )


def test_every_list_and_nullable_place_is_filled_by_a_sample() -> None:
    assert always_empty(samples()) == []


def test_click_and_choice_are_read_as_they_are_declared() -> None:
    assert figure_view.read_click(CLICK, {"m1"}) == figure_view.FigureClick("m1", 3)
    assert [region_picker.read_picked(each, 600, 800) for each in PICKED] == [
        region_picker.PickedRegion(BOX, None, 4),
        region_picker.PickedRegion(BOX, "r1", 4),
    ]
