"""Random graphs: kept with their recipe, seen by everyone, once per act; and the published networks as files."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from core.errors import BadInput, Missing, Refused, TooLarge
from core.graphs.random_dag import random_dag
from services.graphs import generating, importing, lab, published
from services.study import Study
from store import history
from store.tables import new_id


@pytest.mark.both
def test_a_random_graph_is_kept_with_the_recipe_that_makes_it_again(study: Study, people: SimpleNamespace) -> None:
    act_id = new_id()
    receipt = generating.generate_graph(people.researcher, 10, 15, seed=7, act_id=act_id)
    again = generating.generate_graph(people.researcher, 10, 15, seed=7, act_id=act_id)
    assert (again.subject_id, again.is_repeat) == (receipt.subject_id, True)
    with study.store.reading() as session:
        event = history.event_of(session, act_id)
        assert event is not None
        recipe = dict(event.payload["recipe"])
        rebuilt = history.rebuild(session, receipt.subject_id).graph()
    assert recipe.pop("maker") == "random_dag"
    assert random_dag(**recipe) == rebuilt
    assert rebuilt.edges == lab.open_graph(people.researcher, receipt.subject_id).record.graph().edges
    for viewer in (people.annotator, people.expert, people.reviewer, people.owner):
        (line,) = lab.list_graphs(viewer, "random graph").lines
        assert (line.kind, line.nodes, line.edges) == ("generated", 10, 15)
        assert line.title == "Random graph, 10 nodes, 15 edges, seed 7"


def test_what_cannot_be_is_refused_and_nothing_kept(sqlite_study: Study, people: SimpleNamespace) -> None:
    def generate(nodes: int, edges: int) -> None:
        generating.generate_graph(people.researcher, nodes, edges, seed=1, act_id=new_id())

    with pytest.raises(BadInput, match="10 variables without a cycle hold at most 45 edges; found 60"):
        generate(10, 60)
    with pytest.raises(BadInput, match="at least 1 node"):
        generate(0, 0)
    with pytest.raises(TooLarge, match="at most 20,000 nodes"):
        generate(20_001, 0)
    with pytest.raises(Refused, match="Your role"):
        generating.generate_graph(people.annotator, 3, 2, seed=1, act_id=new_id())
    assert lab.list_graphs(people.owner).total == 0


def test_a_random_graph_is_archived_and_restored(sqlite_study: Study, people: SimpleNamespace) -> None:
    graph_id = generating.generate_graph(people.owner, 3, 2, seed=1, act_id=new_id()).subject_id
    importing.archive_graph(people.researcher, graph_id, True, seen=1, act_id=new_id())
    assert lab.list_graphs(people.owner).total == 0
    version = lab.open_graph(people.owner, graph_id).head.version
    importing.archive_graph(people.researcher, graph_id, False, seen=version, act_id=new_id())
    assert lab.list_graphs(people.owner).total == 1


def test_every_published_network_is_a_file_that_the_import_reads_without_a_question(
    sqlite_study: Study, people: SimpleNamespace
) -> None:
    names = published.published_networks()
    assert (len(names), names[0], "sachs" in names) == (15, "alarm", True)
    files = [published.network_file(name) for name in names]
    read = importing.preview(people.researcher, files)
    assert [file.name for file in read.files if file.faults or file.error or len(file.graphs) != 1] == []
    alarm = read.files[0].graphs[0].graph
    assert (len(alarm.nodes), len(alarm.edges)) == (37, 46)
    for name in ("nonsense", "../graphs/late", ""):
        with pytest.raises(Missing, match="no published network"):
            published.network_file(name)
