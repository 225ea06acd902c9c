"""Pages already looked at are known without looking at more."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from sqlmodel import select
from uuid_utils import uuid7

from core.errors import Missing, SignedOut
from core.people import Viewer
from services.acting import terminal_viewer
from services.papers import importing, papers
from services.papers.figure_pages import pages_looked_at
from services.study import Study
from store.tables import DerivedRow


def test_only_pages_worked_out_before_are_listed(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    region = {"box": {"x0": 1, "y0": 1, "x1": 99, "y1": 99}, "kind": "vector", "label": "", "caption": ""}
    with sqlite_study.store.writing() as session:
        for row in session.exec(select(DerivedRow)):
            if row.part == "page 1":
                session.delete(row)
            elif row.part == "page 2":
                row.content = {**row.content, "regions": [region, region]}
    assert pages_looked_at(people.annotator, a_figure.paper_id) == {2: 2, 3: 0}


def test_a_paper_without_a_file_has_no_pages(sqlite_study: Study) -> None:
    importing.import_references(terminal_viewer(), "r.csv", b"title\nLoops\n", act_id=str(uuid7()))
    (line,) = papers.list_papers(terminal_viewer())
    with pytest.raises(Missing, match="no file yet"):
        pages_looked_at(terminal_viewer(), line.id)


def test_a_stranger_is_refused(sqlite_study: Study, a_figure: SimpleNamespace) -> None:
    with pytest.raises(SignedOut):
        pages_looked_at(
            Viewer(person_id="nobody", name="nobody", roles=frozenset(), session_id="no session"), a_figure.paper_id
        )
