"""What comes before a first figure: guidelines read once a version, the training drawn, checked and passed; and that
nothing of a training is ever counted with the study's work."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from sqlmodel import col, select

from core.errors import BadInput, Conflict, Missing, Refused
from core.graphs.edge import Edge
from core.papers.pages import Box
from core.papers.papers import PaperReference, Screening
from core.people import Viewer
from core.sign import Sign
from core.transcription.practice import Correctness
from exchange.graphs import GraphForm
from services import overview
from services.graphs import exporting, importing, lab
from services.papers import figures, papers
from services.papers import importing as paper_importing
from services.study import Study
from services.transcription import (
    effort,
    guidelines,
    lists,
    practice,
    proposal_report,
    proposals,
    queue,
    reading,
    transcribing,
)
from services.transcription.practice_figure import FOLDER, training_figure
from store.tables import EventRow, MilestoneRow, new_id
from tests.conftest import advance
from tests.services.acts import Act, VersionedAct
from tests.shared_fixture import laid_once

pytestmark = pytest.mark.usefixtures("untrained")


def act() -> Act:
    return {"act_id": new_id()}


def lines_of(edges: tuple[Edge, ...]) -> str:
    arrows = {Sign.PLUS: "->+", Sign.MINUS: "->-", None: "->"}
    return "\n".join(f'"{edge.source}" {arrows[edge.sign]} "{edge.sink}"' for edge in edges)


def version(viewer: Viewer, work: str) -> int:
    return reading.transcription(viewer, work).version


def begin(viewer: Viewer, edges: tuple[Edge, ...] = ()) -> str:
    """The viewer's training with these edges drawn, delays among them."""
    work = practice.begin(viewer, **act()).subject_id
    if edges:
        transcribing.add_lines(viewer, work, lines_of(edges), pasted=False, seen=version(viewer, work), **act())
        delayed = {edge.pair for edge in edges if edge.delay}
        for drawn in reading.transcription(viewer, work).record.ordered_edges():
            record = reading.transcription(viewer, work).record
            if (record.nodes[drawn.source_id].name, record.nodes[drawn.sink_id].name) in delayed:
                transcribing.edit_edge(viewer, work, drawn.id, "delay", True, seen=version(viewer, work), **act())
    return work


def check(viewer: Viewer, work: str) -> practice.Checked:
    return practice.check(viewer, work, seen=version(viewer, work), **act())


TRUE = training_figure().graph.edges


# --- what is due ------------------------------------------------------------------------------------------------


def test_a_newcomer_has_the_training_before_them_and_an_expert_nothing(study: Study, people: SimpleNamespace) -> None:
    assert practice.due(people.annotator) == practice.PracticeDue(training=True)
    assert practice.due(people.owner) == practice.PracticeDue(training=True, may_waive=True)
    for viewer in (people.reviewer, people.expert):  # who draw nothing
        assert not practice.due(viewer).is_anything


@pytest.mark.both(usually=False)
def test_guidelines_are_due_once_a_version(study: Study, people: SimpleNamespace) -> None:
    assert practice.due(people.annotator).guidelines == 0
    guidelines.save_guidelines(people.owner, "Copy what is printed.", seen=0, **act())
    assert practice.due(people.annotator).guidelines == 1
    guidelines.acknowledge(people.annotator, 1, **act())
    assert practice.due(people.annotator).guidelines == 0
    assert practice.due(people.colleague).guidelines == 1
    guidelines.save_guidelines(people.owner, "Copy what is printed, slips too.", seen=1, **act())
    assert practice.due(people.annotator).guidelines == 2
    with pytest.raises(Conflict, match="newer version"):
        guidelines.acknowledge(people.annotator, 1, **act())


def test_guidelines_that_nobody_wrote_cannot_be_acknowledged(study: Study, people: SimpleNamespace) -> None:
    with pytest.raises(Missing, match="No guidelines"):
        guidelines.acknowledge(people.annotator, 0, **act())


