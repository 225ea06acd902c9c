"""The top of the Graph lab: a random graph, generated, opened and archived; and a published network in the preview."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from services.graphs import lab
from services.study import Study
from tests.pages.screen import draw_alone, labels, param, press, texts


def draw(viewer) -> None:  # type: ignore[no-untyped-def]  # runs as a script of its own, without our imports
    from pages.graphs import screen

    screen.show(viewer)


def draw_exchange(viewer) -> None:  # type: ignore[no-untyped-def]  # as above
    from pages.exchange import screen

    screen.show(viewer)


@pytest.fixture
def open_as(sqlite_study: Study) -> Callable[..., AppTest]:
    """`open_as(viewer, graph=…)` draws the page alone, for that viewer, at that link."""
    return partial(draw_alone, draw)


def test_a_random_graph_is_generated_opened_at_its_queries_and_archived(
    open_as: Callable[..., AppTest], people: SimpleNamespace
) -> None:
    assert "Generate" not in labels(open_as(people.expert))
    page = open_as(people.researcher)
    assert "At most 45 edges." in texts(page)
    number = {each.label: each for each in page.number_input}
    number["Edges"].set_value(60).run()
    press(page, "Generate")
    assert "10 variables without a cycle hold at most 45 edges; found 60." in texts(page)
    next(each for each in page.number_input if each.label == "Edges").set_value(12).run()
    press(page, "Generate")
    assert param(page, "part") == "Queries"
    assert "Which variables are sources?" in texts(page)
    sheet = lab.open_graph(people.expert, param(page, "graph"))
    assert (sheet.head.kind, len(sheet.record.nodes), len(sheet.record.edges)) == ("generated", 10, 12)
    press(page, "Archive")
    assert lab.list_graphs(people.expert).total == 0
    press(page, "Restore")
    assert lab.list_graphs(people.expert).total == 1


def test_a_published_network_is_seen_in_the_preview_before_it_is_imported(
    sqlite_study: Study, people: SimpleNamespace
) -> None:
    page = draw_alone(draw_exchange, people.researcher, network="sachs")
    assert "sachs.json" in texts(page) and "11 nodes" in texts(page)
    assert lab.list_graphs(people.researcher).total == 0
    press(page, "Import 1 graph")
    (line,) = lab.list_graphs(people.researcher).lines
    assert (line.title, line.kind, line.nodes, line.edges) == ("sachs", "import", 11, 17)
    assert param(page, "network") == ""
    page = draw_alone(draw_exchange, people.researcher, network="../nonsense")
    assert "There is no published network" in texts(page)
    assert labels(page).count("Import 1 graph") == 0
