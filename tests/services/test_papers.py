"""Papers: files once by content, references with every fault, screening, archive."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from sqlmodel import select

from core.documents import DocumentFacts
from core.errors import BadInput, Conflict, Missing, UnreadableDocument
from core.papers import ExclusionReason, PaperReference, Screening
from documents.reader import Reader
from services import papers
from services.papers import PaperView
from services.study import Study
from store.files import sha256_of
from store.tables import FileRow, PaperRow, new_id

PDF = b"%PDF-1.7 not opened in these tests"


@pytest.fixture(autouse=True)
def no_document_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    """What opening finds is tested with the documents; here it is said."""

    def inspect(_reader: Reader, content: bytes, filename: str) -> DocumentFacts:
        if not content.startswith(b"%PDF-"):
            raise UnreadableDocument("not a document", f"{filename}: Neither a PDF nor a picture.")
        title = content.partition(b"title=")[2].decode()
        return DocumentFacts(sha256_of(content), "application/pdf", len(content), 12, True, title, ("It was mended.",))

    monkeypatch.setattr(Reader, "inspect", inspect)


def bring(people: SimpleNamespace, content: bytes = PDF, name: str = "folder/a paper.pdf") -> papers.FileOutcome:
    return papers.import_file(people.researcher, name, content, act_id=new_id())


def look(people: SimpleNamespace, paper_id: str) -> PaperView:
    return papers.paper(people.expert, paper_id)


def test_a_file_becomes_a_paper_with_its_facts(study: Study, people: SimpleNamespace) -> None:
    outcome = bring(people)
    assert (outcome.title, outcome.is_duplicate, outcome.notices) == ("a paper", False, ("It was mended.",))
    found = look(people, outcome.paper_id)
    assert (found.sha256, found.page_count, found.has_text) == (sha256_of(PDF), 12, True)
    assert (found.original_name, found.media_type, found.notices) == (
        "a paper.pdf", "application/pdf", ("It was mended.",),
    )  # fmt: skip
    assert (found.screening, found.version) == (Screening.OPEN, 1)


def test_a_title_inside_the_file_comes_before_its_name(sqlite_study: Study, people: SimpleNamespace) -> None:
    assert bring(people, PDF + b"title=Water and trust").title == "Water and trust"


def test_the_same_bytes_make_no_second_paper(study: Study, people: SimpleNamespace) -> None:
    first, again = bring(people), bring(people, name="other name.pdf")
    assert (again.paper_id, again.is_duplicate) == (first.paper_id, True)
    assert again.notices == ("Already in the library as 'a paper'.",)
    with study.store.reading() as session:
        assert len(session.exec(select(PaperRow)).all()) == len(session.exec(select(FileRow)).all()) == 1


def test_the_same_bytes_brought_by_another_meanwhile_are_found(
    study: Study, people: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = bring(people)
    monkeypatch.setattr(papers, "sha256_of", lambda _content: "0" * 64)  # the look before opening saw nothing yet
    again = bring(people, name="other name.pdf")
    assert (again.paper_id, again.title, again.is_duplicate) == (first.paper_id, "a paper", True)


def test_an_unreadable_file_leaves_nothing(study: Study, people: SimpleNamespace) -> None:
    with pytest.raises(UnreadableDocument, match=r"notes\.txt"):
        bring(people, b"notes", "notes.txt")
    assert papers.list_papers(people.expert) == ()


REFERENCES = b"""title,doi,abstract,publication_date
Grain and people,10.1371/A.1,How grain feeds people,2020
Grain again,https://doi.org/10.1371/a.1,,2021
Trust,,Notes of a Workshop,2019
Trust,,,2019
"""


def test_references_come_in_one_act_and_known_ones_are_left_alone(study: Study, people: SimpleNamespace) -> None:
    outcome = papers.import_references(people.researcher, "found.csv", REFERENCES, act_id=new_id())
    # Four entries: the second repeats the first one's DOI and is a fault, the fourth repeats a title and date.
    assert (outcome.added, outcome.known) == (2, 1)
    assert [(fault.line, fault.field) for fault in outcome.faults] == [(3, "doi")]
    again = papers.import_references(people.researcher, "found.csv", REFERENCES, act_id=new_id())
    assert (again.added, again.known) == (0, 3)
    lines = {line.title: line for line in papers.list_papers(people.expert)}
    assert set(lines) == {"Grain and people", "Trust"}
    assert not lines["Trust"].has_file


def test_the_automatic_rule_excludes_visibly_and_a_person_can_take_it_back(
    study: Study, people: SimpleNamespace
) -> None:
    papers.import_references(people.researcher, "found.csv", REFERENCES, act_id=new_id())
    trust = next(line for line in papers.list_papers(people.expert) if line.title == "Trust")
    assert (trust.screening, trust.automatic, trust.reasons) == (Screening.EXCLUDED, ("workshop",), ())
    papers.screen(people.researcher, trust.id, Screening.INCLUDED, [], "", seen=1, act_id=new_id())
    found = look(people, trust.id)
    assert (found.screening, found.automatic) == (Screening.INCLUDED, ("workshop",))
    changed = PaperReference("Trust", abstract="Another workshop")
    papers.describe(people.researcher, trust.id, changed, seen=2, act_id=new_id())
    assert look(people, trust.id).screening is Screening.INCLUDED  # a person's decision stands
    flow = papers.screening_flow(people.expert)
    assert (flow.identified, flow.included, flow.open, flow.reinstated, flow.automatic) == (2, 1, 1, 1, 0)


def test_one_reference_by_hand_is_taken_once(study: Study, people: SimpleNamespace) -> None:
    papers.add_reference(people.researcher, PaperReference("Water", doi="10.1/x"), act_id=new_id())
    with pytest.raises(BadInput, match="in the study already"):
        papers.add_reference(people.researcher, PaperReference("Other title", doi="10.1/X"), act_id=new_id())
    with pytest.raises(BadInput, match="title is empty"):
        papers.add_reference(people.researcher, PaperReference("  "), act_id=new_id())


def test_a_reference_gets_its_file_once(study: Study, people: SimpleNamespace) -> None:
    paper_id = papers.add_reference(people.researcher, PaperReference("Water"), act_id=new_id()).subject_id
    papers.attach_file(people.researcher, paper_id, "water.pdf", PDF, seen=1, act_id=new_id())
    assert look(people, paper_id).sha256 == sha256_of(PDF)
    with pytest.raises(BadInput, match="has a file already"):
        papers.attach_file(people.researcher, paper_id, "w2.pdf", PDF + b"2", seen=2, act_id=new_id())
    other = papers.add_reference(people.researcher, PaperReference("Fire"), act_id=new_id()).subject_id
    with pytest.raises(BadInput, match="Already in the library as 'Water'"):
        papers.attach_file(people.researcher, other, "water.pdf", PDF, seen=1, act_id=new_id())


def test_describing_keeps_every_field(study: Study, people: SimpleNamespace) -> None:
    paper_id = bring(people).paper_id
    reference = PaperReference(
        "Éclair & <b>bold</b>", ("Ngũgĩ, A.", "李, B."), "A journal", "https://example.org/1", "10.1/x", "2020-05",
        "An abstract", ("Ecology",), "CC BY 4.0",
    )  # fmt: skip
    papers.describe(people.researcher, paper_id, reference, seen=1, act_id=new_id())
    assert look(people, paper_id).reference == reference
    assert look(people, paper_id).version == 2


@pytest.mark.parametrize(
    ("reference", "message"),
    [(PaperReference(" "), "title is empty"), (PaperReference("T", abstract="x" * 20_001), "abstract has 20,001")],
)
def test_a_description_that_does_not_fit_is_refused(
    sqlite_study: Study, people: SimpleNamespace, reference: PaperReference, message: str
) -> None:
    paper_id = bring(people).paper_id
    with pytest.raises(BadInput, match=message):
        papers.describe(people.researcher, paper_id, reference, seen=1, act_id=new_id())


def test_an_older_sight_of_a_paper_changes_nothing(study: Study, people: SimpleNamespace) -> None:
    paper_id = bring(people).paper_id
    papers.describe(people.researcher, paper_id, PaperReference("New"), seen=1, act_id=new_id())
    me = people.researcher
    for attempt in (
        lambda: papers.describe(me, paper_id, PaperReference("Stale"), seen=1, act_id=new_id()),
        lambda: papers.screen(me, paper_id, Screening.INCLUDED, [], "", seen=1, act_id=new_id()),
        lambda: papers.archive(me, paper_id, True, seen=1, act_id=new_id()),
        lambda: papers.attach_file(me, paper_id, "b.pdf", PDF + b"2", seen=1, act_id=new_id()),
    ):
        with pytest.raises(Conflict) as caught:
            attempt()
        assert (caught.value.seen, caught.value.found) == (1, 2)
    assert look(people, paper_id).reference.title == "New"


def test_excluding_needs_a_reason_and_other_needs_words(study: Study, people: SimpleNamespace) -> None:
    paper_id, me = bring(people).paper_id, people.researcher
    with pytest.raises(BadInput, match="at least one reason"):
        papers.screen(me, paper_id, Screening.EXCLUDED, [], "", seen=1, act_id=new_id())
    with pytest.raises(BadInput, match="needs a few words"):
        papers.screen(me, paper_id, Screening.EXCLUDED, [ExclusionReason.OTHER], " ", seen=1, act_id=new_id())
    reasons = [ExclusionReason.NO_GRAPH, ExclusionReason.OTHER]
    papers.screen(me, paper_id, Screening.EXCLUDED, reasons, "a table", seen=1, act_id=new_id())
    found = look(people, paper_id)
    assert (found.screening, found.reasons, found.screening_note) == (
        Screening.EXCLUDED, ("no causal graph", "other"), "a table",
    )  # fmt: skip
    papers.screen(me, paper_id, Screening.OPEN, reasons, "", seen=2, act_id=new_id())
    assert look(people, paper_id).reasons == ()


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
