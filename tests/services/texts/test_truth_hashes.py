"""The hashes of ground truths are those of the graphs as they are, and no graph is read twice at one version."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from sqlmodel import select

from core.graphs import edits
from core.graphs.record import GraphRecord
from core.people import Permission
from services.acting import consulting
from services.study import Study
from services.texts.truth_hashes import truth_hashes
from services.texts.truths import truths_of
from store.graphs import graphs
from store.tables import AssignmentRow, GraphRow
from tests.query_counts import asked, reads_graphs
from tests.services.release_parts import lay_truth

pytestmark = pytest.mark.both


def hashes(people: SimpleNamespace, figure_id: str) -> dict[str, str]:
    """As they are told, and held to those of the graphs read anew."""
    with consulting(people.researcher, Permission.REVIEW) as r:
        told = truth_hashes(r, [figure_id])
        sha256 = truths_of(r.session, [figure_id])[figure_id].sha256
    assert told == ({} if sha256 is None else {figure_id: sha256})
    return told


def rename(study: Study, graph_id: str, name: str, to: str) -> None:
    with study.store.writing() as session:
        row = session.get(GraphRow, graph_id)
        assert row is not None
        state = graphs.read_graph(session, graph_id)
        node = next(each.id for each in state.nodes.values() if each.name == name)
        graphs.apply_changes(session, row, state, edits.rename_node(state, node, to), row.version)


def set_state(study: Study, figure_id: str, state: str) -> None:
    with study.store.writing() as session:
        work = session.exec(select(AssignmentRow).where(AssignmentRow.subject_id == figure_id)).one()
        work.state = state
        session.add(work)


def test_they_follow_every_change_of_the_truth(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    assert hashes(people, a_figure.id) == {}
    graph = lay_truth(study, a_figure.id, "Rain -> Lake +; Lake -> Town +")
    first = hashes(people, a_figure.id)
    rename(study, graph, "Town", "City")
    second = hashes(people, a_figure.id)
    assert first != second
    set_state(study, a_figure.id, "open")
    assert hashes(people, a_figure.id) == {}, "no finished ground truth while it is adjudicated again"
    rename(study, graph, "City", "Town")
    set_state(study, a_figure.id, "submitted")
    assert hashes(people, a_figure.id) == first


def test_another_graph_in_the_place_of_an_archived_one_is_another_truth(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    old = lay_truth(study, a_figure.id, "Rain -> Lake +", state=None)
    first = hashes(people, a_figure.id)
    new = lay_truth(study, a_figure.id, "Rain -> Lake -", state=None)
    assert hashes(people, a_figure.id) == {}, "of two that nobody adjudicated neither counts"
    with study.store.writing() as session:
        row = session.get(GraphRow, old)
        assert row is not None
        row.archived_at = study.clock()
        session.add(row)
    assert hashes(people, a_figure.id) not in ({}, first)
    assert new != old


def test_a_figure_ruled_to_hold_no_graph_has_none(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    lay_truth(study, a_figure.id, GraphRecord())
    assert hashes(people, a_figure.id) == {}


def test_a_graph_is_read_once_for_each_version(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    graph = lay_truth(study, a_figure.id, "Rain -> Lake +")

    def reads() -> int:
        with consulting(people.researcher, Permission.REVIEW) as r, asked(reads_graphs) as statements:
            truth_hashes(r, [a_figure.id])
        return len(statements)

    assert [reads(), reads()] == [2, 0]
    rename(study, graph, "Lake", "Pond")
    assert [reads(), reads()] == [2, 0]
