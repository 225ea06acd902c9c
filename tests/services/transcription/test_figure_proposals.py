"""A figure is read once however many ask, and whoever cannot wait has what was read at a later look."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event
from types import SimpleNamespace

import pytest

from core.errors import StoreUnavailable, UnreadableDocument
from core.transcription.proposals import FigureProposals
from services.study import Study
from services.transcription import proposals, transcribing
from store.tables import new_id
from tests.services.transcription.test_proposals import FOUND

PATIENCE = 30  # seconds that a test would hang before it fails


class SlowReader:
    """Stands for a picture that takes its time: until `done` is set. What it says next is `then`."""

    def __init__(self) -> None:
        self.readings, self.done = 0, Event()
        self.then: FigureProposals | Exception = FOUND

    def proposals(self, *_asked: object) -> FigureProposals:
        self.readings += 1
        assert self.done.wait(PATIENCE)
        if isinstance(self.then, Exception):
            raise self.then
        return self.then


@pytest.fixture
def slow(sqlite_study: Study, monkeypatch: pytest.MonkeyPatch) -> SlowReader:
    made = SlowReader()
    monkeypatch.setattr(sqlite_study.reader, "proposals", made.proposals)
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
    assert slow.readings == 1


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
    assert slow.readings == 2


def test_a_reading_that_fails_raises_its_error_and_the_figure_is_read_at_the_next_opening(
    slow: SlowReader, people: SimpleNamespace, work: str
) -> None:
    slow.then = StoreUnavailable("The disk is full.")
    slow.done.set()
    with pytest.raises(StoreUnavailable, match="disk is full"):
        proposals.open_proposals(people.annotator, work)
    slow.then = FOUND
    assert len(proposals.open_proposals(people.annotator, work).edges) == 3
    assert slow.readings == 2
