"""A figure is read once however many ask, and whoever cannot wait has what was read at a later look."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Event
from time import sleep
from types import SimpleNamespace

import pytest

from core.errors import StoreUnavailable, UnreadableDocument
from core.people import Viewer
from core.transcription.proposals import FigureProposals
from services.study import Study
from services.transcription import proposals, transcribing
from store.tables import new_id
from tests.services.transcription.test_proposals import FOUND

PATIENCE = 30  # seconds that a test would hang before it fails


class SlowReader:
    """Acts as a picture that takes its time: until `done` is set, and at further sizes until `settled` is. What it
    says next is `then`, and `at_last` if that is not settled."""

    def __init__(self) -> None:
        self.asked, self.done, self.settled = 0, Event(), Event()
        self.then: FigureProposals | Exception = FOUND
        self.at_last: FigureProposals | Exception = FOUND

    def readings(self, *_asked: object) -> Iterator[FigureProposals]:
        self.asked += 1
        assert self.done.wait(PATIENCE)
        if isinstance(self.then, Exception):
            raise self.then
        yield self.then
        if self.then.is_settled:
            return
        assert self.settled.wait(PATIENCE)
        if isinstance(self.at_last, Exception):
            raise self.at_last
        yield self.at_last


@pytest.fixture
def slow(sqlite_study: Study, monkeypatch: pytest.MonkeyPatch) -> SlowReader:
    made = SlowReader()
    monkeypatch.setattr(sqlite_study.reader, "readings", made.readings)
    return made


@pytest.fixture
def work(people: SimpleNamespace, a_figure: SimpleNamespace) -> str:
    return transcribing.take(people.annotator, a_figure.id, act_id=new_id()).subject_id


def test_two_tabs_that_open_one_figure_wait_for_one_reading(
    slow: SlowReader, people: SimpleNamespace, work: str
) -> None:
    me = people.annotator
    early = [proposals.open_proposals(me, work, wait_s=0) for _tab in range(2)]
    assert [(tab.is_read, tab.names, tab.edges, tab.notice) for tab in early] == [
        (False, (), (), proposals.READING)
    ] * 2
    with ThreadPoolExecutor() as tabs:
        waiting = [tabs.submit(proposals.open_proposals, me, work) for _tab in range(2)]
        slow.done.set()
        found = [one.result(PATIENCE) for one in waiting]
    assert [(tab.is_read, len(tab.edges)) for tab in found] == [(True, 3)] * 2
    assert proposals.open_proposals(me, work, wait_s=0) == found[0]
    assert slow.asked == 1


def test_what_could_not_be_read_for_now_is_told_and_read_at_the_next_opening(
    slow: SlowReader, people: SimpleNamespace, work: str
) -> None:
    me = people.annotator
    slow.then = UnreadableDocument("busy", "All readers are busy.")
    assert not proposals.open_proposals(me, work, wait_s=0).is_read
    slow.done.set()
    told = proposals.open_proposals(me, work, wait_s=PATIENCE)
    assert (told.is_read, told.notice) == (True, "All readers are busy.")
    slow.then = FOUND
    assert len(proposals.open_proposals(me, work).edges) == 3
    assert slow.asked == 2


def test_a_reading_that_fails_raises_its_error_and_the_figure_is_read_at_the_next_opening(
    slow: SlowReader, people: SimpleNamespace, work: str
) -> None:
    slow.then = StoreUnavailable("The disk is full.")
    slow.done.set()
    with pytest.raises(StoreUnavailable, match="disk is full"):
        proposals.open_proposals(people.annotator, work)
    slow.then = FOUND
    assert len(proposals.open_proposals(people.annotator, work).edges) == 3
    assert slow.asked == 2


def _at_last(me: Viewer, work: str) -> proposals.OpenProposals:
    for _look in range(20 * PATIENCE):
        if (late := proposals.open_proposals(me, work)).is_settled:
            break
        sleep(0.05)
    return late


def test_a_picture_is_shown_at_once_and_again_when_its_further_sizes_are_read(
    slow: SlowReader, people: SimpleNamespace, work: str
) -> None:
    slow.then = replace(FOUND, edges=FOUND.edges[:1], is_settled=False)
    slow.done.set()
    early = proposals.open_proposals(people.annotator, work)
    assert (len(early.edges), early.is_settled, proposals.SETTLING in early.notice) == (1, False, True)
    slow.settled.set()
    late = _at_last(people.annotator, work)
    assert (len(late.edges), late.is_settled, late.notice) == (3, True, FOUND.notice)
    assert slow.asked == 1


def test_a_picture_whose_further_sizes_fail_keeps_its_first_reading(
    slow: SlowReader, people: SimpleNamespace, work: str
) -> None:
    slow.then, slow.at_last = replace(FOUND, is_settled=False), StoreUnavailable("The disk is full.")
    slow.done.set()
    slow.settled.set()
    late = _at_last(people.annotator, work)
    assert (len(late.edges), late.is_settled, slow.asked) == (3, True, 1)
