"""Thumbnails of graphs over HTTP: SVG behind the gate, kept by the browser, refused where the graph is not opened."""

from __future__ import annotations

from types import SimpleNamespace

from services.study import Study
from store.tables import new_id
from tests.services.import_parts import LINES, bring_in, draw
from tests.web.test_texts import Get
from tests.web.test_texts import get as get


def test_a_graphs_thumbnail_is_handed_out_behind_the_gate(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, get: Get
) -> None:
    graph_id = bring_in(people.researcher, title="Gold")
    found = get(people.researcher, f"/image/graph/{graph_id}?v=1-00000000")
    assert found.status_code == 200
    assert found.headers["content-type"] == "image/svg+xml"
    assert found.headers["cache-control"] == "private, max-age=86400, immutable"
    assert found.text.startswith("<svg ")
    assert get(None, f"/image/graph/{graph_id}").status_code == 401
    assert get(people.researcher, f"/image/graph/{new_id()}").status_code == 404
    _work, drawn = draw(people.colleague, a_figure.id, LINES, submit=True)
    refused = get(people.researcher, f"/image/graph/{drawn}")
    assert (refused.status_code, refused.text) == (
        403,
        "This graph is not opened yet; a picture of it would be a first look.",
    )
