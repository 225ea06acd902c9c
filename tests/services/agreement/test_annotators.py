"""Agreement as services give it: which figures count, for whose eyes, in both views, with either reference."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import pytest

from core.adjudication.differences import DifferenceKind
from core.agreement.counts import Element, Measure
from core.agreement.edges import View
from core.agreement.study_tables import AgreementTable
from core.agreement.tallies import Counts, SignTable
from core.errors import Refused
from core.graphs.alignment import NameClass
from services.agreement import annotators, reading
from services.agreement.annotators import Reference, study_agreement
from services.graphs import comparing
from services.papers import figures, papers
from services.queue import settings
from services.study import Study
from services.transcription import transcribing
from store.graphs import alignments
from store.tables import AlignmentRow, new_id
from tests.conftest import advance
from tests.query_counts import asked, reads
from tests.shared_fixture import laid_once
from tests.transcribed_twice import FIRST, SECOND, transcribe


@pytest.fixture(autouse=True)
def three_may_draw_a_figure(study: Study, people: SimpleNamespace) -> None:
    three = settings.QueueSettings(overlap=3)
    settings.save_settings(people.owner, three, seen=0, act_id=new_id())


@pytest.fixture
def twice(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, request: pytest.FixtureRequest
) -> SimpleNamespace:
    """One figure that the annotator handed in first and the colleague a minute later."""

    def make() -> SimpleNamespace:
        first = transcribe(people.annotator, a_figure.id, FIRST, delays=[1])
        advance(study, minutes=1)
        second = transcribe(people.colleague, a_figure.id, SECOND)
        return SimpleNamespace(figure=a_figure, first=first, second=second)

    return laid_once(request, study, make, people, a_figure)


@pytest.mark.both
def test_a_figure_handed_in_twice_is_compared_in_both_views(twice: SimpleNamespace, people: SimpleNamespace) -> None:
    found = study_agreement(people.reviewer)
    (figure,) = found.figures
    assert (figure.figure_id, figure.title) == (twice.figure.id, "Grain and people · Figure 1")
    counts = figure.counts[View.PRINTED]
    # First: 5 variables, 7 arrows. Second: Snow is its own; Income→Wells is turned, Wells→Rain missing, Rain→Snow
    # extra.
    assert (counts.nodes, counts.edges, counts.reversed) == (Counts(5, 1, 0), Counts(5, 2, 2), 1)
    assert counts.signs == SignTable(both_plus=3, minus_plus=1, both_minus=1)
    assert (counts.delays.reference_only, counts.delays.neither) == (1, 4)
    assert figure.alignments[NameClass.TYPO] == 1
    assert [each.kind for each in figure.disagreements] == [
        DifferenceKind.NAME,
        DifferenceKind.NODE,
        DifferenceKind.DELAY,
        DifferenceKind.SIGN,
        DifferenceKind.REVERSED,
        DifferenceKind.EDGE,
        DifferenceKind.EDGE,
    ]
    assert annotators.headline(found, View.PRINTED).f1.pooled.value == 10 / 14


def test_annotators_are_pseudonyms_by_order_of_handing_in(twice: SimpleNamespace, people: SimpleNamespace) -> None:
    (figure,) = study_agreement(people.reviewer).figures
    assert (figure.first, figure.second) == ("A1", "A6")  # as they joined: a person per role, then the colleague
    told = repr(study_agreement(people.owner))
    assert people.annotator.name not in told and people.annotator.person_id not in told


def test_either_may_be_the_reference(twice: SimpleNamespace, people: SimpleNamespace) -> None:
    first, second = (study_agreement(people.reviewer, reference).figures[0] for reference in Reference)
    assert (first.first, first.second) == (second.first, second.second)
    assert second.counts[View.PRINTED].nodes == Counts(5, 0, 1)
    assert second.counts[View.PRINTED].edges == Counts(5, 2, 2)
    assert second.counts[View.PRINTED].signs == SignTable(both_plus=3, plus_minus=1, both_minus=1)
    assert first.disagreements == second.disagreements


@pytest.mark.both(usually=False)
def test_names_that_people_aligned_are_one_and_their_class_says_what_it_costs(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    transcribe(people.annotator, a_figure.id, "CO2 emissions -> Heat\nHeat -> Ice")
    advance(study, minutes=1)
    transcribe(people.colleague, a_figure.id, "emissions -> Heats\nHeats -> Snow")
    (figure,) = study_agreement(people.reviewer).figures
    assert figure.counts[View.PRINTED].edges == Counts(0, 2, 2)
    ids = (figure.first_graph, figure.second_graph)
    with study.store.writing() as session:
        row = AlignmentRow(reference_id=ids[0], candidate_id=ids[1])
        row.classes = {"emissions": "minor difference", "Snow": "distinct"}
        alignments.keep_pairs(session, row, {"emissions": "CO2 emissions", "Heats": "Heat", "Snow": ""})
    (figure,) = study_agreement(people.reviewer).figures
    assert figure.alignments == {
        NameClass.TYPO: 0,
        NameClass.MINOR: 2,
        NameClass.MAJOR: 0,
        NameClass.DISTINCT: 1,
    }  # nobody classed "Heats": who aligned it took it for one variable
    assert figure.counts[View.PRINTED].nodes == Counts(2, 1 + 2, 1)
    assert figure.counts[View.ALIGNED].nodes == Counts(2, 1, 1)
    assert figure.counts[View.ALIGNED].edges == Counts(1, 1, 1)


def test_names_aligned_in_the_graph_lab_the_other_way_round_count_too(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    transcribe(people.annotator, a_figure.id, "Warmth -> Ice")
    advance(study, minutes=1)
    transcribe(people.colleague, a_figure.id, "Heat -> Ice")
    (figure,) = study_agreement(people.reviewer).figures
    comparing.align(people.reviewer, figure.second_graph, figure.first_graph, "Warmth", "Heat", seen=0, act_id=new_id())
    (figure,) = study_agreement(people.reviewer).figures
    assert figure.counts[View.ALIGNED].edges == Counts(1, 0, 0)


@pytest.mark.both(usually=False)
def test_only_what_is_handed_in_twice_counts_and_a_third_is_said(
    study: Study, people: SimpleNamespace, twice: SimpleNamespace, another_figure: Callable[..., SimpleNamespace]
) -> None:
    once, drafted = another_figure("Once"), another_figure("Drafted")
    transcribe(people.annotator, once.id, FIRST)
    transcribe(people.annotator, drafted.id, FIRST)
    transcribe(people.colleague, drafted.id, SECOND, hand_in=False)
    advance(study, minutes=1)
    transcribe(people.researcher, twice.figure.id, "A -> B")
    (figure,) = study_agreement(people.reviewer).figures
    assert (figure.figure_id, figure.further) == (twice.figure.id, 1)
    assert figure.counts[View.PRINTED].edges == Counts(5, 2, 2)
    transcribing.return_to_annotator(people.reviewer, twice.second, "Once more", act_id=new_id())
    (figure,) = study_agreement(people.reviewer).figures
    assert (figure.second, figure.further) == ("A4", 0)


@pytest.mark.both(usually=False)
def test_archived_figures_and_papers_do_not_count(twice: SimpleNamespace, people: SimpleNamespace) -> None:
    figures.archive_figure(people.owner, twice.figure.id, True, seen=1, act_id=new_id())
    assert study_agreement(people.owner).figures == ()
    figures.archive_figure(people.owner, twice.figure.id, False, seen=2, act_id=new_id())
    assert len(study_agreement(people.owner).figures) == 1
    papers.archive(people.owner, twice.figure.paper_id, True, seen=1, act_id=new_id())
    assert study_agreement(people.owner).figures == ()


def test_who_still_draws_a_figure_does_not_see_how_others_drew_it(
    study: Study, twice: SimpleNamespace, people: SimpleNamespace
) -> None:
    work = transcribing.take(people.researcher, twice.figure.id, act_id=new_id()).subject_id
    found = study_agreement(people.researcher)
    assert (found.figures, found.left_out) == ((), 1)
    assert "Harvest" not in repr(found)
    assert len(study_agreement(people.owner).figures) == 1
    transcribing.add_lines(people.researcher, work, "A -> B", pasted=False, seen=1, act_id=new_id())
    advance(study, minutes=1)
    transcribing.submit(people.researcher, work, seen=2, act_id=new_id())
    assert len(study_agreement(people.researcher).figures) == 1


@pytest.mark.parametrize("role", ["annotator", "colleague", "expert"])
def test_annotators_and_experts_are_refused(twice: SimpleNamespace, people: SimpleNamespace, role: str) -> None:
    with pytest.raises(Refused):
        study_agreement(getattr(people, role))


@pytest.mark.both(usually=False)
def test_the_number_of_queries_does_not_grow_and_nothing_is_read_twice(
    study: Study, people: SimpleNamespace, another_figure: Callable[..., SimpleNamespace]
) -> None:
    def queries() -> int:
        with asked(reads) as statements:
            study_agreement(people.reviewer)
        return len(statements)

    counts = []
    for number in range(4):
        figure = another_figure(f"Paper {number}")
        transcribe(people.annotator, figure.id, FIRST)
        transcribe(people.colleague, figure.id, SECOND)
        counts.append(queries())
    assert len(set(counts)) == 1, counts
    assert queries() == counts[0] - 2  # nodes and edges of graphs that did not change are not read again
    assert len(study_agreement(people.reviewer).figures) == 4


def test_what_is_kept_in_memory_is_bounded(
    study: Study,
    people: SimpleNamespace,
    another_figure: Callable[..., SimpleNamespace],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reading, "MOST_CACHED_PAIRS", 2)
    for number in range(3):
        figure = another_figure(f"Paper {number}")
        transcribe(people.annotator, figure.id, FIRST)
        transcribe(people.colleague, figure.id, SECOND)
    for _ in range(2):
        assert len(study_agreement(people.reviewer).figures) == 3
    assert len(reading._cache) == 2


def test_tables_of_the_study_have_intervals_of_one_seed(
    study: Study, people: SimpleNamespace, twice: SimpleNamespace, another_figure: Callable[..., SimpleNamespace]
) -> None:
    other = another_figure("Equal")
    for viewer in (people.annotator, people.colleague):
        transcribe(viewer, other.id, FIRST)
    found = study_agreement(people.reviewer)
    made = annotators.table(found, View.PRINTED, AgreementTable.TABLE_20)
    cell = next(c for line in made.lines for c in line.cells if (c.element, c.measure) == (Element.EDGES, Measure.F1))
    assert (cell.mean.value, cell.mean.n) == ((10 / 14 + 1) / 2, 2)
    assert cell.pooled.low == 10 / 14 and cell.pooled.high == 1
    assert annotators.table(study_agreement(people.owner), View.PRINTED, AgreementTable.TABLE_20) is made
    lines = annotators.table_21(found, View.PRINTED)
    assert [line.cells for line in lines] == [(5, 7, 1, 0, 2, 2), (5, 7, 0, 0, 0, 0), (10, 14, 1, 0, 2, 2)]
