"""The contact sheet: found figures with the decision on each, made once, taken back, and told to two who decide."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from sqlalchemy import delete

from core.errors import Missing, Refused
from core.papers.detected_figures import FigureDecision
from core.papers.pages import Box, FigureRegion, PageFacts
from core.people import Receipt, Viewer
from documents.reader import Reader
from services.papers import contact_sheet, figures, finding
from services.papers.contact_sheet import FoundFigure
from services.study import Study
from services.transcription import transcribing
from store import history
from store.tables import DerivedRow, new_id
from tests.conftest import add_figure

pytestmark = pytest.mark.both
WAITING, LOCATED, LEFT_OUT = FigureDecision
LOOPS = FigureRegion(Box(72, 400, 540, 700), "vector", "Figure 2", "Loops of grain")
CHART = FigureRegion(Box(72, 72, 540, 360), "raster", "", "")


@pytest.fixture
def found(open_one: Study, people: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> list[FoundFigure]:
    """Two papers; on page 1 of each a captioned figure, on page 2 one where a figure is located already."""

    def page(_reader: Reader, _path: object, _sha256: str, number: int) -> PageFacts:
        return PageFacts(number, 612, 792, (), {1: (LOOPS,), 2: (CHART,)}.get(number, ()))

    monkeypatch.setattr(Reader, "page", page)
    for title in ("First", "Second"):
        add_figure(open_one, title)
    with open_one.store.writing() as session:
        session.execute(delete(DerivedRow))  # nobody has looked at a page
    finding.find_all(people.owner, act_id=new_id())
    finding.process_queue(open_one, lambda: True)
    return sheet_of(people.researcher)


def sheet_of(viewer: Viewer, decision: FigureDecision = WAITING) -> list[FoundFigure]:
    return list(contact_sheet.sheet(viewer, decision).figures)


def decide(viewer: Viewer, one: FoundFigure, to: FigureDecision, was: FigureDecision = WAITING) -> Receipt:
    return contact_sheet.decide(viewer, one.paper_id, one.part, to, was=was, act_id=new_id())


def now(viewer: Viewer, one: FoundFigure) -> FoundFigure:
    return contact_sheet.of_keys(viewer, [one.key])[0]


def test_figures_that_are_located_already_do_not_wait(found: list[FoundFigure], people: SimpleNamespace) -> None:
    assert [(each.paper_title, each.page, each.label) for each in found] == [
        ("First", 1, "Figure 2"),
        ("Second", 1, "Figure 2"),
    ]
    sheet = contact_sheet.sheet(people.researcher, LOCATED)
    assert [(each.page, each.number) for each in sheet.figures] == [(2, 0), (2, 0)]
    assert sheet.counts == {WAITING: 2, LOCATED: 2}


def test_locating_one_makes_a_figure_of_the_study(found: list[FoundFigure], people: SimpleNamespace) -> None:
    one = found[0]
    receipt = decide(people.researcher, one, LOCATED)
    (figure,) = (each for each in figures.figures_of(people.expert, one.paper_id) if each.id == receipt.subject_id)
    assert (figure.page, figure.box, figure.label) == (1, LOOPS.box, "Figure 2")
    assert (figure.caption, figure.place) == ("Loops of grain", "Bottom of page 1")
    assert now(people.owner, one).decision is LOCATED
    assert [each.key for each in sheet_of(people.researcher)] == [found[1].key]


def test_the_same_act_again_makes_no_second_figure(found: list[FoundFigure], people: SimpleNamespace) -> None:
    one, act_id = found[0], new_id()
    for _time in range(2):
        contact_sheet.decide(people.researcher, one.paper_id, one.part, LOCATED, was=WAITING, act_id=act_id)
    assert len(figures.figures_of(people.expert, one.paper_id, with_archived=True)) == 2  # with the one of page 2


def test_a_decision_is_taken_back_and_made_again_on_the_same_figure(
    found: list[FoundFigure], people: SimpleNamespace
) -> None:
    one = found[0]
    first = decide(people.researcher, one, LOCATED)
    decide(people.researcher, one, WAITING, was=LOCATED)
    assert now(people.researcher, one).decision is WAITING
    assert len(figures.figures_of(people.expert, one.paper_id)) == 1
    again = decide(people.researcher, one, LOCATED)
    assert again.subject_id == first.subject_id


def test_one_that_is_left_out_waits_no_more_and_can_come_back(
    found: list[FoundFigure], people: SimpleNamespace
) -> None:
    one = found[0]
    decide(people.researcher, one, LEFT_OUT)
    assert [each.key for each in sheet_of(people.researcher)] == [found[1].key]
    assert [each.key for each in sheet_of(people.researcher, LEFT_OUT)] == [one.key]
    decide(people.researcher, one, WAITING, was=LEFT_OUT)
    assert [each.key for each in sheet_of(people.researcher)] == [each.key for each in found]
    decide(people.researcher, one, LEFT_OUT)
    decide(people.researcher, one, LOCATED, was=LEFT_OUT)
    assert now(people.researcher, one).decision is LOCATED


def test_every_decision_is_one_event(study: Study, found: list[FoundFigure], people: SimpleNamespace) -> None:
    one = found[0]
    steps = [(LOCATED, WAITING), (LEFT_OUT, LOCATED), (LOCATED, LEFT_OUT), (WAITING, LOCATED), (LEFT_OUT, WAITING)]
    ids = []
    for to, was in steps:
        ids.append(new_id())
        contact_sheet.decide(people.researcher, one.paper_id, one.part, to, was=was, act_id=ids[-1])
    decide(people.researcher, one, WAITING, was=LEFT_OUT)
    with study.store.reading() as session:
        acts = [history.event_of(session, act_id) for act_id in ids]
    assert [event.act for event in acts if event is not None] == [
        "figure.locate",
        "figure.archive",
        "figure.restore",
        "figure.archive",
        "figure.leave_out",
    ]


def test_whoever_decides_second_is_told_what_it_is_now(found: list[FoundFigure], people: SimpleNamespace) -> None:
    decide(people.researcher, found[0], LOCATED)
    with pytest.raises(Refused, match="meanwhile: it is located now"):
        decide(people.owner, found[0], LEFT_OUT)
    assert now(people.owner, found[0]).decision is LOCATED


def test_a_figure_that_an_annotator_has_started_is_not_left_out(
    found: list[FoundFigure], people: SimpleNamespace
) -> None:
    figure_id = decide(people.researcher, found[0], LOCATED).subject_id
    transcribing.take(people.annotator, figure_id, act_id=new_id())
    for to in (WAITING, LEFT_OUT):
        with pytest.raises(Refused, match="An annotator has started this figure"):
            decide(people.researcher, found[0], to, was=LOCATED)
    assert now(people.owner, found[0]).decision is LOCATED


def test_a_place_that_was_not_found_is_no_figure(found: list[FoundFigure], people: SimpleNamespace) -> None:
    with pytest.raises(Missing, match="not among those found"):
        contact_sheet.decide(
            people.researcher, found[0].paper_id, "page 1 box 0 0 9 9", LOCATED, was=WAITING, act_id=new_id()
        )
    assert [each.key for each in sheet_of(people.researcher)] == [each.key for each in found]
    assert [each.page for each in figures.figures_of(people.expert, found[0].paper_id, with_archived=True)] == [2]


def test_sheets_follow_each_other_and_begin_again(found: list[FoundFigure], people: SimpleNamespace) -> None:
    first = contact_sheet.sheet(people.owner, WAITING, most=1).figures
    second = contact_sheet.sheet(people.owner, WAITING, after=first[-1].key, most=1).figures
    again = contact_sheet.sheet(people.owner, WAITING, after=second[-1].key, most=1).figures
    assert [first[0].key, second[0].key, again[0].key] == [found[0].key, found[1].key, found[0].key]
