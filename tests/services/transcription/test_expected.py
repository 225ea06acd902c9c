"""What is expected of a figure before it is drawn: nodes found in it, and minutes by the study's own time a node."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from core.papers.pages import Box
from core.transcription.proposals import FigureProposals, ProposedName
from documents.reader import Reader
from services.papers import finding
from services.study import Study
from services.transcription import effort, expected, figure_proposals, prefetch, transcribing
from store.tables import new_id
from tests.conftest import Clock, add_figure

pytestmark = pytest.mark.both
NODES = 6


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files whose figures were really read; each holds six names."""
    opened: list[str] = []

    def readings(_reader: Reader, _path: object, sha256: str, _number: int, _box: Box) -> Iterator[FigureProposals]:
        opened.append(sha256)
        names = tuple(ProposedName(f"Name {n}", Box(n, 0, n + 1, 9), (f"Name {n}",)) for n in range(NODES))
        yield FigureProposals(names=names, edges=(), origin="vector", notice="")

    monkeypatch.setattr(Reader, "readings", readings)
    monkeypatch.setattr(figure_proposals, "_memory", figure_proposals._Memory())
    return opened


def wanted(study: Study, people: SimpleNamespace) -> None:
    add_figure(study, "Not looked at yet")
    finding.find_all(people.owner, act_id=new_id())


def nodes(people: SimpleNamespace, figure: SimpleNamespace) -> int | None:
    return expected.expected(people.annotator, [figure.id])[figure.id].nodes


def test_figures_of_the_queue_are_read_ahead_once_while_figures_are_wanted(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, read: list[str]
) -> None:
    prefetch.process_queue(study, lambda: True)
    assert (read, nodes(people, a_figure)) == ([], None), "nobody has asked for it"
    wanted(study, people)
    for _time in range(2):
        assert prefetch.process_queue(study, lambda: True) is None
    assert read.count(a_figure.sha256) == 1
    assert len(read) == 2
    assert nodes(people, a_figure) == NODES


def test_it_ends_when_it_is_stopped(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, read: list[str]
) -> None:
    wanted(study, people)
    finding.stop(people.owner, act_id=new_id())
    prefetch.process_queue(study, lambda: True)
    assert read == []


def test_minutes_follow_the_time_that_a_node_took_in_this_study(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, read: list[str], clock: Clock
) -> None:
    wanted(study, people)
    prefetch.process_queue(study, lambda: True)
    figure = expected.expected(people.annotator, [a_figure.id])[a_figure.id]
    assert figure.minutes.reason == "fewer than 3 submitted transcriptions with measured time"
    for title in ("One", "Two", "Three"):
        work = transcribing.take(people.annotator, add_figure(study, title).id, act_id=new_id()).subject_id
        lines = "A -> B\nB -> C"  # 3 nodes in 90 s
        transcribing.add_lines(people.annotator, work, lines, pasted=True, seen=1, act_id=new_id())
        clock.advance(seconds=90)
        effort.beat(people.annotator, work, 90, beat_id=new_id())
        transcribing.submit(people.annotator, work, seen=2, act_id=new_id())
    found = expected.expected(people.colleague, [a_figure.id])[a_figure.id].minutes
    assert (found.value, found.n) == pytest.approx((NODES * 30 / 60, 3))
