"""Import / export alone: what would be exported, for whom, and what an empty study says."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest
from uuid_utils import uuid7

from core.people import Viewer
from pages import exchange
from services import transcribing
from services.exporting import GraphForm
from services.study import Study


def draw(viewer) -> None:  # type: ignore[no-untyped-def]  # runs as a script of its own, without our imports
    from pages import exchange

    exchange.show(viewer)


@pytest.fixture
def open_as(sqlite_study: Study) -> Iterator[Callable[[Viewer], AppTest]]:
    def open_page(viewer: Viewer) -> AppTest:
        page = AppTest.from_function(draw, kwargs={"viewer": viewer}, default_timeout=20).run()
        assert not page.exception, page.exception
        return page

    yield open_page


def begin(viewer: Viewer, figure_id: str, lines: str, *, submit: bool) -> str:
    work = transcribing.take(viewer, figure_id, act_id=str(uuid7())).subject_id
    transcribing.add_lines(viewer, work, lines, pasted=False, seen=1, act_id=str(uuid7()))
    if submit:
        transcribing.submit(viewer, work, seen=2, act_id=str(uuid7()))
    return work


@pytest.fixture
def two_submitted_one_draft(
    people: SimpleNamespace, a_figure: SimpleNamespace, another_figure: Callable[..., SimpleNamespace]
) -> None:
    """Submitted: 2 + 1 edges. Draft: 4 edges."""
    begin(people.annotator, a_figure.id, "Rain -> Harvest\nHarvest -> Income", submit=True)
    begin(people.colleague, a_figure.id, "Rain ->- Harvest", submit=True)
    begin(people.annotator, another_figure("Second").id, "A -> B; C; D; E", submit=False)


def texts(page: AppTest) -> str:
    return re.sub(r"\\(.)", r"\1", "\n".join(str(each.value) for each in (*page.text, *page.caption, *page.error)))


def test_an_empty_study_says_when_something_will_stand_here(
    open_as: Callable[[Viewer], AppTest], people: SimpleNamespace
) -> None:
    page = open_as(people.owner)
    assert "0 submitted transcriptions, 0 edges." in texts(page)
    assert "appears here once it is submitted" in texts(page)
    assert not page.get("download_button")
    assert not page.toggle


@pytest.mark.usefixtures("two_submitted_one_draft")
def test_the_counts_are_those_of_the_file(open_as: Callable[[Viewer], AppTest], people: SimpleNamespace) -> None:
    page = open_as(people.owner)
    assert "2 submitted transcriptions, 3 edges." in texts(page)
    assert [each.label for each in page.toggle] == ["Include 1 draft, 4 edges"]
    rows = {drafts: csv.reader(io.StringIO(exchange._content(people.owner, GraphForm.CSV, drafts).decode("utf-8-sig")))
            for drafts in (False, True)}  # fmt: skip
    assert {drafts: len(list(read)) - 1 for drafts, read in rows.items()} == {False: 3, True: 7}


@pytest.mark.usefixtures("two_submitted_one_draft")
def test_a_reviewer_is_offered_every_form_but_no_draft_and_no_name(
    open_as: Callable[[Viewer], AppTest], people: SimpleNamespace
) -> None:
    page = open_as(people.reviewer)
    assert not page.toggle
    assert "draft" not in texts(page)
    assert len(page.get("download_button")) == 3
    for form in exchange.FORMS:
        content = exchange._content(people.reviewer, form, with_drafts=False).decode()
        assert "Harvest" in content
        assert not any(name in content for name in ("The annotator", "The colleague", "Second"))


def test_drafts_alone_are_offered_to_the_owner_once_chosen(
    open_as: Callable[[Viewer], AppTest], people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    begin(people.annotator, a_figure.id, "Rain -> Harvest", submit=False)
    page = open_as(people.owner)
    assert not page.get("download_button")
    page.toggle[0].set_value(True).run()
    assert len(page.get("download_button")) == 3
