"""Locating diagrams: rectangles that fit the page, places in words, corrections, archive."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from core.errors import BadInput, Conflict, Missing
from core.papers.pages import Box, PageFacts
from core.papers.papers import PaperReference
from core.people import Receipt
from services.papers import figure_pages, figures, images, importing
from services.papers.figures import place_in_words
from services.study import Study
from store.tables import new_id

pytestmark = pytest.mark.both

LETTER = PageFacts(7, 612.0, 792.0, (), ())


@pytest.mark.parametrize(
    ("box", "words"),
    [
        (Box(0, 0, 612, 792), "Whole page 7"),
        (Box(20, 20, 592, 772), "Whole page 7"),  # 572 x 752 is 0.89 of the page
        (Box(0, 0, 600, 300), "Top of page 7"),
        (Box(0, 250, 600, 540), "Middle of page 7"),
        (Box(0, 560, 600, 790), "Bottom of page 7"),
        (Box(30, 30, 200, 200), "Top left of page 7"),
        (Box(400, 30, 590, 200), "Top right of page 7"),
        (Box(30, 600, 290, 780), "Bottom left of page 7"),
        (Box(206, 346, 406, 446), "Middle of page 7"),  # in the very middle, less than half as wide
        (Box(320, 600, 600, 780), "Bottom right of page 7"),
    ],
)
def test_a_place_is_said_as_a_reader_would(box: Box, words: str) -> None:
    assert place_in_words(box, LETTER) == words


def locate(people: SimpleNamespace, figure: SimpleNamespace, box: Box, page: int = 3, **words: str) -> Receipt:
    return figures.locate(people.researcher, figure.paper_id, page, box, act_id=new_id(), **words)


def found(people: SimpleNamespace, figure: SimpleNamespace, figure_id: str) -> figures.LocatedFigure:
    all_of_it = figures.figures_of(people.expert, figure.paper_id, with_archived=True)
    return next(one for one in all_of_it if one.id == figure_id)


def test_a_located_figure_comes_back_with_its_place_in_words(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    receipt = locate(people, a_figure, Box(30, 30, 200, 200), label=" Figure 2 ", caption=" Loops ")
    one = found(people, a_figure, receipt.subject_id)
    assert (one.page, one.box, one.place) == (3, Box(30, 30, 200, 200), "Top left of page 3")
    assert (one.label, one.caption, one.version, one.is_archived) == ("Figure 2", "Loops", 1, False)


def test_words_of_the_person_stand_before_ours(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    receipt = locate(people, a_figure, Box(30, 30, 200, 200), place="Beside the table")
    assert found(people, a_figure, receipt.subject_id).place == "Beside the table"


def test_a_rectangle_over_the_edge_is_cut_to_the_page(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    receipt = locate(people, a_figure, Box(-50, -50, 100, 5000))
    assert found(people, a_figure, receipt.subject_id).box == Box(0, 0, 100, 792)


@pytest.mark.parametrize(
    "box",
    [
        Box(700, 10, 800, 100),
        Box(10, 800, 100, 900),
        Box(10, 10, 21, 100),
        Box(10, 10, 100, 10),
        Box(100, 100, 50, 50),
        Box(605, 10, 700, 100),
        Box(float("nan"), 0, 100, 100),
        Box(0, 0, float("inf"), 100),
    ],
)
def test_a_rectangle_off_the_page_or_too_small_is_refused(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, box: Box
) -> None:
    with pytest.raises(BadInput, match="rectangle"):
        locate(people, a_figure, box)
    with pytest.raises(BadInput, match="rectangle"):
        figures.relocate(people.researcher, a_figure.id, box, "", "", seen=1, act_id=new_id())
    assert len(figures.figures_of(people.expert, a_figure.paper_id)) == 1


@pytest.mark.parametrize("number", [0, 4, -1])
def test_a_page_that_is_not_there_is_missing(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, number: int
) -> None:
    with pytest.raises(Missing, match=f"3 pages; there is no page {number}"):
        locate(people, a_figure, Box(0, 0, 100, 100), page=number)
    with pytest.raises(Missing, match="no page"):
        images.page_image(people.expert, a_figure.paper_id, number, 100)


def test_a_paper_without_a_file_has_no_page(sqlite_study: Study, people: SimpleNamespace) -> None:
    paper_id = importing.add_reference(people.researcher, PaperReference(title="No file"), act_id=new_id()).subject_id
    for attempt in (
        lambda: figures.page(people.expert, paper_id, 1),
        lambda: images.page_image(people.expert, paper_id, 1, 100),
        lambda: figure_pages.pages_looked_at(people.expert, paper_id),
    ):
        with pytest.raises(Missing, match="no file yet"):
            attempt()


@pytest.mark.usefixtures("own_reader")
def test_pages_read_before_are_not_read_again(study: Study, people: SimpleNamespace, a_figure: SimpleNamespace) -> None:
    study.pool.close()  # nothing can be read any more
    assert figures.page(people.expert, a_figure.paper_id, 2) == PageFacts(2, 612.0, 792.0, (), ())
    assert figure_pages.pages_looked_at(people.expert, a_figure.paper_id) == {1: 0, 2: 0, 3: 0}


def test_a_figures_place_is_corrected_at_the_version_that_was_seen(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    me = people.researcher
    figures.relocate(me, a_figure.id, Box(0, 560, 600, 790), "", " Fig. 1 ", seen=1, act_id=new_id())
    one = found(people, a_figure, a_figure.id)
    assert (one.place, one.label, one.version) == ("Bottom of page 2", "Fig. 1", 2)
    with pytest.raises(Conflict) as caught:
        figures.relocate(me, a_figure.id, Box(0, 0, 600, 90), "", "", seen=1, act_id=new_id())
    assert (caught.value.seen, caught.value.found) == (1, 2)
    with pytest.raises(Conflict):
        figures.archive_figure(me, a_figure.id, True, seen=1, act_id=new_id())


def test_an_archived_figure_leaves_the_lists_and_comes_back(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    figures.archive_figure(people.researcher, a_figure.id, True, seen=1, act_id=new_id())
    assert figures.figures_of(people.expert, a_figure.paper_id) == ()
    assert found(people, a_figure, a_figure.id).is_archived
    figures.archive_figure(people.researcher, a_figure.id, False, seen=2, act_id=new_id())
    assert len(figures.figures_of(people.expert, a_figure.paper_id)) == 1


def test_a_figure_that_is_not_there_is_missing(sqlite_study: Study, people: SimpleNamespace) -> None:
    with pytest.raises(Missing, match="no such figure"):
        figures.archive_figure(people.researcher, "none", True, seen=1, act_id=new_id())
    with pytest.raises(Missing, match="no such figure"):
        images.figure_image(people.expert, "none", 100)
