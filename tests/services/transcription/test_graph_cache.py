"""What an act left of a graph spares the next reading its rows, and is never taken for what the rows do not say."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from core.errors import InvalidGraph
from core.graphs.record import GraphRecord
from services.study import Study
from services.transcription import graph_cache, reading, transcribing
from services.transcription.reading import Transcription
from store.graphs import graphs
from store.tables import new_id
from tests.query_counts import asked, reads_graphs

pytestmark = pytest.mark.both
MOST_OF_AN_ACT, MOST_OF_A_READING = 20, 12
"""Statements, with room for three more: each costs a typed edge as much as the edge itself."""


@pytest.fixture
def work(people: SimpleNamespace, a_figure: SimpleNamespace) -> str:
    return transcribing.take(people.annotator, a_figure.id, act_id=new_id()).subject_id


def typed(people: SimpleNamespace, work: str, text: str, seen: int) -> int:
    outcome = transcribing.add_lines(people.annotator, work, text, pasted=False, seen=seen, act_id=new_id())
    assert outcome.receipt is not None
    return outcome.receipt.version


def read(people: SimpleNamespace, work: str) -> tuple[Transcription, list[str]]:
    with asked(reads_graphs) as statements:
        found = reading.transcription(people.annotator, work)
    return found, statements


def stored(study: Study, graph_id: str) -> object:
    with study.store.reading() as session:
        return graphs.read_graph(session, graph_id)


def test_the_reading_after_an_act_shows_it_without_its_rows(study: Study, people: SimpleNamespace, work: str) -> None:
    version = typed(people, work, "A -> B", 1)
    typed(people, work, "B -> C", version)
    found, rows = read(people, work)
    assert [node.name for node in found.record.nodes.values()] == ["A", "B", "C"]
    assert (rows, found.record) == ([], stored(study, found.graph_id))


def test_an_act_after_another_needs_no_rows_and_one_of_another_process_is_read(
    study: Study, people: SimpleNamespace, work: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = typed(people, work, "A -> B", 1)
    with asked() as statements:
        version = typed(people, work, "B -> C", version)
    assert [one for one in statements if "FROM node" in one and "max(node.place)" not in one] == []
    with monkeypatch.context() as elsewhere:  # an act of a process that remembers by itself
        elsewhere.setattr(graph_cache, "_cache", graph_cache._GraphCache())
        version = typed(people, work, "C -> D", version)
    typed(people, work, "D -> A", version)
    found, _rows = read(people, work)
    assert found.record == stored(study, found.graph_id)
    assert [node.name for node in found.record.nodes.values()] == ["A", "B", "C", "D"]


@pytest.mark.both(usually=False)
def test_what_was_not_kept_is_not_shown(study: Study, people: SimpleNamespace, work: str) -> None:
    version = typed(people, work, "A -> B (+)\nA -> B (-)", 1)
    edge_id, act_id = read(people, work)[0].record.ordered_edges()[0].id, new_id()
    with pytest.raises(InvalidGraph):
        transcribing.edit_edge(people.annotator, work, edge_id, "sign", "-", seen=version, act_id=act_id)
    assert graph_cache.left_by(act_id) is None
    found, _rows = read(people, work)
    assert found.record == stored(study, found.graph_id)


def test_an_act_that_fails_as_it_is_committed_is_not_remembered(study: Study, people: SimpleNamespace) -> None:
    act_id = new_id()
    with pytest.raises(RuntimeError), study.store.writing() as session:
        graph_cache.cache_on_commit(session, act_id, GraphRecord())
        raise RuntimeError
    assert graph_cache.left_by(act_id) is None


def test_another_process_s_act_is_read_from_its_rows(people: SimpleNamespace, work: str) -> None:
    typed(people, work, "A -> B", 1)
    graph_cache._cache._left.clear()
    found, rows = read(people, work)
    assert len(found.record.edges) == 1
    assert len(rows) == 2


@pytest.mark.both(usually=False)
def test_undo_and_redo_are_shown_as_the_rows_have_them(study: Study, people: SimpleNamespace, work: str) -> None:
    version = typed(people, work, "A -> B", 1)
    for step in (transcribing.undo, transcribing.redo, transcribing.undo):
        version = step(people.annotator, work, seen=version, act_id=new_id()).version
        found, rows = read(people, work)
        assert (rows, found.record) == ([], stored(study, found.graph_id))


def test_a_typed_edge_and_the_reading_after_it_ask_little(people: SimpleNamespace, work: str) -> None:
    version = typed(people, work, "A -> B", 1)
    with asked() as statements:
        typed(people, work, "B -> C", version)
    assert len(statements) <= MOST_OF_AN_ACT, statements
    with asked() as statements:
        reading.transcription(people.annotator, work)
    assert len(statements) <= MOST_OF_A_READING, statements
