"""What the scripts of pictures declare of what crosses from and to Python is what Python gives and takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from components.figure import figure_view, region_picker
from components.figure.crop import Crop
from core.papers.pages import Box
from tests.components.declared import unlike

BOX = Box(0, 0, 20, 30)
Mounted = list[dict[str, Any]]


@pytest.fixture
def mounted(monkeypatch: pytest.MonkeyPatch) -> Mounted:
    given: Mounted = []

    def mount(*, data: dict[str, Any], **_: Any) -> dict[str, Any]:
        given.append(data)
        return {}

    monkeypatch.setattr(figure_view, "_mount", mount)
    monkeypatch.setattr(region_picker, "_mount", mount)
    return given


def test_the_figure_with_marks_gets_what_is_declared(mounted: Mounted) -> None:
    marks = [figure_view.FigureMark("word", "m1", "Rain", BOX, "attested")]
    figure_view.figure_view(Crop("/picture/1", 100, 50, "A figure"), key="figure", marks=marks)
    assert unlike("figure", "FigureViewData", *mounted) == []


def test_the_region_picker_gets_what_is_declared(mounted: Mounted) -> None:
    pick: Callable[..., Any] = region_picker.region_picker
    page = {"image_url": "/picture/1", "page_width": 600, "page_height": 800, "alt": "Page 1"}
    for chosen in (None, BOX):
        pick(key="page", regions=[region_picker.PickRegion("r1", "", BOX)], chosen=chosen, **page)
    assert unlike("figure", "PickerData", *mounted) == []


def test_click_and_choice_are_read_as_they_are_declared() -> None:
    click = {"id": "m1", "n": 3}
    picked = [{"box": [0, 0, 20, 30], "region_id": region, "n": 4} for region in (None, "r1")]
    assert unlike("figure", "FigureViewState", {"click": click}) == []
    assert unlike("figure", "PickerState", *({"picked": each} for each in picked)) == []
    assert figure_view.read_click(click, {"m1"}) == figure_view.FigureClick("m1", 3)
    assert [region_picker.read_picked(each, 600, 800) for each in picked] == [
        region_picker.PickedRegion(BOX, None, 4),
        region_picker.PickedRegion(BOX, "r1", 4),
    ]
