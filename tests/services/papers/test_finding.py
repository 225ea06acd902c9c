"""Finding figures on all papers: wanted, stopped, killed and gone on with; every page is looked at once."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from sqlmodel import col, select

from core.errors import Missing, Refused, UnreadableDocument
from core.papers.pages import Box, FigureRegion, PageFacts
from core.people import Viewer
from documents.reader import FIGURES_PRODUCER, Reader
from services.papers import figure_pages, finding, papers
from services.papers.finder import Finder
from services.study import Study
from store.tables import DerivedRow, new_id
from tests.conftest import Clock, add_figure

REGION = FigureRegion(Box(72, 72, 540, 360), "vector", "Figure 1", "Loops")
pytestmark = pytest.mark.both


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """The pages that were really opened, in order; each holds one figure."""
    opened: list[tuple[str, int]] = []

    def page(_reader: Reader, _path: object, sha256: str, number: int) -> PageFacts:
        opened.append((sha256, number))
        return PageFacts(number, 612, 792, (), (REGION,))

    monkeypatch.setattr(Reader, "page", page)
    return opened


@pytest.fixture
def three(open_one: Study) -> list[SimpleNamespace]:
    """Three papers of three pages that nobody has looked at."""
    made = [add_figure(open_one, f"Paper {n}") for n in range(3)]
    with open_one.store.writing() as session:
        for row in session.exec(select(DerivedRow)):
            session.delete(row)
    return made


def kept(study: Study) -> list[tuple[str, str]]:
    with study.store.reading() as session:
        query = select(DerivedRow.source_hash, DerivedRow.part).where(DerivedRow.producer == FIGURES_PRODUCER)
        return list(session.exec(query.order_by(col(DerivedRow.source_hash), col(DerivedRow.part))))


def until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.01)


def find_all(viewer: Viewer) -> None:
    finding.find_all(viewer, act_id=new_id())


@pytest.mark.both(usually=False)
def test_all_pages_are_looked_at_once_paper_after_paper(
    study: Study, people: SimpleNamespace, three: list[SimpleNamespace], looked: list[tuple[str, int]]
) -> None:
    find_all(people.researcher)
    assert finding.process_queue(study, lambda: True) is None
    assert looked == [(paper.sha256, number) for paper in three for number in (1, 2, 3)]
    now = finding.progress(people.owner)
    assert (now.papers, now.papers_done, now.pages, now.pages_done, now.is_running) == (3, 3, 9, 9, False)
    assert figure_pages.pages_looked_at(people.annotator, three[0].paper_id) == {1: 1, 2: 1, 3: 1}
    assert finding.process_queue(study, lambda: True) is None
    assert len(looked) == 9, "what is kept is not looked at again"
    with pytest.raises(Refused, match="All pages have been looked at"):
        find_all(people.researcher)


def test_nothing_is_looked_at_unless_somebody_wants_it(
    study: Study, people: SimpleNamespace, three: list[SimpleNamespace], looked: list[tuple[str, int]]
) -> None:
    finding.process_queue(study, lambda: True)
    assert looked == []
    assert not finding.progress(people.owner).is_running


@pytest.mark.both(usually=False)
def test_stopped_it_ends_after_the_page_under_way_and_goes_on_where_it_was(
    study: Study, people: SimpleNamespace, three: list[SimpleNamespace], looked: list[tuple[str, int]]
) -> None:
    find_all(people.researcher)

    def stopped_at_four() -> bool:
        if len(looked) == 4 and finding.progress(people.owner).is_running:
            finding.stop(people.owner, act_id=new_id())
        return True

    finding.process_queue(study, stopped_at_four)
    assert len(looked) == 4
    now = finding.progress(people.owner)
    assert (now.is_running, now.papers_done, now.pages_done, now.now) == (False, 1, 4, ("Paper 1", 1, 3))
    find_all(people.researcher)
    finding.process_queue(study, lambda: True)
    assert len(looked) == len(set(looked)) == 9


def test_killed_in_the_middle_every_figure_is_found_once(
    study: Study, people: SimpleNamespace, three: list[SimpleNamespace], looked: list[tuple[str, int]]
) -> None:
    """Twice the process ends at a page: what was kept before stays, and that page is looked at again."""
    find_all(people.researcher)
    for at in (2, 7):
        with pytest.raises(KeyboardInterrupt):
            finding.process_queue(study, _killed_after(looked, at))
    finding.process_queue(study, lambda: True)
    assert kept(study) == sorted((paper.sha256, f"page {number}") for paper in three for number in (1, 2, 3))
    assert sorted(looked) == sorted(set(looked))


def _killed_after(looked: list[tuple[str, int]], pages: int) -> Any:
    def goes_on() -> bool:
        if len(looked) >= pages:
            raise KeyboardInterrupt
        return True

    return goes_on


def test_papers_added_later_are_not_looked_at_until_somebody_asks_again(
    study: Study, people: SimpleNamespace, three: list[SimpleNamespace], looked: list[tuple[str, int]], clock: Clock
) -> None:
    find_all(people.researcher)
    clock.advance(minutes=1)
    later = add_figure(study, "A later paper")
    finding.process_queue(study, lambda: True)
    assert later.sha256 not in {sha256 for sha256, _number in looked}
    now = finding.progress(people.owner)
    assert (now.is_running, now.is_done, now.papers_done) == (False, False, 3)
    find_all(people.researcher)
    finding.process_queue(study, lambda: True)
    assert finding.progress(people.owner).is_done


def test_pages_that_were_opened_before_are_not_opened_again(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, looked: list[tuple[str, int]]
) -> None:
    find_all(people.researcher)
    finding.process_queue(study, lambda: True)
    assert looked == []
    assert finding.progress(people.owner).is_done


def test_excluded_and_archived_papers_are_left_alone(
    study: Study, people: SimpleNamespace, three: list[SimpleNamespace], looked: list[tuple[str, int]]
) -> None:
    first = papers.paper(people.researcher, three[0].paper_id)
    papers.archive(people.researcher, first.id, True, seen=first.version, act_id=new_id())
    find_all(people.researcher)
    finding.process_queue(study, lambda: True)
    assert len(looked) == 6
    with pytest.raises(Missing, match="no paper in use with a file"):
        finding.papers_to_scan(people.owner, [first.id])


@pytest.mark.both(usually=False)
def test_a_page_that_cannot_be_read_is_told_and_not_tried_again(
    study: Study, people: SimpleNamespace, three: list[SimpleNamespace], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[int] = []

    def page(_reader: Reader, _path: object, _sha256: str, number: int) -> PageFacts:
        opened.append(number)
        if number == 2:
            raise UnreadableDocument("unreadable page", "Page 2 cannot be read.")
        return PageFacts(number, 612, 792, (), (REGION,))

    monkeypatch.setattr(Reader, "page", page)
    find_all(people.researcher)
    for _time in range(2):
        assert finding.process_queue(study, lambda: True) is None
    assert len(opened) == 9
    assert [(each.paper_title, each.page, each.reason) for each in finding.faults(people.owner)] == [
        (f"Paper {n}", 2, "Page 2 cannot be read.") for n in range(3)
    ]
    assert finding.progress(people.owner).is_done


@pytest.mark.both(usually=False)
def test_a_failure_that_may_pass_is_tried_again(
    study: Study, people: SimpleNamespace, three: list[SimpleNamespace], monkeypatch: pytest.MonkeyPatch
) -> None:
    troubles = iter([UnreadableDocument("busy", "All readers are busy.")])

    def page(_reader: Reader, _path: object, _sha256: str, number: int) -> PageFacts:
        for trouble in troubles:
            raise trouble
        return PageFacts(number, 612, 792, (), (REGION,))

    monkeypatch.setattr(Reader, "page", page)
    find_all(people.researcher)
    trouble = finding.process_queue(study, lambda: True)
    assert str(trouble) == "All readers are busy."
    assert finding.progress(people.owner).pages_done == 6, "the other papers are not held up"
    assert finding.process_queue(study, lambda: True) is None
    assert finding.progress(people.owner).is_done


@pytest.fixture
def finder(sqlite_study: Study) -> Iterator[Finder]:
    made = Finder(sqlite_study)
    yield made
    made.end()


@pytest.mark.usefixtures("looked")
def test_the_servers_thread_finds_what_is_asked_for_and_what_was_left_by_the_last_one(
    sqlite_study: Study, people: SimpleNamespace, three: list[SimpleNamespace], finder: Finder
) -> None:
    find_all(people.researcher)
    finder.start()  # asked for before it began: a server was killed
    until(lambda: finding.progress(people.owner).is_done)
    add_figure(sqlite_study, "One more paper")
    find_all(people.researcher)
    until(lambda: finding.progress(people.owner).is_done)
