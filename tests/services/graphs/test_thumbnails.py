"""Small pictures of graphs: boxes and lines without a word, and no look at others' work."""

from __future__ import annotations

import re
from types import SimpleNamespace
from xml.etree import ElementTree as ET

import pytest

from core.errors import Missing, Refused
from core.graphs.layouts.layout import Point
from core.people import Viewer
from services.graphs import lab, thumbnails
from services.study import Study
from store.tables import new_id
from tests.services.graphs.test_lab import node
from tests.services.import_parts import LINES, bring_in, draw, looks


def version(viewer: Viewer, graph_id: str) -> str:
    return next(line.thumbnail for line in lab.list_graphs(viewer).lines if line.id == graph_id)


@pytest.mark.both(usually=False)
def test_a_thumbnail_has_the_boxes_and_lines_of_its_graph_and_no_word(study: Study, people: SimpleNamespace) -> None:
    graph_id = bring_in(people.researcher, title="Gold")
    record = lab.open_graph(people.researcher, graph_id).record
    svg = thumbnails.thumbnail(people.researcher, graph_id)
    drawn = ET.fromstring(svg)  # ours
    assert len(drawn.findall(".//{*}rect")) == len(record.nodes)
    ground, path = drawn.findall(".//{*}path")
    assert ground.attrib["fill"] == "#fff", "dark lines on a dark list are not seen"
    assert path.attrib["d"].count("M") == len(record.edges)
    assert not "".join(drawn.itertext()).strip()
    assert not re.search("Secret|Gold|title|text", svg, re.IGNORECASE)


@pytest.mark.both(usually=False)
def test_its_version_changes_with_the_places_of_its_nodes(study: Study, people: SimpleNamespace) -> None:
    graph_id = bring_in(people.researcher, title="Gold")
    before, drawn = version(people.researcher, graph_id), thumbnails.thumbnail(people.researcher, graph_id)
    assert before == version(people.researcher, graph_id) != ""
    first = next(iter(lab.open_graph(people.researcher, graph_id).record.nodes))
    lab.keep_places(people.researcher, graph_id, {first: Point(2_000.0, -300.0)})
    assert version(people.researcher, graph_id) != before
    assert thumbnails.thumbnail(people.researcher, graph_id) != drawn


@pytest.mark.both(usually=False)
def test_a_graph_listed_as_not_opened_has_none_and_no_look_is_noted(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    _work, drawn = draw(people.colleague, a_figure.id, LINES, submit=True)
    loose = bring_in(people.owner, title="Gold")
    before = looks(study)
    for graph_id in (drawn, loose):
        assert version(people.researcher, graph_id) == ""
        with pytest.raises(Refused, match="not opened yet"):
            thumbnails.thumbnail(people.researcher, graph_id)
    assert thumbnails.newest_of_figures(people.researcher, [a_figure.id]) == {}
    assert thumbnails.thumbnail(people.reviewer, drawn)  # who is given no figures to draw
    assert looks(study) == before
    lab.open_graph(people.researcher, drawn)
    noted = looks(study)
    assert thumbnails.thumbnail(people.researcher, drawn)
    assert looks(study) == noted


def test_the_newest_graph_of_a_figure_is_one_that_is_submitted(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    _work, own = draw(people.annotator, a_figure.id)
    assert thumbnails.newest_of_figures(people.annotator, [a_figure.id, new_id()]) == {}
    _work, submitted = draw(people.colleague, a_figure.id, LINES, submit=True)
    found = thumbnails.newest_of_figures(people.reviewer, [a_figure.id])
    assert {figure: one.graph_id for figure, one in found.items()} == {a_figure.id: submitted}
    assert found[a_figure.id].version == version(people.reviewer, submitted)
    assert node(people.annotator, own, "A")


def test_a_graph_too_large_to_draw_and_one_that_is_not_there_have_none(
    study: Study, people: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph_id = bring_in(people.researcher, title="Gold")
    monkeypatch.setattr(thumbnails, "MOST_DRAWN", 2)
    with pytest.raises(Refused, match="over 2 nodes"):
        thumbnails.thumbnail(people.researcher, graph_id)
    with pytest.raises(Missing):
        thumbnails.thumbnail(people.researcher, new_id())
