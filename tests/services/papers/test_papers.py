"""Papers: described, screened, archived; an older sight changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import pytest

from core.errors import BadInput, Conflict, Missing
from core.papers.papers import ExclusionReason, PaperReference, Screening
from documents.reader import Reader
from services.papers import importing, papers
from services.study import Study
from store.tables import new_id
from tests.services.paper_parts import PDF, bring, inspect, look


@pytest.fixture(autouse=True)
def no_document_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Reader, "inspect", inspect)


@pytest.mark.both
def test_describing_keeps_every_field(study: Study, people: SimpleNamespace) -> None:
    paper_id = bring(people).paper_id
    reference = PaperReference(
        title="Éclair & <b>bold</b>",
        authors=("Ngũgĩ, A.", "李, B."),
        source="A journal",
        url="https://example.org/1",
        doi="10.1/x",
        publication_date="2020-05",
        abstract="An abstract",
        domains=("Ecology",),
        licence="CC BY 4.0",
    )
    papers.describe(people.researcher, paper_id, reference, seen=1, act_id=new_id())
    assert look(people, paper_id).reference == reference
    assert look(people, paper_id).version == 2


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        (PaperReference(title=" "), "title is empty"),
        (PaperReference(title="T", abstract="x" * 20_001), "abstract has 20,001"),
    ],
)
def test_a_description_that_does_not_fit_is_refused(
    sqlite_study: Study, people: SimpleNamespace, reference: PaperReference, message: str
) -> None:
    paper_id = bring(people).paper_id
    with pytest.raises(BadInput, match=message):
        papers.describe(people.researcher, paper_id, reference, seen=1, act_id=new_id())


@pytest.mark.both
def test_an_older_sight_of_a_paper_changes_nothing(study: Study, people: SimpleNamespace) -> None:
    paper_id = bring(people).paper_id
    papers.describe(people.researcher, paper_id, PaperReference(title="New"), seen=1, act_id=new_id())
    me = people.researcher
    attempts: list[Callable[[], object]] = [
        lambda: papers.describe(me, paper_id, PaperReference(title="Stale"), seen=1, act_id=new_id()),
        lambda: papers.screen(me, paper_id, Screening.INCLUDED, [], "", seen=1, act_id=new_id()),
        lambda: papers.archive(me, paper_id, True, seen=1, act_id=new_id()),
        lambda: importing.attach_file(me, paper_id, "b.pdf", PDF + b"2", seen=1, act_id=new_id()),
    ]
    for attempt in attempts:
        with pytest.raises(Conflict) as caught:
            attempt()
        assert (caught.value.seen, caught.value.found) == (1, 2)
    assert look(people, paper_id).reference.title == "New"


def test_a_title_is_saved_alone_and_not_over_a_newer_version_or_with_nothing(
    sqlite_study: Study, people: SimpleNamespace
) -> None:
    paper_id = bring(people).paper_id
    papers.describe(people.researcher, paper_id, PaperReference(title="New", doi="10.1/x"), seen=1, act_id=new_id())
    for title, seen, error in (("Other", 1, Conflict), (" ", 2, BadInput)):
        with pytest.raises(error):
            papers.save_title(people.researcher, paper_id, title, seen=seen, act_id=new_id())
    papers.save_title(people.researcher, paper_id, "Newer", seen=2, act_id=new_id())
    assert look(people, paper_id).reference == PaperReference(title="Newer", doi="10.1/x")


@pytest.mark.both
def test_excluding_needs_a_reason_and_other_needs_words(study: Study, people: SimpleNamespace) -> None:
    paper_id, me = bring(people).paper_id, people.researcher
    with pytest.raises(BadInput, match="at least one reason"):
        papers.screen(me, paper_id, Screening.EXCLUDED, [], "", seen=1, act_id=new_id())
    with pytest.raises(BadInput, match="needs an explanation"):
        papers.screen(me, paper_id, Screening.EXCLUDED, [ExclusionReason.OTHER], " ", seen=1, act_id=new_id())
    reasons = [ExclusionReason.NO_GRAPH, ExclusionReason.OTHER]
    papers.screen(me, paper_id, Screening.EXCLUDED, reasons, "a table", seen=1, act_id=new_id())
    found = look(people, paper_id)
    assert (found.screening, found.reasons, found.screening_note) == (
        Screening.EXCLUDED,
        ("no causal graph", "other"),
        "a table",
    )
    papers.screen(me, paper_id, Screening.OPEN, reasons, "", seen=2, act_id=new_id())
    assert look(people, paper_id).reasons == ()


@pytest.mark.both
def test_an_archived_paper_leaves_the_lists_and_comes_back(study: Study, people: SimpleNamespace) -> None:
    paper_id = bring(people).paper_id
    papers.archive(people.researcher, paper_id, True, seen=1, act_id=new_id())
    assert papers.list_papers(people.expert) == ()
    assert [line.is_archived for line in papers.list_papers(people.expert, with_archived=True)] == [True]
    papers.archive(people.researcher, paper_id, False, seen=2, act_id=new_id())
    assert [line.id for line in papers.list_papers(people.expert)] == [paper_id]


def test_a_paper_that_is_not_there_is_missing(study: Study, people: SimpleNamespace) -> None:
    with pytest.raises(Missing, match="no such paper"):
        look(people, "none")
