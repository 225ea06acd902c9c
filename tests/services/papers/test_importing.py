"""Papers come in: files once by content, references with every fault."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from sqlmodel import select

from core.errors import BadInput, UnreadableDocument
from core.papers.papers import TITLE_READ, PaperReference, Screening
from core.words import whole
from documents.reader import Reader
from services.papers import importing, papers
from services.study import Study
from store.files import sha256_of
from store.tables import FileRow, PaperRow, new_id
from tests.services.paper_parts import PDF, bring, inspect, look


@pytest.fixture(autouse=True)
def no_document_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Reader, "inspect", inspect)


@pytest.mark.both
def test_a_file_becomes_a_paper_with_its_facts(study: Study, people: SimpleNamespace) -> None:
    outcome = bring(people)
    assert (outcome.title, outcome.is_duplicate, outcome.notices) == ("a paper", False, ("It was mended.",))
    found = look(people, outcome.paper_id)
    assert (found.sha256, found.page_count, found.has_text) == (sha256_of(PDF), 12, True)
    assert (found.original_name, found.media_type, found.notices) == (
        "a paper.pdf",
        "application/pdf",
        ("It was mended.",),
    )
    assert (found.screening, found.version) == (Screening.OPEN, 1)


def test_a_title_inside_the_file_comes_before_its_name(sqlite_study: Study, people: SimpleNamespace) -> None:
    assert bring(people, PDF + b"title=Water and trust").title == "Water and trust"


@pytest.mark.both(usually=False)
def test_a_title_that_was_read_is_marked_until_a_person_saves_it(study: Study, people: SimpleNamespace) -> None:
    def is_marked() -> bool:
        (line,) = papers.list_papers(people.expert)
        assert line.is_title_read == (TITLE_READ in look(people, line.id).notices)
        return line.is_title_read

    outcome = bring(people, PDF + b"read title=Water and trus")
    assert outcome.notices == ("It was mended.", TITLE_READ)
    assert is_marked()
    papers.save_title(people.researcher, outcome.paper_id, " Water  and trust ", seen=1, act_id=new_id())
    assert not is_marked()
    found = look(people, outcome.paper_id)
    assert (found.reference.title, found.notices) == ("Water and trust", ("It was mended.",))


def test_a_read_title_is_confirmed_as_it_is_and_by_saving_the_metadata(
    sqlite_study: Study, people: SimpleNamespace
) -> None:
    first, second = (bring(people, PDF + number + b"read title=Water and trust").paper_id for number in (b"1", b"2"))
    papers.save_title(people.researcher, first, "Water and trust", seen=1, act_id=new_id())
    papers.describe(people.researcher, second, look(people, second).reference, seen=1, act_id=new_id())
    assert [line.is_title_read for line in papers.list_papers(people.expert)] == [False, False]


def test_a_file_attached_to_a_reference_leaves_its_title_unmarked(sqlite_study: Study, people: SimpleNamespace) -> None:
    paper_id = importing.add_reference(people.researcher, PaperReference(title="Water"), act_id=new_id()).subject_id
    content = PDF + b"read title=Fire and rain"
    importing.attach_file(people.researcher, paper_id, "water.pdf", content, seen=1, act_id=new_id())
    (line,) = papers.list_papers(people.expert)
    assert (line.title, line.is_title_read) == ("Water", False)


@pytest.mark.parametrize("name", ["bad\udcff.pdf", "half\ud800.pdf"])
@pytest.mark.both
def test_a_file_whose_name_is_no_utf8_becomes_a_paper_under_one_that_can_be_shown(
    name: str, study: Study, people: SimpleNamespace
) -> None:
    shown = whole(name)
    outcome = importing.import_file(people.researcher, name, PDF, act_id=new_id())
    assert (outcome.filename, outcome.title) == (shown, shown.removesuffix(".pdf"))
    assert look(people, outcome.paper_id).original_name == shown
    again = importing.import_file(people.researcher, name, PDF, act_id=new_id())
    assert (again.filename, again.is_duplicate) == (shown, True)
    found = importing.import_references(
        people.researcher, name.replace("pdf", "bib"), b"@article{a, title={}}\n@article{b, title={T}}", act_id=new_id()
    )
    assert (found.added, str(found.faults[0])) == (
        1,
        f"{shown.replace('pdf', 'bib')}, line 1, title; every paper needs a title",
    )


@pytest.mark.both
def test_the_same_bytes_make_no_second_paper(study: Study, people: SimpleNamespace) -> None:
    first, again = bring(people), bring(people, name="other name.pdf")
    assert (again.paper_id, again.is_duplicate) == (first.paper_id, True)
    assert again.notices == ("Already in the study as “a paper”.",)
    with study.store.reading() as session:
        assert len(session.exec(select(PaperRow)).all()) == len(session.exec(select(FileRow)).all()) == 1


def test_the_same_bytes_mend_a_stored_file_that_was_damaged(sqlite_study: Study, people: SimpleNamespace) -> None:
    first = bring(people)
    with sqlite_study.store.reading() as session:
        (file,) = session.exec(select(FileRow)).all()
        place = sqlite_study.shelf.path(session, file.sha256)
    sound = place.read_bytes()
    place.write_bytes(b"damaged")
    again = bring(people)
    assert (again.paper_id, again.notices[1:]) == (
        first.paper_id,
        ("Its stored file was lost or damaged and is now repaired.",),
    )
    assert place.read_bytes() == sound


@pytest.mark.both
def test_the_same_bytes_brought_by_another_meanwhile_are_found(
    study: Study, people: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = bring(people)
    # The look before opening saw nothing yet.
    monkeypatch.setattr(importing, "sha256_of", lambda _content: "0" * 64)
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


@pytest.mark.both
def test_references_come_in_one_act_and_known_ones_are_left_alone(study: Study, people: SimpleNamespace) -> None:
    outcome = importing.import_references(people.researcher, "found.csv", REFERENCES, act_id=new_id())
    # Four entries: the second repeats the first one's DOI and is a fault, the fourth repeats a title and date.
    assert (outcome.added, outcome.known) == (2, 1)
    assert [(fault.line, fault.field) for fault in outcome.faults] == [(3, "doi")]
    again = importing.import_references(people.researcher, "found.csv", REFERENCES, act_id=new_id())
    assert (again.added, again.known) == (0, 3)
    lines = {line.title: line for line in papers.list_papers(people.expert)}
    assert set(lines) == {"Grain and people", "Trust"}
    assert not lines["Trust"].has_file


@pytest.mark.both
def test_the_automatic_rule_excludes_visibly_and_a_person_can_take_it_back(
    study: Study, people: SimpleNamespace
) -> None:
    importing.import_references(people.researcher, "found.csv", REFERENCES, act_id=new_id())
    trust = next(line for line in papers.list_papers(people.expert) if line.title == "Trust")
    assert (trust.screening, trust.automatic, trust.reasons) == (Screening.EXCLUDED, ("workshop",), ())
    papers.screen(people.researcher, trust.id, Screening.INCLUDED, [], "", seen=1, act_id=new_id())
    found = look(people, trust.id)
    assert (found.screening, found.automatic) == (Screening.INCLUDED, ("workshop",))
    changed = PaperReference(title="Trust", abstract="Another workshop")
    papers.describe(people.researcher, trust.id, changed, seen=2, act_id=new_id())
    assert look(people, trust.id).screening is Screening.INCLUDED  # a person's decision stands
    flow = papers.screening_flow(people.expert)
    assert (flow.identified, flow.included, flow.open, flow.reinstated, flow.automatic) == (2, 1, 1, 1, 0)


@pytest.mark.both
def test_one_reference_by_hand_is_taken_once(study: Study, people: SimpleNamespace) -> None:
    importing.add_reference(people.researcher, PaperReference(title="Water", doi="10.1/x"), act_id=new_id())
    with pytest.raises(BadInput, match="in the study already"):
        importing.add_reference(people.researcher, PaperReference(title="Other title", doi="10.1/X"), act_id=new_id())
    with pytest.raises(BadInput, match="title is empty"):
        importing.add_reference(people.researcher, PaperReference(title="  "), act_id=new_id())


@pytest.mark.both
def test_a_reference_gets_its_file_once(study: Study, people: SimpleNamespace) -> None:
    paper_id = importing.add_reference(people.researcher, PaperReference(title="Water"), act_id=new_id()).subject_id
    importing.attach_file(people.researcher, paper_id, "water.pdf", PDF, seen=1, act_id=new_id())
    assert look(people, paper_id).sha256 == sha256_of(PDF)
    with pytest.raises(BadInput, match="already has a file"):
        importing.attach_file(people.researcher, paper_id, "w2.pdf", PDF + b"2", seen=2, act_id=new_id())
    other = importing.add_reference(people.researcher, PaperReference(title="Fire"), act_id=new_id()).subject_id
    with pytest.raises(BadInput, match="Already in the study as “Water”"):
        importing.attach_file(people.researcher, other, "water.pdf", PDF, seen=1, act_id=new_id())