def test_who_handed_work_in_before_there_was_a_training_is_not_asked_for_it(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    work = queue.assign(people.owner, a_figure.id, people.annotator.person_id, **act()).subject_id
    assert practice.due(people.annotator, work).training
    transcribing.add_lines(people.annotator, work, "A -> B", pasted=False, seen=1, **act())
    transcribing.submit(people.annotator, work, seen=2, **act())
    assert not practice.due(people.annotator).training


def test_nothing_stands_before_the_training_itself_or_work_that_is_handed_in(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    guidelines.save_guidelines(people.owner, "Copy what is printed.", seen=0, **act())
    own = begin(people.annotator)
    assert not practice.due(people.annotator, own).is_anything
    work = queue.assign(people.owner, a_figure.id, people.annotator.person_id, **act()).subject_id
    assert practice.due(people.annotator, work).is_anything
    transcribing.add_lines(people.annotator, work, "A -> B", pasted=False, seen=1, **act())
    transcribing.submit(people.annotator, work, seen=2, **act())
    assert not practice.due(people.annotator, work).is_anything
    assert not practice.due(people.owner, work).is_anything


# --- taking it --------------------------------------------------------------------------------------------------


@pytest.mark.both(usually=False)
def test_a_right_drawing_passes_at_once_and_is_kept_with_its_tries(study: Study, people: SimpleNamespace) -> None:
    work = begin(people.annotator, TRUE)
    checked = check(people.annotator, work)
    assert (checked.is_passed, checked.tries, checked.is_changed) == (True, 1, False)
    assert checked.count(Correctness.RIGHT) == len(TRUE)
    assert not practice.due(people.annotator).is_anything
    with study.store.reading() as session:
        (row,) = session.exec(select(MilestoneRow)).all()
    assert (row.person_id, row.what) == (people.annotator.person_id, "training")
    assert row.details == {"how": "passed", "tries": 1}
    with pytest.raises(Refused, match="cannot be changed"):
        check(people.annotator, work)


def test_planted_slips_are_told_with_their_places_and_passed_when_corrected(
    study: Study, people: SimpleNamespace
) -> None:
    first, *rest = TRUE
    work = begin(people.annotator, (*rest, Edge("Price of flour", "Waiting in line")))
    checked = check(people.annotator, work)
    assert (checked.is_passed, checked.tries) == (False, 1)
    slips = {placed.finding.verdict: placed for placed in checked.found if placed.finding.verdict != "right"}
    assert set(slips) == {Correctness.MISSED, Correctness.NOT_THERE}
    missed = slips[Correctness.MISSED]
    assert missed.finding.pair == first.pair
    assert missed.where == "top"
    assert missed.box == training_figure().edge_boxes[first.pair]
    assert slips[Correctness.NOT_THERE].box is not None  # around the two names, since no arrow is printed
    _correct(people.annotator, work, first)
    before = practice.last_check(people.annotator, work)
    assert before is not None
    assert before.is_changed
    assert [(check(people.annotator, work).is_passed, practice.due(people.annotator).training)] == [(True, False)]
    after = practice.last_check(people.annotator, work)
    assert after is not None
    assert after.tries == 2


def _correct(viewer: Viewer, work: str, first: Edge) -> None:
    record = reading.transcription(viewer, work).record
    wrong = next(
        edge
        for edge in record.ordered_edges()
        if (record.nodes[edge.source_id].name, record.nodes[edge.sink_id].name) == ("Price of flour", "Waiting in line")
    )
    transcribing.remove_edge(viewer, work, wrong.id, seen=version(viewer, work), **act())
    transcribing.add_lines(viewer, work, lines_of((first,)), pasted=False, seen=version(viewer, work), **act())


def test_what_a_check_found_stays_as_it_was_while_the_drawing_goes_on(study: Study, people: SimpleNamespace) -> None:
    work = begin(people.annotator, TRUE[1:])
    before = check(people.annotator, work)
    transcribing.undo(people.annotator, work, seen=version(people.annotator, work), **act())
    after = practice.last_check(people.annotator, work)
    assert after is not None
    assert (after.found, after.is_changed) == (before.found, True)


@pytest.mark.both
def test_the_same_check_sent_twice_is_one_try(study: Study, people: SimpleNamespace) -> None:
    work = begin(people.annotator, TRUE[1:])
    again = VersionedAct(seen=version(people.annotator, work), **act())
    assert practice.check(people.annotator, work, **again).tries == 1
    assert practice.check(people.annotator, work, **again).tries == 1


def test_a_stale_copy_is_not_checked(study: Study, people: SimpleNamespace) -> None:
    work = begin(people.annotator, TRUE[:2])
    with pytest.raises(Conflict):
        practice.check(people.annotator, work, seen=1, **act())
    assert practice.last_check(people.annotator, work) is None


def test_real_work_has_no_known_answer_and_a_training_is_not_submitted(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    real = queue.assign(people.owner, a_figure.id, people.annotator.person_id, **act()).subject_id
    with pytest.raises(Refused, match="Submit this transcription instead"):
        practice.check(people.annotator, real, seen=1, **act())
    own = begin(people.annotator, TRUE)
    with pytest.raises(Refused, match="checked"):
        transcribing.submit(people.annotator, own, seen=version(people.annotator, own), **act())
    with pytest.raises(Refused):
        practice.check(people.colleague, own, seen=version(people.annotator, own), **act())


def test_arrows_are_not_proposed_in_it_while_names_can_be_clicked(study: Study, people: SimpleNamespace) -> None:
    work = begin(people.annotator)
    offer = proposals.open_proposals(people.annotator, work)
    assert offer.edges == ()
    assert offer.withheld == "You draw the practice diagram yourself. You can click printed names."
    assert {name.text for name in offer.names} == set(training_figure().graph.nodes)


# --- the owner's side -------------------------------------------------------------------------------------------


@pytest.mark.both(usually=False)
def test_the_owner_may_waive_it_and_ask_again(study: Study, people: SimpleNamespace) -> None:
    person = people.annotator.person_id
    practice.waive(people.owner, person, **act())
    assert not practice.due(people.annotator).training
    assert practice.practice_states(people.owner)[person].training == "waived"
    practice.ask_again(people.owner, person, **act())
    assert practice.due(people.annotator).training


def test_a_training_that_is_asked_for_again_begins_with_an_empty_drawing(study: Study, people: SimpleNamespace) -> None:
    work = begin(people.annotator, TRUE)
    check(people.annotator, work)
    with pytest.raises(BadInput, match="has passed"):
        practice.waive(people.owner, people.annotator.person_id, **act())
    practice.ask_again(people.owner, people.annotator.person_id, **act())
    assert practice.begin(people.annotator, **act()).subject_id == work
    assert practice.last_check(people.annotator, work) is None
    now = reading.transcription(people.annotator, work)
    assert (len(now.record.edges), now.may_edit) == (0, True)
    assert practice.due(people.annotator).started == work


@pytest.mark.both(usually=False)
def test_standings_name_everyone_who_may_draw(study: Study, people: SimpleNamespace) -> None:
    guidelines.save_guidelines(people.owner, "Copy what is printed.", seen=0, **act())
    guidelines.acknowledge(people.annotator, 1, **act())
    work = begin(people.annotator, TRUE[1:])
    advance(study, seconds=60)
    effort.beat(people.annotator, work, 60, beat_id=new_id())
    check(people.annotator, work)
    found = practice.practice_states(people.owner)
    assert people.expert.person_id not in found
    assert people.reviewer.person_id not in found
    mine = found[people.annotator.person_id]
    assert (mine.training, mine.tries, mine.active_s, mine.guidelines) == ("begun", 1, 60, 1)
    assert found[people.colleague.person_id].training == ""


# --- never counted with the study -------------------------------------------------------------------------------


@pytest.fixture
def trained(study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, request: pytest.FixtureRequest) -> str:
    """A passed training beside a study with one located figure and nothing drawn."""

    def make() -> str:
        work = begin(people.annotator, TRUE)
        assert check(people.annotator, work).is_passed
        return work

    return laid_once(request, study, make, people, a_figure)


@pytest.mark.both(usually=False)
def test_no_list_of_papers_or_figures_has_the_training_in_it(
    trained: str, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    listed = papers.list_papers(people.owner, with_archived=True)
    assert [line.id for line in listed] == [a_figure.paper_id]
    assert papers.screening_flow(people.owner).open == 1
    assert [work.figure_id for work in lists.own_lists(people.colleague).free] == [a_figure.id]
    assert lists.own_lists(people.annotator).mine == ()
    assert lists.submitted_work(people.owner) == ()


@pytest.mark.both(usually=False)
def test_the_overview_counts_nothing_of_it(trained: str, people: SimpleNamespace) -> None:
    seen = overview.overview(people.owner)
    counts = {step.label: step.count for step in seen.funnel}
    assert (counts["papers"], counts["figures located"], counts["transcription started"]) == (1, 1, 0)
    assert (counts["transcription submitted"], counts["to review"]) == (0, 0)


def test_no_export_has_it_also_not_with_drafts(trained: str, people: SimpleNamespace) -> None:
    begin(people.colleague, TRUE[:3])
    counts = exporting.count_export(people.owner)
    assert (counts.graphs, counts.edges, counts.drafts, counts.draft_edges) == (0, 0, 0, 0)
    content = exporting.export_study(people.owner, GraphForm.CSV, with_drafts=True).content
    assert b"Bread quality" not in content
    assert not any(group.tasks for group in proposal_report.report(people.owner).groups)
    assert effort.study_effort(people.owner).tasks == ()
    assert effort.my_effort(people.annotator) == ()


def test_the_graph_lab_neither_lists_nor_opens_it(trained: str, people: SimpleNamespace) -> None:
    graph_id = reading.transcription(people.annotator, trained).graph_id
    for viewer in (people.annotator, people.owner, people.researcher):
        assert lab.list_graphs(viewer).lines == ()
        assert lab.list_graphs(viewer, "bread").lines == ()
        with pytest.raises(Refused):
            lab.open_graph(viewer, graph_id)


def test_nobody_curates_or_takes_the_training_figure_by_its_id(trained: str, people: SimpleNamespace) -> None:
    ours, owner = training_figure().id, people.owner
    with pytest.raises(Refused, match="archived"):
        transcribing.take(people.colleague, ours, **act())
    for forbidden in (
        lambda: papers.paper(owner, ours),
        lambda: papers.archive(owner, ours, False, seen=1, **act()),
        lambda: papers.screen(owner, ours, Screening.INCLUDED, [], "", seen=1, **act()),
        lambda: papers.describe(owner, ours, PaperReference(title="Mine"), seen=1, **act()),
        lambda: figures.figures_of(owner, ours),
        lambda: figures.archive_figure(owner, ours, False, seen=1, **act()),
        lambda: figures.relocate(owner, ours, Box(0, 0, 99, 99), "", "", seen=1, **act()),
        lambda: figures.locate(owner, ours, 1, Box(0, 0, 99, 99), **act()),
        lambda: importing.import_graphs(
            owner, [("a.csv", b"source,sink\nA,B\n")], with_faulty=False, figure_id=ours, **act()
        ),
    ):
        with pytest.raises(Missing, match="in this study"):
            forbidden()


def test_its_file_brought_in_as_a_paper_is_a_paper_like_any_other(trained: str, people: SimpleNamespace) -> None:
    content = (FOLDER / "training.pdf").read_bytes()
    outcome = paper_importing.import_file(people.owner, "bakery.pdf", content, **act())
    assert not outcome.is_duplicate
    assert outcome.paper_id in [line.id for line in papers.list_papers(people.owner)]


@pytest.mark.both(usually=False)
def test_every_act_of_the_training_is_in_the_history(trained: str, study: Study, people: SimpleNamespace) -> None:
    with study.store.reading() as session:
        acts = [event.act for event in session.exec(select(EventRow).order_by(col(EventRow.seq))).all()]
    ours = [name for name in acts if name != "session.open"]
    assert (ours[0], ours[-1]) == ("training.begin", "training.check")
